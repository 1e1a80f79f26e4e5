package truth

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// number of the environment; otherwise where it is not set.
func setting(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv("ZKSCOPE_TRUTH_" + name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// play runs one world in a bubble.
func play(t *testing.T, seed uint64, length time.Duration, stories int) (r *Report, took time.Duration) {
	t.Helper()
	begun := time.Now()
	synctest.Test(t, func(t *testing.T) {
		var err error
		if r, err = Run(seed, length, stories, os.Getenv("ZKSCOPE_TRUTH_ONLY")); err != nil {
			t.Fatal(err)
		}
	})
	return r, time.Since(begun)
}

// TestTruth plays as many worlds as ZKSCOPE_TRUTH_WORLDS says, from the first seed that the results do not have, or
// from ZKSCOPE_TRUTH_FROM, for at most ZKSCOPE_TRUTH_MINUTES, and adds them to the results, which ZKSCOPE_TRUTH_RESULTS
// names; make truth does this. Without these it plays a few short worlds.
func TestTruth(t *testing.T) {
	worlds := setting(t, "WORLDS", 0)
	if worlds == 0 {
		short(t)
		return
	}
	sum := results(t)
	from := uint64(setting(t, "FROM", int(sum.Next())))
	stories := setting(t, "STORIES", 0)
	end := time.Now().Add(time.Duration(setting(t, "MINUTES", 58)) * time.Minute)
	begun, made := time.Now(), 0
	var mu sync.Mutex
	next := func() (uint64, bool) {
		mu.Lock()
		defer mu.Unlock()
		if made == worlds || time.Now().After(end) {
			return 0, false
		}
		made++
		return from + uint64(made) - 1, true
	}
	t.Run("worlds", func(t *testing.T) {
		for i := range runtime.GOMAXPROCS(0) {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				for seed, more := next(); more; seed, more = next() {
					r, took := play(t, seed, Length, stories)
					mu.Lock()
					sum.Take(r, took)
					for _, f := range r.Failures {
						t.Log(f.Code + ": " + f.Text)
					}
					mu.Unlock()
				}
			})
		}
	})
	sum.Wall += time.Since(begun)
	t.Logf("%d worlds of %v in %v; %d of this code in all", made, Length, time.Since(begun).Round(time.Second), sum.Worlds)
	save(t, sum)
}

// sources are the directories whose code the results are about.
var sources = []string{"../../inspect", "../../inspect/say", "../../inspect/znode", "../../inspect/layout", "../../inspect/model", "../../inspect/order",
	"../../inspect/survey", "../../inspect/lines", "../../inspect/waits", "../ensemble", "../mirror", "../zkserver", "."}

// results reads what earlier runs of the same code brought.
func results(t *testing.T) *Results {
	t.Helper()
	code, err := Digest(sources...)
	if err != nil {
		t.Fatal(err)
	}
	file := os.Getenv("ZKSCOPE_TRUTH_RESULTS")
	if file == "" {
		return NewResults(code)
	}
	r := read(t, file)
	if r == nil || r.Code != code {
		return NewResults(code)
	}
	return r
}

func read(t *testing.T, file string) *Results {
	t.Helper()
	f, err := os.Open(file)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := ReadResults(f)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// save writes the results and the table; the table to the test's log where no file is named.
func save(t *testing.T, r *Results) {
	t.Helper()
	file := os.Getenv("ZKSCOPE_TRUTH_RESULTS")
	if file == "" {
		r.WriteTable(t.Output(), nil)
		return
	}
	write(t, file, func(f *os.File) { _ = r.Write(f) })
	if table := os.Getenv("ZKSCOPE_TRUTH_TABLE"); table != "" {
		write(t, table, func(f *os.File) { r.WriteTable(f, read(t, os.Getenv("ZKSCOPE_TRUTH_BEFORE"))) })
	}
}

func write(t *testing.T, file string, text func(*os.File)) {
	t.Helper()
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	text(f)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// regressions are worlds in which something was said falsely once, and for how long they have to be played to see that.
var regressions = []struct {
	seed   uint64
	length time.Duration
	about  string
}{
	{1, 20 * time.Second, "threads that hold and await two locks, one at a time: no deadlock"},
	{2, 90 * time.Second, "a hot lock, threads that share a session"},
	{11, 60 * time.Second, "Curator's read/write lock, a writer and a reader of one session"},
	{12, 80 * time.Second, "clients that lose their connection while they wait"},
	{15, 60 * time.Second, "a leader that is one znode"},
	{21, 245 * time.Second, "a process that hangs between two watches: no lost waiter for sure"},
	{55, 20 * time.Second, "threads that work for some seconds under two locks, when nothing else is known of them"},
	{112, 40 * time.Second, "the same, where one of them had let go ahead of another"},
	{139, 110 * time.Second, "a process that hangs before its first watch"},
	{141, 20 * time.Second, "threads that work for some seconds under two locks"},
	{142, 20 * time.Second, "threads that work for some seconds under two locks"},
	{144, 250 * time.Second, "two that wait for each other's claims of which nobody knows any more: a deadlock indeed"},
	{72, 335 * time.Second, "a process that hangs between two watches: no lost waiter for sure"},
	{110, 375 * time.Second, "two that wait for each other's claims of which nobody knows any more: a deadlock indeed"},
	{33, 90 * time.Second, "a client without a connection hears that a claim went when it is back"},
	{130, 372 * time.Second, "a reader behind its own session's writer, as Curator has it: no leak"},
	{34, 265 * time.Second, "readers that go on when another writer gives up follow nobody"},
}

// short plays worlds that brought failures before. No high finding may be false in them, and no prediction wrong.
func short(t *testing.T) {
	for _, r := range regressions {
		t.Run(fmt.Sprint(r.seed), func(t *testing.T) {
			t.Parallel()
			rep, took := play(t, r.seed, r.length, 1000)
			t.Logf("%s: %v, %d pictures", r.about, took, rep.Pictures)
			if rep.Pictures < 50 || len(rep.score.precision) == 0 {
				t.Error("the console saw nothing of this world")
			}
			for k, n := range rep.score.precision {
				if k[1] == "high" && n.False > 0 {
					t.Errorf("%d of %d high findings of %s were false", n.False, n.Said, k[0])
				}
			}
			for what, o := range rep.score.odds {
				if o.Wrong > 0 {
					t.Errorf("%d of %d times “%s” was wrong", o.Wrong, o.Right+o.Wrong, what)
				}
			}
			for _, f := range rep.Failures {
				if t.Failed() {
					t.Log(f.Code + ": " + f.Text)
				}
			}
		})
	}
}

// TestAWorldIsTheSameAgain makes sure that a seed can be looked at again: everything happens at moments of its own, so
// two runs bring the same.
func TestAWorldIsTheSameAgain(t *testing.T) {
	var facts [2][]string
	for i := range facts {
		r, _ := play(t, 12, 90*time.Second, 0)
		for _, s := range r.facts {
			if s.from.Equal(s.to) || s.to.IsZero() {
				continue // of no length, or cut off: what happens while a world ends has no order
			}
			facts[i] = append(facts[i], fmt.Sprintln(s.code, s.from, s.to))
		}
		slices.Sort(facts[i]) // what happens at one moment has no order, and of two sessions that begin together either may be the first
	}
	if len(facts[0]) < 20 {
		t.Errorf("only %d facts", len(facts[0]))
	}
	if !slices.Equal(facts[0], facts[1]) {
		t.Errorf("%d facts first, then %d", len(facts[0]), len(facts[1]))
		for i := range min(len(facts[0]), len(facts[1])) {
			if facts[0][i] != facts[1][i] {
				t.Fatalf("first %v, then %v", facts[0][i], facts[1][i])
			}
		}
	}
}

// TestResultsAddUp writes results, reads them again and adds a world.
func TestResultsAddUp(t *testing.T) {
	r, took := play(t, 1, 20*time.Second, 0)
	sum := NewResults("x")
	sum.Made = "by hand"
	for _, seed := range []uint64{3, 1, 2, 7} {
		r.Seed = seed
		sum.Take(r, took.Truncate(time.Millisecond))
	}
	var first, second bytes.Buffer
	if err := sum.Write(&first); err != nil {
		t.Fatal(err)
	}
	again, err := ReadResults(bytes.NewReader(first.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Write(&second); err != nil {
		t.Fatal(err)
	}
	if first.String() != second.String() {
		t.Errorf("wrote\n%s\nand after reading\n%s", first.String(), second.String())
	}
	if got := again.ranges(); got != "1..3, 7..7" || again.Next() != 8 || again.Worlds != 4 {
		t.Errorf("seeds %s, next %d, %d worlds", got, again.Next(), again.Worlds)
	}
	if _, err := ReadResults(strings.NewReader("said\tdeadlock\thigh\tmany\t0\n")); err == nil {
		t.Error("damaged results were read")
	}
}
