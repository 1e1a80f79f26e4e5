package waits_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
)

// weighedFile weighs what a file of testdata/inputs shows at its end.
func weighedFile(t *testing.T, name string) *waits.Waits {
	t.Helper()
	f, err := os.Open("../testdata/inputs/" + name + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rec, err := files.ReadFile(f, name)
	if err != nil {
		t.Fatal(err)
	}
	return waits.Of(inspect.Decode(rec.Last(), nil, model.Hints{}), nil)
}

// One line cannot deadlock by its own order: who holds and waits in it is a phantom, and heads the tree.
func TestOneLineIsNoDeadlock(t *testing.T) {
	for _, name := range []string{"lock-a-b-a-proven", "lock-a-b-a-refuted"} {
		w := weighedFile(t, name)
		if len(w.Cycles) != 0 || len(w.Spanning) != 0 {
			t.Errorf("%s: %+v", name, w.Spanning)
		}
		m := w.Result.ByPath("/burrow/notifier")
		if f := m.Finding(model.CodePhantomClaim); f == nil {
			t.Errorf("%s: %+v", name, m.Findings)
		}
		if len(w.Roots) != 1 || w.Roots[0].Session != 0x10000a1b2c30001 || w.Roots[0].Blocks != 1 {
			t.Errorf("%s: roots %+v", name, w.Roots)
		}
		if lines, _ := w.Branches(w.Roots[0], 10); len(lines) != 2 || lines[1].Depth != 1 {
			t.Errorf("%s: %+v", name, lines)
		}
		if st := story.Why(w, m); strings.Contains(st.Text(nil), "deadlock") {
			t.Errorf("%s: %s", name, st.Text(nil))
		}
	}
}

// Whoever took what a session holds after its wait had begun was not kept by that wait.
func TestWhatWasTakenAfterTheWaitIsNoDeadlock(t *testing.T) {
	w := weighedFile(t, "deadlock-held-after-wait")
	if len(w.Cycles) != 0 || len(w.Edges) != 2 {
		t.Errorf("%+v", w.Cycles)
	}
	if len(w.Roots) != 1 || w.Roots[0].Session != 0xa || w.Roots[0].Model.Path != "/locks/x" {
		t.Errorf("%+v", w.Roots)
	}
}

// A waiter without a watch is not woken and does not take over: everything that predicts says so.
func TestALostWaiterTakesNothingOver(t *testing.T) {
	w := weighedFile(t, "lost-waiter-woken")
	r, m := w.Result, w.Result.ByPath("/locks/y")
	f := waits.FateOf(r, m, &m.Claims[0])
	if f.Takes != model.No || f.Wakes == nil || *f.Wakes != 0 || len(f.Lost) != 1 ||
		f.Then(m.Kind) != "nobody takes over by itself: app-2 is next and does not watch for it" {
		t.Errorf("%+v: %s", f, f.Then(m.Kind))
	}
	im := waits.ImpactOf(r, 1)
	if im.Safe() != model.No || len(im.Releases) != 1 || im.Releases[0].Wakes == nil || *im.Releases[0].Wakes != 0 {
		t.Errorf("%+v", im)
	}
	raw, err := json.Marshal(story.NewImpactReport(r, im))
	for _, want := range []string{`"safe":false`, `"wakes":0`, `"successor":false`, `"next":[]`, `"unread":[]`} {
		if err != nil || !strings.Contains(string(raw), want) {
			t.Errorf("no %s in %s, %v", want, raw, err)
		}
	}
	if st := story.Why(w, m); !strings.Contains(st.Text(nil), "When app-1 goes, nobody takes over by itself") {
		t.Error(st.Text(nil))
	}
}

// Who stands by for an election holds nothing and blocks nobody.
func TestStandbysAreNoRoots(t *testing.T) {
	w := weighedFile(t, "election-standbys")
	if len(w.Roots) != 1 || w.Roots[0].Session != 1 || w.Roots[0].Blocks != 2 || w.Roots[0].Stands != 2 {
		t.Errorf("%+v", w.Roots)
	}
}
