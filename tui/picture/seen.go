package picture

import (
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/chronicle"
	"github.com/zkscope/zkscope/tui/chart"
)

// Seen is what became of the claims of a recipe as far as it was seen from here: from when on changes are seen, or from the
// first event that is still kept, until now.
func (p *Picture) Seen(path string) *chronicle.Chronicle {
	m := p.Result.ByPath(path)
	s := seen{out: &chronicle.Chronicle{Path: path, Begin: p.Past.began, End: p.AsOf()}, here: map[model.ClaimID]*chronicle.Stay{}, turns: p.Past.Of(path).Turns}
	if s.out.Begin.IsZero() {
		s.out.Begin = s.out.End
	}
	if kept := p.Log.Reaches(path); kept.After(s.out.Begin) {
		s.out.Begin = kept // what was before is not all kept
		if kept.After(s.out.End) {
			s.out.Begin = s.out.End
		}
	}
	for i := range p.Log.Events {
		switch e := &p.Log.Events[i].Event; {
		case e.What == story.EventGap:
			s.out.Gaps = append(s.out.Gaps, chronicle.Span{From: e.From, To: e.At})
		case e.Path == path && !e.At.Before(s.out.Begin) && !e.At.After(s.out.End):
			s.kind(e.Kind)
			p.Log.Events[i].each(s.event)
		}
	}
	s.settle(m)
	return s.out
}

// seen puts together what became of claims.
type seen struct {
	out   *chronicle.Chronicle
	here  map[model.ClaimID]*chronicle.Stay
	turns []chart.Turn // who had it
	last  time.Time    // when something happened last
}

// stay is that of a claim; of one that nobody saw come it is not known when that was.
func (s *seen) stay(id model.ClaimID, owner string) *chronicle.Stay {
	if s.here[id] == nil {
		s.here[id] = &chronicle.Stay{Claim: id, Owner: owner, Start: true, Came: chronicle.Moment{At: s.out.Begin}}
		s.out.Stays = append(s.out.Stays, s.here[id])
	}
	return s.here[id]
}

// kind notes what the recipe was read as: what it is now, or what that and the kinds before are together.
func (s *seen) kind(k layout.Kind) {
	if joint, ok := s.out.Kind.Joint(k); ok {
		k = joint
	}
	s.out.Kind = k
}

// settle takes the claims that are there; what was there and is no more went with the last that was seen at the latest.
func (s *seen) settle(m *model.Model) {
	there := map[model.ClaimID]bool{}
	for i := 0; m != nil && i < len(m.Claims); i++ {
		s.kind(m.Kind)
		there[m.Claims[i].ID()] = true
		s.stands(&m.Claims[i])
	}
	for id, x := range s.here {
		if !there[id] {
			x.Left, x.How = chronicle.Moment{At: s.last}, chronicle.Gone
		}
	}
}

// event takes what happened to a claim, or to all.
func (s *seen) event(e *story.Event) {
	s.last = e.At
	if e.What == story.EventRemoved {
		for id, x := range s.here {
			x.Left, x.How = chronicle.Moment{At: e.At, From: e.From}, chronicle.Gone
			delete(s.here, id)
		}
	}
	if e.Claim == (model.ClaimID{}) {
		return
	}
	at := chronicle.Moment{At: e.At, From: e.From}
	_, known := s.here[e.Claim]
	x := s.stay(e.Claim, e.Owner)
	x.Session = e.Session
	switch e.What {
	case story.EventJoined:
		x.Start, x.Came = false, at
	case story.EventAcquired, story.EventLeaderChanged, story.EventPromoted:
		if !known {
			x.Start, x.Came = e.Unseen(), chronicle.Moment{At: e.At.Add(-e.Waited), From: e.From}
		}
		if e.What == story.EventLeaderChanged {
			s.succeeds(x, e, at)
		}
		x.Held = at
	case story.EventRevokeAsked:
		x.Asked = at
	case story.EventReleased, story.EventSessionClosed, story.EventLetGo, story.EventGone, story.EventLost,
		story.EventRevokeObeyed, story.EventLeft:
		asked := !x.Asked.At.IsZero()
		if x.Held.At.IsZero() && e.What != story.EventLeft && (!known || asked) { // it held when it was first seen; one that came later was told to hold
			x.Held, x.HeldFrom = chronicle.Moment{At: s.out.Begin}, true
		}
		x.Left, x.How = at, howEnded(e.Text, e.Owner)
		delete(s.here, e.Claim)
	}
}

// succeeds notes that whoever led before another came to lead went; the event tells how.
func (s *seen) succeeds(next *chronicle.Stay, e *story.Event, at chronicle.Moment) {
	for id, x := range s.here {
		if x != next && !x.Held.At.IsZero() {
			x.Left, x.How = at, howEnded(e.Text, x.Owner)
			delete(s.here, id)
			return
		}
	}
	for i := 1; i < len(s.turns); i++ { // it led before anything happened to it
		if t := &s.turns[i-1]; s.turns[i].From.Equal(e.At) && t.Name != "" && t.Name != chart.NotRead {
			from := chronicle.Moment{At: s.out.Begin}
			s.out.Stays = append(s.out.Stays, &chronicle.Stay{Owner: t.Name, Start: true, Came: from, Held: from, HeldFrom: t.Unseen, Left: at, How: howEnded(e.Text, t.Name)})
		}
	}
}

// howEnded is what the text of an event says of how an owner's claim went.
func howEnded(text, owner string) chronicle.Ending {
	rest, _ := strings.CutPrefix(text, say.Printable(owner)+" ")
	switch {
	case strings.HasPrefix(rest, "lost by expiry"), strings.HasPrefix(rest, "lost, likely by expiry"):
		return chronicle.Expired
	case strings.HasPrefix(rest, "lost"):
		return chronicle.Closed
	case strings.HasPrefix(rest, "closed its session"):
		return chronicle.Closed
	case strings.HasPrefix(rest, "released"), strings.HasPrefix(rest, "let go as asked"):
		return chronicle.Released
	case strings.HasPrefix(rest, "let go"):
		return chronicle.LetGo
	}
	return chronicle.Gone
}

// stands takes a claim that is there.
func (s *seen) stands(c *model.Claim) {
	_, known := s.here[c.ID()]
	x := s.stay(c.ID(), c.Owner())
	x.Session = c.Session
	if at := c.Created(); !known && !at.IsZero() {
		x.Start, x.Came = at.Before(s.out.Begin), chronicle.Moment{At: at}
	}
	if since := c.Since(); chart.HoldsRole(c.Role()) && x.Held.At.IsZero() {
		if x.HeldFrom = !c.Exact(); x.HeldFrom && since.Before(s.out.Begin) { // it held when it was first seen
			since = s.out.Begin
		}
		x.Held = chronicle.Moment{At: since}
	}
}
