package command_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// Credentials are read where nobody else sees them, and no word of them is said.
func TestWhereCredentialsComeFrom(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return file
	}
	fails := func(code int, says string, args ...string) {
		t.Helper()
		s.Fails(code, says, args...)
		if _, out, errs := s.Run("", args...); strings.Contains(out+errs, "hush") {
			t.Errorf("%v tells a secret: %s%s", args, out, errs)
		}
	}
	fails(world.ExitUsage, "--auth: a credential on the command line is seen by every user of this machine", "ls", s.Addr, "--auth", "digest:bob:hush")
	fails(world.ExitUsage, "may be read by others: chmod 600 it", "ls", s.Addr, "--auth-file", write("open", "digest:bob:hush", 0o644))
	for _, wrong := range []string{"hush", "sasl:hush", "digest:hush", "sasl::hush", ":hush"} {
		fails(world.ExitUsage, "a credential is written digest:USER:PASSWORD (addauth), sasl:USER:PASSWORD (DIGEST-MD5) or kerberos:PRINCIPAL", "ls", s.Addr,
			"--auth-file", write("wrong", wrong, 0o600))
	}
	fails(world.ExitUsage, "two SASL users are given, ann and bob", "ls", s.Addr, "--auth-file", write("two", "sasl:ann:hush\nsasl:bob:hush\n", 0o600))
	fails(world.ExitConnect, "offers no DIGEST-MD5", "ls", s.Addr, "--auth-file", write("one", "sasl:ann:hush", 0o600))
	fails(world.ExitConnect, "offers no DIGEST-MD5", "ls", s.Addr, "--auth-file", write("mark", "\ufeff# ours\r\nsasl:ann:hush\r\n", 0o600))
	fails(world.ExitUsage, "no credential is in it", "ls", s.Addr, "--auth-file", write("none", "# none\n\n", 0o600))
	for _, tls := range []string{"--tls-min=1.3", "--tls-name=zk1"} { // each is about TLS, so nothing goes out in plain text
		fails(world.ExitConnect, "TLS", "ls", s.Addr, tls)
	}
	fails(world.ExitUsage, "TLS 1.1 is not spoken", "ls", s.Addr, "--tls-min", "1.1")
	fails(world.ExitConnect, "offers no DIGEST-MD5", "ls", s.Addr, "--jaas", write("jaas", `Client { org.apache.zookeeper.server.auth.DigestLoginModule required username="ann" password="hush"; };`, 0o600))
	fails(world.ExitUsage, "no section Server is in it, only Client", "ls", s.Addr, "--jaas", filepath.Join(dir, "jaas")+"#Server")
	fails(world.ExitUsage, "names the module Other", "ls", s.Addr, "--jaas", write("other", "Client { a.Other required; };", 0o600))
	digest := `Client { org.apache.zookeeper.server.auth.DigestLoginModule required username="ann" password="hush"; };`
	fails(world.ExitUsage, "may be read by others: chmod 600 it", "ls", s.Addr, "--jaas", write("open.jaas", digest, 0o640))
	fails(world.ExitUsage, "lines 1 and 2: two sections are called Client", "ls", s.Addr, "--jaas", write("two.jaas", digest+"\n"+digest, 0o600))
	fails(world.ExitUsage, "there is a NUL character", "ls", s.Addr, "--jaas", write("nul.jaas", strings.Replace(digest, "hush", "hu\x00sh", 1), 0o600))
	for _, line := range []string{"digest:a\x00nn:hush", "sasl:ann:hush\x00", "kerberos:ann\x00hush", "d\x00i\x00:\x00h\x00u\x00s\x00h"} {
		fails(world.ExitUsage, "there is a NUL character in a credential", "ls", s.Addr, "--auth-file", write("nul", line, 0o600))
	}
	profile := write("config.yaml", fmt.Sprintf("profiles:\n  p:\n    servers: %s\n    auth-command: [sh, -c, 'echo nosuch:hush']\n  q:\n    servers: %[1]s\n    auth-command: [sh, -c, 'echo hush; exit 3']\n", s.Addr), 0o600)
	fails(world.ExitConnect, "credentials are refused: nosuch", "ls", "--config", profile, "--profile", "p")
	fails(world.ExitUsage, "auth-command sh: exit status 3", "ls", "--config", profile, "--profile", "q")
	s.Env[command.AuthVar] = "digest:ann:hush\nnosuch:hush"
	fails(world.ExitConnect, "credentials are refused: nosuch", "ls", s.Addr)
}

// Servers that are known by names that lead nowhere from here are reached by the addresses that the map gives, by every
// means.
func TestServersBehindForwardedPorts(t *testing.T) {
	real := peers.ZooKeeper(t, peers.Options{Admin: true})
	c, err := zkc.Dial(t.Context(), zkc.Config{Servers: []string{real.Addr}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	s := clitest.New(t, cli.Run, zkserver.Options{})
	name := func(port int) string { return fmt.Sprintf("zk-0.zk.prod.svc.invalid:%d", port) }
	to := fmt.Sprintf("%s=%s,%s=127.0.0.1:%d", name(2181), real.Addr, name(8080), real.AdminPort)
	for tier, more := range map[string][]string{" admin ": {"--map", to}, " 4lw ": {"--map", name(2181) + "=" + real.Addr, "--admin", "off"}} {
		code, out, errs := s.Run("", append([]string{"doctor", name(2181)}, more...)...)
		if code != world.ExitOK || errs != "" || !strings.Contains(out, tier) {
			t.Errorf("%s: exit %d %s\n%s", tier, code, errs, out)
		}
	}
	code, _, errs := s.Run("", "doctor", name(2181), "--admin", "off", "--map", to+",zk-o.zk.prod.svc.invalid:2181=127.0.0.1:1")
	want := fmt.Sprintf("zkscope: warning: no server was reached by --map zk-0.zk.prod.svc.invalid:8080=127.0.0.1:%d,zk-o.zk.prod.svc.invalid:2181=127.0.0.1:1: write each as the servers and their members are named, with the port\n", real.AdminPort)
	if code != world.ExitOK || errs != want {
		t.Errorf("exit %d: %s", code, errs)
	}
	s.Fails(world.ExitConnect, "zk-0.zk.prod.svc.invalid:2181", "ls", name(2181))
	s.Fails(world.ExitUsage, "write host:port=host:port", "ls", name(2181), "--map", "zk-0=127.0.0.1:1")
}
