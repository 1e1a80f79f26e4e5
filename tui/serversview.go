package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
)

// serversView shows the members of the ensemble, how they can be asked, and what the console costs them.
func serversView() *view {
	return &view{name: "servers", key: "6", what: "members of the ensemble, how they answer, what the console costs",
		title: func(a *App, _ *page) string { return "servers of " + term.Safe(a.link.Ensemble) }, fill: fillServers}
}

func fillServers(a *App, _ *page) []item {
	out := []item{tell(Plain, a.linkText()), tell(Plain, a.costText()), tell(Plain, "")}
	s := a.res.Snapshot
	if s.Servers == nil {
		return append(out, paragraphs(Dim, "No server was asked about its sessions and watches: who is connected, and who really watches what, is not known.", a.size.W-4)...)
	}
	asked, answered := answered(s)
	style := Plain
	if answered < asked {
		style = Warn
	}
	out = append(out, tell(style, fmt.Sprintf("%d of %d answer", answered, asked)))
	for i := range s.Servers {
		out = append(out, serverItem(&s.Servers[i]))
		out = append(out, a.stateItems(s.Servers[i].Addr)...)
	}
	for _, h := range a.link.Advice {
		out = append(out, tell(Plain, ""))
		out = append(out, paragraphs(Dim, term.Safe(h), a.size.W-4)...)
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
		out := []item{tell(Dim, "  "+term.Safe(st.Line()))}
		var facts []string
		add := func(name string, n *int64) {
			if n != nil {
				facts = append(facts, number(int(*n))+" "+name)
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
			out = append(out, tell(Dim, "  "+strings.Join(facts, ", ")))
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
	return item{id: v.Addr, text: v.Addr + " " + v.Mode + " " + v.Tier, draw: func(t *Theme, _ time.Time, w int) line {
		mark, style, mode := t.On, Good, v.Mode
		if !v.Answered {
			mark, style = t.Off, Warn
		}
		if mode == "" {
			mode = "role unknown"
		}
		return t.cells(w, cell{text: mark, w: 1, style: style}, cell{text: term.Safe(v.Addr), w: 32}, cell{text: term.Safe(mode), w: 12, style: Bold}, cell{text: tier, style: Dim})
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
	return fmt.Sprintf("the console sent %s requests and read %s bytes so far; now %s", number(int(a.link.Requests)), number(int(a.link.BytesIn)), a.cost())
}
