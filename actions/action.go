// Package actions is how zkscope changes something in an ensemble, and the only way: every verb is an
// Offer, which carries a Plan, which a person confirms, which an Actor applies.
//
// Offers and plans are pure values, computed from a decoded snapshot; they do no I/O. Applying re-reads
// the target first and changes nothing when it is no longer what the operator saw.
//
// # Concurrency
//
// Offers, plans and results are plain values. An Actor may be used from several goroutines.
package actions

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Verb is what a plan does.
type Verb string

// The verbs.
const (
	VerbRevoke  Verb = "revoke"  // ask a holder to let go by writing the word that it listens for
	VerbBreak   Verb = "break"   // delete one claim; its owner is not told
	VerbRestore Verb = "restore" // write back the data that a revoke overwrote
	VerbOpen    Verb = "open"    // delete a barrier's znode: everybody passes
	VerbClose   Verb = "close"   // make a barrier's znode
	VerbVote    Verb = "vote"    // write the vote of a site that has not voted
	VerbAbort   Verb = "abort"   // the same, abort, to end a transaction
	VerbSkip    Verb = "skip"    // delete an item of a queue
	VerbRequeue Verb = "requeue" // put an item at the end of its queue, or back where a dead consumer took it
	VerbClean   Verb = "clean"   // delete what a recipe left behind
	VerbSet     Verb = "set"     // write a value
)

// Op is what a plan does to its target.
type Op uint8

// The operations. Each is one request: it happens as a whole, or not at all.
const (
	Write  Op = iota // write NewData
	Remove           // delete it; never more than the one znode
	Make             // make it, with NewData and the rights that Config.ACL says, else those of its parent
	Move             // make a znode with its data and rights at the end of the line, and delete it
)

// Risk decides how a plan is to be confirmed.
type Risk uint8

const (
	Low      Risk = iota + 1 // reversible, or nobody notices: one confirmation
	Elevated                 // someone is affected: one confirmation, Cancel is the default
	High                     // two may act at once, or nothing brings it back: the name must be typed
)

// String returns low, elevated or high.
func (r Risk) String() string {
	switch r {
	case Low:
		return "low"
	case Elevated:
		return "elevated"
	case High:
		return "high"
	}
	return "unknown"
}

// Offer is one thing that an operator could do to a claim. Disabled says in one line why it cannot be
// done; it has a plan only when Disabled is empty.
type Offer struct {
	Verb     Verb
	Key      string // the key that suggests itself
	Label    string // two or three words
	Asks     string // what has to be typed before there is a plan; empty: nothing
	Disabled string

	plan func() Plan
}

// Plan works out what the offer would do and what would follow, anew with every call: it simulates the change, which
// takes as long as decoding the recipe does. Of an offer that is Disabled it is the zero Plan. It is pure.
func (o Offer) Plan() Plan {
	if o.plan == nil {
		return Plan{}
	}
	return o.plan()
}

// Target pins the znode that a plan is about, as the operator saw it. A znode that was deleted and made
// again has another czxid; one that was written since has another version.
type Target struct {
	Path    string
	Czxid   znode.Zxid
	Owner   znode.SessionID
	Version int32
}

// Plan is everything about one change: what will be done, on which conditions, to whom, and what is
// expected to come of it. It is immutable, but for Reason, which whoever confirms may fill in.
type Plan struct {
	Verb   Verb
	Title  string // one line
	Recipe string // path of the recipe
	Kind   layout.Kind
	Name   string // the claim's owner
	Target Target

	Op      Op
	NewData []byte // what is written; nil for a delete
	Prefix  string // of a Move: the path before the new sequence number
	OldData []byte // what the target held when the plan was made
	Unread  bool   // that is more than was kept: it is read again, and kept, before anything is done

	Guards   []string // the conditions under which it is done, one line each
	Warnings []string // what the operator has to know, one line each
	Outcome  []string // what is predicted to follow, one line each
	Risk     Risk
	Confirm  string // what has to be typed; empty unless Risk is High

	// Reason is why it is done, in the operator's own words, for the audit log. Optional. Offers leave it empty.
	Reason string

	still map[string]string // of lines in which a time runs, what they say but for that
}

// Says reports whether another plan says the same as this one, but for times that run: a countdown, an age.
func (p Plan) Says(o Plan) bool {
	line := func(a, b string) bool { return p.steady(a) == o.steady(b) }
	return p.Verb == o.Verb && p.Target == o.Target && p.Step() == o.Step() &&
		p.Risk == o.Risk && p.Confirm == o.Confirm &&
		slices.EqualFunc(p.Outcome, o.Outcome, line) && slices.EqualFunc(p.Warnings, o.Warnings, line) &&
		slices.Equal(p.Guards, o.Guards)
}

// runs notes that a time runs in a line of the plan, and what it says but for that.
func (p *Plan) runs(line, still string) {
	if p.still == nil {
		p.still = map[string]string{}
	}
	p.still[line] = still
}

func (p Plan) steady(line string) string {
	if still, runs := p.still[line]; runs {
		return still
	}
	return line
}

// Deed is what the plan does, in a few words: its title without the place.
func (p Plan) Deed() string {
	for _, at := range []string{p.Recipe, p.Target.Path} {
		for _, in := range []string{" on ", " of ", " in ", " "} {
			if short, found := strings.CutSuffix(p.Title, in+say.Printable(at)); found {
				return short
			}
		}
	}
	return p.Title
}

// Brief says how much is changed, and that it is changed only where it is still what it was, in a line.
func (p Plan) Brief() string {
	does := map[Op]string{Remove: "deletes 1 znode", Make: "creates 1 znode", Move: "moves 1 znode"}[p.Op]
	if does == "" {
		does = "writes 1 znode"
	}
	return "how: " + does + ", only if it is still the one that you see"
}

// Deletes reports whether the plan removes its target.
func (p Plan) Deletes() bool { return p.Op == Remove || p.Op == Move }

// Step says the exact operation in ZooKeeper's terms, in one line.
func (p Plan) Step() string {
	version := itoa(int64(p.Target.Version))
	switch p.Op {
	case Remove:
		return "delete " + say.Printable(p.Target.Path) + " if version is " + version
	case Make:
		return "create " + say.Printable(p.Target.Path) + " = " + quote(p.NewData) + ", persistent, with the rights of its parent"
	case Move:
		return "in one step: create " + say.Printable(p.Prefix) + "… sequential with the same data and rights, and delete " +
			say.Printable(p.Target.Path) + " if version is " + version
	}
	return "setData " + say.Printable(p.Target.Path) + " = " + quote(p.NewData) + " if version is " + version
}

// Seen reports whether a snapshot shows the plan's effect: the target is gone or is another znode, it is there,
// or it carries what was written.
func (p Plan) Seen(s *znode.Snapshot) bool {
	n := s.At(p.Target.Path)
	switch {
	case p.Op == Make:
		return n != nil
	case n == nil || n.Czxid != p.Target.Czxid:
		return true
	}
	return p.Op == Write && n.Version > p.Target.Version
}

// Stale says why a plan no longer fits a snapshot, in one line; empty while it does.
func (p Plan) Stale(s *znode.Snapshot) string {
	n, t := s.At(p.Target.Path), p.Target
	switch {
	case !s.LostSince.IsZero():
		return "the connection is lost: close this and look again"
	case p.Op == Make && n != nil:
		return "the znode is there now: nothing is left to do"
	case p.Op == Make:
		return ""
	case n == nil:
		return "the znode is gone: nothing is left to do"
	case n.Czxid != t.Czxid || n.Owner != t.Owner:
		return "it is another znode now, " + anew(n.Ctime, n.Owner) + ": close this and look again"
	case n.Version != t.Version:
		return "its data has changed: close this and look again"
	}
	return ""
}

// anew says when and by whom a znode was made that is not the one that was seen before.
func anew(ctime znode.Millis, owner znode.SessionID) string {
	by := " by session " + owner.String()
	if owner == 0 {
		by = ", persistent"
	}
	return "created again at " + ctime.Time().UTC().Format("15:04:05Z") + by
}

// did says of each verb what was done, with the name of its target.
var did = map[Verb]string{
	VerbRevoke:  "asked %s to let go",
	VerbBreak:   "broke the claim of %s",
	VerbRestore: "restored the data of %s",
	VerbOpen:    "opened the barrier %s",
	VerbClose:   "closed the barrier %s",
	VerbAbort:   "voted for %s",
	VerbSkip:    "skipped the item %s",
	VerbRequeue: "put the item %s back",
	VerbClean:   "cleaned up %s",
	VerbSet:     "set %s",
}

func (p Plan) did() string {
	if p.Verb == VerbVote {
		return "voted " + string(p.NewData) + " for " + say.Printable(p.Name) + " in " + say.Printable(p.Recipe)
	}
	return fmt.Sprintf(did[p.Verb], say.Printable(p.Name))
}

// Progress says, for a plan that was applied at the time given, where it stands in a snapshot: in words,
// and whether there is nothing more to wait for. A revoke is a request: it is done only when the claim is
// gone, or when somebody wrote other data.
func (p Plan) Progress(s *znode.Snapshot, applied, now time.Time) (text string, done bool) {
	name := say.Printable(p.Name)
	if !p.Seen(s) {
		return "applied, waiting to see it", false
	}
	n := s.At(p.Target.Path)
	gone := n == nil || n.Czxid != p.Target.Czxid
	switch {
	case p.Verb != VerbRevoke && (p.Op != Write || !gone):
		return p.did(), true
	case n != nil && gone:
		return name + " let go after " + say.Age(now.Sub(applied)) + "; another znode is there now, " + anew(n.Ctime, n.Owner), true
	case gone:
		return name + " let go after " + say.Age(now.Sub(applied)), true
	case string(n.Data) != string(p.NewData):
		return name + ": the request was overwritten", true
	}
	return "asked " + name + " to let go: still held for " + say.Age(now.Sub(applied)), false
}

// Outcome is how an attempt ended.
type Outcome string

// The outcomes.
const (
	Done    Outcome = "done"    // the server confirmed it, or a re-read shows it
	Nothing Outcome = "nothing" // a guard failed: nothing was changed
	Refused Outcome = "refused" // the server, the connection or the audit log refused: nothing was changed
	Unknown Outcome = "unknown" // the connection was lost and the outcome could not be read
)

// Result is how applying a plan ended. Text is one complete line.
type Result struct {
	Plan    Plan
	Outcome Outcome
	Text    string
	At      time.Time
	Err     error // the cause, for Refused and Unknown

	// Unlogged is why the outcome is not in the audit log, which holds the intent alone then; nil: it is there.
	Unlogged error
}
