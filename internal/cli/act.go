package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/zkc"
)

// check finds flags that were given without a value: a pin from an unset variable is no pin.
func (f *actFlags) check(fs *pflag.FlagSet) error {
	switch {
	case fs.Changed("czxid") && f.czxid <= 0:
		return fail(exitUsage, "--czxid takes a number above zero")
	case fs.Changed("session") && f.session == "":
		return fail(exitUsage, "--session is empty: is a variable unset?")
	case f.follow < 0 || f.breakAfter < 0:
		return fail(exitUsage, "--follow and --break-after take a time that is not negative")
	}
	return nil
}

// act plans, asks and applies.
func (c *command) act(ctx context.Context, t target, verb actions.Verb, f actFlags) error {
	switch {
	case c.flags.from != "":
		return fail(exitUsage, "--from reads a file: nothing can be done to it")
	case c.flags.readOnly && !f.dryRun:
		return fail(exitRefused, "read-only: nothing is changed; --dry-run shows the plan")
	}
	cfg, err := c.config(t)
	if err != nil {
		return err
	}
	scene, offer, err := c.offer(ctx, t, cfg, verb)
	if err != nil {
		return err
	}
	if offer.Disabled != "" {
		return fail(exitRefused, "cannot %s %s: %s", verb, say.Printable(t.path), offer.Disabled)
	}
	p := offer.Plan()
	if offer.Asks != "" {
		p = actions.SetTo(scene, f.value)
	}
	if err := c.confirmed(ctx, t, cfg, p, f); err != nil || f.dryRun {
		return err
	}
	return c.applyPlan(ctx, t, cfg, scene, p, f)
}

// confirmed shows a plan and makes sure that it is about what was meant, that the rights for it are there, and that
// somebody means it. A dry run ends after the first.
func (c *command) confirmed(ctx context.Context, t target, cfg zkc.Config, p actions.Plan, f actFlags) error {
	if err := pinned(p, f); err != nil {
		return err
	}
	if c.flags.output != "json" {
		c.printPlan(p)
	}
	if f.dryRun {
		fmt.Fprintln(c.Out, "dry run: nothing was changed")
		return nil
	}
	if err := c.lacks(ctx, t, cfg, p); err != nil {
		return err
	}
	return c.consent(p, f)
}

// printPlan shows what would be done.
func (c *command) printPlan(p actions.Plan) {
	rows := func(label string, lines []string) {
		for i, s := range lines {
			if i > 0 {
				label = ""
			}
			fmt.Fprintf(c.Out, "  %-8s %s\n", label, s)
		}
	}
	fmt.Fprintln(c.Out, p.Title)
	rows("does", []string{p.Step()})
	rows("only if", p.Guards)
	rows("then", p.Outcome)
	rows("mind", p.Warnings)
}

// pinned checks the claim against the pins of the command line.
func pinned(p actions.Plan, f actFlags) error {
	if f.czxid != 0 && znode.Zxid(f.czxid) != p.Target.Czxid {
		return fail(exitRefused, "nothing done: the claim has czxid %d, not %d", p.Target.Czxid, f.czxid)
	}
	if f.session == "" {
		return nil
	}
	id, ok := znode.ParseSessionID(f.session)
	if !ok {
		return fail(exitUsage, "--session %s is no session id", say.Printable(f.session))
	}
	if id != p.Target.Owner {
		return fail(exitRefused, "nothing done: the claim belongs to session %s, not %s", p.Target.Owner, id)
	}
	return nil
}

// consent makes sure that somebody means it. Without a terminal it takes --yes and a pin: a script must say
// which claim it saw.
func (c *command) consent(p actions.Plan, f actFlags) error {
	pinned := f.czxid != 0 || f.session != "" || p.Target.Czxid == 0 // what is not there yet cannot be pinned
	switch {
	case f.yes && pinned:
		return nil
	case !c.InTTY && !pinned:
		return fail(exitRefused, "without a terminal %s takes a pin and --yes: --czxid %d --yes", p.Verb, p.Target.Czxid)
	case !c.InTTY:
		return fail(exitRefused, "without a terminal %s takes --yes", p.Verb)
	case f.yes && p.Risk < actions.High:
		return nil
	}
	want := p.Confirm
	if want == "" {
		want = "yes"
	}
	fmt.Fprintf(c.Out, "type %s to go on: ", want)
	answer, _ := whileReading(func() (string, error) { return bufio.NewReader(c.In).ReadString('\n') })
	if strings.TrimSpace(answer) != want {
		return fail(exitRefused, "nothing done: that was not %q", want)
	}
	return nil
}

// applyPlan carries a plan out and follows it.
func (c *command) applyPlan(ctx context.Context, t target, cfg zkc.Config, s actions.Scene, p actions.Plan, f actFlags) error {
	actor, err := c.actor(t, cfg)
	if err != nil {
		return noLog(err)
	}
	defer actor.Close()
	p.Reason = f.reason
	r := actor.Apply(ctx, p)
	if r.Outcome != actions.Done {
		return c.outcome(r)
	}
	fmt.Fprintln(c.Out, r.Text)
	if p.Verb != actions.VerbRevoke || f.follow == 0 && f.breakAfter == 0 {
		return nil
	}
	return c.followRevoke(ctx, cfg, actor, s, r, f)
}

func (c *command) outcome(r actions.Result) error {
	switch r.Outcome {
	case actions.Done:
		fmt.Fprintln(c.Out, r.Text)
		return nil
	case actions.Nothing:
		return fail(exitRefused, "%s", r.Text)
	}
	if errors.Is(r.Err, actions.ErrNoLog) {
		return fail(exitRefused, "%s", r.Text)
	}
	return fail(exitError, "%s", r.Text)
}

// followRevoke polls the claim until it is gone or the time is up, and then breaks it if that was asked for.
func (c *command) followRevoke(ctx context.Context, cfg zkc.Config, actor *actions.Actor, s actions.Scene, r actions.Result, f actFlags) error {
	until := r.At.Add(max(f.follow, f.breakAfter))
	for {
		res, err := c.readLive(ctx, cfg, s.Result.Snapshot.Base, s.Result)
		if err != nil {
			return err
		}
		text, done := r.Plan.Progress(res.Snapshot, r.At, c.Now())
		if done {
			fmt.Fprintln(c.Out, text)
			return nil
		}
		if !c.Now().Before(until) {
			if f.breakAfter > 0 {
				return c.breakAfter(ctx, actor, res, s, r.Plan, f)
			}
			return fail(exitRefused, "%s; it may still, or not at all: zkscope break deletes the claim, zkscope restore takes the request back", text)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// breakAfter breaks the claim that did not let go, if it is still the same one.
func (c *command) breakAfter(ctx context.Context, actor *actions.Actor, res *model.Result, s actions.Scene, asked actions.Plan, f actFlags) error {
	m := res.ByPath(s.Model.Path)
	for i := 0; m != nil && i < len(m.Claims); i++ {
		claim := &m.Claims[i]
		if claim.Path() != asked.Target.Path || claim.Czxid() != asked.Target.Czxid {
			continue
		}
		o, _ := actions.Find(actions.Scene{Result: res, Hints: s.Hints, Model: m, Claim: claim, Now: c.Now()}, actions.VerbBreak)
		if o.Disabled != "" {
			return fail(exitRefused, "cannot break: %s", o.Disabled)
		}
		fmt.Fprintf(c.Out, "still held after %s: breaking it, as asked for\n", say.Age(f.breakAfter))
		p := o.Plan()
		p.Reason = f.reason
		return c.outcome(actor.Apply(ctx, p))
	}
	fmt.Fprintln(c.Out, "the claim is gone")
	return nil
}

// noLog gives an audit log that cannot be written its exit code: without it nothing is done.
func noLog(err error) error {
	if errors.Is(err, actions.ErrNoLog) {
		return failure{code: exitRefused, err: err}
	}
	return err
}

// actor makes what applies plans, with the audit log in its place.
func (c *command) actor(t target, cfg zkc.Config) (*actions.Actor, error) {
	ac, err := c.actorConfig(t, cfg)
	if err != nil {
		return nil, err
	}
	return actions.NewActor(ac)
}

func (c *command) actorConfig(t target, cfg zkc.Config) (actions.Config, error) {
	audit, err := actions.OpenAudit(c.auditPath())
	if err != nil {
		return actions.Config{ReadOnly: true}, err
	}
	ac := actions.Config{Servers: cfg.Servers, Chroot: cfg.Chroot, Name: t.name, Session: cfg.Session, TLS: cfg.TLS,
		Log: cfg.Log, Audit: audit, ReadOnly: c.flags.readOnly, Now: c.Now, Patience: c.flags.timeout, ACL: c.flags.acl.acl}
	for _, a := range cfg.Auth {
		ac.Auth = append(ac.Auth, actions.Credential{Scheme: a.Scheme, Token: a.Token})
	}
	return ac, nil
}

// auditPath is where the audit log lies: under the user's state folder, unless another place was named.
func (c *command) auditPath() string {
	if c.flags.auditLog != "" {
		return c.flags.auditLog
	}
	return filepath.Join(c.stateHome(), "zkscope", "audit.jsonl")
}
