package usual

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

var morning = time.Date(2026, 11, 29, 8, 0, 0, 0, time.UTC)

func at(t time.Time) func() time.Time { return func() time.Time { return t } }

func open(t *testing.T, file string, now time.Time) *Book {
	t.Helper()
	b, err := Open(file, 7*24*time.Hour, at(now))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// What percentiles say is never less than what was measured, and at most a fifth more.
func TestThePercentileIsThatOfWhatWasSeenRoundedUpByAFifthAtMost(t *testing.T) {
	b := open(t, filepath.Join(t.TempDir(), "x"), morning)
	var all []time.Duration
	for i := range 200 {
		d := time.Duration(i*i+1) * 7 * time.Millisecond
		all = append(all, d)
		b.Note("/locks/a", d, morning)
	}
	slices.Sort(all)
	exact := all[190-1]
	got := b.Usual(20)["/locks/a"]
	if got.P95 < exact || float64(got.P95) > 1.2*float64(exact) || got.Times != 200 {
		t.Errorf("%v, exactly %v", got, exact)
	}
	if len(b.Usual(201)) != 0 {
		t.Error("too few times are told")
	}
	for d := leastHeld; d < 2*365*24*time.Hour; d = d*5/4 + 1 {
		if s := step(d); span(s) < d || s > 0 && span(s-1) >= d {
			t.Fatalf("%v: step %d is up to %v", d, s, span(s))
		}
	}
}

// A book that is read again tells the same, and forgets what is too old.
func TestABookIsReadAgainAndForgets(t *testing.T) {
	file := filepath.Join(t.TempDir(), "dir", "book.jsonl")
	b := open(t, file, morning)
	for i := range 30 {
		b.Note("/locks/a", time.Second, morning.Add(-6*24*time.Hour))
		b.Note("/locks/old", time.Second, morning.Add(-8*24*time.Hour))
		b.Note("/locks/\xff", time.Second, morning)
		if i == 15 {
			if err := b.Save(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := b.Save(); err != nil {
		t.Fatal(err)
	}
	was := b.Usual(20)
	again := open(t, file, morning)
	if got := again.Usual(20); len(got) != 1 || got["/locks/a"] != was["/locks/a"] || got["/locks/a"].Times != 30 {
		t.Errorf("%v, before %v", got, was)
	}
	if got := open(t, file, morning.Add(2*24*time.Hour)).Usual(1); len(got) != 0 {
		t.Errorf("two days later: %v", got)
	}
	if len(b.fresh) != 0 {
		t.Error("what was saved is saved again")
	}
}

// Two processes add to one file.
func TestTwoAddToOneBook(t *testing.T) {
	file := filepath.Join(t.TempDir(), "book.jsonl")
	a, b := open(t, file, morning), open(t, file, morning)
	for range 3 {
		a.Note("/a", time.Second, morning)
		b.Note("/b", time.Second, morning)
		if a.Save() != nil || b.Save() != nil {
			t.Fatal("not saved")
		}
	}
	if got := open(t, file, morning).Usual(3); len(got) != 2 {
		t.Errorf("%v", got)
	}
}

// A file does not grow over its bound, and what was held last stays.
func TestAFileIsBounded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "book.jsonl")
	b := open(t, file, morning)
	long := strings.Repeat("x", 300)
	for round := range 12 {
		for i := range 3000 {
			b.Note(fmt.Sprintf("/locks/%s/%d", long, i+round*100), time.Second, morning.Add(time.Duration(round)*time.Minute))
		}
		if err := b.Save(); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(file); err != nil || info.Size() > fileMost {
			t.Fatalf("round %d: %v %v", round, info.Size(), err)
		}
	}
	got := open(t, file, morning.Add(time.Hour)).Usual(1)
	if _, there := got[fmt.Sprintf("/locks/%s/%d", long, 11*100+2999)]; !there {
		t.Errorf("the last of %d is not there", len(got))
	}
	rest, _ := filepath.Glob(file + ".*")
	if len(rest) > 0 {
		t.Errorf("left behind: %v", rest)
	}
}

// A line that was cut off is left out; a file of something else is refused and not touched.
func TestWhatIsNoBookIsRefused(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "book.jsonl")
	b := open(t, file, morning)
	b.Note("/a", time.Second, morning)
	if err := b.Save(); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(file)
	for n := range text {
		if err := os.WriteFile(file, text[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		b := open(t, file, morning)
		if got := b.Usual(1); len(got) != 0 {
			t.Fatalf("cut at %d: %v", n, got)
		}
		b.Note("/b", time.Second, morning)
		if err := b.Save(); err != nil {
			t.Fatal(err)
		}
		if got := open(t, file, morning).Usual(1); got["/b"].Times != 1 {
			t.Fatalf("cut at %d, and added to: %v", n, got)
		}
	}
	other := filepath.Join(dir, "other")
	if err := os.WriteFile(other, []byte("precious\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(other, time.Hour, at(morning)); err == nil || !strings.Contains(err.Error(), "no record of usual times") {
		t.Errorf("%v", err)
	}
	if _, err := Open(dir, time.Hour, at(morning)); err == nil {
		t.Error("a folder is taken for a book")
	}
}

// What is new is in the file a minute later, and at the end.
func TestABookIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "book.jsonl")
		b := open(t, file, time.Now())
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			b.Keep(ctx, func(err error) {
				if err != nil {
					t.Error(err)
				}
			})
		}()
		b.Note("/a", time.Second, time.Now())
		time.Sleep(saveEvery + time.Second)
		synctest.Wait()
		if got := open(t, file, time.Now()).Usual(1); len(got) != 1 {
			t.Errorf("after a minute: %v", got)
		}
		b.Note("/b", time.Second, time.Now())
		stop()
		<-done
		if got := open(t, file, time.Now()).Usual(1); len(got) != 2 {
			t.Errorf("at the end: %v", got)
		}
	})
}

// Whoever notes does not wait for a disk that is slow, and what could not be written is written with the next.
func TestNotingNeverWaitsForTheFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dir")
	file := filepath.Join(dir, "book.jsonl")
	b := open(t, file, morning)
	b.saving.Lock()
	noted := make(chan bool)
	go func() {
		b.Note("/a", time.Second, morning)
		noted <- len(b.Usual(1)) == 1
	}()
	select {
	case known := <-noted:
		if !known {
			t.Error("what was noted is not known")
		}
	case <-time.After(20 * time.Second):
		t.Fatal("noting waits for the file")
	}
	b.saving.Unlock()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if b.Save() == nil {
		t.Fatal("saved to nowhere")
	}
	b.Note("/b", time.Second, morning)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := b.Save(); err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]int{"here": len(b.Usual(1)), "read again": len(open(t, file, morning).Usual(1))} {
		if got != 2 {
			t.Errorf("%s: %d recipes are known", name, got)
		}
	}
	if got := open(t, file, morning).Usual(1)["/a"].Times; got != 1 {
		t.Errorf("noted once, written %d times", got)
	}
}
