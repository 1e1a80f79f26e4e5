package change

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/wait"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/recipes"
)

// check finds flags that were given without a value: a pin from an unset variable is no pin.
func (f *actFlags) check(in command.Invocation) error {
	switch {
	case in.Given("czxid") && f.czxid <= 0:
		return world.Fail(world.ExitUsage, "--czxid takes a number above zero")
	case in.Given("session") && f.session == "":
		return world.Fail(world.ExitUsage, "--session is empty: is a variable unset?")
	case f.follow < 0 || f.breakAfter < 0 || f.wait < 0:
		return world.Fail(world.ExitUsage, "--follow, --wait and --break-after take a time that is not negative")
	}
	f.follow = max(f.follow, f.wait)
	return nil
}

// change is one change of an ensemble: from what was asked for on the command line to what came of it.
type change struct {
	*command.Line
	actFlags
	at   command.Target
	conn zkc.Config
	verb actions.Verb

	planned *actions.Plan   // nil: not yet, or it cannot be done
	outcome actions.Outcome // empty: nothing was tried
	told    string          // what was said last
}

// newChange begins a change; a dry run is none.
func newChange(c *command.Line, t command.Target, verb actions.Verb, f actFlags) (*change, error) {
	conn, err := c.Connection(t)
	return &change{Line: c, actFlags: f, at: t, conn: conn, verb: verb}, err
}

// changeOne plans, asks and applies.
func changeOne(ctx context.Context, c *command.Line, t command.Target, verb actions.Verb, f actFlags) error {
	switch {
	case c.Flags.From != "":
		return world.Fail(world.ExitUsage, "--from reads a file: nothing can be done to it")
	case c.Flags.ReadOnly && !f.dryRun:
		return world.Fail(world.ExitRefused, "read-only: nothing is changed; --dry-run shows the plan")
	}
	ch, err := newChange(c, t, verb, f)
	if err != nil {
		return err
	}
	return ch.report(ch.run(ctx))
}

// run plans, asks and applies.
func (c *change) run(ctx context.Context) error {
	scene, offer, err := c.offer(ctx)
	if err != nil {
		return err
	}
	if offer.Disabled != "" {
		return world.Fail(world.ExitRefused, "cannot %s %s: %s", c.verb, say.Printable(c.at.Path), offer.Disabled)
	}
	p := offer.Plan()
	if offer.Asks != "" {
		p = actions.SetTo(scene, c.value)
	}
	if err := c.confirmed(ctx, p); err != nil || c.dryRun {
		return err
	}
	return c.applyPlan(ctx, scene, p)
}

// confirmed shows a plan and makes sure that it is about what was meant, that the rights for it are there, and that
// somebody means it. A dry run ends after the first.
func (c *change) confirmed(ctx context.Context, p actions.Plan) error {
	c.planned = &p
	if err := c.pinned(p); err != nil {
		return err
	}
	if !c.json() {
		printPlan(c.Out, p)
	}
	if c.dryRun {
		c.tell("dry run: nothing was changed")
		return nil
	}
	if err := c.lacks(ctx, p); err != nil {
		return err
	}
	return c.consent(p)
}

// printPlan shows what would be done.
func printPlan(w io.Writer, p actions.Plan) {
	rows := func(label string, lines []string) {
		for i, s := range lines {
			if i > 0 {
				label = ""
			}
			fmt.Fprintf(w, "  %-8s %s\n", label, s)
		}
	}
	fmt.Fprintln(w, p.Title)
	rows("does", []string{p.Step()})
	rows("only if", p.Guards)
	rows("then", p.Outcome)
	rows("mind", p.Warnings)
}

// pinned checks the claim against the pins of the command line.
func (c *change) pinned(p actions.Plan) error {
	if c.czxid != 0 && znode.Zxid(c.czxid) != p.Target.Czxid {
		return world.Fail(world.ExitRefused, "nothing done: the claim has czxid %d, not %d", p.Target.Czxid, c.czxid)
	}
	if c.session == "" {
		return nil
	}
	id, ok := znode.ParseSessionID(c.session)
	if !ok {
		return world.Fail(world.ExitUsage, "--session %s is not a session id", say.Printable(c.session))
	}
	if id != p.Target.Owner {
		return world.Fail(world.ExitRefused, "nothing done: the claim belongs to session %s, not %s", p.Target.Owner, id)
	}
	return nil
}

// consent makes sure that somebody means it. Without a terminal it takes --yes and a pin: a script must say
// which claim it saw.
func (c *change) consent(p actions.Plan) error {
	pinned := c.czxid != 0 || c.session != "" || p.Target.Czxid == 0 // what is not there yet cannot be pinned
	switch {
	case c.yes && pinned:
		return nil
	case !c.InTTY && !pinned:
		return world.Fail(world.ExitRefused, "without a terminal %s takes a pin and --yes: --czxid %d --yes", p.Verb, p.Target.Czxid)
	case !c.InTTY:
		return world.Fail(world.ExitRefused, "without a terminal %s takes --yes", p.Verb)
	case c.yes && p.Risk < actions.High:
		return nil
	}
	want := p.Confirm
	if want == "" {
		want = "yes"
	}
	if c.json() {
		return world.Fail(world.ExitRefused, "with --output json %s asks nobody: it takes a pin and --yes, and where the risk is high no terminal", p.Verb)
	}
	fmt.Fprintf(c.Out, "type %s to go on: ", want)
	answer, _ := world.WhileReading(func() (string, error) { return bufio.NewReader(c.In).ReadString('\n') })
	if strings.TrimSpace(answer) != want {
		return world.Fail(world.ExitRefused, "nothing done: that was not %q", want)
	}
	return nil
}

// applyPlan carries a plan out and follows it.
func (c *change) applyPlan(ctx context.Context, s actions.Scene, p actions.Plan) error {
	actor, err := c.actor()
	if err != nil {
		return NoLog(err)
	}
	defer actor.Close()
	p.Reason = c.reason
	r := actor.Apply(ctx, p)
	c.outcome = r.Outcome
	if err := c.ended(r); err != nil {
		return err
	}
	if c.follow > 0 || c.breakAfter > 0 {
		if err := c.followed(ctx, actor, s, r); err != nil {
			return err
		}
	}
	return Unlogged(r.Unlogged)
}

// Unlogged is the error of what was done while the audit log did not take what came of it.
func Unlogged(err error) error {
	if err == nil {
		return nil
	}
	return world.Fail(world.ExitUnlogged, "done, but not all of it is in the log, which holds the intent: %w; make room or mend the log, and keep this line", err)
}

// ended says what was done, or is the error of what was not.
func (c *change) ended(r actions.Result) error {
	switch r.Outcome {
	case actions.Done:
		c.tell(r.Text)
		return nil
	case actions.Nothing:
		return world.Fail(world.ExitRefused, "%s", r.Text)
	}
	if errors.Is(r.Err, actions.ErrNoLog) {
		return world.Fail(world.ExitRefused, "%s", r.Text)
	}
	return world.Fail(world.ExitError, "%s", r.Text)
}

// followed looks until a server shows what was done, which after a revoke is that the claim is gone, or the time is up. A claim
// that was asked to let go and did not is broken then if that was asked for.
func (c *change) followed(ctx context.Context, actor *actions.Actor, s actions.Scene, r actions.Result) error {
	until := r.At.Add(max(c.follow, c.breakAfter))
	for {
		seen, err := look.Once(ctx, c.Line, c.conn, look.Query{Root: s.Result.Snapshot.Base, Asked: []string{c.at.Path}}, s.Result)
		if err != nil {
			return err
		}
		text, done := r.Plan.Progress(seen.Snapshot, r.At, c.Now())
		switch {
		case done && c.verb == actions.VerbRevoke:
			c.tell(text)
			return nil
		case done:
			return nil
		case c.Now().Before(until):
		case c.breakAfter > 0:
			return c.breakStill(ctx, actor, seen.Result, s, r.Plan)
		case c.verb == actions.VerbRevoke:
			return world.Fail(world.ExitRefused, "%s; it may still, or not at all: zkscope break deletes the claim, zkscope restore takes the request back", text)
		default:
			return world.Fail(world.ExitError, "done, but the server that was asked does not show it after %s: it may lag behind", say.Age(c.follow))
		}
		if !wait.For(ctx, 200*time.Millisecond) {
			return ctx.Err()
		}
	}
}

// breakStill breaks the claim that did not let go, if it is still the same one.
func (c *change) breakStill(ctx context.Context, actor *actions.Actor, res *model.Result, s actions.Scene, asked actions.Plan) error {
	m := res.ByPath(s.Model.Path)
	for i := 0; m != nil && i < len(m.Claims); i++ {
		claim := &m.Claims[i]
		if claim.Path() != asked.Target.Path || claim.Czxid() != asked.Target.Czxid {
			continue
		}
		o, _ := actions.Find(actions.Scene{Result: res, Hints: s.Hints, Model: m, Claim: claim, Now: c.Now()}, actions.VerbBreak)
		if o.Disabled != "" {
			return world.Fail(world.ExitRefused, "cannot break: %s", o.Disabled)
		}
		c.tell("still held after " + say.Age(c.breakAfter) + ": breaking it, as asked for")
		p := o.Plan()
		p.Reason = c.reason
		r := actor.Apply(ctx, p)
		c.outcome = r.Outcome
		if err := c.ended(r); err != nil {
			return err
		}
		return Unlogged(r.Unlogged)
	}
	c.tell("the claim is gone")
	return nil
}

// NoLog gives an audit log that cannot be written its exit code: without it nothing is done.
func NoLog(err error) error {
	if errors.Is(err, actions.ErrNoLog) {
		return world.Failure{Code: world.ExitRefused, Err: err}
	}
	return err
}

// actor makes what applies plans, with the audit log in its place.
func (c *change) actor() (*actions.Actor, error) {
	ac, err := ActorConfig(c.Line, c.at, c.conn)
	if err != nil {
		return nil, err
	}
	return actions.NewActor(ac)
}

// ActorConfig is how to connect to change something or to take part. Where there is an error of the audit log, nothing can
// be changed.
func ActorConfig(c *command.Line, t command.Target, conn zkc.Config) (actions.Config, error) {
	how := recipes.Config{Servers: conn.Servers, Chroot: conn.Chroot, Timeout: conn.Session, TLS: conn.TLS, SASL: conn.SASL,
		Log: conn.Log, Dial: conn.Dial, ACL: c.Flags.ACL.ACL}
	for _, a := range conn.Auth {
		how.Auth = append(how.Auth, recipes.Credential(a))
	}
	ac := actions.Config{Conn: how, Name: t.Name, ReadOnly: c.Flags.ReadOnly, Now: c.Now, Patience: c.Flags.Timeout}
	var err error
	if ac.Audit, err = actions.OpenAudit(c.AuditPath()); err != nil {
		ac.ReadOnly = true
	}
	return ac, err
}
