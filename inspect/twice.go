package inspect

import (
	"strconv"
	"time"
)

// twice finds sessions that stand in a line more than once, where one of their claims keeps another waiting: one finding
// for each.
func (v *lineView) twice() {
	first := make(map[SessionID]int)
	again := make(map[SessionID][]*Claim)
	var order []SessionID
	for i := range v.model.Claims {
		c := &v.model.Claims[i]
		if c.Session == 0 {
			continue
		}
		j, seen := first[c.Session]
		if !seen {
			first[c.Session] = i
			continue
		}
		if !holding(c.Role()) && v.excludes(j, i) {
			if again[c.Session] == nil {
				order = append(order, c.Session)
			}
			again[c.Session] = append(again[c.Session], c)
		}
	}
	for _, id := range order {
		all := append([]*Claim{&v.model.Claims[first[id]]}, again[id]...)
		if a, b := v.twins(all); a != nil {
			v.forgotten(a, b)
		} else {
			v.manifold(all)
		}
	}
}

// excludes reports whether the claim at j keeps the one at i, behind it, waiting. A Curator thread that reads behind its
// own writer is not kept.
func (v *lineView) excludes(j, i int) bool {
	a, b := &v.line.queue[j], &v.line.queue[i]
	return v.line.limit == 1 && (!a.reads() || !b.reads()) && !(b.reads() && v.line.downgrades(b))
}

// twins finds two claims that carry the same unique guard: one call to create, or one lock object of kazoo's, made both.
func (v *lineView) twins(all []*Claim) (first, second *Claim) {
	seen := make(map[string]*Claim, len(all))
	for _, c := range all {
		p := &v.line.queue[c.Position()]
		if p.Guard&(CuratorGuard|GoGuard) == 0 && !(p.Guard == HexGuard && p.layout.Dialect == Kazoo) {
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
func (v *lineView) forgotten(first, again *Claim) {
	by := "one call to create"
	if v.line.queue[first.Position()].Guard == HexGuard {
		by = "one lock object"
	}
	v.add(CodePhantomClaim, High, standsTwice(v.model.Kind, first, again, 0)+": "+by+
		" made both znodes, as their guard tells, and its client has probably forgotten the first ("+seqOf(first)+")"+earlier(first, again), first, again)
}

// manifold tells of a session that stands in a line more than once. Several threads of one process may do so, each for
// itself: it weighs little while the session works on.
func (v *lineView) manifold(all []*Claim) {
	if threadsTold(all) {
		return
	}
	first, again := all[0], all[1]
	code, text := CodePhantomClaim, standsTwice(v.model.Kind, first, again, len(all)-2)
	switch {
	case first.Mode() == Read:
		code = CodeSelfWait
		text = Printable(first.Owner()) + " reads and waits to write, " + placesOf(again, len(all)-2) +
			" in line: by the order it waits for itself, unless another thread of the process reads"
	case holding(first.Role()):
		text += ": its client forgot the first znode (" + seqOf(first) + ")" + earlier(first, again) + ", or two threads of one process compete"
	default:
		text += ": its client forgot a znode, or two threads of one process compete"
	}
	how := v.calmness(first.Session, all)
	v.graded = append(v.graded, grade{first.Session, how})
	severity := Medium
	if how == calmWorking {
		severity = Low
	}
	v.add(code, severity, text+"; "+calmWords[how], all...)
}

// threadsTold reports whether the claims of one session name themselves differently: then several threads of its process
// stand in line, each for itself.
func threadsTold(all []*Claim) bool {
	names := make(map[string]bool, len(all))
	for _, c := range all {
		if c.OwnerSource() != FromData || names[c.Owner()] {
			return false
		}
		names[c.Owner()] = true
	}
	return true
}

// standsTwice says how a session stands in a line more than once.
func standsTwice(k Kind, first, again *Claim, more int) string {
	name := Printable(first.Owner())
	switch {
	case !holding(first.Role()):
		return name + " stands in line more than once, " + Ordinal(first.Position()+1) + " and " + placesOf(again, more)
	case k == Election:
		return name + " leads and is also a candidate, " + placesOf(again, more) + " in line"
	}
	return name + " holds and also waits, " + placesOf(again, more) + " in line"
}

// placesOf says where a claim stands, and that its session stands in more places behind it.
func placesOf(c *Claim, more int) string {
	text := Ordinal(c.Position() + 1)
	if more > 0 {
		text += " and " + plural(more, "more place", "more places")
	}
	return text
}

func seqOf(c *Claim) string {
	if !c.HasSeq {
		return visible(c.Node())
	}
	return strconv.FormatInt(c.Seq, 10)
}

func earlier(first, again *Claim) string {
	apart := again.Created().Sub(first.Created())
	if first.Created().IsZero() || again.Created().IsZero() || apart < time.Second {
		return ""
	}
	return ", created " + Age(apart) + " before the second"
}
