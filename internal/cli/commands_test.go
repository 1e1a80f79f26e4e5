package cli

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/signal"
	"os/user"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/cryptotest"
	"testing/synctest"
	"time"

	"github.com/spf13/cobra"

	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/world"
)

var update = flag.Bool("update", false, "write testdata/commands anew")

// fixture is a file of testdata/commands: command lines and what became of them. "$ " begins a command line, "% " a
// direction of the stage, "| " is a line of standard output or what a direction shows, "! " one of standard error,
// and "= " the exit code. All else is said to whoever reads it.
type fixture struct{ name, text string }

// ran is a command line of a fixture that was run.
type ran struct {
	args []string
	out  string
	code int
}

// Every command, run on files and on a server as people run it, says on standard output and on standard error, and
// ends with, what its fixture says. Whatever is JSON is valid by its schema.
func TestCommandsSayWhatTheirFixturesSay(t *testing.T) {
	wake := make(chan os.Signal, 1) // what follows must not be the first to ask for signals or for names, within a bubble
	signal.Notify(wake, syscall.SIGUSR2)
	defer signal.Stop(wake)
	if _, err := nameless.LookupHost(t.Context(), "nobody.invalid"); err == nil {
		t.Fatal("nobody.invalid has an address")
	}
	files, root := props(t), filepath.Dir(filepath.Dir(workingDir(t)))
	for _, f := range fixtures(t) {
		t.Run(f.name, func(t *testing.T) {
			cryptotest.SetGlobalRandom(t, 1)
			home := workingDir(t)
			t.Chdir(t.TempDir())
			if err := os.CopyFS("data", os.DirFS(filepath.Join(home, clitest.Samples, "contention"))); err != nil {
				t.Fatal(err)
			}
			for name, text := range files {
				if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			var got string
			var lines []ran
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t)
				defer s.Close()
				got, lines = s.perform(f.text)
			})
			for _, l := range lines {
				if err := validBySchema(root, l.args, l.out); err != nil {
					t.Errorf("%v: %v", l.args, err)
				}
			}
			f.compare(t, filepath.Join(home, "testdata/commands", f.name+".txt"), got)
		})
	}
}

func workingDir(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// fixtures are all that there are.
func fixtures(t *testing.T) (out []fixture) {
	t.Helper()
	files, err := filepath.Glob("testdata/commands/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, fixture{strings.TrimSuffix(filepath.Base(file), ".txt"), string(b)})
	}
	return out
}

// compare holds what came against what is written, or writes it.
func (f fixture) compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, want := strings.Split(got, "\n"), strings.Split(f.text, "\n")
	for i := range max(len(have), len(want)) {
		if i >= len(have) || i >= len(want) || have[i] != want[i] {
			t.Errorf("testdata/commands/%s.txt:%d is no more what comes; it was\n%s\nand is\n%s\n"+
				"go test ./internal/cli -run Commands -update writes it", f.name, i+1, piece(want, i), piece(have, i))
			return
		}
	}
}

// piece is where lines begin to differ.
func piece(lines []string, at int) string {
	return strings.Join(lines[min(at, len(lines)):min(at+4, len(lines))], "\n")
}

// perform runs a fixture, and returns it as it is now.
func (s *stage) perform(text string) (string, []ran) {
	var b strings.Builder
	var lines []ran
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "|") || strings.HasPrefix(line, "! ") || strings.HasPrefix(line, "= ") {
			continue
		}
		b.WriteString(line + "\n")
		switch {
		case strings.HasPrefix(line, "% "):
			mark(&b, "|", s.settled(s.direct(split(line[2:]))))
		case strings.HasPrefix(line, "$ "):
			l, errs := s.run(line[2:])
			lines = append(lines, l)
			if !strings.Contains(line, " > ") {
				mark(&b, "|", s.settled(l.out))
			}
			mark(&b, "!", s.settled(errs))
			fmt.Fprintf(&b, "= %d\n", l.code)
		}
	}
	return b.String(), lines
}

// mark writes a text with a mark before each line.
func mark(b *strings.Builder, with, text string) {
	for line := range strings.Lines(text) {
		whole := strings.HasSuffix(line, "\n")
		b.WriteString(strings.TrimRight(with+" "+strings.TrimSuffix(line, "\n"), " ") + "\n")
		if !whole {
			b.WriteString(with + " (no line break)\n")
		}
	}
}

// shellWord is a word of a command line, as a shell takes it apart.
var shellWord = regexp.MustCompile(`(?:'[^']*'|[^ '])+`)

// split takes a line apart.
func split(line string) (out []string) {
	for _, w := range shellWord.FindAllString(line, -1) {
		out = append(out, strings.ReplaceAll(w, "'", ""))
	}
	return out
}

// run runs a command line as a shell does: variables may stand before it, and behind it < and > with the names of
// files.
func (s *stage) run(line string) (ran, string) {
	s.t.Helper()
	var out, errs bytes.Buffer
	w := world.World{In: strings.NewReader(""), Out: &out, Err: &errs, Now: time.Now,
		Dial: s.dialFrom("10.0.0.99:50000"), Resolver: nameless}
	words := shellWord.FindAllString(line, -1)
	set := map[string]string{}
	for len(words) > 0 && words[0] != "zkscope" {
		name, value, _ := strings.Cut(words[0], "=")
		set[name], words = strings.ReplaceAll(value, "'", ""), words[1:]
	}
	w.Getenv = func(name string) string {
		if v, ok := set[name]; ok {
			return v
		}
		return s.env[name]
	}
	args, to := []string{}, ""
	for i := 1; i < len(words); i++ {
		switch word := strings.ReplaceAll(words[i], "'", ""); {
		case words[i] == "<":
			b, err := os.ReadFile(words[i+1])
			s.check(err)
			w.In = bytes.NewReader(b)
			i++
		case words[i] == ">":
			to = words[i+1]
			i++
		default:
			args = append(args, word)
		}
	}
	code := Run(args, w)
	r := ran{args, out.String(), code}
	if to != "" {
		s.check(os.WriteFile(to, out.Bytes(), 0o600))
	}
	return r, errs.String()
}

// nameless knows no name.
var nameless = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
	return nil, errors.New("there is no name server")
}}

// settled is a text with names in the place of what is another on every machine and in every run: there is nothing
// else.
func (s *stage) settled(text string) string {
	host, _ := os.Hostname()
	who, name := "", os.Getenv("USER")
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	who = name + "@" + host
	named := regexp.MustCompile(`(?m)^(TIME +USER|\S+Z  ` + regexp.QuoteMeta(name) + `) +`) // a column as wide as the name
	text = named.ReplaceAllStringFunc(text, func(columns string) string {
		return strings.Replace(strings.TrimRight(columns, " "), "Z  "+name, "Z  USER", 1) + "  "
	})
	pid := strconv.Itoa(os.Getpid())
	return strings.NewReplacer(
		who+":"+pid, "USER@HOST:PID", who, "USER@HOST",
		`"pid":`+pid, `"pid":PID`, `"pid": `+pid, `"pid": 4711`,
		`"user":"`+name+`"`, `"user":"USER"`, `"user": "`+name+`"`, `"user": "USER"`,
		`"host":"`+host+`"`, `"host":"HOST"`, `"host": "`+host+`"`, `"host": "HOST"`,
		runtime.Version(), "go1.X", runtime.GOOS+"/"+runtime.GOARCH, "OS/ARCH",
	).Replace(text)
}

// Every command has a fixture in which it prints all that it can print, is asked for its help, and is called wrongly;
// those that go to servers do so.
func TestEveryCommandHasAFixture(t *testing.T) {
	all := map[string]string{}
	for _, f := range fixtures(t) {
		all[f.name] = f.text
	}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		name := strings.ReplaceAll(c.CommandPath(), " ", "-")
		if c.HasParent() {
			name = strings.TrimPrefix(name, "zkscope-")
		}
		if c.Runnable() && !c.Hidden {
			for _, lacking := range lacks(c, all[name]) {
				t.Errorf("testdata/commands/%s.txt: %s", name, lacking)
			}
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(Tree())
	for code := world.ExitOK; code <= world.ExitConnect; code++ {
		if !slices.ContainsFunc(fixtures(t), func(f fixture) bool { return strings.Contains(f.text, fmt.Sprintf("\n= %d\n", code)) }) {
			t.Errorf("no command line of any fixture ends with %d", code)
		}
	}
}

// lacks says what a command's fixture does not show.
func lacks(c *cobra.Command, text string) (out []string) {
	if text == "" {
		return []string{"is missing"}
	}
	begins := regexp.MustCompile(`(?m)^\$ .*\b` + regexp.QuoteMeta(c.CommandPath()) + `\b.*`)
	lines := begins.FindAllString(text, -1)
	shown := func(what string) bool {
		return slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, what) })
	}
	for _, format := range strings.Fields(c.Annotations[command.Outputs]) {
		if format != c.Flag("output").DefValue && !shown("-o "+format) {
			out = append(out, "it is not shown with -o "+format)
		}
	}
	if !shown("--help") {
		out = append(out, "its help is not shown")
	}
	if strings.Contains(c.Use, "SERVERS") && !shown("zk1:2181") {
		out = append(out, "it is not shown on a server")
	}
	if !strings.Contains(text, "\n= 2\n") {
		out = append(out, "it is never called wrongly")
	}
	return out
}
