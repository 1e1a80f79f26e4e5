// Package usual remembers over days for how long recipes are held, so that it can be said of a claim that it holds far
// longer than is usual there.
//
// A [Book] is a file for one ensemble. It holds no single claim and no owner: of each recipe and day, how many times it was
// held for about how long, in steps of a fifth. What is older than the book keeps is left out when it is read, and when the
// file has grown too large it is written anew with the recipes that were held last. Several processes may add to one file:
// each adds whole lines to its end. What one of them saw while another wrote the file anew may be missing, a minute at most;
// and what two of them saw is counted twice, which changes no percentile by much.
package usual

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/zkscope/zkscope/internal/limits"
)

// How much is kept.
const (
	fileMost    = 4 << 20          // bytes of a file
	recipesMost = 10_000           // the others are those that were not held for longest
	saveEvery   = time.Minute      // how often what is new is added to the file
	steps       = 4                // to double
	leastHeld   = time.Millisecond // what is shorter is taken for this long
	stepsMost   = 36 * steps       // two years
)

// Book is what is remembered of an ensemble. Its methods are safe from any goroutine; only Keep and Save touch the file.
type Book struct {
	file string
	keep time.Duration
	now  func() time.Time

	mu    sync.Mutex
	known days // what the file told, and what was handed on to be saved since
	fresh days // what was not

	saving  sync.Mutex // held while the file is written; never waited for by who holds mu
	unsaved days       // what was handed on, and is not in the file yet
	size    int64
	torn    bool // its last line has no end
}

// days is what was seen, by recipe and by the day in UTC on which it ended.
type days map[string]map[string]*counts

// counts is how often something took how long: by step.
type counts struct {
	n    map[int]int
	last time.Time // when that was the last time
}

// Open reads a book, or begins one; keep is for how long anything is remembered. What is in the file that is not of a book
// is an error, and nothing is written to such a file.
func Open(file string, keep time.Duration, now func() time.Time) (*Book, error) {
	b := &Book{file: file, keep: keep, now: now, known: days{}, fresh: days{}, unsaved: days{}}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, err
	}
	info, err := os.Stat(file)
	switch {
	case os.IsNotExist(err):
		return b, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", file)
	}
	b.size = info.Size()
	return b, b.load()
}

// Note takes in that a claim of a recipe held for so long, until at. A path that is not valid UTF-8 is not remembered.
func (b *Book) Note(path string, held time.Duration, at time.Time) {
	if held <= 0 || !utf8.ValidString(path) {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fresh.add(path, dayOf(at), map[int]int{step(held): 1}, at)
}

// Usual returns how long each recipe was held, of those that were held at least so many times.
func (b *Book) Usual(least int) map[string]limits.Usual {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := make(map[string]limits.Usual)
	oldest := b.now().Add(-b.keep)
	for path := range b.known.and(b.fresh) {
		sum, first := counts{n: map[int]int{}}, ""
		for _, from := range []days{b.known, b.fresh} {
			for day, c := range from[path] {
				if c.last.Before(oldest) {
					continue
				}
				sum.add(c.n, c.last)
				if first == "" || day < first {
					first = day
				}
			}
		}
		if n := sum.total(); n >= least {
			from, _ := time.Parse(time.DateOnly, first)
			out[path] = limits.Usual{P95: sum.percentile(95), Times: n, Over: min(b.now().Sub(from), b.keep)}
		}
	}
	return out
}

// Keep saves what is new every minute until ctx ends, and once more then, and calls a function each time with what became of it.
func (b *Book) Keep(ctx context.Context, saved func(error)) {
	tick := time.NewTicker(saveEvery)
	defer tick.Stop()
	for over := false; !over; {
		select {
		case <-ctx.Done():
			over = true
		case <-tick.C:
		}
		saved(b.Save())
	}
}

// and are the recipes of both.
func (d days) and(o days) map[string]bool {
	out := make(map[string]bool, len(d)+len(o))
	for _, from := range []days{d, o} {
		for path := range from {
			out[path] = true
		}
	}
	return out
}

// add counts what was seen on a day.
func (d days) add(path, day string, n map[int]int, last time.Time) {
	if d[path] == nil {
		d[path] = map[string]*counts{}
	}
	if d[path][day] == nil {
		d[path][day] = &counts{n: map[int]int{}}
	}
	d[path][day].add(n, last)
}

// merge adds all of another.
func (d days) merge(o days) {
	for path, of := range o {
		for day, c := range of {
			d.add(path, day, c.n, c.last)
		}
	}
}

// prune leaves out what is older than a moment, and of too many recipes those that were not held for longest.
func (d days) prune(oldest time.Time, most int) {
	last := make(map[string]time.Time, len(d))
	for path, of := range d {
		for day, c := range of {
			if c.last.Before(oldest) {
				delete(of, day)
			} else if c.last.After(last[path]) {
				last[path] = c.last
			}
		}
		if len(of) == 0 {
			delete(d, path)
		}
	}
	if len(d) <= most {
		return
	}
	paths := make([]string, 0, len(d))
	for path := range d {
		paths = append(paths, path)
	}
	slices.SortFunc(paths, func(a, b string) int { return last[a].Compare(last[b]) })
	for _, path := range paths[:len(paths)-most] {
		delete(d, path)
	}
}

func (c *counts) add(n map[int]int, last time.Time) {
	for s, times := range n {
		c.n[s] += times
	}
	if last.After(c.last) {
		c.last = last
	}
}

func (c *counts) total() (n int) {
	for _, times := range c.n {
		n += times
	}
	return n
}

// percentile is how long so many of a hundred took at most.
func (c *counts) percentile(p int) time.Duration {
	left := (c.total()*p + 99) / 100
	for s := range stepsMost + 1 {
		if left -= c.n[s]; left <= 0 {
			return span(s)
		}
	}
	return span(stepsMost)
}

// step is the first whose span is no shorter than a duration.
func step(d time.Duration) int {
	if d <= leastHeld {
		return 0
	}
	s := int(math.Ceil(steps * math.Log2(float64(d)/float64(leastHeld))))
	for s > 0 && span(s-1) >= d {
		s--
	}
	return min(s, stepsMost)
}

// span is the longest duration of a step.
func span(s int) time.Duration {
	return time.Duration(float64(leastHeld) * math.Exp2(float64(s)/steps))
}

func dayOf(t time.Time) string { return t.UTC().Format(time.DateOnly) }
