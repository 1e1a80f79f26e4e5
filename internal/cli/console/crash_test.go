package console

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/guard"
)

// failing is a model that fails where it is told to.
type failing struct{ in string }

func (f failing) Init() tea.Cmd                       { return f.at("init") }
func (f failing) Update(tea.Msg) (tea.Model, tea.Cmd) { return f, f.at("update") }
func (f failing) View() string                        { f.at("view"); return "" }

func (f failing) at(place string) tea.Cmd {
	switch f.in {
	case place:
		panic("ouch")
	case "command":
		return func() tea.Msg { panic("ouch") }
	case "batch":
		return tea.Batch(func() tea.Msg { panic("ouch") }, func() tea.Msg { return nil })
	}
	return nil
}

func TestAPanicInAnyCallOfAModelIsTold(t *testing.T) {
	for _, in := range []string{"init", "update", "view", "command", "batch"} {
		told := ""
		stop := guard.Watch(func(f *guard.Failure) { told = f.Error() })
		m := guarded{failing{in}}
		m.Init()
		m.View()
		if _, cmd := m.Update(nil); cmd != nil {
			if batch, ok := cmd().(tea.BatchMsg); ok {
				batch[0]()
			}
		}
		stop()
		if told != "panic: ouch" {
			t.Errorf("%s: told %q", in, told)
		}
	}
}

func TestAScreenThatDoesNotEndIsLeftAllTheSame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out, errs bytes.Buffer
		dir, killed, code := t.TempDir(), false, 0
		c := &command.Line{World: world.World{Err: &errs, Now: time.Now, Getenv: func(string) string { return dir }}}
		k, stop := watchPanics(c, &out, func() { killed = true })
		defer stop()
		k.exit = func(n int) { code = n }
		guard.Func(func() { panic("ou\x1b[31mch") })()
		time.Sleep(crashGrace)
		synctest.Wait()
		if !killed || code != world.ExitError || out.String() != leaveScreen {
			t.Errorf("killed %v, exit %d, screen %q", killed, code, out.String())
		}
		line, _ := strings.CutSuffix(errs.String(), "\n")
		if !strings.HasPrefix(line, "zkscope: the console failed (panic: ou") || strings.ContainsAny(line, "\n\x1b") {
			t.Errorf("%q", line)
		}
		_, rest, _ := strings.Cut(line, "report it with ")
		path, _, _ := strings.Cut(rest, ";")
		if trace, err := os.ReadFile(path); err != nil || !bytes.Contains(trace, []byte("crash_test.go")) {
			t.Errorf("%v %s", err, trace)
		}
	})
}
