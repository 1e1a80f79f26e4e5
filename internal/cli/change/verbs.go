package change

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
)

// actFlags are the flags of the commands that change something.
type actFlags struct {
	yes, dryRun bool
	czxid       int64
	session     string
	reason      string
	breakAfter  time.Duration
	follow      time.Duration
	wait        time.Duration // follow, of commands without it
	data, file  string
	value       []byte // of --data or --file
}

// Verb is a command that changes one znode.
type Verb struct {
	Use, short string
	does       actions.Verb
	flags      func(*command.Line, *actFlags, *pflag.FlagSet)                  // besides those of every change. Optional
	prepare    func(c *command.Line, f *actFlags, in command.Invocation) error // before anything is read. Optional
}

// Verbs are the commands that change one znode.
var Verbs = []Verb{
	{Use: "revoke CLAIM-PATH [SERVERS]", short: "ask the holder of a lock to let go, and follow what it does", does: actions.VerbRevoke,
		flags: func(_ *command.Line, f *actFlags, fs *pflag.FlagSet) {
			fs.DurationVar(&f.follow, "follow", 10*time.Second, "how long to wait for it to let go; exit 5 if it does not; 0: do not wait")
			fs.Lookup("wait").Hidden = true // it is follow here
			fs.DurationVar(&f.breakAfter, "break-after", 0, "break the claim if it is still there after this time")
		}},
	{Use: "break CLAIM-PATH [SERVERS]", short: "delete one claim; its owner is not told", does: actions.VerbBreak},
	{Use: "open BARRIER-PATH [SERVERS]", short: "delete a barrier's znode: whoever waits at it goes on", does: actions.VerbOpen},
	{Use: "close BARRIER-PATH [SERVERS]", short: "make a barrier's znode: whoever comes from then on waits", does: actions.VerbClose,
		flags: func(c *command.Line, _ *actFlags, fs *pflag.FlagSet) { c.Flags.Makes(fs, "that of its parent") }},
	{Use: "skip ITEM-PATH [SERVERS]", short: "delete an item of a queue; the audit log keeps its data", does: actions.VerbSkip},
	{Use: "requeue ITEM-PATH [SERVERS]", short: "put an item at the end of its queue, or take it back from a dead consumer", does: actions.VerbRequeue},
	{Use: "abort TX-OR-SITE-PATH [SERVERS]", short: "vote abort for a site that has not voted", does: actions.VerbAbort},
	{Use: "clean PATH [SERVERS]", short: "delete a stale ready, an orphan mark or an empty directory that a recipe left behind", does: actions.VerbClean},
	{Use: "restore CLAIM-PATH [SERVERS]", short: "write back the data that a revoke overwrote", does: actions.VerbRestore},
	{Use: "set PATH [SERVERS]", short: "write the value of a configuration, a counter or a rendezvous: --data or --file says which", does: actions.VerbSet,
		flags: func(_ *command.Line, f *actFlags, fs *pflag.FlagSet) {
			fs.StringVar(&f.data, "data", "", "the new value; this or --file is needed")
			fs.StringVar(&f.file, "file", "", "read the new value from this file, - for standard input; this or --data is needed")
		},
		prepare: newValue},
}

// Command is the verb as a subcommand.
func (v Verb) Command(c *command.Line) command.Subcommand {
	f := new(actFlags)
	long := ""
	if v.does != actions.VerbSet {
		long = strings.ToUpper(v.short[:1]) + v.short[1:] + ".\n" + aboutEach
	}
	return command.Subcommand{Use: v.Use, Short: v.short, Long: long, Formats: command.TableOrJSON,
		Flags: func(fs *pflag.FlagSet) {
			f.add(fs)
			if v.flags != nil {
				v.flags(c, f, fs)
			}
		},
		Run: func(ctx context.Context, in command.Invocation) error {
			if v.prepare != nil {
				if err := v.prepare(c, f, in); err != nil {
					return err
				}
			}
			if err := f.check(in); err != nil {
				return err
			}
			args, each := listedOnInput(in.Args)
			t, err := c.Target(args, !each)
			switch {
			case err != nil:
				return err
			case each:
				return changeEach(ctx, c, t, v.does, *f)
			}
			return changeOne(ctx, c, t, v.does, *f)
		}}
}

// add declares the flags that every change has.
func (f *actFlags) add(fs *pflag.FlagSet) {
	fs.BoolVar(&f.yes, "yes", false, "do not ask; without a terminal, or where the risk is high, give --czxid or --session too")
	fs.BoolVar(&f.dryRun, "dry-run", false, "show the plan and what would follow; change nothing")
	fs.Int64Var(&f.czxid, "czxid", 0, "act only if the znode has this czxid")
	fs.StringVar(&f.session, "session", "", "act only if the znode belongs to this session")
	fs.StringVar(&f.reason, "reason", "", "why, for the audit log")
	fs.DurationVar(&f.wait, "wait", 0, "when it is done, look until the server that is asked shows it, for so long at most")
}

// newValue reads the value that set writes.
func newValue(c *command.Line, f *actFlags, in command.Invocation) error {
	given, file := in.Given("data"), in.Given("file")
	if given == file {
		return world.Fail(world.ExitUsage, "set takes the new value, as either --data VALUE or --file FILE")
	}
	f.value = []byte(f.data)
	if given {
		return nil
	}
	var err error
	if f.value, err = world.WhileReading(func() ([]byte, error) { return readValue(f.file, c.In, c.Flags.Timeout) }); err != nil {
		return world.Fail(world.ExitUsage, "--file: %w", err)
	}
	return nil
}

// readValue reads what a znode can hold.
func readValue(file string, stdin io.Reader, patience time.Duration) ([]byte, error) {
	const most = 1 << 20
	in := stdin
	if file != "-" {
		f, err := world.OpenWithin(file, patience)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	b, err := io.ReadAll(io.LimitReader(in, most+1))
	if err == nil && len(b) > most {
		err = world.Fail(world.ExitUsage, "more than the %d bytes that a znode holds", most)
	}
	return b, err
}

// offer reads the recipe at a path, or that a claim belongs to, and finds what a verb would do there.
func (c *change) offer(ctx context.Context) (actions.Scene, actions.Offer, error) {
	path := c.at.Path
	res, hints, err := c.readFor(ctx)
	if err != nil {
		return actions.Scene{}, actions.Offer{}, err
	}
	s := actions.Scene{Result: res, Hints: hints, Now: c.Now()}
	if !stand(&s, path, c.verb) {
		if c.verb == actions.VerbClean && res.Snapshot.At(path) != nil {
			return s, actions.EmptyParent(res, path), nil
		}
		return s, actions.Offer{}, c.noClaim(res, path)
	}
	if c.verb == actions.VerbRestore {
		records, _, err := AuditRecords(c.Line)
		if err != nil {
			return s, actions.Offer{}, err
		}
		if s.Kept = actions.Overwritten(records, c.at.Name, s.Claim.ID()); s.Kept == nil {
			return s, actions.Offer{}, world.Fail(world.ExitRefused, "cannot restore %s: the audit log of this machine knows of no revoke of this claim", say.Printable(path))
		}
	}
	o, ok := actions.Find(s, c.verb)
	if !ok {
		o.Disabled = "that is not done to " + s.Model.Kind.OneOf()
	}
	return s, o, nil
}

// readFor reads around the path; where nothing is known to stand there, the verb itself is a hint.
func (c *change) readFor(ctx context.Context) (*model.Result, model.Hints, error) {
	path, hints := c.at.Path, c.Hints()
	seen, err := look.Once(ctx, c.Line, c.conn, look.Query{Root: layout.Around(path), Asked: []string{path}}, nil)
	if err != nil {
		return nil, hints, err
	}
	res := inspect.Decode(seen.Snapshot, nil, hints)
	if k, ok := actions.Expected(c.verb); ok && !known(res, path, k) {
		if n := seen.Snapshot.At(path); n != nil && n.NumChildren == 0 && c.verb == actions.VerbAbort {
			path, _ = znode.Split(path) // a site
		}
		hints.Rules = append(slices.Clone(hints.Rules), model.Hint{Path: path, Kind: k})
		res = inspect.Decode(seen.Snapshot, nil, hints)
	}
	return res, hints, nil
}

// known reports whether it is known, without a verb that expects a kind, what stands at a path: that kind, a line, or what
// belongs to a recipe. What a single znode is, names alone hint at.
func known(res *model.Result, path string, k layout.Kind) bool {
	m, claim, how := res.RecipeAt(path)
	switch how {
	case model.ItsClaim, model.ItsPart:
		return true
	case model.Itself:
		return m.Kind == k || claim == nil && m.Confidence >= 0.5 && len(m.Claims) > 0
	}
	return false
}

// stand puts a scene's recipe and claim to what stands at a path: the claim itself, or for verbs that concern
// a whole recipe its first claim that they can be done to.
func stand(s *actions.Scene, path string, verb actions.Verb) bool {
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

func (c *change) noClaim(res *model.Result, path string) error {
	n, why := res.Snapshot.Known(path)
	if n == nil {
		return look.NotThere(c.Line, path, why)
	}
	if res.ByPath(path) != nil {
		return world.Fail(world.ExitNotFound, "%s is a recipe, not one of its claims; zkscope show %s lists them", say.Printable(path), say.Printable(path))
	}
	if err := look.Unclear(c.Line, n, path, res.Snapshot.Unclear(path)); err != nil {
		return err
	}
	return world.Fail(world.ExitNotFound, "%s is not a claim of a recipe; zkscope show %s says what it is", say.Printable(path), say.Printable(path))
}

// lacks says which right is missing, before anybody is asked to confirm.
func (c *change) lacks(ctx context.Context, p actions.Plan) error {
	actor, err := c.actor()
	if err != nil {
		return NoLog(err)
	}
	defer actor.Close()
	ctx, cancel := context.WithTimeout(ctx, c.Flags.Timeout)
	defer cancel()
	why, err := actor.Rights(ctx, p)
	switch {
	case err != nil:
		return look.ConnectError(err)
	case why != "":
		return world.Fail(world.ExitRefused, "cannot %s %s: %s", p.Verb, say.Printable(p.Target.Path), why)
	}
	return nil
}
