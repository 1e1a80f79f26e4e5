package inspect_test

import (
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/script"
)

// A vote stands since it was written, not since its site came, whoever saw the site before that or did not.
func TestAVoteStandsSinceItWasWritten(t *testing.T) {
	first := script.Run(t, "/app/tx1 age=10m\n/app/tx1/s_1 data=\"\" age=9m\n/app/tx1/s_2 data=\"\" age=9m\n").Waits.Result
	before := first.ByPath("/app/tx1")
	if before == nil || len(before.Claims) != 2 {
		t.Fatalf("%+v", before)
	}
	later := *first.Snapshot
	later.TakenAt = later.TakenAt.Add(time.Minute)
	voted := later.TakenAt.Add(-20 * time.Second)
	site := *later.At("/app/tx1/s_1")
	site.Data, site.Version, site.Mtime = []byte("commit"), 1, znode.Millis(voted.UnixMilli())
	var e znode.Editor
	e.Begin(later.Base, later.Root)
	e.Put("/app/tx1/s_1", &site)
	later.Root = e.Tree()
	for name, was := range map[string]*model.Result{"the site was seen before": first, "nothing was": nil} {
		m := inspect.Decode(&later, was, model.Hints{}).ByPath("/app/tx1")
		for i := range m.Claims {
			c, want := &m.Claims[i], 10*time.Minute
			if c.Node() == "s_1" {
				want = 20 * time.Second
			}
			if got := later.TakenAt.Sub(c.Since()).Round(time.Second); got != want {
				t.Errorf("%s: %s stands for %v, not %v", name, c.Node(), got, want)
			}
		}
	}
}

// What is decided says when: by the last vote for commit, or the first for abort, and with the date where that is not of today.
func TestADecidedTransactionSaysWhen(t *testing.T) {
	for votes, want := range map[string]string{
		"/app/tx1/s_1 data=\"commit\" age=9m\n/app/tx1/s_2 data=\"commit\" age=5m": "commit: 2 commit, 0 abort, 0 pending, decided at 21:55:00 UTC",
		"/app/tx1/s_1 data=\"abort\" age=9m\n/app/tx1/s_2 data=\"abort\" age=5m":   "abort: 0 commit, 2 abort, 0 pending, decided at 21:51:00 UTC",
		"/app/tx1/s_1 data=\"abort\" age=49h\n/app/tx1/s_2 data=\"\" age=5m":       "abort: 0 commit, 1 abort, 1 pending, decided at 2026-11-25 21:00:00 UTC",
		"/app/tx1/s_1 data=\"commit\" age=9m\n/app/tx1/s_2 data=\"\" age=5m":       "undecided: 1 commit, 0 abort, 1 pending",
	} {
		r := script.Run(t, "/app/tx1 age=10m\n"+votes).Waits.Result
		if got := r.ByPath("/app/tx1").Summary(r.Snapshot.TakenAt); got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}
