package lines

import (
	"strconv"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/survey"
	"github.com/zkscope/zkscope/inspect/znode"
)

// twice finds sessions that stand in a line more than once, where one of their claims keeps another waiting: one
// finding for each.
func (v *lineView) twice() {
	first := make(map[znode.SessionID]int)
	again := make(map[znode.SessionID][]*model.Claim)
	var order []znode.SessionID
	for i := range v.Model.Claims {
		c := &v.Model.Claims[i]
		if c.Session == 0 {
			continue
		}
		j, seen := first[c.Session]
		if !seen {
			first[c.Session] = i
			continue
		}
		if !model.Holding(c.Role()) && v.excludes(j, i) {
			if again[c.Session] == nil {
				order = append(order, c.Session)
			}
			again[c.Session] = append(again[c.Session], c)
		}
	}
	for _, id := range order {
		all := append([]*model.Claim{&v.Model.Claims[first[id]]}, again[id]...)
		if a, b := v.twins(all); a != nil {
			v.forgotten(a, b)
		} else {
			v.manifold(all)
		}
	}
}

// excludes reports whether the claim at j keeps the one at i, behind it, waiting. A Curator thread that reads behind
// its own writer is not kept.
func (v *lineView) excludes(j, i int) bool {
	a, b := &v.Line.Queue[j], &v.Line.Queue[i]
	return v.Line.Limit == 1 && (!a.Reads() || !b.Reads()) && !(b.Reads() && v.Line.Downgrades(b))
}

// twins finds two claims that carry the same unique guard: one call to create, or one lock object
// of kazoo's, made both.
func (v *lineView) twins(all []*model.Claim) (first, second *model.Claim) {
	seen := make(map[string]*model.Claim, len(all))
	for _, c := range all {
		p := &v.Line.Queue[c.Position()]
		if p.Guard&(layout.CuratorGuard|layout.GoGuard) == 0 &&
			!(p.Guard == layout.HexGuard && p.Layout.Dialect == layout.Kazoo) {
			continue
		}
		if o := seen[p.GUID]; o != nil {
			return o, c
		}
		seen[p.GUID] = c
	}
	return nil, nil
}

// forgotten tells of a znode that its client made anew, and so has forgotten.
func (v *lineView) forgotten(first, again *model.Claim) {
	by := say.Either(v.Line.Queue[first.Position()].Guard == layout.HexGuard, "one lock object", "one call to create")
	v.AddFinding(model.CodePhantomClaim, model.High, standsTwice(v.Model.Kind, first, again, 0)+": "+by+
		" made both znodes, as their guard tells, and its client has probably forgotten the first ("+SeqOf(first)+")"+
		earlier(first, again), first, again)
}

// manifold tells of a session that stands in a line more than once. Several threads of one process may do so, each for
// itself: it weighs little while the session works on.
func (v *lineView) manifold(all []*model.Claim) {
	if threadsTold(all) {
		return
	}
	first, again := all[0], all[1]
	code, text := model.CodePhantomClaim, standsTwice(v.Model.Kind, first, again, len(all)-2)
	switch {
	case first.Reason == model.BehindLater:
		code = model.CodeSelfWait
		text = say.Printable(first.Owner()) + " is in line to read and to write, " + say.Ordinal(first.Position()+1) +
			" and " + placesOf(again, len(all)-2) + ": it does not read yet, since its reader waits for a writer behind it"
	case first.Mode() == layout.Read:
		code = model.CodeSelfWait
		text = say.Printable(first.Owner()) + " reads and waits to write, " + placesOf(again, len(all)-2) +
			" in line: by the order it waits for itself, unless another thread of the process reads"
	case model.Holding(first.Role()):
		text += ": its client forgot the first znode (" + SeqOf(first) + ")" + earlier(first, again) +
			", or two threads of one process compete"
	default:
		text += ": its client forgot a znode, or two threads of one process compete"
	}
	how := v.calmness(first.Session, all)
	v.Graded = append(v.Graded, survey.Grade{Session: first.Session, How: how})
	severity, says := model.Medium, how.String()
	switch until := v.young(again); {
	case how == survey.CalmWorking:
		severity = model.Low
	case !until.IsZero():
		severity, says = model.Low, "it has stood for less than "+say.Age(stillFor)+", as long as a thread may work"
		v.Due = survey.Sooner(v.Due, until)
	}
	v.AddFinding(code, severity, text+"; "+says, all...)
}

// young returns until when a claim behind another of its session is too young to tell of anything: while one thread
// works, another may well wait for it. Zero: it is old enough, or its age is not known.
func (v *lineView) young(c *model.Claim) time.Time {
	until := c.Created().Add(stillFor)
	if now := v.Snap.AsOf(); c.Created().IsZero() || now.Before(c.Created()) || !now.Before(until) {
		return time.Time{}
	}
	return until
}

// threadsTold reports whether the claims of one session name themselves differently: then several threads of its
// process stand in line, each for itself.
func threadsTold(all []*model.Claim) bool {
	names := make(map[string]bool, len(all))
	for _, c := range all {
		if c.OwnerSource() != model.FromData || names[c.Owner()] {
			return false
		}
		names[c.Owner()] = true
	}
	return true
}

// standsTwice says how a session stands in a line more than once.
func standsTwice(k layout.Kind, first, again *model.Claim, more int) string {
	name := say.Printable(first.Owner())
	switch {
	case !model.Holding(first.Role()):
		return name + " is in line more than once, " + say.Ordinal(first.Position()+1) + " and " +
			placesOf(again, more)
	case k.Leads():
		return name + " leads and is also a candidate, " + placesOf(again, more) + " in line"
	}
	return name + " holds and also waits, " + placesOf(again, more) + " in line"
}

// placesOf says where a claim stands, and that its session stands in more places behind it.
func placesOf(c *model.Claim, more int) string {
	text := say.Ordinal(c.Position() + 1)
	if more > 0 {
		text += " and " + say.Plural(more, "more place", "more places")
	}
	return text
}

// SeqOf returns how a claim is told from its neighbours: by its number, else by its name.
func SeqOf(c *model.Claim) string {
	if !c.HasSeq {
		return say.Visible(c.Node())
	}
	return strconv.FormatInt(c.Seq, 10)
}

func earlier(first, again *model.Claim) string {
	apart := again.Created().Sub(first.Created())
	if first.Created().IsZero() || again.Created().IsZero() || apart < time.Second {
		return ""
	}
	return ", created " + say.Age(apart) + " before the second"
}
