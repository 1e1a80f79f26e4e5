package e2e

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

const (
	stormLocks  = 200  // lock directories
	stormRate   = 1000 // changes per second
	stormHands  = 40   // requests in flight
	stormFlatKB = 24 << 10
)

// TestAStormOfChanges presses keys while a thousand changes a second come in: every key is answered, and memory does
// not grow from the first half to the second. How fast keys are answered is only told.
func TestAStormOfChanges(t *testing.T) {
	s := peers.ZooKeeper(t, peers.Options{})
	conn, err := zkc.Dial(context.Background(), zkc.Config{Servers: []string{s.Addr}, Session: 20 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	stormStage(t, conn)
	x := openTerminal(t, 120, 40, []string{"GOMEMLIMIT=off"}, s.Addr)
	x.see("job-000")
	length := 6 * time.Second
	if os.Getenv("ZKSCOPE_LONG") != "" {
		length = time.Minute
	}
	ctx, stop := context.WithTimeout(context.Background(), length)
	defer stop()
	var changes atomic.Int64
	var storm sync.WaitGroup
	blow(ctx, t, conn, &storm, &changes)
	answers, rss := pressOn(ctx, x)
	storm.Wait()
	if err := ctx.Err(); err != context.DeadlineExceeded {
		t.Fatal(err)
	}
	slices.Sort(answers)
	half, tail := slices.Max(rss[len(rss)/4:len(rss)/2+1]), slices.Max(rss[len(rss)/2:])
	late := 0
	for _, took := range answers {
		if took > 100*time.Millisecond {
			late++
		}
	}
	t.Logf("%d changes in %v; %d keys answered: median %v, 99%% %v, slowest %v, %d in more than 100 ms; resident %d KiB in the first half, %d KiB in the second",
		changes.Load(), length, len(answers), answers[len(answers)/2], answers[len(answers)*99/100], answers[len(answers)-1], late, half, tail)
	if len(answers) < 20 {
		t.Errorf("only %d keys were answered", len(answers))
	}
	if tail > half+stormFlatKB {
		t.Errorf("memory grows: %d KiB, then %d KiB", half, tail)
	}
	x.press("q")
	if code := x.ends(); code != 0 {
		t.Errorf("exit %d", code)
	}
	x.restored()
}

func stormStage(t *testing.T, conn *zkc.Conn) {
	t.Helper()
	ctx := context.Background()
	mk := func(path, data string, flags int32) {
		if _, err := conn.Create(ctx, path, []byte(data), flags, nil); err != nil {
			t.Fatal(err)
		}
	}
	mk("/locks", "", 0)
	for i := range stormLocks {
		dir := fmt.Sprintf("/locks/r%03d", i)
		mk(dir, "", 0)
		mk(dir+"/_c_0a1b2c3d-0000-4000-8000-000000000000-lock-", fmt.Sprintf("job-%03d", i), wire.FlagEphemeralSequence)
	}
}

// blow makes changes: claims come and go at the end of each line.
func blow(ctx context.Context, t *testing.T, conn *zkc.Conn, wg *sync.WaitGroup, done *atomic.Int64) {
	turns := make(chan int)
	wg.Go(func() {
		defer close(turns)
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for n := 0; ; {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			for range stormRate / 100 / 2 { // a claim comes, and goes: two changes
				select {
				case turns <- n:
				case <-ctx.Done():
					return
				}
				n++
			}
		}
	})
	for range stormHands {
		wg.Go(func() {
			for n := range turns {
				made, err := conn.Create(context.Background(), fmt.Sprintf("/locks/r%03d/_c_0a1b2c3d-0000-4000-8000-000000000001-lock-", n%stormLocks), []byte("gust"), wire.FlagEphemeralSequence, nil)
				if err == nil {
					err = conn.Delete(context.Background(), made.Path, -1)
				}
				if err != nil {
					t.Error(err)
					return
				}
				done.Add(2)
			}
		})
	}
}

// pressOn opens and closes the help until ctx ends, and tells how long each key took to be seen, and how much memory
// the program held all along.
func pressOn(ctx context.Context, x *terminal) (answers []time.Duration, rss []int) {
	for ctx.Err() == nil {
		for _, k := range []struct {
			key   string
			there bool
		}{{"?", true}, {"\x1b", false}} {
			at := time.Now()
			x.press(k.key)
			x.await("HERE AND NOW", k.there)
			answers = append(answers, time.Since(at))
		}
		rss = append(rss, x.resident())
	}
	return answers, rss
}

// resident is how much memory the program holds, in KiB.
func (x *terminal) resident() int {
	x.t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", x.cmd.Process.Pid))
	if err != nil {
		x.t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(b), "VmRSS:")
	kb := 0
	if _, err := fmt.Sscan(rest, &kb); err != nil {
		x.t.Fatal(err)
	}
	return kb
}
