package act

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/backend"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/paint"
)

// ProbeHere asks whether to join the selected recipe and to let go the moment that it is granted: how long that takes is what
// a client waits now.
func (h *Hand) ProbeHere() tea.Cmd {
	s := h.screen.Subjects()
	switch {
	case len(s) == 0:
		h.host.Say("select a lock or a semaphore to probe", paint.Warn)
		return nil
	case !s[0].Model.Kind.Waits() || s[0].Model.Kind.Leads():
		h.host.Say("cannot probe "+s[0].Model.Kind.OneOf()+": only what is held for a while and given back", paint.Warn)
		return nil
	}
	if why := h.mayJoin(); why != "" {
		h.host.Say("cannot probe: "+why, paint.Warn)
		return nil
	}
	m := s[0].Model
	want := actions.Join{Kind: m.Kind, Path: m.Path, Name: h.Means.Me, Revocable: true, Reason: "probe: to measure the wait"}
	d := &layer.Dialog{Title: "Probe " + term.Safe(m.Path), Do: "Probe it"}
	d.Add("", joinEffect(want, m), paint.Bold)
	d.Add("", "You let go the moment it is granted; how long that took is said then.", paint.Plain)
	d.Then = func() tea.Cmd {
		n := len(h.shown.Places)
		cmd := h.Join(want)
		if len(h.shown.Places) > n {
			if h.probes == nil {
				h.probes = map[backend.Place]time.Time{}
			}
			h.probes[h.shown.Places[n]] = h.shown.Now
		}
		return cmd
	}
	h.Ask(d)
	return nil
}

// probed leaves a place that was taken to measure the wait, once it is granted; nil: it is none, or not yet.
func (h *Hand) probed(p backend.Place, st actions.JoinState) tea.Cmd {
	since, probe := h.probes[p]
	if !probe || st.Phase != actions.JoinHolding && st.Phase != actions.JoinAsked {
		return nil
	}
	delete(h.probes, p)
	h.host.Say("probe of "+term.Safe(p.Want().Path)+": granted after "+say.Age(st.Since.Sub(since))+", and let go", paint.Good)
	return leave(p)
}
