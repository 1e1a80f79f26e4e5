package change

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/recipes"
)

// ballot is a vote that is to be given for a transaction's site.
type ballot struct{ tx, site, vote string }

func (b ballot) path() string { return znode.Join(b.tx, b.site) }

// Vote writes a site's vote.
func Vote(c *command.Line) command.Subcommand {
	f := new(actFlags)
	return command.Subcommand{Use: "vote TX-PATH SITE commit|abort", Short: "vote for a site of a two-phase commit",
		Long: "vote writes the vote of a site to its znode below the transaction's, where it has not voted yet. It shows what that\n" +
			"decides first. To give the same vote again is not an error. Without a terminal it takes --yes and --czxid, of the site's\n" +
			"znode or of the transaction. Servers come from --servers or ZKSCOPE_SERVERS only.",
		Formats: command.TableOrJSON,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 3 {
				return fmt.Errorf("vote takes a transaction's path, a site and commit or abort, not %d arguments; servers go into --servers", len(args))
			}
			return nil
		},
		Flags: f.add,
		Run: func(ctx context.Context, in command.Invocation) error {
			if err := f.check(in); err != nil {
				return err
			}
			return castVote(ctx, c, ballot{strings.TrimRight(in.Args[0], "/"), in.Args[1], in.Args[2]}, *f)
		}}
}

// check finds what is wrong with a ballot before anything is asked.
func (b ballot) check() error {
	switch {
	case !strings.HasPrefix(b.tx, "/"):
		return world.Fail(world.ExitUsage, "a transaction's path begins with a slash and is not the root")
	case b.site == "" || strings.Contains(b.site, "/"):
		return world.Fail(world.ExitUsage, "%s is not a site: give the name of a child of %s", say.Printable(b.site), say.Printable(b.tx))
	case b.vote != string(recipes.Commit) && b.vote != string(recipes.Abort):
		return world.Fail(world.ExitUsage, "%s is not a vote: only the exact words commit and abort count", say.Printable(b.vote))
	}
	return nil
}

func castVote(ctx context.Context, c *command.Line, b ballot, f actFlags) error {
	switch {
	case c.Flags.From != "":
		return world.Fail(world.ExitUsage, "--from reads a file: there is nothing to vote in")
	case c.Flags.ReadOnly && !f.dryRun:
		return world.Fail(world.ExitRefused, "read-only: nothing is voted; --dry-run shows the plan")
	}
	if err := b.check(); err != nil {
		return err
	}
	t, err := c.Target(nil, false)
	if err != nil {
		return err
	}
	t.Path = b.path()
	ch, err := newChange(c, t, actions.VerbVote, f)
	if err != nil {
		return err
	}
	if why := actions.Reserved(t.Chroot, t.Path); why != "" {
		return world.Fail(world.ExitRefused, "not voted: %s", why)
	}
	s, already, err := ch.polled(ctx, b)
	if err != nil {
		return err
	}
	if already {
		return votedNow(c, b, "had already voted")
	}
	p := actions.VoteFor(s, b.vote == string(recipes.Commit))
	if f.czxid != 0 && znode.Zxid(f.czxid) == s.Model.Czxid {
		ch.czxid = int64(p.Target.Czxid) // the transaction is the one that was meant, and so its site
	}
	if err := ch.confirmed(ctx, p); err != nil || f.dryRun {
		return ch.report(err)
	}
	actor, err := ch.actor()
	if err != nil {
		return NoLog(err)
	}
	defer actor.Close()
	p.Reason = f.reason
	r := actor.Apply(ctx, p)
	if r.Outcome != actions.Done {
		return ch.ended(r)
	}
	if ch.follow > 0 {
		if err := ch.followed(ctx, actor, s, r); err != nil {
			return err
		}
	}
	if err := votedNow(c, b, "voted"); err != nil {
		return err
	}
	return Unlogged(r.Unlogged)
}

// polled reads a transaction and finds the site; already says that it has voted so.
func (c *change) polled(ctx context.Context, b ballot) (s actions.Scene, already bool, err error) {
	seen, err := look.Once(ctx, c.Line, c.conn, look.Query{Root: b.tx, Asked: []string{b.tx, b.path()}}, nil)
	if err != nil {
		return s, false, err
	}
	res := seen.Result
	for _, path := range []string{b.tx, b.path()} {
		m := res.ByPath(path)
		if m != nil && !m.Kind.Votes() && (!m.Kind.Members() || m.Kind.Serves()) { // sites that have not voted look like a group
			return s, false, world.Fail(world.ExitRefused, "not voted: %s stands at %s, no transaction", m.Kind.OneOf(), say.Printable(path))
		}
	}
	hints := c.Hints()
	hints.Rules = append(slices.Clone(hints.Rules), model.Hint{Path: b.tx, Kind: layout.TwoPhase})
	s = actions.Scene{Result: inspect.Decode(res.Snapshot, nil, hints), Hints: hints, Now: c.Now()}
	if s.Model, s.Claim, _ = s.Result.RecipeAt(b.path()); s.Claim == nil {
		if n, why := res.Snapshot.Known(b.path()); n == nil && why != "" {
			return s, false, look.NotThere(c.Line, b.path(), why)
		}
		return s, false, world.Fail(world.ExitNotFound, "%s has no site %s: zkscope show %s lists them; where sites make their own znodes, join as that site",
			say.Printable(b.tx), say.Printable(b.site), say.Printable(b.tx))
	}
	if had := s.Claim.Vote(); had != nil && *had == s.Model.VoteWord(b.vote == string(recipes.Commit)) {
		return s, true, nil
	}
	if o, ok := actions.Find(s, actions.VerbVote); !ok || o.Disabled != "" {
		return s, false, world.Fail(world.ExitRefused, "not voted: %s", o.Disabled)
	}
	return s, false, nil
}

// votedNow says that a vote stands.
func votedNow(c *command.Line, b ballot, how string) error {
	if c.Flags.Output == "json" {
		out, _ := json.Marshal(map[string]any{"schema": 1, "path": say.Printable(b.tx), "site": say.Printable(b.site), "vote": b.vote})
		_, err := fmt.Fprintf(c.Out, "%s\n", out)
		return err
	}
	_, err := fmt.Fprintf(c.Out, "%s %s %s in %s\n", say.Printable(b.site), how, b.vote, say.Printable(b.tx))
	return err
}
