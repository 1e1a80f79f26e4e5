package inspect

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
	var prev, res *Result
	for i := range ar.Files {
		f := &ar.Files[i]
		var got string
		switch f.Name {
		case "tree", "then":
			s.apply(string(f.Data))
			prev, res = res, Decode(s.snapshot(), res, s.hints)
			continue
		case "want":
			got = resultText(res)
			sameAsAnew(t, s, res)
		case "events":
			got = eventsText(Diff(prev, res))
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
func sameAsAnew(t *testing.T, s *stage, res *Result) {
	t.Helper()
	for m := range Decode(s.snapshot(), nil, s.hints).Models.All() {
		was := res.ByPath(m.Path)
		if was == nil {
			t.Errorf("%s is only found without an earlier result", m.Path)
			continue
		}
		if a, b := orderText(m), orderText(was); a != b && len(was.detail().lost)+len(was.detail().nays) == 0 {
			t.Errorf("%s decoded alone:\n%s\nwith an earlier result:\n%s", m.Path, a, b)
		}
	}
}

// orderText is the part of a model that only the picture decides.
func orderText(m *Model) string {
	var b strings.Builder
	state := m.State
	if m.Kind == DoubleBarrier {
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
func resultText(r *Result) string {
	var b strings.Builder
	for m := range r.Models.All() {
		fmt.Fprintf(&b, "%s  %s %s %s %.2f\n", Printable(m.Path), m.Kind, m.Dialect, m.State, m.Confidence)
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

func claimText(m *Model, c *Claim, now time.Time) string {
	seq := "-"
	if c.HasSeq {
		seq = strconv.FormatInt(c.Seq, 10)
	}
	out := fmt.Sprintf("%d %s", c.Position(), c.Role())
	if c.Mode() != "" {
		out += " " + string(c.Mode())
	}
	out += fmt.Sprintf(" %s %s(%s) %s", seq, visible(c.Owner()), c.OwnerSource(), sessionName(c.Session))
	if c.Addr != "" {
		out += " " + c.Addr
	}
	if !c.Since().IsZero() {
		out += " for " + Age(now.Sub(c.Since()))
		if c.SinceSeen {
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
func seqAt(m *Model, path string) string {
	for i := range m.Claims {
		if m.Claims[i].Path() == path && m.Claims[i].HasSeq {
			return seqOf(&m.Claims[i])
		}
	}
	_, name := Split(path)
	return name
}

func findingText(f Finding) string {
	out := fmt.Sprintf("%s %s: %s", strings.ToUpper(f.Severity.String()), f.Code, f.Text)
	for _, p := range f.Paths {
		_, name := Split(p)
		out += " [" + Printable(name) + "]"
	}
	for _, id := range f.Sessions {
		out += " " + sessionName(id)
	}
	return out
}

func eventsText(events []Event) string {
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintf(&b, "%s %s: %s", Printable(e.Path), e.What, e.Told(clock))
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
var sessionIDs = map[string]SessionID{
	"A": 0x10000a1b2c30001, "B": 0x10000a1b2c30002, "C": 0x20000a1b2c30003, "D": 0x20000a1b2c30004,
	"N": -0x72ff5e4d3c2bfffc, "0": 0,
}

func sessionName(id SessionID) string {
	for name, s := range sessionIDs {
		if s == id {
			return name
		}
	}
	return id.String()
}

func sessionNamed(t *testing.T, text string) SessionID {
	t.Helper()
	if id, ok := sessionIDs[text]; ok {
		return id
	}
	id, ok := ParseSessionID(text)
	if !ok {
		t.Fatalf("no session: %q", text)
	}
	return id
}
