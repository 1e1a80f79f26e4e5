package widget

import (
	"slices"
	"time"
)

// News compares rows with those that are there: what came and what went is shown for a moment. What is quiet about its
// going is not. The first rows, and those after Calm, are no news.
func (l *List[ID, T]) News(all []T, quiet func(*T) bool, at time.Time) {
	if l.calm {
		return
	}
	was, is := l.ids(l.all), l.ids(all)
	for id := range is {
		if !was[id] {
			l.Came(id, at)
		}
	}
	n := 0
	for i := range l.all { // of many the first
		if id, can := l.ident(&l.all[i]); can && !is[id] && n < maxGone && (quiet == nil || !quiet(&l.all[i])) {
			n++
			l.went = append(l.went, l.leaving(i, at))
		}
	}
}

func (l *List[ID, T]) ids(all []T) map[ID]bool {
	out := make(map[ID]bool, len(all))
	for i := range all {
		if id, can := l.ident(&all[i]); can {
			out[id] = true
		}
	}
	return out
}

// Came says that a row came.
func (l *List[ID, T]) Came(id ID, at time.Time) {
	if l.came == nil {
		l.came = map[ID]time.Time{}
	}
	l.came[id] = at
}

// Went says that a row will not be there any more when the list is filled next.
func (l *List[ID, T]) Went(id ID, at time.Time) {
	for i := range l.all {
		if l.is(&l.all[i], id) {
			l.went = append(l.went, l.leaving(i, at))
			return
		}
	}
}

// part takes those that went to those that are gone; of too many, those that went first are forgotten.
func (l *List[ID, T]) part() {
	l.gone, l.went = append(l.gone, l.went...), nil
	for {
		n, oldest := 0, -1
		for i := range l.gone {
			if l.gone[i].Held {
				continue
			}
			if n++; oldest < 0 || l.gone[i].At.Before(l.gone[oldest].At) {
				oldest = i
			}
		}
		if n <= maxGone {
			return
		}
		l.gone = slices.Delete(l.gone, oldest, oldest+1)
	}
}

// fresh reports whether a row came a moment ago.
func (l *List[ID, T]) fresh(id ID, now time.Time) bool {
	at, ok := l.came[id]
	return ok && now.Sub(at) < freshFor
}

// Expire forgets what has stood out long enough, but for the selected.
func (l *List[ID, T]) Expire(now time.Time) {
	for id, at := range l.came {
		if now.Sub(at) >= freshFor {
			delete(l.came, id)
		}
	}
	n := len(l.gone)
	l.gone = slices.DeleteFunc(l.gone, func(g Gone[ID, T]) bool { return !g.Held && now.Sub(g.At) >= GoneFor })
	if len(l.gone) < n {
		l.reselect()
	}
}

// Calm forgets what came and went: what is shown next does not follow from what was shown. The selection stays.
func (l *List[ID, T]) Calm() {
	l.came, l.went, l.calm = nil, nil, true
	l.gone = slices.DeleteFunc(l.gone, func(g Gone[ID, T]) bool { return !g.Held })
	l.reselect()
}
