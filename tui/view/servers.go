package view

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// serversView shows the members of the ensemble, how they can be asked, and what the console costs them.
func serversView() *View {
	return &View{Name: "servers", Key: "6", What: "members of the ensemble, how they answer, what the console costs",
		Title: func(sh *Shown, _ *Page) string { return "servers of " + term.Safe(sh.Link.Ensemble) }, Fill: fillServers}
}

func fillServers(sh *Shown, _ *Page) []Item {
	out := []Item{tell(paint.Plain, sh.linkText()), tell(paint.Plain, sh.costText()), tell(paint.Plain, "")}
	s := sh.Result.Snapshot
	if s.Servers == nil {
		return append(out, paragraphs(paint.Dim, "No server was asked about its sessions and watches: who is connected, and who really watches what, is not known.", sh.Size.W-4)...)
	}
	asked, answered := answered(s)
	style := paint.Plain
	if answered < asked {
		style = paint.Warn
	}
	text := fmt.Sprintf("%d of %d answered", answered, asked)
	out = append(out, Item{text: text, draw: func(*paint.Theme, time.Time, int) paint.Line {
		return paint.Line{style.Text(" " + text + sh.askedText())}
	}})
	out = append(out, Item{draw: func(t *paint.Theme, _ time.Time, w int) paint.Line { g := serverGrid(t, w); return g.Head() }})
	for i := range s.Servers {
		out = append(out, sh.serverItem(&s.Servers[i]))
		out = append(out, sh.stateItems(s.Servers[i].Addr)...)
	}
	for _, h := range sh.Link.Advice {
		out = append(out, tell(paint.Plain, ""))
		out = append(out, paragraphs(paint.Dim, term.Safe(h), sh.Size.W-4)...)
	}
	return out
}

// stateItems say what a member told of itself.
func (sh *Shown) stateItems(addr string) []Item {
	for i := range sh.States {
		st := &sh.States[i]
		if st.Addr != addr {
			continue
		}
		out := []Item{tell(paint.Dim, "  "+term.Safe(st.Line()))}
		var facts []string
		add := func(name string, n *int64) {
			if n != nil {
				facts = append(facts, paint.Number(int(*n))+" "+name)
			}
		}
		add("connections", st.Conns)
		add("watches", st.Watches)
		add("znodes", st.Znodes)
		add("requests waiting", st.Waiting)
		if st.Latency != nil {
			facts = append(facts, "latency "+term.Safe(*st.Latency)+" ms")
		}
		if len(facts) > 0 {
			out = append(out, tell(paint.Dim, "  "+strings.Join(facts, ", ")))
		}
		return out
	}
	return nil
}

// askedText is how long ago members were asked, behind what they answered.
func (sh *Shown) askedText() string {
	at := sh.Result.Snapshot.AskedAt
	if at.IsZero() {
		return ""
	}
	return ", asked " + say.Age(sh.lookedAt().Sub(at)) + " ago"
}

// lookedAt is of when what is shown is looked at: now, but for a picture that stands still.
func (sh *Shown) lookedAt() time.Time {
	if sh.Paused {
		return sh.AsOf()
	}
	return sh.Now
}

// lateText says that the member that we are connected to does not answer us now, whatever it answered when it was asked
// last; empty: it does, or it is another.
func (sh *Shown) lateText(addr string) string {
	switch l := &sh.Link; {
	case addr != l.Server:
	case l.Silent > 0:
		return "silent for " + say.Age(l.Silent)
	case l.Delay > 0:
		return "answers take " + say.Age(l.Delay)
	}
	return ""
}

func (sh *Shown) serverItem(v *znode.Server) Item {
	tier := map[string]string{"admin": "AdminServer", "4lw": "four-letter words", "none": "neither AdminServer nor four-letter words"}[v.Tier]
	return Item{ID: v.Addr, text: v.Addr + " " + v.Mode + " " + v.Tier, draw: func(t *paint.Theme, _ time.Time, w int) paint.Line {
		mark, style := t.On, paint.Good
		if !v.Answered {
			mark, style = t.Off, paint.Warn
		}
		by := paint.Dim.Text(cmp.Or(tier, term.Safe(v.Tier)))
		if late := sh.lateText(v.Addr); late != "" {
			mark, style, by = t.Warn, paint.Warn, paint.Warn.Text(late)
		}
		g := serverGrid(t, w)
		return g.Row(style.Text(mark), paint.Plain.Text(term.Safe(v.Addr)), paint.Bold.Text(cmp.Or(term.Safe(v.Mode), "role unknown")), by)
	}}
}

// serverGrid is the columns of members.
func serverGrid(t *paint.Theme, w int) paint.Grid {
	return t.Grid(w, paint.Column{W: 1}, paint.Column{Title: "MEMBER", W: max(20, min(40, w/4)), Path: true}, paint.Column{Title: "ROLE", W: 12}, paint.Column{Title: "ANSWERS BY", Min: 20})
}

// linkText is the console's own connection in one line.
func (sh *Shown) linkText() string {
	switch {
	case sh.Link.File:
		return "a file: no server is asked"
	case sh.Link.Server == "":
		return "not connected: " + term.Safe(sh.Link.Cause)
	}
	return fmt.Sprintf("connected to %s as session %s", term.Safe(sh.Link.Server), sh.Link.Session)
}

func (sh *Shown) costText() string {
	if sh.Link.File {
		return ""
	}
	return fmt.Sprintf("the console sent %s requests and read %s bytes so far; now %s", paint.Number(int(sh.Link.Requests)), paint.Number(int(sh.Link.BytesIn)), sh.Cost())
}

// Cost is what the console asks of the ensemble.
func (sh *Shown) Cost() string {
	if sh.Link.File {
		return ""
	}
	watches := "1 watch"
	if sh.Link.Watches != 1 {
		watches = paint.Number(sh.Link.Watches) + " watches"
	}
	return fmt.Sprintf("%s req/s %s %s", rate(sh.Rate), sh.Theme.Dot, watches)
}

func rate(r float64) string {
	if r >= 10 || r == 0 {
		return fmt.Sprintf("%.0f", r)
	}
	return fmt.Sprintf("%.1f", r)
}
