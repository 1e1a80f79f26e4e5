package live

import (
	"context"
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/ensemble"
	"github.com/zkscope/zkscope/internal/mirror"
	"github.com/zkscope/zkscope/internal/wait"
	"github.com/zkscope/zkscope/internal/zkc"
)

// Seen is what one look has brought.
type Seen struct {
	*model.Result
	Servers []waits.ServerState // the members, as far as they answered
	Self    znode.SessionID     // that of the look itself
	Cost    zkc.Counters        // of its connection
}

// askFor is how long the members of an ensemble may take to answer in all.
const askFor = 8 * time.Second

// secondLook is how long after a doubtful look the next one is taken: a client on its way from one watch to the next
// is no lost waiter.
const secondLook = 1200 * time.Millisecond

// mostLooks is how often the tree is read at most before something is said.
const mostLooks = 3

// Look reads the tree and asks the members about it, in this order: what the servers say must not be older than the claims
// that it is about. Where it makes somebody look lost or dead, both are done again. before is what an earlier look was
// decoded to, or nil. An address that cannot be asked is an AddressError; other errors are those of the connection.
func Look(ctx context.Context, c Config, before *model.Result) (*Seen, error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	conn, err := zkc.Dial(ctx, c.Conn)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	ens, err := c.members(conn.EnsembleConfig, selfOf(conn), homeOf(conn))
	if err != nil {
		return nil, err
	}
	defer ens.Close()
	hints := c.Hints
	hints.Own = append(slices.Clone(hints.Own), znode.SessionID(conn.State().Session))
	called := namer{names: c.Names}
	prev, alone := before, before == nil // whoever reads again and again has looked before
	var res *model.Result
	var told *ensemble.Status
	for looks := 1; ; looks++ {
		snap, err := mirror.Load(ctx, conn, c.Tree)
		if err != nil {
			return nil, err
		}
		told = c.tell(ctx, ens)
		res = inspect.Decode(called.on(onto(told, snap)), prev, hints)
		pause := c.again(res, looks, alone)
		if pause == 0 || late(ctx, pause) {
			break
		}
		if prev = res; pause < waits.StandsStill {
			wait.For(ctx, pause)
		} else if prev = c.watchOn(ctx, res, hints, pause); prev == nil {
			break // what happened in between was not seen, so that nothing is known to stand still
		}
	}
	return &Seen{Result: waits.Of(res, nil).WithDeadlocks().With(told.Findings()...), Servers: told.States(),
		Self: znode.SessionID(conn.State().Session), Cost: conn.Counters()}, nil
}

// tell is what the members say.
func (c Config) tell(ctx context.Context, ens *ensemble.Ensemble) *ensemble.Status {
	ctx, cancel := context.WithTimeout(ctx, askFor)
	defer cancel()
	return ens.Ask(ctx, ensemble.Want{Watches: true, Limits: c.Limits})
}

// again says when to look again, after so many looks: what stands in doubt for a moment only is not told, and a deadlock
// is not called sure before it was seen to stand still. Zero: not at all.
func (c Config) again(r *model.Result, looks int, alone bool) time.Duration {
	switch {
	case looks == mostLooks:
	case c.Patient && waits.Of(r, nil).MayStand():
		return waits.StandsStill
	case looks == 1 && (alone && waits.Unsettled(r) || doubtful(r)):
		return secondLook
	}
	return 0
}

// late reports whether there is no time left to wait so long and to look once more.
func late(ctx context.Context, pause time.Duration) bool {
	end, limited := ctx.Deadline()
	return limited && time.Until(end) < pause+time.Second
}

// doubtful reports whether a result accuses somebody whom a moment may excuse.
func doubtful(r *model.Result) bool {
	for m := range r.Models.All() {
		for _, f := range m.Findings {
			if f.Code == model.CodeLostWaiter || f.Code == model.CodeOrphanEphemeral {
				return true
			}
		}
	}
	return false
}
