package docs

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/cli"
)

// shellWord is a word of a command line, as a shell takes it apart.
var shellWord = regexp.MustCompile(`(?:'[^']*'|[^ '])+`)

// Every command line of every page is one that is taken: the command is there, with these flags and so many arguments.
func TestCommandLinesAreTaken(t *testing.T) {
	n := 0
	for page, text := range pages(t) {
		for _, line := range commandLines(page, text) {
			n++
			if err := taken(line.text); err != nil {
				t.Errorf("%s:%d: %s: %v", line.page, line.number, line.text, err)
			}
		}
	}
	if n < 150 {
		t.Errorf("only %d command lines were found", n)
	}
}

// taken is what is wrong with a command line.
func taken(text string) error {
	text = strings.ReplaceAll(text, "CZXID", "1")
	for _, more := range []string{" | ", " && ", " > ", " < ", " & "} {
		text, _, _ = strings.Cut(text, more)
	}
	var args []string
	for _, w := range shellWord.FindAllString(text, -1) {
		args = append(args, strings.ReplaceAll(w, "'", ""))
	}
	tree := cli.Tree()
	tree.InitDefaultCompletionCmd()
	cmd, rest, err := tree.Find(args[1:])
	if err == nil {
		err = cmd.ParseFlags(rest)
	}
	if err == nil {
		err = cmd.ValidateArgs(cmd.Flags().Args())
	}
	return err
}

// claimOf is whose claim CLAIM is on a page of the guide, where it is not that of the lock orders: the recipe that it is about.
var claimOf = map[string]string{"docs/guide/revoke.md": "/locks/nightly", "docs/guide/deadlock.md": "/pair/debit"}

var exits = regexp.MustCompile(`# exits (\d+)`)

// Every command line of the guide is run by a shell, on a server on which its recipes stand, and ends as the page says.
func TestTheGuideIsRun(t *testing.T) {
	files, err := filepath.Glob(root + "/docs/guide/*.md")
	if err != nil || len(files) < 9 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		page := "docs/guide/" + filepath.Base(file)
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			text := pages(t)[page]
			raw := strings.Split(text, "\n")
			s := newShell(t, page)
			lines := commandLines(page, text)
			if len(lines) == 0 {
				t.Errorf("%s: no command line was found", page)
			}
			for _, line := range lines {
				want := 0
				if m := exits.FindStringSubmatch(raw[line.number-1]); m != nil {
					want, _ = strconv.Atoi(m[1])
				}
				if looks.MatchString(line.text) {
					s.behind.Go(func() { s.run(line, want) })
				} else {
					s.run(line, want)
				}
			}
			s.behind.Wait()
		})
	}
}

// shell runs a page's command lines in a folder of its own, where zkscope is this binary.
type shell struct {
	t    *testing.T
	w    *world
	dir  string
	env  []string
	page string

	behind sync.WaitGroup // lines that change nothing and may take seconds
}

// looks are commands that look a second time, after some seconds, where a deadlock may stand.
var looks = regexp.MustCompile(`^zkscope (graph|why|check) `)

func newShell(t *testing.T, page string) *shell {
	t.Helper()
	s := &shell{t: t, w: newWorld(t, page == "docs/guide/deadlock.md"), dir: t.TempDir(), page: page}
	bin := t.TempDir()
	self, err := os.Executable()
	s.w.check(err)
	s.w.check(os.Symlink(self, filepath.Join(bin, "zkscope")))
	for name, text := range map[string]string{"backup.sh": "echo saved", "build.sh": "echo built", "send.sh": "cat"} {
		s.w.check(os.WriteFile(filepath.Join(s.dir, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755))
	}
	s.w.check(os.Mkdir(filepath.Join(s.dir, "zkscope"), 0o755))
	s.w.check(os.WriteFile(filepath.Join(s.dir, "zkscope", "config.yaml"), []byte("profiles:\n  prod: {servers: '"+s.w.addr+"'}\n"), 0o600))
	s.w.check(os.WriteFile(filepath.Join(s.dir, "webhook"), []byte("http://127.0.0.1:1/\n"), 0o600))
	past, err := filepath.Abs("../txnlog/testdata/contention")
	s.w.check(err)
	for _, member := range []string{"zk1", "zk2"} { // two members that have the same
		s.w.check(os.Mkdir(filepath.Join(s.dir, member), 0o755))
		s.w.check(os.Symlink(past, filepath.Join(s.dir, member, "data")))
	}
	s.w.check(exec.Command("tar", "-C", past, "-czf", filepath.Join(s.dir, "night.tar.gz"), ".").Run())
	s.env = []string{asProgram + "=1", "PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + s.dir, "XDG_STATE_HOME=" + s.dir, "XDG_CONFIG_HOME=" + s.dir,
		"TMPDIR=" + s.dir, "TERM=dumb",
		"GORACE=atexit_sleep_ms=0"} // else the race detector waits for a second at the end of each command
	return s
}

// filled is a line with what the page leaves to the reader.
func (s *shell) filled(text string) string {
	path := claimOf[s.page]
	if path == "" {
		path = "/locks/orders"
	}
	claim, czxid := "", int64(0)
	if strings.Contains(text, "CLAIM") {
		claim = s.w.holder(path)
	} else if strings.Contains(text, " vote ") {
		claim = "/tx/transfer/s_2"
	}
	if n, ok := s.w.server.Node(claim); ok {
		czxid = n.Stat.Czxid
	}
	if strings.Contains(text, "claims.jsonl") {
		holder := s.w.holder(path)
		n, _ := s.w.server.Node(holder)
		s.w.check(os.WriteFile(filepath.Join(s.dir, "claims.jsonl"), fmt.Appendf(nil, `{"path":%q,"czxid":%d}`+"\n", holder, n.Stat.Czxid), 0o600))
	}
	return strings.NewReplacer("CLAIM", claim, "CZXID", fmt.Sprint(czxid), "zk1:2181", s.w.addr, "127.0.0.1:12181", "127.0.0.1:0",
		"127.0.0.1:9642", "127.0.0.1:0", "/var/lib/zookeeper", "zk1/data", "--for 1h", "--for 300ms", "--for 8h", "--for 1s", "--for 5s", "--for 300ms").Replace(text)
}

// goesOn are commands that end when they are interrupted; they say something first.
var goesOn = regexp.MustCompile(`^zkscope (export .*|notify .*|demo --headless .*|watch [^ ]+ zk1:2181)$`)

// screens are those that need a terminal.
var screens = regexp.MustCompile(`^zkscope (zk1:2181|replay .*)$`)

// run runs one line.
func (s *shell) run(line commandLine, want int) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", "exec "+s.filled(line.text))
	cmd.Dir, cmd.Env = s.dir, s.env
	file, err := os.CreateTemp(s.t.TempDir(), "out")
	s.w.check(err)
	defer file.Close()
	cmd.Stdout, cmd.Stderr = file, file
	s.w.check(cmd.Start())
	if goesOn.MatchString(line.text) {
		for st, err := file.Stat(); err == nil && st.Size() == 0 && ctx.Err() == nil; st, err = file.Stat() {
			time.Sleep(time.Millisecond)
		}
		s.w.check(cmd.Process.Signal(syscall.SIGINT))
	}
	err = cmd.Wait()
	out, _ := os.ReadFile(file.Name())
	if screens.MatchString(line.text) {
		if want = 2; !strings.Contains(string(out), "the console needs a terminal") {
			s.t.Errorf("%s:%d: %s: not the console: %s", line.page, line.number, line.text, out)
		}
	}
	if code := cmd.ProcessState.ExitCode(); code != want {
		s.t.Errorf("%s:%d: %s: exit %d, not %d (%v):\n%s", line.page, line.number, line.text, code, want, err, out)
	}
}
