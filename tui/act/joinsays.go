package act

import (
	"fmt"
	"strings"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
)

// joinSays says before a place is taken what it does to others, and how to leave.
func (h *Hand) joinSays(r actions.Join) []layer.Body {
	m := h.shown.Result.ByPath(r.Path)
	if m != nil && m.Kind != r.Kind {
		m = nil
	}
	then := joinEffect(r, m)
	if then == "" {
		return nil
	}
	out := []layer.Body{{Label: "then", Text: then, Style: paint.Bold}}
	if lasts(r) {
		out = append(out, layer.Body{Label: "leave", Text: h.shown.Keys.Back.Help().Key + " on its page, or quit: your znode is deleted. If the console dies, it stays until its session expires", Style: paint.Plain})
	}
	return out
}

// lasts reports whether a place is held until it is left.
func lasts(r actions.Join) bool {
	switch r.Part {
	case actions.PartWait, actions.PartFill, actions.PartProducer, actions.PartCoordinator:
		return false
	case actions.PartSet:
		return r.Kind.Gate() || r.Kind.Filled()
	}
	return !r.Kind.Number()
}

// joinEffect says what follows for others when a place is taken; empty where nothing does.
func joinEffect(r actions.Join, m *model.Model) string {
	switch {
	case r.Kind.Waits():
		return lineEffect(r, m)
	case r.Kind.Gate():
		if r.Part == actions.PartSet {
			return "whoever comes to the barrier waits until you open it by leaving"
		}
	case r.Kind.Together():
		return "you count as one of the members: the others may go on because you are there, and wait for you to leave"
	case r.Kind.Items():
		if r.Part == actions.PartConsumer {
			return "the next item is taken away from the other consumers; it is lost to them unless you give it back"
		}
		return "the item is there for any consumer at once"
	case r.Kind.Members():
		return "whoever reads the group takes you for a member, and may send you work"
	case r.Kind.Opaque():
		if r.Part == actions.PartSet && !r.Kind.Filled() || r.Part == actions.PartFill || r.Part == actions.PartWrite {
			return "whoever watches it acts on the new value at once; the old one is kept in the audit log"
		}
	case r.Kind.Votes():
		return "the transaction waits for you"
	}
	return ""
}

// lineEffect says where one would stand in a line, and who waits behind.
func lineEffect(r actions.Join, m *model.Model) string {
	verb, others := "hold it", "whoever is behind you waits"
	if r.Kind.Leads() {
		verb, others = "lead", "nobody else leads"
	}
	if m == nil || len(m.Claims) == 0 {
		return fmt.Sprintf("you %s at once; while you do, %s", verb, others)
	}
	n := len(m.Claims)
	return fmt.Sprintf("you wait behind %s; when it is your turn you %s, and while you do, %s", paint.Counted(n, "claim", "claims"), verb, others)
}

// TakesPart reports whether something is held or waited for from here.
func (h *Hand) TakesPart() bool {
	return h.Standing() != nil
}

// PlaceBadge says in the header that something is held or waited for from here.
func (h *Hand) PlaceBadge() (out paint.Line) {
	held, waits := 0, 0
	for _, p := range h.shown.Places {
		switch ph := p.State().Phase; {
		case ph == actions.JoinHolding || ph == actions.JoinAsked:
			held++
		case !ph.Over():
			waits++
		}
	}
	if held > 0 {
		out = append(out, paint.Mine.Text(fmt.Sprintf("[HOLDING %d]", held)), paint.Plain.Text(" "))
	}
	if waits > 0 {
		out = append(out, paint.Mine.Text(fmt.Sprintf("[IN LINE %d]", waits)), paint.Plain.Text(" "))
	}
	return out
}

// whyField is the reason as a field of a form.
func (h *Hand) whyField() layer.Field {
	if h.Means.NeedReason {
		return layer.Field{Label: "why", Note: "needed here, for the audit log"}
	}
	return layer.Field{Label: "why", Note: "may be empty; for the audit log", Spare: true}
}

// lacksWhy says that a reason is needed and was not given; empty when nothing is wrong.
func (h *Hand) lacksWhy(text string) string {
	if h.Means.NeedReason && strings.TrimSpace(text) == "" {
		return "say why: this profile wants a reason with everything that is done"
	}
	return ""
}
