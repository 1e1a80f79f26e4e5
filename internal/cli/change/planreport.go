package change

import (
	"fmt"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/world"
)

// PlanReport is the JSON of a change: the plan, and how it ended. It is a line of its own, also where several are asked for.
type PlanReport struct {
	Schema  int          `json:"schema"`
	Path    string       `json:"path"` // of the znode, as it was asked for
	Verb    actions.Verb `json:"verb"`
	Plan    *planDetails `json:"plan"`    // null: there is none, and text says why
	Outcome string       `json:"outcome"` // dry-run, done, nothing (a guard failed), refused or unknown
	Text    string       `json:"text"`    // one line: what happened, or why not
}

// planDetails is what would be done, on which conditions, and what follows.
type planDetails struct {
	Title   string       `json:"title"`
	Recipe  string       `json:"recipe"`
	Kind    *layout.Kind `json:"kind"`    // null: no recipe stands there
	Owner   string       `json:"owner"`   // the claim's owner by name
	Session *string      `json:"session"` // null: none owns the znode
	Czxid   int64        `json:"czxid"`   // 0: the znode is not there yet
	Does    string       `json:"does"`    // the operation in ZooKeeper's terms
	OnlyIf  []string     `json:"onlyIf"`  // all have to be so, or nothing is done
	Then    []string     `json:"then"`    // what is predicted to follow
	Mind    []string     `json:"mind"`    // what the operator has to know
	Risk    string       `json:"risk"`    // low, elevated or high
}

// dryRun is the outcome of a plan that is only shown.
const dryRun = "dry-run"

func detailsOf(p actions.Plan) *planDetails {
	d := &planDetails{Title: p.Title, Recipe: say.Valid(p.Recipe), Kind: say.OrNil(p.Kind), Owner: say.Valid(p.Name), Czxid: int64(p.Target.Czxid), Does: p.Step(),
		OnlyIf: listed(p.Guards), Then: listed(p.Outcome), Mind: listed(p.Warnings), Risk: p.Risk.String()}
	if p.Target.Owner != 0 {
		d.Session = world.TextOrNil(p.Target.Owner.String())
	}
	return d
}

// listed is a list that JSON shows as one, also where it is empty.
func listed(lines []string) []string { return append([]string{}, lines...) }

// json reports whether a change is printed as JSON.
func (c *change) json() bool { return c.Flags.Output == "json" }

// tell says what happened: at once, or in JSON at the end, where the last word counts.
func (c *change) tell(text string) {
	if c.told = text; !c.json() {
		fmt.Fprintln(c.Out, text)
	}
}

// report prints how a change ended, as one line of JSON. An error of the command line or the connection has none.
func (c *change) report(err error) error {
	if !c.json() {
		return err
	}
	r := PlanReport{Schema: 1, Path: say.Valid(c.at.Path), Verb: c.verb, Outcome: string(c.outcome), Text: c.told}
	if c.planned != nil {
		r.Plan = detailsOf(*c.planned)
	}
	switch n := world.Code(err); {
	case err == nil:
	case c.outcome == "" && n != world.ExitRefused && n != world.ExitNotFound:
		return err
	default:
		r.Text = say.Printable(world.OneLine(err.Error()))
	}
	if r.Outcome == "" {
		r.Outcome = say.Either(err == nil, dryRun, string(actions.Refused))
	}
	line, broken := say.MarshalSafe(r)
	if broken != nil {
		return broken
	}
	if _, lost := fmt.Fprintf(c.Out, "%s\n", line); err == nil {
		err = lost
	}
	return err
}
