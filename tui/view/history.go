package view

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/sorted"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/chronicle"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/paint"
)

// Story is what a recording tells of a recipe.
type Story struct {
	*chronicle.Chronicle       // nil: it is being read
	Err                  error // what is wrong with the recording; the story ends there
}

// Times is where in the time of its recipe a page is.
type Times struct {
	At   time.Time // zero: now, or in a recording what is shown
	Zoom int       // steps from all of it; more shows less
}

// historyView is what became of the claims of a recipe, drawn over time, with the line as it stood at a moment.
func historyView() *View {
	return &View{Name: "history", What: "who waited and held when, in a recipe, and the line as it stood at any moment",
		Title: func(sh *Shown, p *Page) string { return "history of " + term.Safe(p.Arg) },
		Fill:  fillHistory,
		cols: func(p *Page, w int) []paint.Column {
			cols := ganttColumns(w)
			if c := p.Story(); c != nil {
				s := spanOf(c, p.Moment(), p.Times.Zoom, stripOf(w))
				cols[1].Title = s.axis(p.shown.Clock)
			}
			return cols
		},
		empty: func(sh *Shown, p *Page) string {
			switch s, recorded := sh.Stories[p.Arg]; {
			case recorded && s.Chronicle == nil:
				return "reading the recording"
			case recorded && s.Unknown != "":
				return "whether there was a recipe is not known: " + s.Unknown
			case !recorded && !inTurn(p.Story().Kind) && p.Story().Kind != "":
				return "only locks, semaphores and elections are drawn as they are seen; " + sh.Keys.Events.Help().Key + " lists what happened here, and a recording or data directory draws it"
			}
			return "no claim is known here"
		}}
}

// laneW is how many of w cells stand before a lane.
func laneW(w int) int { return max(12, min(26, w/4)) + 2 }

// stripOf is how many of w cells a lane has.
func stripOf(w int) int { return w - laneW(w) - 1 }

func ganttColumns(w int) []paint.Column {
	return []paint.Column{{Title: "OWNER", W: laneW(w) - 2, Path: true}, {W: stripOf(w)}}
}

// Story is what the page tells of its recipe: what a recording has, else what was seen from here; nil: it is being read.
func (p *Page) Story() *chronicle.Chronicle {
	if s, recorded := p.shown.Stories[p.Arg]; recorded {
		return s.Chronicle
	}
	if p.seen == nil {
		p.seen = p.shown.Seen(p.Arg)
	}
	return p.seen
}

// Moment is the one that the page tells of.
func (p *Page) Moment() time.Time {
	if p.Times.At.IsZero() {
		return p.shown.AsOf()
	}
	return p.Times.At
}

func fillHistory(sh *Shown, p *Page) (out []Item) {
	p.seen = nil
	c := p.Story()
	if _, recorded := sh.Stories[p.Arg]; c == nil || len(c.Stays) == 0 || !recorded && !inTurn(c.Kind) { // of others not every claim is told
		return nil
	}
	if most := max(3, sh.PageRect().H/2); p.lanes.of != c || p.lanes.most != most {
		p.lanes = lanesOf(c, most, sh.Theme.Ellipsis)
	}
	for _, l := range p.lanes.shown {
		out = append(out, sh.laneItem(p, c, l))
	}
	if more := p.lanes.more; more > 0 {
		out = append(out, tell(paint.Dim, fmt.Sprintf("%s %s with less time in it", sh.Theme.Ellipsis, paint.Counted(more, "more owner", "more owners"))))
	}
	s := spanOf(c, p.Moment(), p.Times.Zoom, stripOf(sh.PageRect().W))
	signs := signsOf(&sh.Theme)
	legend := fmt.Sprintf("%s   %s holds   %s waits   %s asked to let go   %s session expired   %s broken by another", s.scale(), signs.hold, signs.wait, signs.asked, signs.expired, signs.broken)
	if !inTurn(c.Kind) {
		legend = fmt.Sprintf("%s   %s is there   %s session expired   %s deleted by another", s.scale(), signs.wait, signs.expired, signs.broken)
	}
	out = append(out, paragraphs(paint.Dim, legend, sh.PageRect().W)...)
	if len(c.Gaps) > 0 {
		out = append(out, tell(paint.Dim, signs.unseen+" nobody saw what happened then"))
	}
	if err := sh.Stories[p.Arg].Err; err != nil {
		out = append(out, tell(paint.Warn, "the recording is damaged, and told to its damage: "+term.Safe(err.Error())))
	}
	at := sh.Clock(p.Moment())
	if s.unit < time.Second {
		at += p.Moment().Format(".0")
	}
	return append(append(out, tell(paint.Plain, ""), tell(paint.Bold, "At "+at+":")), sh.standing(c, p.Moment())...)
}

// inTurn reports whether claims of a kind wait until they hold; those of others are there, and no more.
func inTurn(k layout.Kind) bool { return k.Waits() || k.Leads() || k.Pool() }

// owned are the stays of an owner in one session.
type owned struct {
	owner   string
	session znode.SessionID // 0: not known
	name    string          // the owner, with the end of the session's number where another one has that name
	stays   []*chronicle.Stay
}

// lanes are the owners of a story that are drawn.
type lanes struct {
	of    *chronicle.Chronicle
	most  int // so many at most
	shown []*owned
	more  int // that are not
}

// lanesOf are the owners of a story in the order in which they came, of too many those with most time in it.
func lanesOf(c *chronicle.Chronicle, most int, ellipsis string) lanes {
	all := ownersOf(c, ellipsis)
	if len(all) <= most {
		return lanes{c, most, all, 0}
	}
	spent, first := map[*owned]time.Duration{}, map[*owned]int{}
	for i, o := range all {
		first[o] = i
		for _, s := range o.stays {
			spent[o] += orEnd(s.Left.At, c.End).Sub(s.Came.At)
		}
	}
	slices.SortStableFunc(all, func(x, y *owned) int { return cmp.Compare(spent[y], spent[x]) })
	out := lanes{c, most, all[:most], len(all) - most}
	slices.SortFunc(out.shown, func(x, y *owned) int { return first[x] - first[y] })
	return out
}

// ownersOf are the owners of a story, those of one name told apart by their sessions.
func ownersOf(c *chronicle.Chronicle, ellipsis string) (all []*owned) {
	type who struct {
		owner   string
		session znode.SessionID
	}
	by, named := map[who]*owned{}, map[string]int{}
	for _, s := range c.Stays {
		o := by[who{s.Owner, s.Session}]
		if o == nil {
			o = &owned{owner: s.Owner, session: s.Session, name: term.Safe(s.Owner)}
			by[who{s.Owner, s.Session}], all = o, append(all, o)
			named[s.Owner]++
		}
		o.stays = append(o.stays, s)
	}
	for _, o := range all {
		if named[o.owner] > 1 {
			o.name += chart.SessionEnd(sessionText(o.session), ellipsis)
		}
	}
	return all
}

func (sh *Shown) laneItem(p *Page, c *chronicle.Chronicle, l *owned) Item {
	return Item{ID: "lane " + l.owner + " " + l.session.String(), text: l.owner + " " + sessionText(l.session), Past: true, To: target{Recipe: p.Arg, Session: l.session},
		draw: func(t *paint.Theme, _ time.Time, w int) paint.Line {
			s := spanOf(c, p.Moment(), p.Times.Zoom, stripOf(w))
			g := t.Grid(w, ganttColumns(w)...)
			row := g.Row(paint.Plain.Text(l.name), paint.Plain.Text(""))
			return append(row[:2], s.lane(t, c, l.stays, s.cell(p.Moment()))...)
		}}
}

// standing is the line as it stood at a moment: who held, and who waited, in the order in which they came.
func (sh *Shown) standing(c *chronicle.Chronicle, at time.Time) (out []Item) {
	for _, g := range c.Gaps {
		if !at.Before(g.From) && at.Before(g.To) {
			return append(out, tell(paint.Warn, "  nobody saw what happened then"))
		}
	}
	if at.Before(c.Begin) {
		return append(out, tell(paint.Warn, "  that is before what is known"))
	}
	var holding, waiting []*chronicle.Stay
	for _, s := range c.Stays {
		switch {
		case s.Came.At.After(at) || !s.Left.At.IsZero() && !s.Left.At.After(at):
		case !s.Held.At.IsZero() && !s.Held.At.After(at):
			holding = append(holding, s)
		default:
			waiting = append(waiting, s)
		}
	}
	if len(holding) == 0 && inTurn(c.Kind) {
		out = append(out, tell(paint.Plain, "  nobody holds it"))
	}
	for _, s := range holding {
		out = append(out, sh.standsItem(s, say.Either(c.Kind.Leads(), "leads", "holds"), s.Held.At, at, sh.doubt(c, s.Held.At, s.HeldFrom)))
	}
	for i, s := range waiting {
		out = append(out, sh.standsItem(s, say.Either(inTurn(c.Kind), fmt.Sprintf("%d waiting", i+1), "there"), s.Came.At, at, sh.doubt(c, s.Came.At, s.Start && s.Came.At.Equal(c.Begin))))
	}
	if len(holding)+len(waiting) == 0 && !inTurn(c.Kind) {
		out = append(out, tell(paint.Plain, "  nobody is there"))
	}
	return out
}

// doubt is the sign of how long something has lasted since a moment that is not known: that it is more, where the story
// begins with it, else that it may be less.
func (sh *Shown) doubt(c *chronicle.Chronicle, since time.Time, unknown bool) string {
	switch {
	case !unknown:
		return ""
	case since.After(c.Begin):
		return sh.Theme.AtMost
	}
	return sh.Theme.Spelled("≥")
}

// standsItem is a claim as it stood: what it did, since when, and what became of it.
func (sh *Shown) standsItem(s *chronicle.Stay, does string, since, at time.Time, sign string) Item {
	return Item{ID: fmt.Sprint("stands ", s.Claim.Path, s.Claim.Czxid, s.Owner, s.Came.At.UnixNano()), text: s.Owner, Past: true, To: target{Session: s.Session},
		draw: func(t *paint.Theme, _ time.Time, w int) paint.Line {
			style := paint.Plain
			if !s.Held.At.IsZero() && !s.Held.At.After(at) {
				style = paint.Good
			}
			long := sign + say.Fine(at.Sub(since))
			then := ""
			if !s.Left.At.IsZero() {
				then = "went at " + sh.Clock(s.Left.At) + ": " + s.HowText()
			}
			g := t.Grid(w, paint.Column{W: 10}, paint.Column{Min: 16, Path: true}, paint.Column{W: 7, Right: true}, paint.Column{W: 19, Rank: 2}, paint.Column{Min: 16, Rank: 1})
			return g.Row(style.Text(does), style.Text(term.Safe(s.Owner)), paint.Plain.Text(long), paint.Dim.Text(sessionText(s.Session)), paint.Dim.Text(term.Safe(then)))
		}}
}

// sessionText is a session's number; empty: it is not known.
func sessionText(id znode.SessionID) string {
	if id == 0 {
		return ""
	}
	return id.String()
}

// Moments are when something changed in the page's story, in order, each once; handed: when somebody came to hold.
func (p *Page) Moments(handed bool) (out []time.Time) {
	c := p.Story()
	if c == nil {
		return nil
	}
	for _, s := range c.Stays {
		if !s.Held.At.IsZero() && !s.HeldFrom {
			out = append(out, s.Held.At)
		}
		if handed {
			continue
		}
		if !s.Start {
			out = append(out, s.Came.At)
		}
		if !s.Left.At.IsZero() {
			out = append(out, s.Left.At)
		}
	}
	out = slices.DeleteFunc(out, func(at time.Time) bool { return at.Before(c.Begin) })
	sorted.By(out, time.Time.Compare)
	return slices.CompactFunc(out, time.Time.Equal)
}
