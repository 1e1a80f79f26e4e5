package e2e

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
)

// who runs the real program as somebody: with an environment of their own, in which all that it writes for itself lies in home.
type who struct {
	t    *testing.T
	home string
	env  []string
	args []string // behind those of each command

	mu   sync.Mutex
	said []func() string // what each command has printed
}

func newWho(t *testing.T, env ...string) *who {
	t.Helper()
	home := t.TempDir()
	return &who{t: t, home: home, env: append([]string{"HOME=" + home, "XDG_STATE_HOME=" + filepath.Join(home, "state"), "XDG_CONFIG_HOME=" + filepath.Join(home, "config"),
		"XDG_CACHE_HOME=" + filepath.Join(home, "cache")}, env...)}
}

// line puts our own arguments before what is the command's of join.
func (w *who) line(args []string) []string {
	for i, a := range args {
		if a == "--" {
			return append(append(append([]string(nil), args[:i]...), w.args...), args[i:]...)
		}
	}
	return append(append([]string(nil), args...), w.args...)
}

// start starts a command that goes on.
func (w *who) start(args ...string) *peers.Proc {
	w.t.Helper()
	file, err := binary()
	must(w.t, err)
	p := peers.Start(w.t, "", w.env, file, w.line(args)...)
	w.heard(p.Output)
	return p
}

// heard notes where what a command has printed is.
func (w *who) heard(said func() string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.said = append(w.said, said)
}

// told fails the test where one of these secrets is in anything that was printed, or in a file at home.
func (w *who) told(secrets ...string) {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	check := func(where, text string) {
		for _, secret := range secrets {
			if len(secret) < 4 {
				w.t.Fatalf("%q would be found anywhere", secret)
			}
			if strings.Contains(text, secret) {
				w.t.Errorf("%s has the secret %q", where, secret)
			}
		}
	}
	for _, said := range w.said {
		text := said()
		check("what was printed: "+text[:min(len(text), 80)], text)
	}
	must(w.t, filepath.WalkDir(w.home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		check(path, path+"\n"+string(b))
		return err
	}))
}

// once runs a command to its end.
func (w *who) once(args ...string) (code int, out, errs string) {
	w.t.Helper()
	file, err := binary()
	must(w.t, err)
	cmd := exec.Command(file, w.line(args)...)
	var o, e bytes.Buffer
	cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), w.env...), &o, &e
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		w.t.Fatal(err)
	}
	w.heard(func() string { return o.String() + e.String() })
	return cmd.ProcessState.ExitCode(), o.String(), e.String()
}

// refused holds commands to ending with one line that says so, and the code of what cannot be reached.
func (w *who) refused(addr, says string) {
	w.t.Helper()
	for _, line := range [][]string{{"ls", addr}, {"check", addr}, {"watch", "/vault/lock", addr}, {"doctor", addr}, {"sessions", addr}, {"break", "/vault/lock", addr},
		{"record", addr, "--file", filepath.Join(w.home, "never")}, {"export", addr, "--listen", "127.0.0.1:0"},
		{"join", "lock", "/vault/lock", "--servers", addr, "--timeout", "1s"}, {"join", "lock", "/vault/lock", "--servers", addr, "--timeout", "1s", "--", "true"}} {
		want := 6
		if line[len(line)-1] == "true" {
			want = 125
		}
		code, out, errs := w.once(line...)
		if code != want || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, says) || out != "" {
			w.t.Errorf("%q: exit %d: %q %q, want %q", line, code, errs, out, says)
		}
	}
}

// says waits for a line of a command that goes on.
func says(t *testing.T, p *peers.Proc, text string) {
	t.Helper()
	if !saying(t, p, text) {
		t.Fatalf("ended, and not said: %q\n%s", text, p.Output())
	}
}

// saying is says where the command may end without it.
func saying(t *testing.T, p *peers.Proc, text string) bool {
	t.Helper()
	over := false
	peers.WaitFor(t, time.Minute, "said: "+text, func() bool {
		select {
		case <-p.Done():
			over = true
		default:
		}
		return over || strings.Contains(p.Output(), text)
	})
	return strings.Contains(p.Output(), text)
}

// served waits until a server has a connection of the session that a claim is of; cons asks it which it has.
func served(t *testing.T, cons func() string, join *peers.Proc) {
	t.Helper()
	_, rest, _ := strings.Cut(join.Output(), "session ")
	session, _, _ := strings.Cut(rest, "\n")
	peers.WaitFor(t, time.Minute, "session "+session+" to be connected again", func() bool {
		return session != "" && strings.Contains(cons(), "sid="+strings.TrimSpace(session)+",")
	})
}

// A ticket that has ended is told in one line, of which neither the KDC nor a server hears; a connection outlives it, and once
// it is lost comes back as soon as there is a new ticket, with the claim. A KDC that is away is not missed for as long as a
// ticket lasts, and not asked because a server is away.
func TestTicketsThatEnd(t *testing.T) {
	t.Parallel()
	k := peers.Kerberos(t)
	k.Principal("alice", "wonderland")
	s := peers.ZooKeeper(t, peers.Options{Tick: 2 * time.Second, JVMFlags: k.ServerFlags(), ExtraCfg: peers.SASLConfig})
	gate := peers.NewTurnstile(t, s.Addr)
	cache := k.Tickets("alice", "wonderland", time.Second)
	ended := "kerberos: the ticket of alice@" + k.Realm + " in " + cache + " ended at 2"
	w := newWho(t, "KRB5_CONFIG="+k.Conf, "KRB5CCNAME="+cache, "ZKSCOPE_AUTH=kerberos:alice")
	w.args = []string{"--4lw", "off", "--admin", "off"}
	ends := func() {
		t.Helper()
		peers.WaitFor(t, time.Minute, "the ticket ends", func() bool { _, _, errs := w.once("ls", gate.Addr); return strings.Contains(errs, ended) })
	}
	ends()
	came, asked := gate.Came(), k.Asked()
	unheard := func(when string) {
		t.Helper()
		if c, a := gate.Came()-came, k.Asked()-asked; c+a > 0 {
			t.Errorf("%s: %d connections, %d questions to the KDC", when, c, a)
		}
		came, asked = gate.Came(), k.Asked()
	}
	w.refused(gate.Addr, ended)
	unheard("at the beginning")

	var join, watch *peers.Proc
	for lasts := 4 * time.Second; ; lasts *= 2 { // until that is enough to begin with
		k.Into(cache, "alice", "wonderland", lasts)
		join = w.start("join", "lock", "/vault/lock", "--servers", gate.Addr, "--acl", "creator", "--session-timeout", "40s", "--timeout", "1m")
		if !saying(t, join, "holds /vault/lock") {
			continue
		}
		if watch = w.start("watch", "/vault/lock", gate.Addr); saying(t, watch, "holds for") {
			break
		}
		join.Signal(syscall.SIGINT)
		join.Code()
	}
	came, asked = gate.Came(), k.Asked()
	ends()
	if c := gate.Came() - came; strings.Contains(watch.Output(), "lost") && c > 0 {
		t.Errorf("the connection does not outlive its ticket: %s", watch.Output())
	}
	came, asked = gate.Came(), k.Asked()
	gate.Cut()
	says(t, watch, "zkscope: cannot connect to "+gate.Addr+": "+ended)
	unheard("without a ticket")

	k.Into(cache, "alice", "wonderland", time.Hour)
	says(t, watch, "zkscope: connected again")
	w.holds(gate.Addr, join)
	if n := strings.Count(watch.Output(), "cannot connect"); n != 1 {
		t.Errorf("told %d times:\n%s", n, watch.Output())
	}

	k.Stop()
	asked = k.Asked()
	before := strings.Count(watch.Output(), "connected again")
	gate.Cut()
	peers.WaitFor(t, time.Minute, "connected again without the KDC", func() bool { return strings.Count(watch.Output(), "connected again") > before })
	if code, _, errs := w.once("ls", gate.Addr); code != 6 || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "kerberos: the KDC of "+k.Realm+" cannot be reached") {
		t.Errorf("without a KDC: exit %d: %q", code, errs)
	}
	k.Restart()
	asked, came = k.Asked(), gate.Came()
	s.Kill()
	peers.WaitFor(t, time.Minute, "several attempts", func() bool { return gate.Came() > came+5 })
	if n := k.Asked() - asked; n > 0 {
		t.Errorf("the KDC was asked %d times because a server is away", n)
	}
	s.Restart()
	served(t, func() string { return s.FourLetter("cons") }, join)
	join.Signal(syscall.SIGINT)
	<-join.Done()
	if out := join.Output(); strings.Contains(out, "lost") || strings.Contains(out, "stays") {
		t.Errorf("the claim: %s", out)
	}
	peers.WaitFor(t, time.Minute, "the claim to be let go", func() bool {
		code, out, _ := w.once("ls", gate.Addr, "-o", "csv", "--columns", "path,state")
		return code == 0 && !strings.Contains(out, "/vault/lock,held")
	})
}

// holds sees that a claim is held still.
func (w *who) holds(addr string, join *peers.Proc) {
	w.t.Helper()
	code, out, errs := w.once("ls", addr, "-o", "csv", "--columns", "path,state")
	if code != 0 || !strings.Contains(out, "/vault/lock,held") || strings.Contains(join.Output(), "lost") {
		w.t.Errorf("exit %d: %s%s; the claim: %s", code, out, errs, join.Output())
	}
}

// A ticket that somebody renews goes on being good; keys and keytabs that are wrong are told in one line, after the KDC was asked
// once at most.
func TestTicketsThatAreRenewedAndKeysThatAreWrong(t *testing.T) {
	t.Parallel()
	k := peers.Kerberos(t)
	k.Principal("alice", "wonderland")
	s := peers.ZooKeeper(t, peers.Options{JVMFlags: k.ServerFlags(), ExtraCfg: peers.SASLConfig})
	gate := peers.NewTurnstile(t, s.Addr)
	cache := k.Tickets("alice", "wonderland", time.Hour)
	w := newWho(t, "KRB5_CONFIG="+k.Conf, "KRB5CCNAME="+cache, "ZKSCOPE_AUTH=kerberos:alice")
	const lasts = 4 * time.Second
	renewed := func() bool {
		k.Into(cache, "alice", "wonderland", lasts, "-r", "1h")
		for end := time.Now().Add(lasts + 500*time.Millisecond); time.Now().Before(end); {
			if !k.Renew(cache) {
				return false
			}
		}
		code, out, errs := w.once("ls", gate.Addr)
		if code != 0 && k.Renew(cache) {
			t.Fatalf("exit %d: %s%s", code, out, errs)
		}
		return code == 0
	}
	peers.WaitFor(t, time.Minute, "a ticket that is renewed in time", renewed)

	w = newWho(t, "KRB5_CONFIG="+k.Conf, "ZKSCOPE_AUTH=kerberos:ops")
	old := k.Keytab("ops")
	w.args = []string{"--keytab", old}
	if code, _, errs := w.once("ls", gate.Addr); code != 0 {
		t.Fatal(errs)
	}
	k.Rekey("ops")
	came, asked := gate.Came(), k.Asked()
	code, _, errs := w.once("ls", gate.Addr)
	if want := "zkscope: authenticate: credentials are refused: kerberos: the KDC refuses the key of ops@" + k.Realm + ": the keytab " + old + " is older than the password that was set last\n"; code != 6 || errs != want {
		t.Errorf("exit %d: %q, want %q", code, errs, want)
	}
	if c, a := gate.Came()-came, k.Asked()-asked; c > 0 || a > 2 { // without a proof first, and then with one
		t.Errorf("%d connections, %d questions to the KDC", c, a)
	}
	w.args = []string{"--keytab", k.Keytab("other")}
	if code, _, errs := w.once("ls", gate.Addr); code != 2 || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "has no key of ops@"+k.Realm+", only of other@"+k.Realm) {
		t.Errorf("exit %d: %q", code, errs)
	}
}
