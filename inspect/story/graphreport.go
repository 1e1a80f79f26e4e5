package story

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
)

// GraphReport is the JSON output of the graph of waits, schema 1.
type GraphReport struct {
	Schema   int             `json:"schema"`
	AsOf     string          `json:"asOf"`
	Complete bool            `json:"complete"`
	Sources  SourcesReport   `json:"sources"`
	Edges    []EdgeReport    `json:"edges"`
	Cycles   []CycleReport   `json:"cycles"`
	Roots    []RootReport    `json:"roots"`
	Herds    []HerdReport    `json:"herds"`
	Labels   []SessionLabel  `json:"labels"`
	Findings []FindingReport `json:"findings"`
}

// EdgeReport is one wait. A session is null where no session owns the znode.
type EdgeReport struct {
	From    *string     `json:"from"`
	To      *string     `json:"to"`
	Path    string      `json:"path"`
	Kind    layout.Kind `json:"kind"`
	Waiter  string      `json:"waiter"`
	Blocker string      `json:"blocker"`
	Proof   model.Proof `json:"proof"`
}

// CycleReport is one that looks like a deadlock.
type CycleReport struct {
	Sessions []string      `json:"sessions"`
	Paths    []string      `json:"paths"`
	Proof    model.Proof   `json:"proof"`
	Severity string        `json:"severity"`
	Because  string        `json:"because"` // what the severity rests on
	Since    *string       `json:"since"`
	Breaks   []BreakReport `json:"breaks"`
	Victim   string        `json:"victim"`
	Reason   string        `json:"reason"`
	Behind   int           `json:"behind"`
	Across   int           `json:"across"` // of these, those that wait for another claim of a session that waits itself: threads of one process may differ
}

// BreakReport says what follows when one claim of a cycle is broken.
type BreakReport struct {
	Session string      `json:"session"`
	Claim   string      `json:"claim"`
	Czxid   *znode.Zxid `json:"czxid"`
	Path    string      `json:"path"`
	Next    *string     `json:"next"` // whose turn it is then, unless it is known not to wake
	Sure    bool        `json:"sure"` // next is known to take over by itself
}

// RootReport is one who blocks others and waits for nobody.
type RootReport struct {
	Session *string `json:"session"`
	Claim   string  `json:"claim"`
	Path    string  `json:"path"`
	Blocks  int     `json:"blocks"`
	Across  int     `json:"across"` // of these, those that wait for another claim of a session that waits itself: threads of one process may differ
}

// HerdReport is a znode whose change wakes many.
type HerdReport struct {
	Path     string   `json:"path"`
	Recipe   string   `json:"recipe"`
	Wakes    int      `json:"wakes"`
	Sessions []string `json:"sessions"`
}

// SessionLabel is what a session is called.
type SessionLabel struct {
	Session string  `json:"session"`
	Name    string  `json:"name"`
	Addr    *string `json:"addr"`
}

// MarshalJSON encodes the report so that its bytes are safe on a terminal.
func (g *GraphReport) MarshalJSON() ([]byte, error) {
	type bare GraphReport
	return say.MarshalSafe((*bare)(g))
}

// NewGraphReport reports a graph.
func NewGraphReport(w *waits.Waits) *GraphReport {
	frame := reportFrame(w.Result)
	out := &GraphReport{Schema: 1, AsOf: frame.AsOf, Complete: frame.Complete, Sources: frame.Sources,
		Edges:  []EdgeReport{},
		Cycles: []CycleReport{}, Roots: []RootReport{}, Herds: []HerdReport{}, Labels: []SessionLabel{},
		Findings: reportFindings(w.Spanning)}
	in := map[znode.SessionID]bool{}
	for _, e := range w.Edges {
		in[e.From], in[e.To] = true, true
		out.Edges = append(out.Edges, EdgeReport{idOf(e.From), idOf(e.To), say.Valid(e.Model.Path), e.Model.Kind,
			say.Valid(e.Waiter.Path()), say.Valid(e.Blocker.Path()), e.Proof})
	}
	for i := range w.Cycles {
		out.Cycles = append(out.Cycles, ReportCycle(&w.Cycles[i]))
	}
	for _, r := range w.Roots {
		out.Roots = append(out.Roots, RootReport{idOf(r.Session), say.Valid(r.Claim.Path()), say.Valid(r.Model.Path),
			r.Blocks, r.Across})
	}
	for _, h := range w.Herds {
		out.Herds = append(out.Herds, HerdReport{say.Valid(h.Path), say.Valid(h.Model.Path), len(h.Watchers),
			znode.IDTexts(h.Watchers)})
	}
	names := waits.Labels(w.Result)
	for _, id := range sortedSessions(in) {
		if id != 0 {
			out.Labels = append(out.Labels, SessionLabel{id.String(), say.Valid(names[id]),
				say.OrNil(w.Result.Snapshot.Sessions[id].Addr)})
		}
	}
	return out
}

func idOf(id znode.SessionID) *string {
	if id == 0 {
		return nil
	}
	return say.OrNil(id.String())
}

// ReportCycle reports one cycle.
func ReportCycle(c *waits.Cycle) CycleReport {
	f := c.Finding(nil)
	out := CycleReport{Sessions: znode.IDTexts(f.Sessions), Paths: say.ValidList(f.Paths), Proof: c.Proof,
		Severity: c.Severity.String(), Because: say.Printable(c.Because), Breaks: []BreakReport{},
		Victim: c.Breaks[c.Victim].Session.String(), Reason: c.Reason, Behind: c.Behind, Across: c.Across}
	if !c.Since.IsZero() {
		out.Since = say.OrNil(say.Stamp(c.Since))
	}
	for _, b := range c.Breaks {
		out.Breaks = append(out.Breaks, BreakReport{b.Session.String(), say.Valid(b.Claim.Path()),
			say.OrNil(b.Claim.Czxid()), say.Valid(b.Path), say.OrNil(b.Next), b.Sure})
	}
	return out
}

// Dot writes the graph for Graphviz: sessions are boxes, waits are arrows, the arrows of deadlocks are red. Proven
// arrows are solid, likely ones dashed, refuted ones dotted.
func Dot(w *waits.Waits) string {
	names := waits.Labels(w.Result)
	red := map[*model.Claim]bool{}
	for i := range w.Cycles {
		for _, e := range w.Cycles[i].Waits {
			red[e.Waiter] = true
		}
	}
	style := map[model.Proof]string{model.Proven: "solid", model.Likely: "dashed", model.Refuted: "dotted"}
	var b strings.Builder
	b.WriteString("digraph waits {\n  rankdir=LR;\n  node [shape=box];\n")
	in := map[znode.SessionID]bool{}
	for _, e := range w.Edges {
		in[e.From], in[e.To] = true, true
	}
	for _, id := range sortedSessions(in) {
		fmt.Fprintf(&b, "  %s [label=%s];\n", dotName(id), dotText(waits.Label(names, id)))
	}
	for _, e := range w.Edges {
		more := say.Either(red[e.Waiter], ", color=red", "")
		fmt.Fprintf(&b, "  %s -> %s [label=%s, style=%s%s];\n", dotName(e.From), dotName(e.To),
			dotText(say.Printable(e.Model.Path)), style[e.Proof], more)
	}
	b.WriteString("}\n")
	return b.String()
}

func dotName(id znode.SessionID) string { return strconv.Quote(id.String()) }

// dotText quotes a text that Printable has seen: backslashes are shown, not obeyed.
func dotText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// sortedSessions lists a set in the order of the unsigned ids.
func sortedSessions(set map[znode.SessionID]bool) []znode.SessionID {
	out := make([]znode.SessionID, 0, len(set))
	for id := range set {
		out = append(out, id)
	}
	znode.SortIDs(out)
	return out
}
