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

// kindRow is what is true of a kind in every layer. Whoever wants to know asks the kind: see the methods of [Kind].
type kindRow struct {
	kind  Kind
	words string // what people call it
	lost  string // how it is told that a place in it was lost, or changed hands, time and again; empty: it is not

	instead Kind // whose spelling a dialect uses that has none for it; of a kind with readers and writers, for writers

	inLine     bool // its claims stand in line, one behind the other
	waits      bool // its claims are held and waited for, in a line of its own or beside it
	leads      bool // whoever is first leads
	alone      bool // one ephemeral znode can be the whole recipe, and leaves an empty directory behind
	modes      bool // claims read or write
	pool       bool // several hold together by design
	limited    bool // a hint may say how many hold together
	items      bool // its claims are items, and stand until somebody takes them
	byPriority bool // items are served by a priority of their own
	fallDue    bool // each item has a moment before which it is not taken
	members    bool // its claims are sessions that are there
	serves     bool // they are instances that can be called
	together   bool // its members come together and leave together
	votes      bool // its claims are sites with a vote
	opaque     bool // it is one znode, which only a word, a place or a hint tells
	gate       bool // whoever comes waits while it stands
	filled     bool // whoever comes waits until it has a value
	number     bool // its value is a number
	ends       bool // a claim ends at a moment, whoever lives
	toldByWord bool // a word in the path may make a directory one that has nothing else to show for it
}

// kinds is the table of kinds, in the order in which they are listed.
var kinds = [...]kindRow{
	{kind: Lock, words: "lock", lost: "the lock was lost with its holder's session",
		inLine: true, waits: true, alone: true, limited: true},
	{kind: SharedLock, words: "shared lock", lost: "the lock was lost with a holder's session", instead: Lock,
		inLine: true, waits: true, modes: true},
	{kind: Semaphore, words: "semaphore", lost: "a lease was lost with its holder's session",
		waits: true, pool: true, limited: true},
	{kind: Election, words: "election", lost: "leadership changed",
		inLine: true, waits: true, leads: true, alone: true},
	{kind: Barrier, words: "barrier", opaque: true, gate: true, toldByWord: true},
	{kind: DoubleBarrier, words: "double barrier", lost: "a member was lost with its session",
		together: true, toldByWord: true},
	{kind: Queue, words: "queue", instead: PriorityQueue, items: true},
	{kind: PriorityQueue, words: "priority queue", items: true, byPriority: true},
	{kind: DelayQueue, words: "delay queue", items: true, fallDue: true},
	{kind: TwoPhase, words: "two-phase commit", votes: true, toldByWord: true},
	{kind: Membership, words: "group", lost: "a member was lost with its session", members: true},
	{kind: Service, words: "service", lost: "an instance was lost with its session", members: true, serves: true,
		toldByWord: true},
	{kind: Config, words: "configuration", opaque: true},
	{kind: Rendezvous, words: "rendezvous", opaque: true, filled: true},
	{kind: Counter, words: "counter", opaque: true, number: true},
	{kind: Lease, words: "lease", ends: true, toldByWord: true},
}

// Kinds returns every kind, in the order in which they are listed: a copy.
func Kinds() []Kind { return kindsThat(func(*kindRow) bool { return true }) }

// KindNames lists what all kinds are called.
func KindNames() (out []string) {
	for _, k := range Kinds() {
		out = append(out, string(k))
	}
	return out
}

// kindsThat are the kinds of which something is true. There are few of each, and many questions: a short list is looked
// through faster than the table.
func kindsThat(is func(*kindRow) bool) (out []Kind) {
	for i := range kinds {
		if is(&kinds[i]) {
			out = append(out, kinds[i].kind)
		}
	}
	return out
}

// row is the kind's; of what is no kind an empty one.
func (k Kind) row() *kindRow {
	for i := range kinds {
		if kinds[i].kind == k {
			return &kinds[i]
		}
	}
	return &noKind
}

var noKind kindRow

// What is asked for each child of a directory.
var (
	kindsInLine = kindsThat(func(r *kindRow) bool { return r.inLine })
	kindsItems  = kindsThat(func(r *kindRow) bool { return r.items })
	kindsWait   = kindsThat(func(r *kindRow) bool { return r.waits })
	kindsLead   = kindsThat(func(r *kindRow) bool { return r.leads })
	kindsAlone  = kindsThat(func(r *kindRow) bool { return r.alone })
	kindsModes  = kindsThat(func(r *kindRow) bool { return r.modes })
	kindsOpaque = kindsThat(func(r *kindRow) bool { return r.opaque })
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
func (k Kind) Modes() bool { return k.row().modes }

// Pool reports whether several hold together by design.
func (k Kind) Pool() bool { return k.row().pool }

// Limited reports whether a hint may say how many hold together.
func (k Kind) Limited() bool { return k.row().limited }

// Items reports whether the claims of the kind are the items of a queue.
func (k Kind) Items() bool { return slices.Contains(kindsItems, k) }

// ByPriority reports whether items are served by a priority of their own.
func (k Kind) ByPriority() bool { return k.row().byPriority }

// FallDue reports whether each item has a moment before which it is not taken.
func (k Kind) FallDue() bool { return k.row().fallDue }

// Members reports whether the claims of the kind are sessions that are there, and may go when they like.
func (k Kind) Members() bool { return k.row().members }

// Serves reports whether the members are instances that can be called.
func (k Kind) Serves() bool { return k.row().serves }

// Together reports whether members come together and leave together.
func (k Kind) Together() bool { return k.row().together }

// Votes reports whether the claims of the kind are sites with a vote.
func (k Kind) Votes() bool { return k.row().votes }

// Opaque reports whether a recipe of the kind is one znode, which only a word, a place or a hint tells.
func (k Kind) Opaque() bool { return slices.Contains(kindsOpaque, k) }

// Gate reports whether whoever comes waits while the recipe's znode stands.
func (k Kind) Gate() bool { return k.row().gate }

// Filled reports whether whoever comes waits until the recipe has a value.
func (k Kind) Filled() bool { return k.row().filled }

// Number reports whether the value of the recipe is a number.
func (k Kind) Number() bool { return k.row().number }

// Ends reports whether a claim of the kind ends at a moment, whoever lives.
func (k Kind) Ends() bool { return k.row().ends }

// ToldByWord reports whether a word in the path may make a directory one that has nothing else to show for it.
func (k Kind) ToldByWord() bool { return k.row().toldByWord }

// Lost returns how it is told that a place was lost, or changed hands, time and again; empty: it is not
// told of the kind.
func (k Kind) Lost() string { return k.row().lost }

// Words returns what people call a kind, as in "the double barrier": texts use it, and JSON keeps the code.
func (k Kind) Words() string {
	if w := k.row().words; w != "" {
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
