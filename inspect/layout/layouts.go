package layout

import (
	"slices"
	"strings"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Layout is one way of spelling a participant in a recipe as the name of a child: a row of the table
// that Layouts returns.
type Layout struct {
	ID      string  // stable, for reports and documentation
	Dialect Dialect // whose layout it is
	Kind    Kind    // what it is when nothing else decides
	Also    Kind    // what else is spelled exactly so; empty: nothing
	Guard   Guard   // the guards that may stand before the word, or-ed
	Word    string  // see Name
	Mode    Mode    // how such a claim excludes others; empty: exclusive
	Order   Order   // how its library compares two of them
	Tie     Tie     // how it tells two of the same number
	Revoke  string  // the word its holders can be asked with; empty: none
	Watch   Watch   // what a waiter of it watches
	Sure    float64 // how distinctive the name is, 0..1
	Data    string  // the data that tells it from other rows of the spelling; empty: any
	Within  string  // the same, for a part of the data
	Content Content // the same, for what sort of data it is
	In      string  // a component that the path must hold; a final * stands for any ending; empty: none
	Noise   string  // data that is no participant's name although every participant writes it
	Durable bool    // such claims are persistent by design
	Form    string  // the name in full, with the marks of forms.go; optional unless the guard stands behind the word
	Written bool    // clients of ours write such names, as Form says
	Open    bool    // of names without a number: any other name is one, too
	Kept    bool    // its clients expect the directory to stay when it is empty
	Store   *Store  // of a queue: how it is laid out; nil: the items are its children, marks of work stand beside it
	About   string  // what is spelled so, as a phrase
}

// Store is how the clients of a queue lay it out.
type Store struct {
	Items  string // the child of the queue that holds the items; empty: the queue itself does
	Marks  string // the child that holds the marks of those in work; empty: they stand beside the queue
	Framed bool   // the data of an item is framed as Curator's is
	Usual  int64  // the priority of items that are put without one
}

// Content says what sort of data tells rows of one spelling apart.
type Content uint8

const (
	AnyContent     Content = iota // whatever it is
	NoContent                     // no data
	AddressContent                // an IP address or host:port, or Twitter's word for an unknown one
	JSONContent                   // a JSON object
)

// has reports whether data is of the sort.
func (c Content) has(data []byte) bool {
	switch c {
	case NoContent:
		return len(data) == 0
	case AddressContent:
		return IsAddress(string(data)) || string(data) == "<unknown>" || HasPort(data) && say.Plain(string(data))
	case JSONContent:
		return len(data) > 0 && data[0] == '{'
	}
	return true
}

// InLine reports whether the row's claims stand in line, as those of locks and elections do.
func (l *Layout) InLine() bool { return l.Kind.InLine() }

// fits reports whether a znode of the row's spelling has the data and the place that the row asks for.
func (l *Layout) fits(path string, data []byte) bool {
	return (l.Data == "" || string(data) == l.Data) && (l.Within == "" || strings.Contains(string(data), l.Within)) &&
		l.Content.has(data) && (l.In == "" || hasComponent(path, l.In))
}

// hasComponent reports whether one component of a path is the given one, whose final * stands for any
// ending.
func hasComponent(path, want string) bool {
	prefix, open := strings.CutSuffix(want, "*")
	for path != "" && path != "/" {
		var name string
		path, name = znode.Split(path)
		if name == want || open && strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// Watch says what a waiting client watches, which decides whether a wait can be proved: servers list
// watches on data and existence, never those on children.
type Watch uint8

const (
	WatchesAhead  Watch = iota // the nearest claim ahead that excludes it
	WatchesWriter              // the same; but a reader watches the first writer of the line
	WatchesParent              // the children of the directory: never visible
	WatchesLast                // the nearest ahead; but older releases have a reader watch the last writer, also one behind it
)

// RevokeUnlock is what the recipe documents have a revoker write to a holder's znode; zktools and this
// program's own clients listen for it as well.
const RevokeUnlock = "unlock"

// RevokeCurator is what Curator's Revoker writes to a holder's znode.
const RevokeCurator = "__REVOKE__"

// foreignWords are words of recipes that no row claims: a sequential child that carries one is not taken
// for a lock of unknown spelling. The ten digits of urL are the id of a BookKeeper ledger.
var foreignWords = []string{"qnr-", "vector_", "urL"}

// shapes finds the rows of a word. A word without rows is one of foreignWords.
var shapes = indexShapes()

func indexShapes() map[string][]*Layout {
	byWord := make(map[string][]*Layout)
	for i := range layouts {
		byWord[layouts[i].Word] = append(byWord[layouts[i].Word], &layouts[i])
	}
	for _, w := range foreignWords {
		byWord[w] = nil
	}
	return byWord
}

// fits reports whether some row of a known word accepts the guard. The words of other recipes accept any.
func fits(rows []*Layout, g Guard) bool {
	for _, l := range rows {
		if l.Guard&g != 0 {
			return true
		}
	}
	return len(rows) == 0
}

// SpelledWith returns the rows of a word, which are not to be modified; none of a word that no row claims.
func SpelledWith(word string) []*Layout { return shapes[word] }

// Layouts returns the table of known names, a copy: those with a word, those that are a number, those that are an id.
func Layouts() []Layout { return slices.Concat(layouts, bareLayouts, idLayouts) }

// OfNumber returns the row that an ephemeral znode belongs to whose name has a number and no known word, or nil.
func OfNumber(p *Name, data []byte, path string) *Layout {
	stem := p.Text[:len(p.Text)-len(p.SeqText())]
	for i := range bareLayouts {
		l := &bareLayouts[i]
		if (l.Guard == TextGuard) == (len(stem) > 1 && stem[len(stem)-1] == '-') && l.fits(path, data) {
			return l
		}
	}
	return nil
}

// Of returns the row that a name, its znode's data and its directory's path fit, or nil.
func Of(n *Name, data []byte, path string) *Layout {
	if !n.HasSeq || n.Word == "" {
		return nil
	}
	for _, l := range shapes[n.Word] {
		if l.Guard&n.Guard == 0 || !l.fits(path, data) {
			continue
		}
		return l
	}
	return nil
}
