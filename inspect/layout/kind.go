package layout

import (
	"slices"
	"strings"
)

// Kind is what a recipe is for. The words are those of the JSON output.
type Kind string

// The kinds.
const (
	Lock          Kind = "lock"          // one holds, the others stand in line
	SharedLock    Kind = "sharedlock"    // many read or one writes
	Semaphore     Kind = "semaphore"     // up to a limit hold a lease
	Election      Kind = "election"      // one leads, the others stand by
	Barrier       Kind = "barrier"       // its znode stands: wait
	DoubleBarrier Kind = "doublebarrier" // all enter together and leave together
	Queue         Kind = "queue"         // items, first in first out
	PriorityQueue Kind = "priorityqueue" // items by priority
	DelayQueue    Kind = "delayqueue"    // items that fall due
	TwoPhase      Kind = "twophase"      // sites vote on a transaction
	Membership    Kind = "membership"    // who is there, in words a group
	Service       Kind = "service"       // instances that can be called
	Config        Kind = "config"        // one znode with a value
	Rendezvous    Kind = "rendezvous"    // one znode that is filled once
	Counter       Kind = "counter"       // one znode with a number
	Lease         Kind = "lease"         // held until a moment that is in its data
)

// KindRow is what is true of a kind in every layer. Whoever wants to know asks the kind: see the methods of [Kind].
type KindRow struct {
	Kind  Kind
	Words string // what people call it
	Lost  string // how it is told that a place in it was lost, or changed hands, time and again; empty: it is not

	InLine     bool // its claims stand in line, one behind the other
	Waits      bool // its claims are held and waited for, in a line of its own or beside it
	Leads      bool // whoever is first leads
	Alone      bool // one ephemeral znode can be the whole recipe, and leaves an empty directory behind
	Modes      bool // claims read or write
	Pool       bool // several hold together by design
	Limited    bool // a hint may say how many hold together
	Items      bool // its claims are items, and stand until somebody takes them
	ByPriority bool // items are served by a priority of their own
	FallDue    bool // each item has a moment before which it is not taken
	Members    bool // its claims are sessions that are there
	Serves     bool // they are instances that can be called
	Together   bool // its members come together and leave together
	Votes      bool // its claims are sites with a vote
	Opaque     bool // it is one znode, which only a word, a place or a hint tells
	Gate       bool // whoever comes waits while it stands
	Filled     bool // whoever comes waits until it has a value
	Number     bool // its value is a number
	Ends       bool // a claim ends at a moment, whoever lives
	ToldByWord bool // a word in the path may make a directory one that has nothing else to show for it
}

// kinds is the table of kinds, in the order in which they are listed.
var kinds = [...]KindRow{
	{Kind: Lock, Words: "lock", Lost: "the lock was lost with its holder's session",
		InLine: true, Waits: true, Alone: true, Limited: true},
	{Kind: SharedLock, Words: "shared lock", Lost: "the lock was lost with a holder's session",
		InLine: true, Waits: true, Modes: true},
	{Kind: Semaphore, Words: "semaphore", Lost: "a lease was lost with its holder's session",
		Waits: true, Pool: true, Limited: true},
	{Kind: Election, Words: "election", Lost: "leadership changed",
		InLine: true, Waits: true, Leads: true, Alone: true},
	{Kind: Barrier, Words: "barrier", Opaque: true, Gate: true, ToldByWord: true},
	{Kind: DoubleBarrier, Words: "double barrier", Lost: "a member was lost with its session",
		Together: true, ToldByWord: true},
	{Kind: Queue, Words: "queue", Items: true},
	{Kind: PriorityQueue, Words: "priority queue", Items: true, ByPriority: true},
	{Kind: DelayQueue, Words: "delay queue", Items: true, FallDue: true},
	{Kind: TwoPhase, Words: "two-phase commit", Votes: true, ToldByWord: true},
	{Kind: Membership, Words: "group", Lost: "a member was lost with its session", Members: true},
	{Kind: Service, Words: "service", Lost: "an instance was lost with its session", Members: true, Serves: true, ToldByWord: true},
	{Kind: Config, Words: "configuration", Opaque: true},
	{Kind: Rendezvous, Words: "rendezvous", Opaque: true, Filled: true},
	{Kind: Counter, Words: "counter", Opaque: true, Number: true},
	{Kind: Lease, Words: "lease", Ends: true, ToldByWord: true},
}

// Kinds returns every kind, in the order in which they are listed: a copy.
func Kinds() []Kind { return kindsThat(func(*KindRow) bool { return true }) }

// kindsThat are the kinds of which something is true. There are few of each, and many questions: a short list is looked
// through faster than the table.
func kindsThat(is func(*KindRow) bool) (out []Kind) {
	for i := range kinds {
		if is(&kinds[i]) {
			out = append(out, kinds[i].Kind)
		}
	}
	return out
}

// row is the kind's; of what is no kind an empty one.
func (k Kind) row() *KindRow {
	for i := range kinds {
		if kinds[i].Kind == k {
			return &kinds[i]
		}
	}
	return &noKind
}

var noKind KindRow

// What is asked for each child of a directory.
var (
	kindsInLine = kindsThat(func(r *KindRow) bool { return r.InLine })
	kindsItems  = kindsThat(func(r *KindRow) bool { return r.Items })
	kindsWait   = kindsThat(func(r *KindRow) bool { return r.Waits })
	kindsLead   = kindsThat(func(r *KindRow) bool { return r.Leads })
	kindsAlone  = kindsThat(func(r *KindRow) bool { return r.Alone })
	kindsOpaque = kindsThat(func(r *KindRow) bool { return r.Opaque })
)

// InLine reports whether the claims of the kind stand in line, as those of locks and elections do.
func (k Kind) InLine() bool { return slices.Contains(kindsInLine, k) }

// Waits reports whether the claims of the kind are held and waited for.
func (k Kind) Waits() bool { return slices.Contains(kindsWait, k) }

// Leads reports whether whoever is first leads.
func (k Kind) Leads() bool { return slices.Contains(kindsLead, k) }

// Alone reports whether one ephemeral znode can be the whole recipe.
func (k Kind) Alone() bool { return slices.Contains(kindsAlone, k) }

// Modes reports whether claims read or write.
func (k Kind) Modes() bool { return k.row().Modes }

// Pool reports whether several hold together by design.
func (k Kind) Pool() bool { return k.row().Pool }

// Limited reports whether a hint may say how many hold together.
func (k Kind) Limited() bool { return k.row().Limited }

// Items reports whether the claims of the kind are the items of a queue.
func (k Kind) Items() bool { return slices.Contains(kindsItems, k) }

// ByPriority reports whether items are served by a priority of their own.
func (k Kind) ByPriority() bool { return k.row().ByPriority }

// FallDue reports whether each item has a moment before which it is not taken.
func (k Kind) FallDue() bool { return k.row().FallDue }

// Members reports whether the claims of the kind are sessions that are there, and may go when they like.
func (k Kind) Members() bool { return k.row().Members }

// Serves reports whether the members are instances that can be called.
func (k Kind) Serves() bool { return k.row().Serves }

// Together reports whether members come together and leave together.
func (k Kind) Together() bool { return k.row().Together }

// Votes reports whether the claims of the kind are sites with a vote.
func (k Kind) Votes() bool { return k.row().Votes }

// Opaque reports whether a recipe of the kind is one znode, which only a word, a place or a hint tells.
func (k Kind) Opaque() bool { return slices.Contains(kindsOpaque, k) }

// Gate reports whether whoever comes waits while the recipe's znode stands.
func (k Kind) Gate() bool { return k.row().Gate }

// Filled reports whether whoever comes waits until the recipe has a value.
func (k Kind) Filled() bool { return k.row().Filled }

// Number reports whether the value of the recipe is a number.
func (k Kind) Number() bool { return k.row().Number }

// Ends reports whether a claim of the kind ends at a moment, whoever lives.
func (k Kind) Ends() bool { return k.row().Ends }

// ToldByWord reports whether a word in the path may make a directory one that has nothing else to show for it.
func (k Kind) ToldByWord() bool { return k.row().ToldByWord }

// Lost returns how it is told that a place was lost, or changed hands, time and again; empty: it is not told of the kind.
func (k Kind) Lost() string { return k.row().Lost }

// Words returns what people call a kind, as in "the double barrier": texts use it, and JSON keeps the code.
func (k Kind) Words() string {
	if w := k.row().Words; w != "" {
		return w
	}
	return string(k)
}

// OneOf returns the same with its article, as in "an election".
func (k Kind) OneOf() string {
	word := k.Words()
	if word != "" && strings.ContainsRune("aeiou", rune(word[0])) {
		return "an " + word
	}
	return "a " + word
}

// Mode is how a claim on a lock excludes others.
type Mode string

// The modes.
const (
	Exclusive Mode = "exclusive" // nobody else may hold
	Read      Mode = "read"      // other readers may
	Write     Mode = "write"     // as Exclusive, where there are readers
)
