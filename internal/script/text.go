package script

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/lines"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/znode"
)

// FileHead is the first line of a recording of a whole tree.
const FileHead = `{"zkscope":1,"kind":"recording","takenAt":"2026-11-27T22:00:00Z","root":"/","complete":true}` + "\n"

// ReadText reads a file that is given as text.
func ReadText(t *testing.T, text string) *files.Recording {
	t.Helper()
	rec, err := files.ReadFile(strings.NewReader(text), "file")
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// OrderText is the part of a model that only the picture decides.
func OrderText(m *model.Model) string {
	var b strings.Builder
	state := m.State
	if m.Kind.Together() {
		state = "" // leaving needs an earlier picture
	}
	fmt.Fprintln(&b, m.Kind, m.Dialect, state)
	for i := range m.Claims {
		c := &m.Claims[i]
		fmt.Fprintln(&b, c.Path(), c.Role(), c.Mode(), c.BlockedBy(), c.Revoked)
	}
	return b.String()
}

// ResultText prints a result for people to review.
func ResultText(r *model.Result) string {
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
			fmt.Fprintf(&b, "  %s\n", FindingText(f))
		}
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s\n", FindingText(f))
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
	out += fmt.Sprintf(" %s %s(%s) %s", seq, say.Visible(c.Owner()), c.OwnerSource(), SessionName(c.Session))
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

// FindingText prints a finding.
func FindingText(f model.Finding) string {
	out := fmt.Sprintf("%s %s: %s", strings.ToUpper(f.Severity.String()), f.Code, f.Text)
	for _, p := range f.Paths {
		_, name := znode.Split(p)
		out += " [" + say.Printable(name) + "]"
	}
	for _, id := range f.Sessions {
		out += " " + SessionName(id)
	}
	return out
}

// EventsText prints events, one a line.
func EventsText(events []story.Event) string {
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

// SessionIDs are the sessions that have short names in fixtures; N has its highest bit set.
var SessionIDs = map[string]znode.SessionID{
	"A": 0x10000a1b2c30001, "B": 0x10000a1b2c30002, "C": 0x20000a1b2c30003, "D": 0x20000a1b2c30004,
	"N": -0x72ff5e4d3c2bfffc, "0": 0,
}

// SessionName is the short name of a session, or its id.
func SessionName(id znode.SessionID) string {
	for name, s := range SessionIDs {
		if s == id {
			return name
		}
	}
	return id.String()
}

// SessionNamed is the session of a short name or an id.
func SessionNamed(t *testing.T, text string) znode.SessionID {
	t.Helper()
	if id, ok := SessionIDs[text]; ok {
		return id
	}
	id, ok := znode.ParseSessionID(text)
	if !ok {
		t.Fatalf("no session: %q", text)
	}
	return id
}

// SnapshotFrom is the last picture of a file that is given as text.
func SnapshotFrom(t *testing.T, text string) *znode.Snapshot {
	t.Helper()
	rec, err := files.ReadFile(strings.NewReader(text), "test")
	if err != nil {
		t.Fatal(err)
	}
	return rec.Last()
}
