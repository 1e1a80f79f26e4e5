package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/peers"
)

// Whoever the servers know by Kerberos reads, takes part and acts as that user, by keytab and by password file of DIGEST-MD5
// alike; nobody else sees what is theirs.
func TestCommandsProveWhoTheyAre(t *testing.T) {
	k := peers.Kerberos(t)
	t.Setenv("KRB5_CONFIG", k.Conf)
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		must(t, os.WriteFile(file, []byte(text), 0o600))
		return file
	}
	s := peers.ZooKeeper(t, peers.Options{JVMFlags: k.ServerFlags(), ExtraCfg: peers.SASLConfig})
	as := []string{"--servers", s.Addr, "--auth-file", write("creds", "kerberos:ops\n"), "--keytab", k.Keytab("ops")}
	audit := []string{"--audit-log", filepath.Join(dir, "audit.jsonl")}
	joined := make(chan string, 1)
	go func() {
		_, out, errs := run(append(append([]string{"join", "lock", "/vault/lock", "--acl", "creator"}, as...), append(audit, "--", "sh", "-c", "sleep 3; echo done")...)...)
		joined <- out + errs
	}()
	peers.WaitFor(t, 20*time.Second, "the lock to be held", func() bool {
		code, out, _ := run(append([]string{"ls", "-o", "csv", "--columns", "path,state"}, as...)...)
		return code == 0 && strings.Contains(out, "/vault/lock,held")
	})
	if code, out, errs := run("show", "/vault/lock", s.Addr); code == 0 && strings.Contains(out, "holds") {
		t.Errorf("nobody reads what is another's: %s%s", out, errs)
	}
	if said := <-joined; !strings.Contains(said, "done") {
		t.Error(said)
	}
	log, err := os.ReadFile(audit[1])
	must(t, err)
	if !strings.Contains(string(log), "/vault/lock") {
		t.Errorf("not written down: %s", log)
	}
}

// A password of Kerberos is typed: the right one gets a ticket, a wrong one is told in one line.
func TestAPasswordOfKerberosIsTyped(t *testing.T) {
	k := peers.Kerberos(t)
	t.Setenv("KRB5_CONFIG", k.Conf)
	s := peers.ZooKeeper(t, peers.Options{JVMFlags: k.ServerFlags(), ExtraCfg: peers.SASLConfig})
	k.Principal("ann", "typed")
	asked := func(password string, args ...string) (code int, out, errs string) {
		var o, e bytes.Buffer
		w := cli.World{In: strings.NewReader(""), Out: &o, Err: &e, Now: time.Now, InTTY: true, ReadSecret: func() (string, error) { return password, nil },
			Getenv: func(name string) string { return map[string]string{"ZKSCOPE_AUTH": "kerberos:ann"}[name] }}
		flags := []string{args[0], "--servers", s.Addr, "--ask-password", "--audit-log", filepath.Join(t.TempDir(), "audit.jsonl")}
		code = cli.Run(append(flags, args[1:]...), w)
		return code, o.String(), e.String()
	}
	const prompt = "password of kerberos:ann: \n"
	if code, out, errs := asked("typed", "join", "lock", "/vault/typed", "--acl", "creator", "--", "echo", "held"); code != 0 || !strings.HasPrefix(errs, prompt) || !strings.Contains(out, "held") {
		t.Errorf("exit %d: %s%s", code, errs, out)
	}
	code, out, errs := asked("mistyped", "ls")
	if code != 6 || !strings.HasPrefix(errs, prompt) || !strings.HasSuffix(errs, "wrong password of ann@ZK.TEST\n") || strings.Count(errs, "\n") != 2 || strings.Contains(out+errs, "mistyped") {
		t.Errorf("exit %d: %s%s", code, errs, out)
	}
}
