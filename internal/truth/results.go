package truth

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Results are what worlds have brought so far. They add up over runs of the same code.
type Results struct {
	Code   string // a digest of the sources that they are about
	Made   string // Optional; how they were made, where that was done by hand
	Worlds int
	Wall   time.Duration // of the runs, and
	Spent  time.Duration // of all worlds together
	Seeds  [][2]uint64   // ranges, both ends included
	score  *score
}

// NewResults returns empty results about the code of a digest.
func NewResults(code string) *Results { return &Results{Code: code, score: newScore()} }

// Take adds one world.
func (r *Results) Take(rep *Report, took time.Duration) {
	r.Worlds++
	r.Spent += took
	r.score.plus(rep.score)
	r.include(rep.Seed)
}

// include adds a seed to the ranges.
func (r *Results) include(seed uint64) {
	r.Seeds = append(r.Seeds, [2]uint64{seed, seed})
	slices.SortFunc(r.Seeds, func(a, b [2]uint64) int { return cmp.Compare(a[0], b[0]) })
	out := r.Seeds[:1]
	for _, s := range r.Seeds[1:] {
		if last := &out[len(out)-1]; s[0] == last[1]+1 {
			last[1] = s[1]
		} else {
			out = append(out, s)
		}
	}
	r.Seeds = out
}

// Next is the lowest seed above all that were played.
func (r *Results) Next() uint64 {
	if len(r.Seeds) == 0 {
		return 1
	}
	return r.Seeds[len(r.Seeds)-1][1] + 1
}

// ranges says which seeds were played.
func (r *Results) ranges() string {
	var out []string
	for _, s := range r.Seeds {
		out = append(out, fmt.Sprintf("%d..%d", s[0], s[1]))
	}
	return strings.Join(out, ", ")
}

// coarse is how exactly delays are kept, in milliseconds.
const coarse = 100

// Write writes the results as lines of tab-separated words, the same for the same results.
func (r *Results) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	line := func(words ...any) { fmt.Fprintln(b, tabbed(words)) }
	line("code", r.Code)
	if r.Made != "" {
		line("made", r.Made)
	}
	line("worlds", r.Worlds, r.Wall.Milliseconds(), r.Spent.Milliseconds())
	for _, s := range r.Seeds {
		line("seeds", s[0], s[1])
	}
	for _, k := range pairs(r.score.precision) {
		line("said", k[0], k[1], r.score.precision[k].Said, r.score.precision[k].False)
	}
	for _, k := range pairs(r.score.recall) {
		h := r.score.recall[k]
		line("fact", k[0], k[1], h.Facts, h.Told)
		count := map[int]int{}
		for _, d := range h.Delays {
			count[d/coarse*coarse]++
		}
		for _, d := range slices.Sorted(maps.Keys(count)) {
			line("delay", k[0], k[1], d, count[d])
		}
	}
	for _, k := range slices.Sorted(maps.Keys(r.score.odds)) {
		o := r.score.odds[k]
		line("bet", k, o.Right, o.Wrong, o.Overtaken, o.Unknown, o.Young, o.Kept)
	}
	for _, k := range slices.Sorted(maps.Keys(r.score.others)) {
		line("other", k, r.score.others[k])
	}
	return b.Flush()
}

// tabbed puts tabs between words.
func tabbed(words []any) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = fmt.Sprint(w)
	}
	return strings.Join(texts, "\t")
}

func pairs[V any](m map[[2]string]V) [][2]string {
	return slices.SortedFunc(maps.Keys(m), func(a, b [2]string) int { return cmp.Or(strings.Compare(a[0], b[0]), strings.Compare(a[1], b[1])) })
}

// ReadResults reads what Write wrote.
func ReadResults(in io.Reader) (*Results, error) {
	r := NewResults("")
	sc := bufio.NewScanner(in)
	for n := 1; sc.Scan(); n++ {
		if f := strings.Split(sc.Text(), "\t"); !r.line(f) {
			return nil, fmt.Errorf("truth: line %d of the results is damaged: %q", n, sc.Text())
		}
	}
	return r, sc.Err()
}

// line takes one line; false when it is none.
func (r *Results) line(f []string) bool {
	bad := false
	num := func(i int) (n int) {
		if i >= len(f) {
			bad = true
			return 0
		}
		n, err := strconv.Atoi(f[i])
		bad = bad || err != nil
		return n
	}
	key := func() (k [2]string) {
		if len(f) > 2 {
			k = [2]string{f[1], f[2]}
		}
		return k
	}
	switch f[0] {
	case "code":
		r.Code = strings.Join(f[1:], "")
	case "made":
		r.Made = strings.Join(f[1:], " ")
	case "worlds":
		r.Worlds, r.Wall, r.Spent = num(1), time.Duration(num(2))*time.Millisecond, time.Duration(num(3))*time.Millisecond
	case "seeds":
		r.Seeds = append(r.Seeds, [2]uint64{uint64(num(1)), uint64(num(2))})
	case "said":
		r.score.precision[key()] = &Tally{num(3), num(4)}
	case "fact":
		r.score.recall[key()] = &Heard{Facts: num(3), Told: num(4)}
	case "delay":
		if h := r.score.recall[key()]; h != nil {
			h.Delays = append(h.Delays, slices.Repeat([]int{num(3)}, num(4))...)
		}
	case "bet":
		r.score.odds[key()[0]] = &Odds{Right: num(2), Wrong: num(3), Overtaken: num(4), Unknown: num(5)}
		if len(f) > 7 { // before that the unknown ones were not told apart
			r.score.odds[key()[0]].Young, r.score.odds[key()[0]].Kept = num(6), num(7)
		}
	case "other":
		if len(f) > 1 {
			r.score.others[f[1]] = num(2)
		}
	default:
		return false
	}
	return !bad
}

// Digest is a digest of the sources that decide what the bench measures: those of some directories, tests left out.
func Digest(dirs ...string) (string, error) {
	h := sha256.New()
	for _, dir := range dirs {
		names, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			return "", err
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(h, "%s %d\n", filepath.Base(name), len(text))
			h.Write(text)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8]), nil
}
