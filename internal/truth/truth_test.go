package truth

import (
	"fmt"
	"os"
	"runtime"
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
		if r, err = Run(seed, length, stories); err != nil {
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
						t.Log(f)
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
var sources = []string{"../../inspect", "../ensemble", "../mirror", "../zkserver", "."}

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

// short plays a few worlds, to see that the bench itself holds.
func short(t *testing.T) {
	for seed := uint64(1); seed <= 4; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r, took := play(t, seed, 2*time.Minute, 0)
			t.Logf("%v, %d pictures", took, r.Pictures)
		})
	}
}

// TestAWorldIsTheSameAgain makes sure that a seed can be looked at again: everything happens at moments of its own, so
// two runs bring the same.
func TestAWorldIsTheSameAgain(t *testing.T) {
	var texts [2]string
	for i := range texts {
		r, _ := play(t, 2, 3*time.Minute, 0)
		sum := NewResults("")
		sum.Take(r, 0)
		var b strings.Builder
		if err := sum.Write(&b); err != nil {
			t.Fatal(err)
		}
		texts[i] = b.String()
	}
	if texts[0] != texts[1] {
		t.Errorf("first\n%s\nthen\n%s", texts[0], texts[1])
	}
}
