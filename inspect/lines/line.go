package lines

import (
	"slices"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/order"
	"github.com/zkscope/zkscope/inspect/survey"
	"github.com/zkscope/zkscope/inspect/znode"
)

// lineView is a line being turned into a model: what locks, read/write locks and elections share.
type lineView struct {
	survey.Builder
	turns []order.Decision
	alone bool // a recipe that is one znode

	// movers are sessions whose claims here came or went since the picture before; nil: not looked for
	movers map[znode.SessionID]bool
}

// lineRoles are the roles of the two ends of a line, by kind.
func lineRoles(k layout.Kind) (first, rest model.Role) {
	if k.Leads() {
		return model.Leader, model.Candidate
	}
	return model.Holder, model.Waiter
}

// buildLine makes the model of a line of one of the three kinds.
func buildLine(x *survey.Dir, kind layout.Kind, evidence []survey.Evidence) *model.Model {
	return viewOf(x, kind, x.Path).build(evidence)
}

// viewOf prepares the model of a line whose claims are in the directory base.
func viewOf(x *survey.Dir, kind layout.Kind, base string) *lineView {
	b := x.Builder(kind, dialectOf(x))
	b.Base = base
	return &lineView{Builder: *b, turns: x.Line.Turns()}
}

func (v *lineView) build(evidence []survey.Evidence) *model.Model {
	m := v.Model
	for _, e := range evidence {
		m.Why = append(m.Why, e.Why)
	}
	m.Claims = make([]model.Claim, len(v.Line.Queue))
	v.Home = &model.Home{Dir: v.Base, Model: m}
	v.outOfOrder()
	for i := range v.Line.Queue {
		v.fill(i)
	}
	for i := range m.Claims {
		v.explain(i)
	}
	m.Confidence = v.confidence(evidence)
	v.count()
	v.Volatile = v.Unsettled()
	if v.alone && m.Kind.Leads() && (v.Place == nil || v.Place.ID != "KAFKA-PART") {
		v.NoteFollowers(v.Path)
	}
	for _, check := range lineChecks {
		check(v)
	}
	m.Findings = model.SettleFindings(m.Findings)
	return m
}

// dialectOf is the hinted one, else that of the line's first claim, else the one seen here before.
func dialectOf(x *survey.Dir) layout.Dialect {
	switch {
	case x.Hint != nil && x.Hint.Dialect != "":
		return x.Hint.Dialect
	case len(x.Line.Queue) > 0 && x.Place == nil && x.Line.Queue[0].Layout.ID == "GO-LOCK" && len(x.Node.Data) > 0:
		return layout.Libkv // it keeps the lock's value in the lock's directory
	case len(x.Line.Queue) > 0:
		return x.DialectOr(x.Line.Queue[0].Layout.Dialect)
	case x.Place != nil && x.Place.Dialect != "":
		return x.Place.Dialect
	case x.Prev != nil:
		return x.Prev.Dialect
	}
	return layout.Generic
}

// confidence is how sure the names are, less where only a default decided the kind.
func (v *lineView) confidence(evidence []survey.Evidence) float64 {
	if v.Hint.KindOf() == v.Model.Kind {
		return 1
	}
	queue := v.Line.Queue
	if len(queue) == 0 {
		return 0.5
	}
	sum, open := 0.0, false
	for i := range queue {
		sum += queue[i].Layout.Sure
		open = open || queue[i].Layout.Also != "" && !v.Model.Kind.Modes()
	}
	sure := sum / float64(len(queue))
	switch {
	case v.Model.Dialect == layout.Generic:
		sure = min(sure, 0.3)
	case open && len(evidence) < 2:
		sure -= 0.2
	}
	if v.Line.Wrapped() {
		sure = min(sure, 0.5)
	}
	return float64(int(sure*100+0.5)) / 100
}

// count notes the directory's next number and how many are left, or who watches a claim that stands alone.
func (v *lineView) count() {
	if len(v.Line.Queue) == 1 && v.Line.Queue[0].Node == v.Node {
		if v.Snap.ListsWatches() {
			v.Number("watchers", v.Watchers(v.Snap.Watches[v.Path], v.Node.Owner))
		}
		return
	}
	if next, _, known := layout.NextSequence(v.Node); known {
		v.Model.Numbers.Set("nextSeq", next)
		v.Model.Numbers.Set("seqLeft", 1<<31-next)
	}
}

// fill makes a claim of the place at index i: everything but what it says of other claims.
func (v *lineView) fill(i int) {
	p, c := &v.Line.Queue[i], &v.Model.Claims[i]
	first, rest := lineRoles(v.Model.Kind)
	c.SetZnode(p.Node, v.Home)
	c.SetPosition(i)
	if v.turns[i].Why == model.Downgraded && !v.reads(c) {
		v.turns[i] = order.Decision{Watch: 0, From: 0, To: 1, Why: model.MayRead}
	}
	if !v.turns[i].Holds {
		first = rest
	}
	c.SetRole(first)
	c.SetMode(v.mode(p))
	c.Seq, c.HasSeq = int64(p.Seq), p.HasSeq
	v.Stamp(c, p.Node)
	v.NameAfter(c, p.Node, p.Layout)
	if !v.Model.Kind.Leads() {
		v.revocation(c, p)
	}
	v.Memo.Recall(c, v.Model.Kind, v.Decoder)
	v.waitsSince(i)
	if was := v.Memo.Find(c); was != nil && was.OwnerSource() == model.FromData && layout.IsRevokeWord(p.Node.Data) {
		c.SetOwner(was.Owner(), model.FromData) // the word took the name's place
	}
}

// mode is how a claim of the line excludes others.
func (v *lineView) mode(p *order.Place) layout.Mode {
	switch {
	case p.Layout.Mode != "":
		return p.Layout.Mode
	case v.Model.Kind.Modes():
		return layout.Write
	case v.Model.Kind.InLine() && !v.Model.Kind.Leads():
		return layout.Exclusive
	}
	return ""
}

// explain says why a claim holds or waits, for whom, and how sure that is.
func (v *lineView) explain(i int) {
	t, c := &v.turns[i], &v.Model.Claims[i]
	c.Reason = t.Why
	if v.Line.Queue[i].Ambiguous {
		defer func() {
			c.SetWhy(c.Why() + "; its number is ambiguous, since no counter gives out 2147483648: it is read as " +
				SeqOf(c))
		}()
	}
	if t.Holds {
		v.doubt(c)
		if t.Why == model.Lowest && i+1 < len(v.turns) && v.Line.Tie(i, i+1) {
			c.Tied = v.Line.TieRule(i)
		}
		return
	}
	c.SetBlockers(t.From, t.To)
	if t.Why == model.BehindLater {
		v.proveLate(c)
		return
	}
	ahead := &v.Model.Claims[t.Watch]
	was := v.Memo.Find(c)
	if was != nil && was.Ahead() != nil && was.Ahead().At(ahead) {
		c.BlockedSince, c.ListsWithout, c.WatchNotes = was.BlockedSince, was.ListsWithout,
			was.WatchNotes&^model.NoteMayStandStill
	} else if !v.First {
		v.movedUp(c, was, ahead)
	}
	if at, moved := v.Moves(c.Session); moved && at >= c.BlockedSince+model.SightingsApart {
		c.SetNote(model.NoteLively, true)
	}
	hidden := v.Line.Mixed || v.Model.Dialect == layout.Generic ||
		v.Line.Queue[i].Layout.Watch == layout.WatchesParent || c.Veiled() || v.watchesLater(i)
	c.SetProof(v.Proof(c, ahead, hidden))
	if v.Line.Tie(t.Watch, i) {
		c.Tied = v.Line.TieRule(i)
	}
	if t.Why == model.MayRead {
		v.settleReader(i)
	}
}

// revocation says whether a claim can be asked to let go, whether it hears, and whether it was asked.
func (v *lineView) revocation(c *model.Claim, p *order.Place) {
	if p.Layout.Revoke == "" || v.Place != nil && v.Place.Durable {
		return
	}
	c.SetRevocable(p.Layout.Revoke)
	c.Revoked = string(p.Node.Data) == p.Layout.Revoke
	c.SetHears(v.hearing(c, p))
}

// hearing says whether a claim's owner listens for the word. A watch on its own znode is how all of them do; it proves
// that only where nothing else is watched for so, as clients do that want to see their claim go.
func (v *lineView) hearing(c *model.Claim, p *order.Place) model.Hearing {
	was := v.Memo.Find(c)
	watches := c.Session != 0 && slices.Contains(v.WatchesOn(c), c.Session)
	bare := len(p.Node.Data) == 0 && !p.Node.Has(znode.Unreadable) && !p.Node.Has(znode.DataOmitted)
	switch {
	case watches && (p.Layout.Dialect == layout.Zktools || p.Layout.Revoke == layout.RevokeCurator && bare):
		return model.HearsProven
	case watches && c.Revoked && was != nil && was.Hears() != model.HearsUnknown:
		return was.Hears() // the word took the place of the data that would tell
	case watches && (p.Layout.Revoke == layout.RevokeUnlock || c.Revoked):
		return model.HearsLikely
	case v.Snap.Watches != nil && v.Listed:
		return model.HearsUnlikely
	case p.Layout.Revoke == layout.RevokeUnlock, bare:
		return model.HearsLikely
	case c.Revoked && was != nil && was.Hears() != model.HearsUnknown:
		return was.Hears()
	}
	return model.HearsUnlikely
}
