package truth

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// goals are what the bench is run for.
const (
	goalRecall   = 0.99
	goalRight    = 0.999
	goalCoverage = 0.95
)

// WriteTable writes the results for people to read, beside those of an earlier state; before may be nil.
func (r *Results) WriteTable(w io.Writer, before *Results) {
	if before == nil {
		before = NewResults("")
	}
	fmt.Fprint(w, tableHead)
	fmt.Fprintf(w, "| | before | now |\n|---|---|---|\n")
	fmt.Fprintf(w, "| worlds of ten minutes | %d | %d |\n", before.Worlds, r.Worlds)
	fmt.Fprintf(w, "| seeds | %s | %s |\n", before.ranges(), r.ranges())
	fmt.Fprintf(w, "| seconds a world, on one core | %s | %s |\n", before.pace(), r.pace())
	fmt.Fprintf(w, "| digest of the code | `%s` | `%s` |\n\n", before.Code, r.Code)
	if before.Made != "" {
		fmt.Fprintf(w, "Before: %s.\n\n", before.Made)
	}
	r.goals(w, before)
	r.precisionTable(w, before)
	r.recallTable(w, before)
	r.betTable(w, before)
	fmt.Fprintf(w, "\n## Not judged\n\nFindings of these codes were published and are not judged here, because no part of the worlds is about them: %s.\n", r.unjudged())
}

const tableHead = `# What is said, and what is true

Written by ` + "`make truth`" + `; do not edit. Generated worlds run on the embedded server in virtual time: locks, read/write
locks, semaphores, elections and barriers as several libraries write them, used by processes of several threads over one
session, some of which die, hang, lose their watches, forget claims, come back, or take locks in opposite orders. What
the servers tell of sessions and watches comes every five seconds from three members, late, not always whole and of
different moments. An oracle sees every thread, and judges what the console shows. How is said in internal/truth/doc.go.

`

func (r *Results) pace() string {
	if r.Worlds == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f", r.Spent.Seconds()/float64(r.Worlds))
}

// goals prints each goal beside the result.
func (r *Results) goals(w io.Writer, before *Results) {
	fmt.Fprintf(w, "## Goals\n\n| goal | wanted | before | now |\n|---|---|---|---|\n")
	fmt.Fprintf(w, "| high findings that were false | 0 | %s | %s |\n", before.highs(), r.highs())
	for _, code := range []string{"deadlock", "lost-waiter", "leaked-claim", "vacant"} {
		fmt.Fprintf(w, "| %s told within ten seconds | ≥ %g | %s | %s |\n", code, goalRecall, before.share(code, plainClass), r.share(code, plainClass))
		if code == "lost-waiter" || code == "leaked-claim" {
			fmt.Fprintf(w, "| %s told within ten seconds, where the servers' lists allowed it | ≥ %g | – | %s |\n", code, goalRecall, r.share(code, tellable))
		}
	}
	for _, what := range bets {
		fmt.Fprintf(w, "| “%s” came true | ≥ %g | %s | %s |\n", what, goalRight, before.score.odds[what].rightly(), r.score.odds[what].rightly())
		fmt.Fprintf(w, "| “%s” was known | ≥ %g | %s | %s |\n", what, goalCoverage, before.score.odds[what].known(), r.score.odds[what].known())
		fmt.Fprintf(w, "| “%s” was known, where two rounds of whole lists were made of it | ≥ %g | – | %s |\n", what, goalCoverage, r.score.odds[what].knownInTime())
	}
	fmt.Fprintf(w, "| “%s” came true | ≥ %g | %s | %s |\n", leaseBet, goalRight, before.score.odds[leaseBet].rightly(), r.score.odds[leaseBet].rightly())
	fmt.Fprintln(w)
}

// bets are the predictions, in the order in which they are told.
var bets = []string{"will hold", "will hold" + settled, "wakes", "wakes" + settled, "safe to lose"}

func (r *Results) highs() string {
	said, lies := 0, 0
	for k, t := range r.score.precision {
		if k[1] == "high" {
			said, lies = said+t.Said, lies+t.False
		}
	}
	if said == 0 {
		return "–"
	}
	return fmt.Sprintf("%d of %d", lies, said)
}

// plainClass reports whether facts of a class are of the usual sort, whether or not the bench gave what telling them takes.
func plainClass(class string) bool { return tellable(class) || isUntold(class) }

// tellable reports whether facts of a class can be known from what servers tell.
func tellable(class string) bool {
	return class == "" || class == "quiet" || class == "while other threads of these sessions work"
}

// share is the recall of a code over some classes.
func (r *Results) share(code string, counts func(class string) bool) string {
	facts, told := 0, 0
	for k, h := range r.score.recall {
		if k[0] == code && counts(k[1]) {
			facts, told = facts+h.Facts, told+h.Told
		}
	}
	return ratio(told, facts)
}

func ratio(n, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.4f (%d of %d)", float64(n)/float64(of), n, of)
}

func (o *Odds) rightly() string {
	if o == nil {
		return "–"
	}
	return ratio(o.Right, o.Right+o.Wrong)
}

func (o *Odds) known() string {
	if o == nil {
		return "–"
	}
	known := o.Right + o.Wrong + o.Overtaken
	return ratio(known, known+o.Unknown)
}

// knownInTime is the share that was known of those of which it could be: claims that live for less than two rounds of lists,
// or come to wait where they wait after that, and those at whose end a member kept its lists back, are left out where they were
// not known.
func (o *Odds) knownInTime() string {
	if o == nil {
		return "–"
	}
	known := o.Right + o.Wrong + o.Overtaken
	return ratio(known, known+o.Unknown-o.Young-o.Kept)
}

// both lists the keys of two maps.
func both[V any](a, b map[[2]string]V) [][2]string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return pairs(all)
}

func (r *Results) precisionTable(w io.Writer, before *Results) {
	fmt.Fprintf(w, "## Findings\n\nA finding is counted once while it stands. It is false when what it says was true at no moment of the ten seconds before.\n\n")
	fmt.Fprintf(w, "| code | severity | false before | said before | false now | said now | right now |\n|---|---|---|---|---|---|---|\n")
	for _, k := range both(r.score.precision, before.score.precision) {
		b, n := before.score.precision[k], r.score.precision[k]
		if b == nil {
			b = &Tally{}
		}
		if n == nil {
			n = &Tally{}
		}
		fmt.Fprintf(w, "| %s | %s | %d | %d | %d | %d | %s |\n", k[0], k[1], b.False, b.Said, n.False, n.Said, strings.Fields(ratio(n.Said-n.False, n.Said))[0])
	}
	fmt.Fprintln(w)
}

func (r *Results) recallTable(w io.Writer, before *Results) {
	fmt.Fprintf(w, "## Facts that have to be told\n\nThose that lasted for ten seconds at least; that nobody leads counts from when it outlasted an election (5 s, Patroni's 10 s). A deadlock counts as told at any severity. The delay is until the first picture that tells it. “Could not be told”: a wait without a watch is told by two lists of all watches, a second apart, that lack it; what counts is what the bench gave the console, not what the console made of it, and that there were too few lists excuses it only where a member kept its own back, or had refused them in the minute before. These are in the first of the two goals.\n\n")
	fmt.Fprintf(w, "| fact | of which kind | told within 10 s, before | now | median | 99th percentile | the latest |\n|---|---|---|---|---|---|---|\n")
	for _, k := range both(r.score.recall, before.score.recall) {
		b, n := before.score.recall[k], r.score.recall[k]
		if b == nil {
			b = &Heard{}
		}
		if n == nil {
			n = &Heard{}
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s |\n", k[0], k[1], ratio(b.Told, b.Facts), ratio(n.Told, n.Facts), n.after(0.5), n.after(0.99), n.after(1))
	}
	fmt.Fprintln(w)
}

// after is the delay within which a share of those that were told was told.
func (h *Heard) after(share float64) string {
	if len(h.Delays) == 0 {
		return "–"
	}
	slices.Sort(h.Delays)
	i := min(len(h.Delays)-1, int(share*float64(len(h.Delays))))
	return fmt.Sprintf("%.1f s", float64(h.Delays[i])/1000)
}

func (r *Results) betTable(w io.Writer, before *Results) {
	fmt.Fprintf(w, "## Predictions\n\nThe last one that was published before a holder's claim went. Overtaken: it came out otherwise, and the line had\nchanged after the picture was taken, or a client that waits in it hung, had died, had lost its watch since the servers were asked, or had\ngiven up and left its watch behind, which nothing tells; these count neither as right nor as wrong. “In a line that stood”: nobody had\ncome or gone for two rounds of questions; before that a prediction rests on too little to be known. Too young: fewer than two complete\nlists of watches were given to the console since the claim was made and those who wait for it came to wait there. Kept back: a member did\nnot list its watches in the ten seconds before.\n\n")
	fmt.Fprintf(w, "| prediction | | right | wrong | overtaken | not known | of these too young | kept back | came true | known |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for _, what := range append(slices.Clone(bets), leaseBet) {
		for _, side := range []struct {
			name, young string
			o           *Odds
		}{{"before", "– | –", before.score.odds[what]}, {"now", r.score.odds[what].youth(), r.score.odds[what]}} {
			o := side.o
			if o == nil {
				o = &Odds{}
			}
			fmt.Fprintf(w, "| %s | %s | %d | %d | %d | %d | %s | %s | %s |\n", what, side.name, o.Right, o.Wrong, o.Overtaken, o.Unknown, side.young,
				strings.Fields(o.rightly())[0], strings.Fields(o.known())[0])
		}
	}
}

// youth is how many of the unknown ones were too young, and how many of the others a member kept its lists back of.
func (o *Odds) youth() string {
	if o == nil {
		return "– | –"
	}
	return fmt.Sprintf("%d | %d", o.Young, o.Kept)
}

func (r *Results) unjudged() string {
	if len(r.score.others) == 0 {
		return "none"
	}
	return strings.Join(slices.Sorted(maps.Keys(r.score.others)), ", ")
}
