package command_test

import (
	"bytes"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// Servers that the DNS names are reached as any, with a chroot and with forwarded ports; a name that it does not know is one line.
func TestServersOfTheDNS(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	s.Contend()
	_, port, _ := net.SplitHostPort(s.Addr)
	n, _ := strconv.Atoi(port)
	w := world.World{In: strings.NewReader(""), Getenv: s.Getenv, Now: time.Now, Resolver: peers.NameServer(t, map[string][]net.SRV{
		"_zookeeper._tcp.zk.test": {{Target: "localhost", Port: uint16(n)}}, "_client._tcp.zk.test": {{Target: "a.zk.test", Port: 2181}}})}
	run := func(args ...string) (code int, out, errs string) {
		var o, e bytes.Buffer
		w.Out, w.Err = &o, &e
		code = cli.Run(args, w)
		return code, o.String(), e.String()
	}
	if code, out, errs := run("ls", "srv://zk.test/locks", "--prefer-observer"); code != world.ExitOK || !strings.Contains(out, "/b ") || !strings.Contains(out, "batch-1") {
		t.Errorf("exit %d %s%s", code, out, errs)
	}
	if code, out, errs := run("ls", "--servers", "srv://_client._tcp.zk.test", "--map", "a.zk.test:2181="+s.Addr); code != world.ExitOK || !strings.Contains(out, "/locks/b") {
		t.Errorf("forwarded: exit %d %s%s", code, out, errs)
	}
	code, _, errs := run("ls", "srv://none.test")
	if code != world.ExitConnect || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "srv://none.test: the DNS has no SRV record of _zookeeper._tcp.none.test") {
		t.Errorf("exit %d %s", code, errs)
	}
	if code, _, errs = run("ls", "srv://a:2181"); code != world.ExitUsage || !strings.Contains(errs, "after srv:// stands one name and no port") {
		t.Errorf("exit %d %s", code, errs)
	}
}
