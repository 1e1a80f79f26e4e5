package look

import (
	"context"

	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/limits"
	"github.com/zkscope/zkscope/internal/live"
	"github.com/zkscope/zkscope/internal/zkc"
)

// FollowUnder begins to follow an ensemble under the terms of a command that lists recipes.
func FollowUnder(ctx context.Context, c *command.Line, t command.Target, thresholds string) (*live.Source, error) {
	if c.Flags.From != "" {
		return nil, world.Fail(world.ExitUsage, "--from reads a file: only servers can be followed")
	}
	terms, err := Weighs(c, Query{Target: t, Limited: thresholds}, true)
	if err != nil {
		return nil, err
	}
	return following(ctx, c, t, terms)
}

// following begins to follow an ensemble that can be reached now, for a command that goes on until it is ended and writes nothing.
func following(ctx context.Context, c *command.Line, t command.Target, terms limits.Terms) (*live.Source, error) {
	conn, err := c.Connection(t)
	if err != nil {
		return nil, err
	}
	if err := Probe(ctx, c, conn, false); err != nil {
		return nil, err
	}
	cfg := LiveConfig(c, conn, Query{Root: c.Flags.Root})
	cfg.Judge = Judge(terms)
	src, err := live.Open(ctx, cfg, t.Name, true)
	if err != nil {
		return nil, ConnectError(err)
	}
	return src, nil
}

// Probe makes sure that a console will have something to show: a wrong address is better said on the
// command line than on a screen.
func Probe(ctx context.Context, c *command.Line, conn zkc.Config, guessed bool) error {
	conn.GiveUp = rounds(c)
	switch err := live.Probe(ctx, LiveConfig(c, conn, Query{})); {
	case err == nil:
		return nil
	case guessed:
		return world.Fail(world.ExitConnect, "no ZooKeeper at %s: name the servers, as in zkscope zk1:2181,zk2:2181, or look around with zkscope demo", command.DefaultServers)
	default:
		return ConnectError(err)
	}
}
