package ensemble

import (
	"fmt"
	"time"

	"github.com/zkscope/zkscope/inspect/waits"
)

// States describes the members for people and for JSON, and behind them the servers that are of another ensemble.
func (st *Status) States() []waits.ServerState {
	if st == nil {
		return nil
	}
	out := make([]waits.ServerState, 0, len(st.Members)+len(st.Strangers))
	for i := range st.Members {
		out = append(out, st.Members[i].state())
	}
	for i := range st.Strangers {
		out = append(out, st.Strangers[i].state())
	}
	return out
}

func (m *Member) state() waits.ServerState {
	s := waits.ServerState{Addr: m.Addr, ID: m.ID, Role: m.Role, Up: m.Up, Mode: m.Mode, Version: m.Version, Tier: string(m.Tier),
		Admin: text(m.Admin), Foreign: text(m.Foreign), Err: text(m.Err), Latency: text(m.Latency), Buffer: text(m.Buffer), Advice: []waits.ServerAdvice{},
		Tells:  waits.Tells{Connections: m.Connections, Sessions: m.Sessions, Ephemerals: m.Ephemerals, Watches: m.Watches},
		Znodes: counted(m.Nodes), Conns: counted(m.Conns), Waiting: counted(m.Waiting), Watches: counted(m.Watching),
		Tick: ms(m.Tick), Shortest: ms(m.Shortest), Longest: ms(m.Longest)}
	if m.Zxid != 0 {
		s.Zxid = text(fmt.Sprintf("0x%x", uint64(m.Zxid)))
	}
	for _, a := range m.Advice {
		s.Advice = append(s.Advice, waits.ServerAdvice(a))
	}
	if m.Clock.Known {
		ahead, within := m.Clock.Ahead.Milliseconds(), m.Clock.Within.Milliseconds()
		s.SkewMs, s.WithinMs = &ahead, &within
	}
	return s
}

// Advice lists, once each, the lines of configuration that would let the members tell more.
func (st *Status) Advice() (out []string) {
	seen := map[string]bool{}
	for i := range st.Members {
		for _, a := range st.Members[i].Advice {
			if !seen[a.Line] {
				seen[a.Line] = true
				out = append(out, a.Line+"  gives "+a.Gives)
			}
		}
	}
	return out
}

func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func counted(n int64) *int64 {
	if n < 0 {
		return nil
	}
	return &n
}

func ms(d time.Duration) *int64 {
	if d <= 0 {
		return nil
	}
	n := d.Milliseconds()
	return &n
}
