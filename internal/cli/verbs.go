package cli

import (
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/zkc"
)

// actFlags are the flags of the commands that change something.
type actFlags struct {
	yes, dryRun bool
	czxid       int64
	session     string
	reason      string
	breakAfter  time.Duration
	follow      time.Duration
	data, file  string
	value       []byte // of --data or --file
}

// actCommands are the commands that change one znode.
func (c *command) actCommands() []*cobra.Command {
	return []*cobra.Command{
		c.revokeCommand(),
		c.actCommand("break CLAIM-PATH [SERVERS]", "delete one claim; its owner is not told", actions.VerbBreak, new(actFlags)),
		c.actCommand("open BARRIER-PATH [SERVERS]", "delete a barrier's znode: whoever waits at it goes on", actions.VerbOpen, new(actFlags)),
		c.closeCommand(),
		c.actCommand("skip ITEM-PATH [SERVERS]", "delete an item of a queue; the audit log keeps its data", actions.VerbSkip, new(actFlags)),
		c.actCommand("requeue ITEM-PATH [SERVERS]", "put an item at the end of its queue, or take it back from a dead consumer", actions.VerbRequeue, new(actFlags)),
		c.actCommand("abort TX-OR-SITE-PATH [SERVERS]", "vote abort for a site that has not voted", actions.VerbAbort, new(actFlags)),
		c.actCommand("clean PATH [SERVERS]", "delete a stale ready, an orphan mark or an empty directory that a recipe left behind", actions.VerbClean, new(actFlags)),
		c.actCommand("restore CLAIM-PATH [SERVERS]", "write back the data that a revoke overwrote", actions.VerbRestore, new(actFlags)),
		c.setCommand(),
	}
}

// closeCommand closes a barrier.
func (c *command) closeCommand() *cobra.Command {
	cmd := c.actCommand("close BARRIER-PATH [SERVERS]", "make a barrier's znode: whoever comes from then on waits", actions.VerbClose, new(actFlags))
	c.flags.makes(cmd.Flags(), "that of its parent")
	return cmd
}

// revokeCommand asks a holder to let go.
func (c *command) revokeCommand() *cobra.Command {
	f := new(actFlags)
	cmd := c.actCommand("revoke CLAIM-PATH [SERVERS]", "ask the holder of a lock to let go, and follow what it does", actions.VerbRevoke, f)
	cmd.Flags().DurationVar(&f.follow, "follow", 10*time.Second, "wait so long to see it let go, and exit 5 when it did not; 0: do not wait")
	cmd.Flags().DurationVar(&f.breakAfter, "break-after", 0, "break the claim if it is still there after this time")
	return cmd
}

func (c *command) actCommand(use, short string, verb actions.Verb, f *actFlags) *cobra.Command {
	_, args, _ := strings.Cut(use, " ")
	var cmd *cobra.Command
	cmd = &cobra.Command{Use: use, Short: short, Args: between(1, 2, args),
		RunE: action(func(ctx context.Context, args []string) error {
			if err := c.flags.format("table"); err != nil {
				return err
			}
			if err := f.check(cmd.Flags()); err != nil {
				return err
			}
			t, err := c.target(args, true)
			if err != nil {
				return err
			}
			return c.act(ctx, t, verb, *f)
		})}
	f.add(cmd.Flags())
	return cmd
}

// add declares the flags that every change has.
func (f *actFlags) add(fs *pflag.FlagSet) {
	fs.BoolVar(&f.yes, "yes", false, "do not ask; without a terminal, and where the risk is high, it takes --czxid or --session as well")
	fs.BoolVar(&f.dryRun, "dry-run", false, "show the plan and what would follow; change nothing")
	fs.Int64Var(&f.czxid, "czxid", 0, "act only if the znode has this czxid")
	fs.StringVar(&f.session, "session", "", "act only if the znode belongs to this session")
	fs.StringVar(&f.reason, "reason", "", "why, for the audit log")
}

// setCommand writes a value.
func (c *command) setCommand() *cobra.Command {
	f := new(actFlags)
	cmd := c.actCommand("set PATH [SERVERS]", "write the value of a configuration, a counter or a rendezvous: --data or --file says which", actions.VerbSet, f)
	cmd.Flags().StringVar(&f.data, "data", "", "the new value; this or --file is needed")
	cmd.Flags().StringVar(&f.file, "file", "", "read the new value from this file, - for standard input; this or --data is needed")
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch given, file := cmd.Flags().Changed("data"), cmd.Flags().Changed("file"); {
		case given == file:
			return fail(exitUsage, "set takes the new value, as either --data VALUE or --file FILE")
		case given:
			f.value = []byte(f.data)
		default:
			var err error
			if f.value, err = whileReading(func() ([]byte, error) { return c.readValue(f.file) }); err != nil {
				return fail(exitUsage, "--file: %w", err)
			}
		}
		return run(cmd, args)
	}
	return cmd
}

// readValue reads what a znode can hold.
func (c *command) readValue(file string) ([]byte, error) {
	const most = 1 << 20
	in := c.In
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	b, err := io.ReadAll(io.LimitReader(in, most+1))
	if err == nil && len(b) > most {
		err = fail(exitUsage, "more than the %d bytes that a znode holds", most)
	}
	return b, err
}

// offer reads the recipe at a path, or that a claim belongs to, and finds what a verb would do there.
func (c *command) offer(ctx context.Context, t target, cfg zkc.Config, verb actions.Verb) (actions.Scene, actions.Offer, error) {
	res, hints, err := c.readFor(ctx, t, cfg, verb)
	if err != nil {
		return actions.Scene{}, actions.Offer{}, err
	}
	s := actions.Scene{Result: res, Hints: hints, Now: c.Now()}
	if !c.stand(&s, t.path, verb) {
		if verb == actions.VerbClean && res.Snapshot.At(t.path) != nil {
			return s, actions.EmptyParent(res, t.path), nil
		}
		return s, actions.Offer{}, c.noClaim(res, t.path)
	}
	if verb == actions.VerbRestore {
		records, _, err := c.auditRecords()
		if err != nil {
			return s, actions.Offer{}, err
		}
		if s.Kept = actions.Overwritten(records, t.name, s.Claim.ID()); s.Kept == nil {
			return s, actions.Offer{}, fail(exitRefused, "cannot restore %s: the audit log of this machine knows of no revoke of this claim", say.Printable(t.path))
		}
	}
	o, ok := actions.Find(s, verb)
	if !ok {
		o.Disabled = "that is not done to " + s.Model.Kind.OneOf()
	}
	return s, o, nil
}

// readFor reads around a path, with the hint that the verb itself is.
func (c *command) readFor(ctx context.Context, t target, cfg zkc.Config, verb actions.Verb) (*model.Result, model.Hints, error) {
	dir := layout.Around(t.path)
	c.seen.asked = []string{t.path}
	hints := c.hints()
	if k, ok := actions.Expected(verb); ok {
		hints.Rules = append(slices.Clone(hints.Rules), model.Hint{Path: t.path, Kind: k})
	}
	res, err := c.readLive(ctx, cfg, dir, nil)
	if err != nil {
		return nil, hints, err
	}
	return inspect.Decode(res.Snapshot, nil, hints), hints, nil
}

// stand puts a scene's recipe and claim to what stands at a path: the claim itself, or for verbs that concern
// a whole recipe its first claim that they can be done to.
func (c *command) stand(s *actions.Scene, path string, verb actions.Verb) bool {
	m, claim, how := s.Result.RecipeAt(path)
	if claim != nil {
		s.Model, s.Claim = m, claim
		return true
	}
	if how != model.Itself && (how != model.ItsPart || verb != actions.VerbClean) || verb == actions.VerbRevoke || verb == actions.VerbBreak || verb == actions.VerbRestore || verb == actions.VerbSkip || verb == actions.VerbRequeue {
		return false
	}
	s.Model = m
	for i := range m.Claims {
		s.Claim = &m.Claims[i]
		if o, ok := actions.Find(*s, verb); ok && o.Disabled == "" {
			return true
		}
	}
	return true
}

func (c *command) noClaim(res *model.Result, path string) error {
	dir, _ := znode.Split(path)
	n, why := res.Snapshot.Known(path)
	if n == nil {
		return c.notThere(path, why)
	}
	if res.ByPath(path) != nil {
		return fail(exitNotFound, "%s is a recipe, not one of its claims; zkscope show %s lists them", say.Printable(path), say.Printable(path))
	}
	if err := c.unclear(n, path, res.Snapshot.Unclear(path)); err != nil {
		return err
	}
	return fail(exitNotFound, "%s is no claim of a recipe; zkscope show %s says what stands there", say.Printable(path), say.Printable(dir))
}

// lacks says which right is missing, before anybody is asked to confirm.
func (c *command) lacks(ctx context.Context, t target, cfg zkc.Config, p actions.Plan) error {
	actor, err := c.actor(t, cfg)
	if err != nil {
		return noLog(err)
	}
	defer actor.Close()
	ctx, cancel := context.WithTimeout(ctx, c.flags.timeout)
	defer cancel()
	why, err := actor.Rights(ctx, p)
	switch {
	case err != nil:
		return connectError(err)
	case why != "":
		return fail(exitRefused, "cannot %s %s: %s", p.Verb, say.Printable(p.Target.Path), why)
	}
	return nil
}
