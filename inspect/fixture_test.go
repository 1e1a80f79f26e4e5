package inspect_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/lines"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/znode"
)

var update = flag.Bool("update", false, "rewrite the wanted results in testdata")

// TestFixtures runs every file of testdata: a tree, the models wanted of it, then changes, the events
// wanted of them, and the models wanted after them.
func TestFixtures(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { runFixture(t, file) })
	}
}

func runFixture(t *testing.T, file string) {
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := newStage(t)
	var prev, res *model.Result
	for i := range ar.Files {
		f := &ar.Files[i]
		var got string
		switch f.Name {
		case "tree", "then":
			s.apply(string(f.Data))
			prev, res = res, inspect.Decode(s.snapshot(), res, s.hints)
			continue
		case "want":
			got = resultText(res)
			sameAsAnew(t, s, res)
		case "events":
			got = eventsText(story.Diff(prev, res))
		case "rows":
			checkRows(t, res, string(f.Data))
			continue
		case "cases":
			continue // counted in catalogue_test.go
		default:
			t.Fatalf("unknown section %q", f.Name)
		}
		if *update {
			f.Data = []byte(got)
		} else if got != string(f.Data) {
			t.Errorf("%s of section %d:\n%s\nwant:\n%s", f.Name, i, got, f.Data)
		}
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// sameAsAnew checks that decoding a picture with the memory of the run differs from decoding it alone
// only in what the memory is for.
func sameAsAnew(t *testing.T, s *stage, res *model.Result) {
	t.Helper()
	for m := range inspect.Decode(s.snapshot(), nil, s.hints).Models.All() {
		was := res.ByPath(m.Path)
		if was == nil {
			t.Errorf("%s is only found without an earlier result", m.Path)
			continue
		}
		if a, b := orderText(m), orderText(was); a != b && len(was.Detail().Lost)+len(was.Detail().Nays) == 0 {
			t.Errorf("%s decoded alone:\n%s\nwith an earlier result:\n%s", m.Path, a, b)
		}
	}
}

// orderText is the part of a model that only the picture decides.
func orderText(m *model.Model) string {
	var b strings.Builder
	state := m.State
	if m.Kind == layout.DoubleBarrier {
		state = "" // leaving needs an earlier picture
	}
	fmt.Fprintln(&b, m.Kind, m.Dialect, state)
	for i := range m.Claims {
		c := &m.Claims[i]
		fmt.Fprintln(&b, c.Path(), c.Role(), c.Mode(), c.BlockedBy(), c.Revoked)
	}
	return b.String()
}

// resultText prints a result for people to review.
func resultText(r *model.Result) string {
	var b strings.Builder
	for m := range r.Models.All() {
		fmt.Fprintf(&b, "%s  %s %s %s %.2f\n", say.Printable(m.Path), m.Kind, m.Dialect, m.State, m.Confidence)
		fmt.Fprintf(&b, "  %s\n", m.Summary(r.Snapshot.TakenAt))
		for _, why := range m.Why {
			fmt.Fprintf(&b, "  because %s\n", why)
		}
		for i := range m.Claims {
			fmt.Fprintf(&b, "  %s\n", claimText(m, &m.Claims[i], r.Snapshot.TakenAt))
		}
		if len(m.Foreign) > 0 {
			fmt.Fprintf(&b, "  foreign %q\n", m.Foreign)
		}
		if len(m.Numbers) > 0 {
			fmt.Fprintf(&b, "  numbers %v\n", m.Numbers.Map())
		}
		for _, f := range m.Findings {
			fmt.Fprintf(&b, "  %s\n", findingText(f))
		}
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s\n", findingText(f))
	}
	return b.String()
}

func claimText(m *model.Model, c *model.Claim, now time.Time) string {
	seq := "-"
	if c.HasSeq {
		seq = strconv.FormatInt(c.Seq, 10)
	}
	out := fmt.Sprintf("%d %s", c.Position(), c.Role())
	if c.Mode() != "" {
		out += " " + string(c.Mode())
	}
	out += fmt.Sprintf(" %s %s(%s) %s", seq, say.Visible(c.Owner()), c.OwnerSource(), sessionName(c.Session))
	if c.Addr != "" {
		out += " " + c.Addr
	}
	if !c.Since().IsZero() {
		out += " for " + say.Age(now.Sub(c.Since()))
		if c.RoleChangeSeen {
			out += " (seen)"
		}
	}
	if c.Priority() != nil {
		out += fmt.Sprintf(" priority %d", *c.Priority())
	}
	if c.Vote() != nil {
		out += fmt.Sprintf(" vote %q", *c.Vote())
	}
	if c.Revocable() != "" {
		out += fmt.Sprintf(" %s:%s", c.Revocable(), c.Hears())
	}
	if c.Revoked {
		out += " revoked"
	}
	if c.Mine {
		out += " mine"
	}
	out += ": " + c.Why()
	for _, p := range c.BlockedBy() {
		out += " <-" + seqAt(m, p)
	}
	if c.Proof() != "" {
		out += " " + string(c.Proof())
	}
	return out
}

// seqAt names a claim by its number.
func seqAt(m *model.Model, path string) string {
	for i := range m.Claims {
		if m.Claims[i].Path() == path && m.Claims[i].HasSeq {
			return lines.SeqOf(&m.Claims[i])
		}
	}
	_, name := znode.Split(path)
	return name
}

func findingText(f model.Finding) string {
	out := fmt.Sprintf("%s %s: %s", strings.ToUpper(f.Severity.String()), f.Code, f.Text)
	for _, p := range f.Paths {
		_, name := znode.Split(p)
		out += " [" + say.Printable(name) + "]"
	}
	for _, id := range f.Sessions {
		out += " " + sessionName(id)
	}
	return out
}

func eventsText(events []story.Event) string {
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintf(&b, "%s %s: %s", say.Printable(e.Path), e.What, e.Told(say.Clock))
		if e.Waited > 0 {
			fmt.Fprintf(&b, " | waited %s", e.Waited)
		}
		if e.Held > 0 {
			fmt.Fprintf(&b, " | held %s", e.Held)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// sessions have short names in fixtures; N has its highest bit set.
var sessionIDs = map[string]znode.SessionID{
	"A": 0x10000a1b2c30001, "B": 0x10000a1b2c30002, "C": 0x20000a1b2c30003, "D": 0x20000a1b2c30004,
	"N": -0x72ff5e4d3c2bfffc, "0": 0,
}

func sessionName(id znode.SessionID) string {
	for name, s := range sessionIDs {
		if s == id {
			return name
		}
	}
	return id.String()
}

func sessionNamed(t *testing.T, text string) znode.SessionID {
	t.Helper()
	if id, ok := sessionIDs[text]; ok {
		return id
	}
	id, ok := znode.ParseSessionID(text)
	if !ok {
		t.Fatalf("no session: %q", text)
	}
	return id
}
