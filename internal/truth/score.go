package truth

import (
	"slices"
	"time"
)

// Tally counts a kind of saying.
type Tally struct{ Said, False int }

// Heard is how facts were told: how many there were, how many within the window, and after how long.
type Heard struct {
	Facts, Told int
	Delays      []int // milliseconds, of all that were told at all
}

// Odds is how predictions came out.
type Odds struct {
	Right, Wrong, Overtaken, Unknown int
	Young                            int // of the unknown: two rounds of lists had not been made of it
	Kept                             int // of the others: a member kept its lists back
}

// score is what one world brought.
type score struct {
	precision map[[2]string]*Tally // code, severity
	recall    map[[2]string]*Heard // code, class
	odds      map[string]*Odds
	others    map[string]int // findings that are not judged
}

func newScore() *score {
	return &score{precision: map[[2]string]*Tally{}, recall: map[[2]string]*Heard{}, odds: map[string]*Odds{}, others: map[string]int{}}
}

func (s *score) tally(k saying) *Tally {
	at := [2]string{k.code, k.severity}
	if s.precision[at] == nil {
		s.precision[at] = &Tally{}
	}
	return s.precision[at]
}

func (s *score) said(k saying)        { s.tally(k).Said++ }
func (s *score) lied(k saying)        { s.tally(k).False++ }
func (s *score) unjudged(code string) { s.others[code]++ }

func (s *score) bet(what string, known, right, overtaken bool, b *bet) {
	if s.odds[what] == nil {
		s.odds[what] = &Odds{}
	}
	o := s.odds[what]
	switch {
	case !known:
		o.Unknown++
		switch {
		case b.young:
			o.Young++
		case b.kept:
			o.Kept++
		}
	case right:
		o.Right++
	case overtaken:
		o.Overtaken++
	default:
		o.Wrong++
	}
}

// recalled are the facts that have to be told.
var recalled = []string{"lost-waiter", "leaked-claim", "vacant", "holds"}

// recallOf counts how the facts of a finished world were told. Facts that did not last for the window do not count.
func (o *oracle) recallOf(s *score, end time.Time, mem *members, bad *failures) {
	for _, f := range o.facts.all {
		to := f.to
		if to.IsZero() {
			to = end
		}
		from := f.from
		if l := o.lines[f.key]; l != nil && f.code == "vacant" {
			from = from.Add(l.grace)
		}
		if slices.Contains(recalled, f.code) && to.Sub(from) >= window {
			class := veiled(f.class, from, mem.silent)
			if class == "" && (f.code == "lost-waiter" || f.code == "leaked-claim") {
				class = o.untellable(f, o.kept)
			}
			s.heard(f.code, class, from, f.told)
			if tellable(class) && (f.told.IsZero() || f.told.Sub(from) > window) {
				bad.missed(o, f)
			}
		}
	}
	for _, k := range o.knots.past {
		to := k.to
		if to.IsZero() {
			to = end
		}
		if to.Sub(k.from) < window {
			continue
		}
		class := "while other threads of these sessions work"
		switch {
		case k.within():
			class = "within one session"
		case o.quiet(k):
			class = "quiet"
		}
		s.heard("deadlock", veiled(class, k.from, mem.silent), k.from, k.told)
	}
}

// veiled adds to a class that some server did not list its watches or sessions meanwhile.
func veiled(class string, from time.Time, silent []span) string {
	for _, w := range silent {
		if w.from.Before(from.Add(window)) && (w.to.IsZero() || w.to.After(from)) {
			if class != "" {
				class += ", "
			}
			return class + "while a server did not tell"
		}
	}
	return class
}

func (s *score) heard(code, class string, from, told time.Time) {
	at := [2]string{code, class}
	if s.recall[at] == nil {
		s.recall[at] = &Heard{}
	}
	h := s.recall[at]
	h.Facts++
	if told.IsZero() {
		return
	}
	late := max(0, told.Sub(from))
	if late <= window {
		h.Told++
	}
	h.Delays = append(h.Delays, int(late.Milliseconds()))
}

// plus adds another world's score.
func (s *score) plus(o *score) {
	for k, v := range o.precision {
		t := s.tally(saying{code: k[0], severity: k[1]})
		t.Said, t.False = t.Said+v.Said, t.False+v.False
	}
	for k, v := range o.recall {
		if s.recall[k] == nil {
			s.recall[k] = &Heard{}
		}
		h := s.recall[k]
		h.Facts, h.Told, h.Delays = h.Facts+v.Facts, h.Told+v.Told, append(h.Delays, v.Delays...)
	}
	for k, v := range o.odds {
		if s.odds[k] == nil {
			s.odds[k] = &Odds{}
		}
		t := s.odds[k]
		t.Right, t.Wrong, t.Overtaken, t.Unknown = t.Right+v.Right, t.Wrong+v.Wrong, t.Overtaken+v.Overtaken, t.Unknown+v.Unknown
		t.Young, t.Kept = t.Young+v.Young, t.Kept+v.Kept
	}
	for k, n := range o.others {
		s.others[k] += n
	}
}
