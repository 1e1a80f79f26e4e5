package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// serversView shows the members of the ensemble, how they can be asked, and what the console costs them.
func serversView() *view {
	return &view{name: "servers", key: "6", what: "members of the ensemble, how they answer, what the console costs",
		title: func(a *App, _ *page) string { return "servers of " + term.Safe(a.link.Ensemble) }, fill: fillServers}
}

func fillServers(a *App, _ *page) []item {
	out := []item{tell(paint.Plain, a.linkText()), tell(paint.Plain, a.costText()), tell(paint.Plain, "")}
	s := a.res.Snapshot
	if s.Servers == nil {
		return append(out, paragraphs(paint.Dim, "No server was asked about its sessions and watches: who is connected, and who really watches what, is not known.", a.size.W-4)...)
	}
	asked, answered := answered(s)
	style := paint.Plain
	if answered < asked {
		style = paint.Warn
	}
	out = append(out, tell(style, fmt.Sprintf("%d of %d answer", answered, asked)))
	for i := range s.Servers {
		out = append(out, serverItem(&s.Servers[i]))
		out = append(out, a.stateItems(s.Servers[i].Addr)...)
	}
	for _, h := range a.link.Advice {
		out = append(out, tell(paint.Plain, ""))
		out = append(out, paragraphs(paint.Dim, term.Safe(h), a.size.W-4)...)
	}
	return out
}

// stateItems say what a member told of itself.
func (a *App) stateItems(addr string) []item {
	for i := range a.states {
		st := &a.states[i]
		if st.Addr != addr {
			continue
		}
		out := []item{tell(paint.Dim, "  "+term.Safe(st.Line()))}
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

func serverItem(v *znode.Server) item {
	tier := map[string]string{"admin": "AdminServer", "4lw": "four-letter words", "none": "neither AdminServer nor four-letter words"}[v.Tier]
	if tier == "" {
		tier = term.Safe(v.Tier)
	}
	return item{id: v.Addr, text: v.Addr + " " + v.Mode + " " + v.Tier, draw: func(t *paint.Theme, _ time.Time, w int) paint.Line {
		mark, style, mode := t.On, paint.Good, v.Mode
		if !v.Answered {
			mark, style = t.Off, paint.Warn
		}
		if mode == "" {
			mode = "role unknown"
		}
		return t.Cells(w, paint.Cell{Text: mark, W: 1, Style: style}, paint.Cell{Text: term.Safe(v.Addr), W: 32}, paint.Cell{Text: term.Safe(mode), W: 12, Style: paint.Bold}, paint.Cell{Text: tier, Style: paint.Dim})
	}}
}

// linkText is the console's own connection in one line.
func (a *App) linkText() string {
	switch {
	case a.link.File:
		return "a file: no server is asked"
	case a.link.Server == "":
		return "not connected: " + term.Safe(a.link.Cause)
	}
	return fmt.Sprintf("connected to %s as session %s", term.Safe(a.link.Server), a.link.Session)
}

func (a *App) costText() string {
	if a.link.File {
		return ""
	}
	return fmt.Sprintf("the console sent %s requests and read %s bytes so far; now %s", paint.Number(int(a.link.Requests)), paint.Number(int(a.link.BytesIn)), a.cost())
}
