package join_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/join"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
	"github.com/zkscope/zkscope/recipes"
)

func takerOf(s *clitest.Shell) *recipes.Session {
	s.T.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	ses, err := recipes.Dial(ctx, recipes.Config{Servers: []string{s.Addr}, Timeout: 6 * time.Second})
	if err != nil {
		s.T.Fatal(err)
	}
	s.T.Cleanup(ses.Close)
	return ses
}

func TestACommandRunsWhileItHolds(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	for _, x := range []struct {
		args []string
		out  string
		code int
	}{
		{[]string{"join", "lock", "/l", "--", "sh", "-c", `echo "$ZKSCOPE_KIND $ZKSCOPE_PATH $ZKSCOPE_DIALECT"; test "$ZKSCOPE_TOKEN" -gt 0`}, "lock /l zookeeper\n", 0},
		{[]string{"join", "lock", "/l", "--", "sh", "-c", "exit 7"}, "", 7},
		{[]string{"join", "lock", "/l", "--dialect", "curator", "--", "sh", "-c", `basename "$ZKSCOPE_NODE" | cut -c 1-3`}, "_c_\n", 0},
		{[]string{"join", "sharedlock", "/rw", "--role", "read", "--", "sh", "-c", `case $ZKSCOPE_NODE in *-read-*) echo reads;; esac`}, "reads\n", 0},
		{[]string{"join", "semaphore", "/s", "--limit", "2", "--", "true"}, "", 0},
		{[]string{"join", "election", "/e", "--", "true"}, "", 0},
		{[]string{"join", "membership", "/g", "--name", "m", "--", "sh", "-c", `basename "$ZKSCOPE_NODE"`}, "m\n", 0},
		{[]string{"join", "service", "/svc/web", "--data", "10.0.0.1:80", "--", "true"}, "", 0},
		{[]string{"join", "doublebarrier", "/b", "--count", "1", "--", "true"}, "", 0},
		{[]string{"join", "barrier", "/gate", "--role", "set", "--", "true"}, "", 0},
		{[]string{"join", "barrier", "/gate", "--", "echo", "open"}, "open\n", 0},
		{[]string{"join", "queue", "/q", "--role", "producer", "--data", "hello", "--", "true"}, "", 0},
		{[]string{"join", "queue", "/q", "--", "sh", "-c", "cat; exit 1"}, "hello", 1},
		{[]string{"join", "queue", "/q", "--", "cat"}, "hello", 0},
		{[]string{"join", "config", "/c", "--role", "set", "--data", "x", "--", "true"}, "", 0},
		{[]string{"join", "counter", "/n", "--data", "5", "--", "cat"}, "5", 0},
		{[]string{"join", "lock", "/l", "--", "sh", "-c", "kill -9 $$"}, "", 137},
		{[]string{"join", "lock", "/l", "--", "/no/such/command"}, "", 127},
		{[]string{"join", "lock", "/l", "--servers", "127.0.0.1:1", "--timeout", "300ms", "--", "true"}, "", 125},
		{[]string{"join", "lock", "/s/leases/x", "--read-only", "--", "true"}, "", 125},
	} {
		out, errs, code := s.Join(x.args...)
		if out != x.out || code != x.code {
			t.Errorf("%v: %q, code %d, want %q, %d; %s", x.args, out, code, x.out, x.code, errs)
		}
	}
	s.NobodyStays()
	if n, _ := s.Server.Node("/q"); n.Stat.NumChildren != 0 {
		t.Error("an item that was worked off stays")
	}
}

func TestJoinRefusesWhatCannotBe(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	if _, err := takerOf(s).Semaphore("/sem", 2, recipes.Options{}).Acquire(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		args []string
		says string
		code int
	}{
		{[]string{"join", "lock"}, "a kind and a path", world.ExitUsage},
		{[]string{"join", "lock", "/l", "zk1:2181"}, "--servers", world.ExitUsage},
		{[]string{"join", "lock", "/l", "--"}, "command is missing", world.ExitUsage},
		{[]string{"join", "lease", "/l"}, "lease cannot be joined: the kind is one of lock", world.ExitUsage},
		{[]string{"join", "sharedlock", "/l", "--role", "fill"}, "write or read", world.ExitUsage},
		{[]string{"join", "doublebarrier", "/l"}, "count", world.ExitUsage},
		{[]string{"join", "lock", "/l", "--on-lost", "cry"}, "kill or warn", world.ExitUsage},
		{[]string{"join", "lock", "/l", "--on-revoke", "ask"}, "terminal", world.ExitUsage},
		{[]string{"join", "lock", "/l", "--from", "x"}, "--from", world.ExitUsage},
		{[]string{"join", "lock", "/l", "--read-only"}, "read-only", world.ExitRefused},
		{[]string{"join", "lock", "/sem"}, "a semaphore (curator) stands at /sem", world.ExitRefused},
		{[]string{"join", "lock", "/l", "--dialect", "solr"}, "can be written in the dialect solr", world.ExitUsage},
		{[]string{"join", "rendezvous", "/r", "--role", "fill", "--data", "x"}, "does not exist", world.ExitNotFound},
		{[]string{"join", "lock", "/l", "--servers", "127.0.0.1:1", "--timeout", "300ms"}, "127.0.0.1:1", world.ExitConnect},
		{[]string{"vote", "/tx", "s_1"}, "commit or abort", world.ExitUsage},
		{[]string{"vote", "/tx", "s_1", "yes"}, "exact words", world.ExitUsage},
		{[]string{"vote", "tx", "s_1", "commit"}, "slash", world.ExitUsage},
		{[]string{"vote", "/sem", "s_1", "commit"}, "a semaphore stands at /sem, no transaction", world.ExitRefused},
		{[]string{"vote", "/tx", "s_1", "commit", "--read-only"}, "read-only", world.ExitRefused},
	} {
		_, errs, code := s.Join(x.args...)
		if !strings.Contains(errs, x.says) || code != x.code || strings.Count(strings.TrimSpace(errs), "\n") > 0 {
			t.Errorf("%v: %q, code %d, want %q, %d", x.args, errs, code, x.says, x.code)
		}
	}
}

func TestVote(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	tx := takerOf(s).TwoPhase("/app/tx1", recipes.TwoPhaseOptions{})
	if err := tx.Begin(context.Background(), nil, []string{"s_1", "s_2"}); err != nil {
		t.Fatal(err)
	}
	node := func(path string) string {
		n, _ := s.Server.Node(path)
		return fmt.Sprint(n.Stat.Czxid)
	}
	if out, _, code := s.Join("vote", "/app/tx1", "s_2", "commit", "--dry-run"); code != 0 || !strings.Contains(out, "stays undecided: 1 site has not voted") || !strings.Contains(out, "cannot be taken back") || !strings.Contains(out, "nothing was changed") {
		t.Errorf("%q %d", out, code)
	}
	for _, pin := range [][]string{nil, {"--yes"}, {"--czxid", node("/app/tx1/s_2")}, {"--yes", "--czxid", "999999"}} {
		if out, errs, code := s.Join(append([]string{"vote", "/app/tx1", "s_2", "commit"}, pin...)...); code != world.ExitRefused {
			t.Errorf("%v: %q %q %d", pin, out, errs, code)
		}
	}
	if n, _ := s.Server.Node("/app/tx1/s_2"); len(n.Data) != 0 {
		t.Fatalf("voted %q", n.Data)
	}
	if out, errs, code := s.Join("vote", "/app/tx1", "s_2", "commit", "--yes", "--czxid", node("/app/tx1/s_2")); code != 0 || !strings.HasSuffix(out, "s_2 voted commit in /app/tx1\n") {
		t.Errorf("%q %q %d", out, errs, code)
	}
	if out, errs, code := s.Join("vote", "/app/tx1", "s_2", "commit"); code != 0 || out != "s_2 had already voted commit in /app/tx1\n" { // the same again is no error
		t.Errorf("%q %q %d", out, errs, code)
	}
	if n, _ := s.Server.Node("/app/tx1/s_2"); string(n.Data) != "commit" || n.Stat.Version != 1 {
		t.Errorf("%q, version %d", n.Data, n.Stat.Version)
	}
	if _, errs, code := s.Join("vote", "/app/tx1", "s_2", "abort"); code != world.ExitRefused || !strings.Contains(errs, "s_2 has voted commit already") {
		t.Errorf("%q %d", errs, code)
	}
	if out, _, code := s.Join("vote", "/app/tx1", "s_1", "abort", "-o", "json", "--yes", "--czxid", node("/app/tx1")); code != 0 || !json.Valid([]byte(out)) || !strings.Contains(out, `"vote":"abort"`) {
		t.Errorf("%q %d", out, code)
	}
}

// TestASiteVotesByItsCommand: success is commit, anything else abort, and an abort is no success.
func TestASiteVotesByItsCommand(t *testing.T) {
	for _, x := range []struct {
		command string
		other   recipes.Verdict
		code    int
	}{{"exit 0", recipes.Commit, 0}, {"exit 0", recipes.Abort, 1}, {"exit 4", recipes.Commit, 4}} {
		s := clitest.New(t, cli.Run, zkserver.Options{})
		tx := takerOf(s).TwoPhase("/tx", recipes.TwoPhaseOptions{})
		if err := tx.Begin(context.Background(), []byte("what"), []string{"s_1", "s_2"}); err != nil {
			t.Fatal(err)
		}
		if err := tx.Vote(context.Background(), "s_2", x.other); err != nil {
			t.Fatal(err)
		}
		if out, errs, code := s.Join("join", "twophase", "/tx", "--name", "s_1", "--", "sh", "-c", "cat; "+x.command); code != x.code || out != "what" {
			t.Errorf("%+v: %q %q %d", x, out, errs, code)
		}
	}
}

// TestALostClaimEndsTheCommand: it is told to end, killed when it does not, or left alone.
func TestALostClaimEndsTheCommand(t *testing.T) {
	for _, x := range []struct {
		command string
		flags   []string
		code    int
	}{
		{"echo begun; : > $BEGUN; sleep 60", nil, 125},
		{"trap '' TERM; echo begun; : > $BEGUN; while :; do sleep 0.1; done", []string{"--grace", "200ms"}, 125},
		{"echo begun; : > $BEGUN; sleep 3; exit 3", []string{"--on-lost", "warn"}, 3},
	} {
		s := clitest.New(t, cli.Run, zkserver.Options{})
		lost, begun := make(chan bool), filepath.Join(t.TempDir(), "begun")
		go func() {
			defer close(lost)
			peers.WaitFor(t, 20*time.Second, "the command", func() bool { _, err := os.Stat(begun); return err == nil })
			for path, n := range s.Server.Tree() {
				if strings.HasPrefix(path, "/l/") && n.Stat.EphemeralOwner != 0 {
					s.Server.ExpireSession(n.Stat.EphemeralOwner)
				}
			}
		}()
		args := append(append([]string{"join", "lock", "/l"}, x.flags...), "--", "sh", "-c", strings.ReplaceAll(x.command, "$BEGUN", begun))
		out, errs, code := s.Join(args...)
		<-lost
		if out != "begun\n" || code != x.code || strings.Count(errs, "lost: ") != 1 || strings.Count(errs, "holds /l as /l/") != 1 {
			t.Errorf("%s: %q %q %d", x.command, out, errs, code)
		}
	}
}

func TestARequestEndsTheCommand(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	other := takerOf(s)
	asked, begun := make(chan error, 1), filepath.Join(t.TempDir(), "begun")
	go func() {
		peers.WaitFor(t, 10*time.Second, "the command", func() bool { _, err := os.Stat(begun); return err == nil })
		node := ""
		peers.WaitFor(t, 10*time.Second, "a claim", func() bool {
			for path, n := range s.Server.Tree() {
				if strings.HasPrefix(path, "/l/") && n.Stat.EphemeralOwner != 0 {
					node = path
				}
			}
			return node != ""
		})
		_, err := other.Revoke(context.Background(), node, recipes.Revocation{})
		asked <- err
	}()
	_, errs, code := s.Join("join", "lock", "/l", "--", "sh", "-c", "trap 'exit 9' TERM; touch "+begun+"; while :; do sleep 0.05; done")
	if err := <-asked; err != nil || code != 9 || !strings.Contains(errs, "zkscope: asked to let go of /l: ending the command\n") {
		t.Errorf("%v %q %d", err, errs, code)
	}
}

func TestJoinTellsItsStatesAsJSON(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	s.Create("/l", "", 0)
	s.Create("/l/0a1b2c3d-0000-4000-8000-000000000001-lock-", "batch-1", wire.FlagEphemeralSequence)
	out, errs, code := s.Join("join", "lock", "/l", "--timeout", "1s", "-o", "jsonl")
	var last, waited join.JoinLine
	for line := range strings.Lines(out) {
		if err := json.Unmarshal([]byte(line), &last); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if last.Behind != nil {
			waited = last
		}
	}
	if code != world.ExitError || !strings.Contains(errs, "not granted within 1s: nothing stays behind") || last.Phase != "left" {
		t.Errorf("%d %q %+v", code, errs, last)
	}
	if waited.Position == nil || *waited.Position != 1 || *waited.Of != 2 || *waited.Behind != "batch-1" || waited.Schema != 1 || waited.Kind != string(layout.Lock) {
		t.Errorf("%s", out)
	}
}

// cue is an output whose reader learns when a word first came.
type cue struct {
	strings.Builder
	word string
	came chan struct{}
}

func (c *cue) Write(b []byte) (int, error) {
	had := strings.Contains(c.String(), c.word)
	n, err := c.Builder.Write(b)
	if !had && strings.Contains(c.String(), c.word) {
		close(c.came)
	}
	return n, err
}

// TestALossWithoutACommandIsSaidOnce: the error says it, and nothing before.
func TestALossWithoutACommandIsSaidOnce(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	s.Env["ZKSCOPE_SERVERS"] = s.Addr
	out := &cue{word: "holds /l", came: make(chan struct{})}
	var errs strings.Builder
	code := make(chan int, 1)
	go func() {
		code <- cli.Run([]string{"join", "lock", "/l"}, world.World{In: strings.NewReader(""), Out: out, Err: &errs, Getenv: s.Getenv, Now: time.Now})
	}()
	name := ""
	select {
	case <-out.came:
		for path, n := range s.Server.Tree() {
			if strings.HasPrefix(path, "/l/") && n.Stat.EphemeralOwner != 0 {
				name = string(n.Data)
				s.Server.ExpireSession(n.Stat.EphemeralOwner)
			}
		}
	case <-time.After(20 * time.Second):
		t.Fatal("not granted within 20s")
	}
	if c, said := <-code, out.String()+errs.String(); c != world.ExitError || strings.Count(said, "lost: ") != 1 {
		t.Errorf("%q %d", said, c)
	}
	if !strings.HasSuffix(name, fmt.Sprintf(":%d", os.Getpid())) || !strings.Contains(name, "@") {
		t.Errorf("it calls itself %q", name)
	}
}

// TestWhatIsMadeHasTheACLThatIsAskedFor: by join with its directories, and by close.
func TestWhatIsMadeHasTheACLThatIsAskedFor(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	s.Env["ZKSCOPE_AUTH"] = "digest:ann:secret"
	mine := wire.ACL{Perms: wire.PermAll, Scheme: "digest", ID: zkserver.DigestID("ann:secret")}
	anyone := wire.ACL{Perms: wire.PermRead, Scheme: "world", ID: "anyone"}
	for _, x := range []struct {
		path string
		args []string
		want []wire.ACL
	}{
		{"/a", []string{"join", "counter", "/a/n", "--acl", "creator"}, []wire.ACL{mine}},
		{"/a/n", []string{"join", "counter", "/a/n", "--acl", "world"}, []wire.ACL{mine}}, // it is there already
		{"/b/n", []string{"join", "counter", "/b/n", "--acl", "read"}, []wire.ACL{mine, anyone}},
		{"/c/n", []string{"join", "counter", "/c/n"}, wire.OpenACL()},
		{"/a/gate", []string{"close", "/a/gate", "--yes"}, []wire.ACL{mine}},
		{"/c/gate", []string{"close", "/c/gate", "--yes", "--acl", "world:anyone:r,digest:ann:x:cdrwa"}, []wire.ACL{anyone, {Perms: wire.PermAll, Scheme: "digest", ID: "ann:x"}}},
	} {
		if x.args[0] == "close" {
			x.args = append(x.args, "--reason", "x")
		}
		if _, errs, code := s.Join(x.args...); code != 0 {
			t.Errorf("%v: code %d, %s", x.args, code, errs)
		}
		if n, _ := s.Server.Node(x.path); !slices.Equal(n.ACL, x.want) {
			t.Errorf("%v: %s has %v, want %v", x.args, x.path, n.ACL, x.want)
		}
	}
	if _, errs, code := s.Join("join", "lock", "/l", "--acl", "all"); code != world.ExitUsage || !strings.Contains(errs, "world, creator, read") {
		t.Errorf("code %d, %s", code, errs)
	}
	delete(s.Env, "ZKSCOPE_AUTH")
	if _, errs, code := s.Join("join", "lock", "/l", "--acl", "creator", "--", "true"); code != world.ExitOwn || !strings.Contains(errs, "credentials") {
		t.Errorf("creator-all of nobody: code %d, %s", code, errs)
	}
}
