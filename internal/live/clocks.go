package live

import (
	"context"
	"time"

	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/internal/ensemble"
	"github.com/zkscope/zkscope/internal/zkc"
)

// CompareClocks makes a short session on each member whose clock is not known yet, and notes in the list how far it is from
// ours: what the member says of when that session began tells. Members that cannot be asked stay as they are.
func CompareClocks(ctx context.Context, c Config, list []waits.ServerState) {
	for i := range list {
		s := &list[i]
		if !s.Up || s.Foreign != nil || s.SkewMs != nil || !s.Tells.Connections {
			continue
		}
		one := c
		one.Conn.Servers, one.Conn.GiveUp, one.Conn.Chroot = []string{s.Addr}, 1, ""
		if clock, ok := one.clock(ctx); ok {
			ahead, within := clock.Ahead.Milliseconds(), clock.Within.Milliseconds()
			s.SkewMs, s.WithinMs = &ahead, &within
		}
	}
}

// clock is that of the one server of the configuration.
func (c Config) clock(ctx context.Context) (ensemble.Clock, bool) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	conn, err := zkc.Dial(ctx, c.Conn)
	if err != nil {
		return ensemble.Clock{}, false
	}
	defer conn.Close()
	ens, err := c.members(nil, selfOf(conn), homeOf(conn))
	if err != nil {
		return ensemble.Clock{}, false
	}
	defer ens.Close()
	return ens.ClockOf(ctx, c.Conn.Servers[0])
}
