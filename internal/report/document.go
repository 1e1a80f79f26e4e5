// Package report makes a document for an incident of what histories tell: one page of HTML that needs nothing else, or
// Markdown for a ticket.
//
// It reads no file and asks nobody. Every foreign string passes the one escaping function and then that of the format; the
// page holds no script and names nothing outside of itself.
//
// # Concurrency
//
// Everything is plain values.
package report

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/chronicle"
)

// Source is what the histories were read from, and what it covers.
type Source struct {
	Name       string
	Begin, End time.Time // of what is told of
	Members    []Member
	Epochs     []Epoch
	Holes      []chronicle.Span // of which nothing is known
	Notes      []string         // what the files lack
	Chosen     string           // how the recipes were chosen; empty: they were asked for

	Audit     []Act  // what operators did, as an audit log tells
	AuditNote string // which log, and what of it is told; empty: none was given
}

// Act is something that an operator did, by the clock of the machine where it was done.
type Act struct {
	At         time.Time
	User, What string
}

// Member is what the files of one server cover, or one recording.
type Member struct {
	Name        string
	Records     int64
	First, Last string // zxids; empty: they are not told
	Begin, End  time.Time
	Epochs      int
	Holes       int
}

// Epoch is a change of the leader of the ensemble.
type Epoch struct {
	Number int64
	Zxid   string
	At     time.Time
}

// Document is a report, ready to be written.
type Document struct {
	Title    string
	Made     string
	Sections []Section
}

// Section is one part of a report.
type Section struct {
	Title  string
	Lines  []string
	Chart  *Chart
	Tables []Table
}

// Table is rows of text.
type Table struct {
	Title string
	Note  string
	Head  []string
	Rows  [][]string
	None  string // what is said where there are no rows
}

// Of makes the document of what became of some recipes.
func Of(src Source, recipes []*chronicle.Chronicle, now time.Time) *Document {
	d := &Document{Title: "What happened: " + chronicle.Clock(src.Begin) + " to " + chronicle.Clock(src.End), Made: chronicle.Clock(now)}
	d.Sections = append(d.Sections, coverage(src, recipes))
	for _, c := range recipes {
		d.Sections = append(d.Sections, recipe(src, c, recipes))
	}
	if src.AuditNote != "" {
		d.Sections = append(d.Sections, done(src))
	}
	d.Sections = append(d.Sections, limits(src))
	return d
}

func coverage(src Source, recipes []*chronicle.Chronicle) Section {
	s := Section{Title: "What is covered", Lines: []string{"What is not covered here cannot be found. All times are UTC."}}
	t := Table{Title: "Sources", Head: []string{"Source", "Records", "First zxid", "Last zxid", "From", "To", "Epochs", "Holes"}, None: "There is no source."}
	for _, m := range src.Members {
		t.Rows = append(t.Rows, []string{m.Name, fmt.Sprint(m.Records), orDash(m.First), orDash(m.Last), stamp(m.Begin), stamp(m.End), fmt.Sprint(m.Epochs), fmt.Sprint(m.Holes)})
	}
	s.Tables = append(s.Tables, t)
	notes := Table{Title: "What the sources lack", Head: []string{"Note"}, None: "No hole, no unclean end and no clock that goes back was found in them."}
	for _, n := range src.Notes {
		notes.Rows = append(notes.Rows, []string{n})
	}
	s.Tables = append(s.Tables, notes)
	if len(src.Epochs) > 0 {
		t := Table{Title: "Epochs of the ensemble", Head: []string{"Epoch", "First zxid", "At"}}
		for _, e := range src.Epochs {
			t.Rows = append(t.Rows, []string{fmt.Sprint(e.Number), e.Zxid, stamp(e.At)})
		}
		s.Tables = append(s.Tables, t)
	}
	if src.Chosen != "" {
		s.Lines = append(s.Lines, src.Chosen)
	}
	if len(recipes) == 0 {
		s.Lines = append(s.Lines, "Nothing found: no recipe whose claims wait stood in what is covered.")
		return s
	}
	t = Table{Title: "Recipes in this report", Head: []string{"Path", "Kind", "Claims", "Waited in all", "Changes", "Lost"}}
	for _, c := range recipes {
		lost := 0
		for _, o := range c.Owners() {
			lost += o.Lost
		}
		t.Rows = append(t.Rows, []string{c.Path, kindText(c), fmt.Sprint(len(c.Stays)), chronicle.Exactly(Waited(c)), fmt.Sprint(c.Changes()), fmt.Sprint(lost)})
	}
	s.Tables = append(s.Tables, t)
	return s
}

func kindText(c *chronicle.Chronicle) string {
	if c.Kind == "" {
		return "no recipe found in what is covered"
	}
	return string(c.Kind)
}

// Waited is for how long all claims of a recipe waited, added up; those of which it is not known count in it with the least.
func Waited(c *chronicle.Chronicle) (sum time.Duration) {
	for _, s := range c.Stays {
		sum += s.Waited(c.End)
	}
	return sum
}

func recipe(src Source, c *chronicle.Chronicle, all []*chronicle.Chronicle) Section {
	s := Section{Title: c.Path}
	if c.Kind == "" {
		s.Lines = []string{"No recipe stood here between " + stamp(c.Begin) + " and " + stamp(c.End) + ", as far as that is covered."}
		return s
	}
	s.Lines = append(s.Lines, fmt.Sprintf("%s, %s to %s", c.Kind, stamp(c.Begin), stamp(c.End)), c.Holds().Text("held"), c.Waits().Text("waited"))
	if n := c.Doubts(); n > 0 {
		s.Lines = append(s.Lines, chronicle.DoubtsText(n))
	}
	if text := c.TogetherText(); text != "" {
		s.Lines = append(s.Lines, text)
	}
	s.Chart = chartOf(src, c)
	s.Tables = []Table{findingTable(c), worstTable(c, all), claimTable(c), ownerTable(c), nobodyTable(c), pairTable(c)}
	return s
}

// done is what operators did.
func done(src Source) Section {
	t := Table{Title: "Acts", Head: []string{"At", "User", "What"}, None: "Nothing was done from there in this time."}
	for _, a := range src.Audit {
		t.Rows = append(t.Rows, []string{stamp(a.At), a.User, a.What})
	}
	return Section{Title: "What was done by operators", Lines: []string{src.AuditNote}, Tables: []Table{t.first(500, "acts")}}
}

// findingTable tells what was found, what hurts most first.
func findingTable(c *chronicle.Chronicle) Table {
	t := Table{Title: "Findings", Head: []string{"Severity", "Finding", "Began", "Ended", "What", "Seen in record", "Gone in record"}, None: "Nothing was found when the recipe changed.",
		Note: "As seen whenever the recipe changed, by its own znodes and sessions: what spans recipes, as a deadlock does, is not among them."}
	found := slices.Clone(c.Findings)
	slices.SortStableFunc(found, func(a, b *chronicle.Found) int { return cmp.Compare(b.Severity, a.Severity) })
	for _, f := range found {
		ended := "still there"
		if !f.Ended.At.IsZero() {
			ended = f.Ended.Text()
		}
		t.Rows = append(t.Rows, []string{f.Severity.String(), f.Code, f.Began.Text(), ended, f.Text, record(f.Began), record(f.Ended)})
	}
	if n := c.MoreFound; n > 0 {
		t.Note += " " + say.Plural(n, "more finding of low severity is", "more findings of low severity are") + " not told."
	}
	return t.first(200, "findings")
}

// claimsMost is how many claims a table tells one by one.
const claimsMost = 1000

func claimTable(c *chronicle.Chronicle) Table {
	t := Table{Title: "Claims", Head: []string{"Came", "Owner", "Session", "Place", "Waited", "Held at", "For", "Went", "How", "Record"}, None: "There was no claim."}
	stays := c.Stays
	if len(stays) > claimsMost {
		stays = notable(c)
		t.Note = fmt.Sprintf("%d of %d claims: those that were lost first, then those that waited and held longest. zkscope history prints them all.", len(stays), len(c.Stays))
	}
	for _, s := range stays {
		t.Rows = append(t.Rows, []string{s.CameText(), s.Owner, chronicle.SessionText(s.Session), s.PlaceText(), s.WaitedText(c.End), s.Held.Text(),
			s.HeldText(c.End), s.Left.Text(), s.HowText(), record(s.Left)})
	}
	return t
}

// record is where what led to a moment is recorded.
func record(m chronicle.Moment) string {
	if c := m.By(); c.File != "" {
		return fmt.Sprintf("0x%x, %s:%d", int64(c.Zxid), c.File, c.Offset)
	}
	return "-"
}

// notable are the claims to tell where there are too many, in the order in which they came.
func notable(c *chronicle.Chronicle) []*chronicle.Stay {
	out := slices.Clone(c.Stays)
	lost := func(s *chronicle.Stay) int {
		if s.How == chronicle.Expired || s.How == chronicle.Broken {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(out, func(a, b *chronicle.Stay) int {
		return cmp.Or(cmp.Compare(lost(b), lost(a)), cmp.Compare(b.Waited(c.End)+b.HeldFor(c.End), a.Waited(c.End)+a.HeldFor(c.End)))
	})
	out = out[:claimsMost]
	slices.SortStableFunc(out, func(a, b *chronicle.Stay) int { return a.Came.At.Compare(b.Came.At) })
	return out
}

func ownerTable(c *chronicle.Chronicle) Table {
	t := Table{Title: "Totals by owner", Head: []string{"Owner", "Claims", "Held", "Times", "Waited", "Lost"}, None: "There was no owner."}
	for _, o := range c.Owners() {
		t.Rows = append(t.Rows, []string{o.Name, fmt.Sprint(o.Claims), o.HeldText(), fmt.Sprint(o.Times), chronicle.Exactly(o.Waited), fmt.Sprint(o.Lost)})
	}
	return t.first(500, "owners")
}

func nobodyTable(c *chronicle.Chronicle) Table {
	t := Table{Title: "Longest gaps with nobody", Head: []string{"From", "To", "For"}, None: "Somebody held whenever the recipe was there."}
	for _, s := range c.LongestNobody(10) {
		t.Rows = append(t.Rows, []string{stamp(s.From), stamp(s.To), chronicle.Exactly(s.To.Sub(s.From))})
	}
	if n := len(c.Nobody); n > len(t.Rows) {
		t.Note = fmt.Sprintf("The longest %d of %d.", len(t.Rows), n)
	}
	return t
}

func pairTable(c *chronicle.Chronicle) Table {
	t := Table{Title: "Who blocked whom", Head: []string{"Held", "Waited meanwhile", "Time waited", "Times", "Longest"}, None: "Nobody waited while another held.",
		Note: "For how long claims of one owner were held while claims of the other waited."}
	if n := c.Doubts(); n > 0 {
		t.Note += " " + chronicle.DoubtsText(n)
	}
	for _, p := range Pairs(c) {
		t.Rows = append(t.Rows, []string{p.Holder, p.Waiter, chronicle.Exactly(p.Sum), fmt.Sprint(p.Times), chronicle.Exactly(p.Longest)})
	}
	return t.first(100, "pairs")
}

// first leaves so many rows, and says so.
func (t Table) first(most int, what string) Table {
	if n := len(t.Rows); n > most {
		t.Rows = t.Rows[:most]
		t.Note += fmt.Sprintf(" The first %d of %d %s.", most, n, what)
	}
	return t
}

func limits(src Source) Section {
	return Section{Title: "Sources and their limits", Lines: []string{
		"Read from " + src.Name + ".",
		"That a znode was made, changed or deleted, when, and by which session, is recorded. Times are those of the server that led, when it took the request; after a change of leader another clock counts.",
		"Who held and who waited follows from the recipe's order: files know no watches. Whether a waiter would have woken is not known.",
		"A claim was released by its own session; closed, with its session, by its client; expired where the server ended the session (an administrator can do that too, and it looks the same); broken where another session deleted it. A recording does not tell how a claim went.",
		"When a client that expired was heard last is a range, since pings are not logged.",
		"The last transactions of one member may not have been committed by the ensemble.",
		"A time with <= is at most that, one with >= at least that; between two times means that nobody saw when.",
	}}
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return chronicle.Clock(t)
}

func orDash(s string) string { return cmp.Or(s, "-") }

// safe is the one way in which text comes into a document.
func safe(s string) string { return say.Printable(s) }
