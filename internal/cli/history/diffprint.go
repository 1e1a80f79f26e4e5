package history

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/chronicle"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/compare"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/internal/txnlog"
)

// DiffReport is the JSON output of diff, schema 1.
type DiffReport struct {
	Schema  int               `json:"schema"`
	A       sideReport        `json:"a"`
	B       sideReport        `json:"b"`
	Same    *bool             `json:"same"` // null: nothing differs that is known, and not all is known
	Recipes []recipeDiff      `json:"recipes"`
	Stuck   []stuckReport     `json:"stuck"` // who waits for the same claim in both
	Others  []OtherReport     `json:"others"`
	More    int               `json:"moreOthers"`
	Unknown []string          `json:"unknown"`
	Members *comparisonReport `json:"members"` // of two members' directories; else null
}

type sideReport struct {
	Name     string `json:"name"`
	AsOf     string `json:"asOf"`
	Complete bool   `json:"complete"`
}

type recipeDiff struct {
	Path     string          `json:"path"`
	KindA    *layout.Kind    `json:"kindA"` // null: it is not there
	KindB    *layout.Kind    `json:"kindB"`
	Held     bool            `json:"holdersDiffer"`
	HeldA    []claimDiff     `json:"holdersA"`
	HeldB    []claimDiff     `json:"holdersB"`
	Came     []claimDiff     `json:"came"`
	Went     []claimDiff     `json:"went"`
	Settings []settingReport `json:"settings"`
}

type claimDiff struct {
	Path    string     `json:"path"`
	Czxid   int64      `json:"czxid"`
	Owner   string     `json:"owner"`
	Session *string    `json:"session"`
	Role    model.Role `json:"role"`
}

type settingReport struct {
	What string `json:"what"`
	A    string `json:"a"`
	B    string `json:"b"`
}

type stuckReport struct {
	Path   string    `json:"path"`
	Waiter claimDiff `json:"waiter"`
	Behind claimDiff `json:"behind"`
}

// OtherReport is a znode of no recipe that differs, in the JSON output of diff.
type OtherReport struct {
	Path string `json:"path"`
	What string `json:"what"` // came, went, remade, changed
}

type comparisonReport struct {
	Same     int64        `json:"same"`
	First    *string      `json:"first"`
	Last     *string      `json:"last"`
	Parted   bool         `json:"parted"`
	A        *foundRecord `json:"a"` // where they part, or where one goes on alone; null: it has nothing there
	B        *foundRecord `json:"b"`
	OnlyA    int64        `json:"onlyA"`
	OnlyB    int64        `json:"onlyB"`
	MissingA int64        `json:"missingA"`
	MissingB int64        `json:"missingB"`
}

type foundRecord struct {
	Zxid    string `json:"zxid"`
	At      string `json:"at"`
	Session string `json:"session"`
	Record  string `json:"record"`
}

func diffReportOf(a, b side, d *compare.Difference, m *memberDiff) DiffReport {
	out := DiffReport{Schema: 1, A: a.report(), B: b.report(), Recipes: []recipeDiff{}, Stuck: []stuckReport{}, Others: []OtherReport{}, More: d.More, Unknown: append([]string{}, d.Unknown...)}
	if same := d.Same() && !m.differ(); !same || len(d.Unknown) == 0 {
		out.Same = &same
	}
	kind := func(k layout.Kind) *layout.Kind {
		if k == "" {
			return nil
		}
		return &k
	}
	for _, r := range d.Recipes {
		one := recipeDiff{Path: term.Safe(r.Path), KindA: kind(r.KindA), KindB: kind(r.KindB), Held: r.Held, HeldA: claimDiffs(r.HeldA), HeldB: claimDiffs(r.HeldB), Came: claimDiffs(r.Came),
			Went: claimDiffs(r.Went), Settings: []settingReport{}}
		for _, s := range r.Settings {
			one.Settings = append(one.Settings, settingReport{term.Safe(s.What), term.Safe(s.A), term.Safe(s.B)})
		}
		out.Recipes = append(out.Recipes, one)
	}
	for _, s := range d.Stuck {
		out.Stuck = append(out.Stuck, stuckReport{term.Safe(s.Path), claimDiffOf(s.Waiter), claimDiffOf(s.Behind)})
	}
	for _, o := range d.Others {
		out.Others = append(out.Others, OtherReport{term.Safe(o.Path), o.What})
	}
	if m != nil {
		out.Members = comparisonOf(m.Comparison)
	}
	return out
}

func (s side) report() sideReport {
	return sideReport{term.Safe(s.name), chronicle.Clock(s.res.Snapshot.TakenAt), s.res.Snapshot.Complete}
}

func claimDiffOf(c compare.Claim) claimDiff {
	out := claimDiff{Path: term.Safe(c.ID.Path), Czxid: int64(c.ID.Czxid), Owner: term.Safe(c.Owner), Role: c.Role}
	if c.Session != 0 {
		out.Session = world.TextOrNil(c.Session.String())
	}
	return out
}

func claimDiffs(list []compare.Claim) []claimDiff {
	out := []claimDiff{}
	for _, c := range list {
		out = append(out, claimDiffOf(c))
	}
	return out
}

func comparisonOf(c *txnlog.Comparison) *comparisonReport {
	point := func(p *txnlog.Point) *string {
		if p == nil {
			return nil
		}
		return world.TextOrNil(fmt.Sprintf("0x%x", p.Zxid))
	}
	found := func(f *txnlog.Found) *foundRecord {
		if f == nil {
			return nil
		}
		return &foundRecord{fmt.Sprintf("0x%x", f.Zxid), chronicle.Clock(f.Time()), fmt.Sprintf("0x%x", uint64(f.Session)), fmt.Sprintf("%s:%d", f.File, f.Offset)}
	}
	return &comparisonReport{c.Same, point(c.First), point(c.Last), c.Diverged(), found(c.A), found(c.B), c.OnlyA, c.OnlyB, c.MissingA, c.MissingB}
}

// printDiff prints the differences, a line each: - is of the first, + of the second.
func printDiff(c *command.Line, a, b side, d *compare.Difference, m *memberDiff) {
	put := func(format string, args ...any) { fmt.Fprintf(c.Out, format+"\n", args...) }
	put("- %s\n+ %s", say.Printable(a.asOfText()), say.Printable(b.asOfText()))
	if m != nil {
		for _, line := range m.lines() {
			put("  %s", say.Printable(line))
		}
	}
	for _, r := range d.Recipes {
		put("\n%s  %s", term.Safe(r.Path), kindsText(r))
		if r.Held {
			put("  %s: %s → %s", holding(r), owners(r.HeldA), owners(r.HeldB))
		}
		for _, x := range r.Went {
			put("  - %s %s", x.Role, claimText(x))
		}
		for _, x := range r.Came {
			put("  + %s %s", x.Role, claimText(x))
		}
		for _, s := range r.Settings {
			put("  %s: %s → %s", term.Safe(s.What), term.Safe(s.A), term.Safe(s.B))
		}
	}
	if len(d.Stuck) > 0 {
		put("\nstill waiting in both, for the same claim:")
		for i, s := range d.Stuck {
			if i == stuckShown {
				put("  and %d more: -o json tells them all", len(d.Stuck)-i)
				break
			}
			put("  %s: %s behind %s", term.Safe(s.Path), claimText(s.Waiter), claimText(s.Behind))
		}
	}
	if len(d.Others) > 0 {
		put("\nznodes beside the recipes:")
		for _, o := range d.Others {
			put("  %-7s %s", o.What, term.Safe(o.Path))
		}
		if d.More > 0 {
			put("  and %d more", d.More)
		}
	}
	if d.Same() {
		put("no difference is seen in the trees")
	}
	for _, u := range d.Unknown {
		put("not known: %s", say.Printable(u))
	}
}

// stuckShown is how many of those that still wait are printed.
const stuckShown = 20

func kindsText(r compare.Recipe) string {
	switch {
	case r.KindA == "":
		return string(r.KindB) + ", new"
	case r.KindB == "":
		return string(r.KindA) + ", no more"
	case r.KindA != r.KindB:
		return string(r.KindA) + " → " + string(r.KindB)
	}
	return string(r.KindA)
}

func holding(r compare.Recipe) string {
	if cmp.Or(r.KindB, r.KindA).Leads() {
		return "leader"
	}
	return "holder"
}

func owners(list []compare.Claim) string {
	if len(list) == 0 {
		return "nobody"
	}
	var out []string
	for _, c := range list {
		out = append(out, term.Safe(c.Owner))
	}
	return strings.Join(out, ", ")
}

func claimText(c compare.Claim) string {
	return fmt.Sprintf("%s (session %s, %s)", term.Safe(c.Owner), chronicle.SessionText(c.Session), term.Safe(c.ID.Path))
}
