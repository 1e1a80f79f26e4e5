package e2e

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/youmark/pkcs8"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// secretive is a server with a line that only those see who know the password of ann, by plain TCP and by TLS.
func secretive(t *testing.T, p *papers) (plain, secure string, c *zkc.Conn) {
	t.Helper()
	s := zkserver.New(zkserver.Options{})
	t.Cleanup(func() { s.Close() })
	addr, err := s.Listen("127.0.0.1:0")
	must(t, err)
	cert, err := tls.LoadX509KeyPair(p.file("server"), p.file("server"))
	must(t, err)
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{cert}, ClientAuth: tls.RequireAnyClientCert})
	must(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			s.ServeConn(conn)
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	c, err = zkc.Dial(ctx, zkc.Config{Servers: []string{addr.String()}, Auth: []zkc.Auth{{Scheme: "digest", Token: []byte("ann:by-environment")}, {Scheme: "digest", Token: []byte("ann:by-file")}, {Scheme: "digest", Token: []byte("ann:by-command")}}})
	must(t, err)
	t.Cleanup(c.Close)
	ours := []wire.ACL{}
	for _, password := range []string{"by-environment", "by-file", "by-command"} {
		ours = append(ours, wire.ACL{Perms: wire.PermAll, Scheme: "digest", ID: zkserver.DigestID("ann:" + password)})
	}
	for _, path := range []string{"/locks", "/locks/a"} {
		_, err = c.Create(ctx, path, nil, 0, ours)
		must(t, err)
	}
	for _, name := range []string{"job-1", "job-2"} {
		made, err := c.Create(ctx, "/locks/a/0123456789abcdef0123456789abcdef__lock__", []byte(name), wire.FlagEphemeralSequence, ours)
		must(t, err)
		_, err = c.WatchOnce(ctx, zkc.WatchData, made.Path) // the waiter's: nobody looks twice whether it is lost
		must(t, err)
	}
	return addr.String(), l.Addr().String(), c
}

// locked writes a certificate with its key behind a password.
func (p *papers) locked(t *testing.T, name, password string) string {
	t.Helper()
	cert, key := p.issue(t, name, p.ca, p.key)
	var b bytes.Buffer
	must(t, pem.Encode(&b, &pem.Block{Type: "CERTIFICATE", Bytes: cert.Raw}))
	der, err := pkcs8.MarshalPrivateKey(key, []byte(password), nil)
	must(t, err)
	must(t, pem.Encode(&b, &pem.Block{Type: "ENCRYPTED PRIVATE KEY", Bytes: der}))
	return written(t, name+".pem", b.String())
}

// everything are commands of each kind, with files at home; ~ stands for that.
var everything = [][]string{
	{"ls", "-o", "json"}, {"show", "/locks/a"}, {"show", "/locks/a", "-o", "json"}, {"why", "/locks/a"}, {"graph"}, {"sessions"}, {"sessions", "-o", "json"},
	{"doctor"}, {"doctor", "-o", "json"}, {"check", "-o", "nagios"}, {"check", "--prometheus", "~/check.prom"}, {"config"}, {"config", "-o", "json"}, {"config", "check"},
	{"snapshot", "--file", "~/snapshot.json"}, {"record", "--for", "500ms", "--file", "~/night.jsonl"}, {"report", "--from", "~/night.jsonl", "--file", "~/incident.html"},
	{"history", "/locks/a", "--from", "~/night.jsonl"}, {"watch", "/locks/a", "--for", "500ms", "--exec", "env"}, {"join", "lock", "/locks/mine", "--", "env"},
	{"join", "election", "/locks/first", "-o", "jsonl", "--", "sh", "-c", "env; exit 3"}, {"break", "/locks/a", "--dry-run", "-o", "json"}, {"__complete", "show", "/loc"},
	{"ls", "--timeout", "1ns"}, {"impact", "/locks/a"}, {"nonsense"}, {"show", "/locks/a", "--nonsense"},
}

// Whatever is printed or written by whoever holds a secret does not have it: not by any command, nor by one that fails, nor where
// the console or a command panics.
func TestNoSecretIsWritten(t *testing.T) {
	t.Parallel()
	p := newPapers(t, "server")
	plain, secure, c := secretive(t, p)
	hook := written(t, "hook", "http://127.0.0.1:9/services/hook-token\n")
	command := written(t, "vault", "#!/bin/sh\necho digest:ann:by-command\n")
	broken := written(t, "broken", "#!/bin/sh\necho digest:ann:by-a-broken-one\nexit 1\n")
	for _, file := range []string{command, broken} {
		must(t, os.Chmod(file, 0o700))
	}
	me := p.locked(t, "me", "opens-the-key")
	config := written(t, "config.yaml", fmt.Sprintf(`profiles:
  command: {servers: %[1]q, auth-command: [%[2]q]}
  env: {servers: %[1]q, auth-env: PROD_AUTH}
  tls: {servers: %[3]q, auth-file: %[4]q, tls-ca: %[5]q, tls-cert: %[6]q, tls-password-file: %[7]q}
  broken: {servers: %[1]q, auth-command: [%[8]q]}
  malformed: {servers: %[1]q, auth-file: %[9]q}
  sasl: {servers: %[1]q, auth-file: %[10]q}
`, plain, command, secure, written(t, "creds", "digest:ann:by-file\n"), p.file("ca"), me, written(t, "password", "opens-the-key\n"), broken,
		written(t, "creds", "digest=ann=ill-written\n"), written(t, "creds", "sasl:ann:for-sasl-alone\n")))
	secrets := []string{"by-environment", "by-file", "by-command", "opens-the-key", "hook-token", "by-a-broken-one", "ill-written", "for-sasl-alone"}
	w := newWho(t, "PROD_AUTH=digest:ann:by-environment", "ZKSCOPE_AUTH=digest:ann:by-environment", "GOTRACEBACK=all")
	for _, profile := range []string{"command", "env", "tls", "broken", "malformed", "sasl"} {
		w.args = []string{"--config", config, "--profile", profile}
		good := profile == "command" || profile == "env" || profile == "tls"
		commands := [][]string{{"ls", "-o", "json"}, {"doctor"}, {"join", "lock", "/locks/mine", "--timeout", "1s", "--", "env"}, {"config"}, {"watch", "/locks/a", "--for", "300ms", "--exec", "env"}}
		if profile == "tls" {
			commands = everything
		}
		for _, line := range commands {
			line = at(w.home, line)
			code, out, errs := w.once(line...)
			if good && line[0] == "ls" && line[1] == "-o" && (code != 0 || !strings.Contains(out, "job-1")) || !good && code == 0 && line[0] != "config" {
				t.Errorf("%s, %q: exit %d: %s%s", profile, line, code, out, errs)
			}
			if line[0] == "join" && good && !strings.Contains(out, "ZKSCOPE_PATH=") {
				t.Errorf("%s: the command did not run: %s%s", profile, out, errs)
			}
		}
	}
	w.args = []string{"--config", config, "--profile", "env"}
	breaksOne(t, w, c)
	goesOn(t, w, hook)
	for _, profile := range []string{"command", "env", "tls"} {
		w.args = []string{"--config", config, "--profile", profile}
		panics(t, w)
	}
	w.told(secrets...)
	if files, _ := filepath.Glob(filepath.Join(w.home, "state", "zkscope", "*")); len(files) < 4 { // the audit log, a trace a profile
		t.Errorf("what was looked through: %q", files)
	}
}

// at is a command line whose files lie at home.
func at(home string, line []string) (out []string) {
	for _, a := range line {
		if rest, ok := strings.CutPrefix(a, "~/"); ok {
			a = filepath.Join(home, rest)
		}
		out = append(out, a)
	}
	return out
}

// breaksOne changes something, which is written down.
func breaksOne(t *testing.T, w *who, c *zkc.Conn) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	names, _, err := c.Children(ctx, "/locks/a")
	must(t, err)
	path := "/locks/a/" + min(names[0], names[1])
	_, stat, err := c.Get(ctx, path)
	must(t, err)
	if code, out, errs := w.once("break", path, "--yes", "--czxid", fmt.Sprint(stat.Czxid)); code != 0 {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	b, err := os.ReadFile(filepath.Join(w.home, "state", "zkscope", "audit.jsonl"))
	if err != nil || !strings.Contains(string(b), path) {
		t.Errorf("not written down: %v %s", err, b)
	}
}

// goesOn runs what serves and posts, until it is killed by a signal of which the runtime dumps all goroutines.
func goesOn(t *testing.T, w *who, hook string) {
	t.Helper()
	export := w.start("export", "--listen", "127.0.0.1:0")
	says(t, export, "serving http://")
	page, err := http.Get(strings.TrimSpace(strings.TrimPrefix(export.Output(), "serving ")))
	must(t, err)
	body, err := io.ReadAll(page.Body)
	page.Body.Close()
	must(t, err)
	w.heard(func() string { return string(body) })
	notify := w.start("notify", "--webhook-file", hook)
	says(t, notify, "watching ")
	for _, p := range []*peers.Proc{export, notify} {
		p.Signal(syscall.SIGABRT)
		p.Code()
		if !strings.Contains(p.Output(), "goroutine ") {
			t.Errorf("no dump: %s", p.Output())
		}
	}
}

// panics has the console fail, and a command, while they are connected.
func panics(t *testing.T, w *who) {
	t.Helper()
	file, err := faulty()
	must(t, err)
	x := runTerminal(t, file, 120, 30, w.env, w.line(nil)...)
	w.heard(x.bytes)
	x.see("/locks/a")
	_ = x.cmd.Process.Signal(syscall.SIGUSR1)
	if code := x.ends(); code != 1 {
		t.Errorf("exit %d: %s", code, x.bytes())
	}
	watch := peers.Start(t, "", w.env, file, w.line([]string{"watch", "/locks/a"})...)
	w.heard(watch.Output)
	says(t, watch, "holds")
	watch.Signal(syscall.SIGUSR1)
	if watch.Code(); !strings.Contains(watch.Output(), "failed on purpose") {
		t.Errorf("it does not fail: %s", watch.Output())
	}
}
