package lines

import (
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/order"
	"github.com/zkscope/zkscope/inspect/survey"
)

// BuildSingle builds a lock or an election that is one znode.
func BuildSingle(x *survey.Dir, kind layout.Kind, why, base string) *model.Model {
	row := &layout.SingleRow
	evidence := []survey.Evidence{{Kind: kind, Weight: 0.5, Why: why},
		{Kind: kind, Weight: 0, Why: layout.SingleRow.About}}
	if x.Place != nil {
		row, evidence = x.Place.Row, evidence[:1]
	}
	p := order.Place{Name: layout.Name{Text: x.Node.Name}, Layout: row, Node: x.Node, Czxid: x.Node.Czxid,
		Owner: x.Node.Owner}
	x.Line = &order.Line{Limit: 1, Queue: []order.Place{p}}
	x.Line.Arrange()
	v := viewOf(x, kind, base)
	v.turns[0].Why = model.Created
	v.alone = true
	m := v.build(evidence)
	m.State = model.Held
	if kind.Leads() {
		m.State = model.Elected
	}
	if x.Place != nil {
		v.refine()
		v.CheckLeader()
		m.Findings = model.SettleFindings(m.Findings)
	}
	return m
}

// refine says of a system's own znode what its data says and its creator does not.
func (v *lineView) refine() {
	x, m := v.Dir, v.Model
	c := &m.Claims[0]
	if x.Node.Owner == 0 {
		c.Reason = model.DataSays
	}
	if x.Place.ID == "KAFKA-PART" && (c.Owner() == "-1" || c.OwnerSource() != model.FromData) {
		m.Claims, m.State = nil, model.Vacant
		v.NoteFollowers(x.Path)
		m.Findings = model.SettleFindings(m.Findings)
	}
}
