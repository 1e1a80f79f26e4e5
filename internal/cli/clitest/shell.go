package clitest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// program is zkscope: it carries out a command line, and returns its exit code.
type program func(args []string, w world.World) int

// Shell runs command lines against a server, without a terminal.
type Shell struct {
	T      *testing.T
	Does   program // may be nil where no command line is run
	Env    map[string]string
	Server *zkserver.Server
	Addr   string
	Client *zkc.Conn
}

// New starts a server, and connects to it; both end with the test.
func New(t *testing.T, does program, o zkserver.Options) *Shell {
	t.Helper()
	o.Record = true
	s := &Shell{T: t, Does: does, Server: zkserver.New(o), Env: map[string]string{"XDG_STATE_HOME": t.TempDir()}}
	t.Cleanup(func() { s.Server.Close() })
	addr, err := s.Server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.Addr = addr.String()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if s.Client, err = zkc.Dial(ctx, zkc.Config{Servers: []string{s.Addr}}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Client.Close)
	return s
}

// Create makes a znode, and returns its path.
func (s *Shell) Create(path, data string, flags int32) string {
	s.T.Helper()
	made, err := s.Client.Create(context.Background(), path, []byte(data), flags, nil)
	if err != nil {
		s.T.Fatal(err)
	}
	return made.Path
}

// Watch sets a watch on a znode, as a waiter does on the claim ahead and a holder that listens does on its own.
func (s *Shell) Watch(path string) {
	s.T.Helper()
	if _, err := s.Client.WatchOnce(context.Background(), zkc.WatchData, path); err != nil {
		s.T.Fatal(err)
	}
}

// Contend makes a kazoo line and a line in the recipe documents' spelling; it returns the holders' paths.
func (s *Shell) Contend() (kazoo, doc string) {
	for _, p := range []string{"/locks", "/locks/a", "/locks/b"} {
		s.Create(p, "", 0)
	}
	kazoo = s.Create("/locks/a/0123456789abcdef0123456789abcdef__lock__", "job-1", wire.FlagEphemeralSequence)
	s.Create("/locks/a/1123456789abcdef0123456789abcdef__lock__", "job-2", wire.FlagEphemeralSequence)
	doc = s.Create("/locks/b/0a1b2c3d-0000-4000-8000-000000000001-lock-", "batch-1", wire.FlagEphemeralSequence)
	s.Create("/locks/b/0a1b2c3d-0000-4000-8000-000000000002-lock-", "batch-2", wire.FlagEphemeralSequence)
	s.Watch(kazoo) // the waiter's, and the holder's that listens
	s.Watch(doc)
	s.Server.ForgetRequests()
	return kazoo, doc
}

// Session is the session that owns an ephemeral znode, as the command line takes it.
func (s *Shell) Session(path string) string {
	n, _ := s.Server.Node(path)
	return fmt.Sprintf("0x%x", uint64(n.Stat.EphemeralOwner))
}

// Getenv is the environment that its command lines see.
func (s *Shell) Getenv(k string) string { return s.Env[k] }

// Run runs one command line.
func (s *Shell) Run(in string, args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = s.Does(args, world.World{In: strings.NewReader(in), Out: &o, Err: &e, Getenv: s.Getenv, Now: time.Now})
	return code, o.String(), e.String()
}

// Fails runs a command line that must fail with one line.
func (s *Shell) Fails(code int, says string, args ...string) {
	s.T.Helper()
	got, out, errs := s.Run("", args...)
	if got != code || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, says) {
		s.T.Errorf("zkscope %s: exit %d, want %d saying %q; printed %q and %q", strings.Join(args, " "), got, code, says, out, errs)
	}
}

// Join runs a command line with the servers in the environment, where join takes them from.
func (s *Shell) Join(args ...string) (out, errs string, code int) {
	s.T.Helper()
	s.Env["ZKSCOPE_SERVERS"] = s.Addr
	code, out, errs = s.Run("", args...)
	return out, errs, code
}

// NobodyStays fails the test when somebody's ephemeral znode stands.
func (s *Shell) NobodyStays() {
	s.T.Helper()
	for path, n := range s.Server.Tree() {
		if n.Stat.EphemeralOwner != 0 {
			s.T.Errorf("%s stays", path)
		}
	}
}

// Itoa is a number in decimal digits.
func Itoa(n int64) string { return strings.TrimSpace(string(MustJSON(n))) }

// MustJSON is a value as JSON.
func MustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// Written writes a file into a directory of its own.
func Written(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Samples is where directories of real servers lie, seen from the command line's tests or from those of one of its rooms.
var Samples = samplesFrom("../", "../../")

func samplesFrom(above ...string) string {
	for _, up := range above {
		if _, err := os.Stat(up + "txnlog/testdata"); err == nil {
			return up + "txnlog/testdata/"
		}
	}
	return ""
}
