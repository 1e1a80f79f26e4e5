package past

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/chronicle"
)

// What becomes of one lock is followed at the price of its own changes, whatever a thousand beside it do.
func TestOneRecipeAmongAThousand(t *testing.T) {
	const n = 9000
	s := open(t, busyMember(t, n))
	var h *chronicle.Chronicle
	allocs := testing.AllocsPerRun(1, func() {
		var err error
		if h, err = chronicle.Of(s, "/locks/job-0007", time.Time{}, time.Time{}, model.Hints{}); err != nil {
			t.Fatal(err)
		}
	})
	if len(h.Stays) != 6 || h.Stays[0].How != chronicle.Released || h.Stays[0].Owner != "worker-1" || h.Stays[1].Held.At != h.Stays[0].Left.At {
		t.Errorf("%d claims, the first %+v", len(h.Stays), h.Stays[0])
	}
	if allocs > 60*n {
		t.Errorf("%.0f allocations for %d transactions", allocs, n)
	}
	if len(h.Findings) != 3 || h.Findings[0].Code != model.CodePhantomClaim || h.Findings[0].Began.At != h.Stays[3].Came.At || h.Findings[0].Ended.At != h.Stays[0].Left.At {
		t.Errorf("%d findings, the first %+v", len(h.Findings), h.Findings[0])
	}
	both, err := chronicle.Several(s, []string{"/locks/job-0007", "/locks/job-0500"}, time.Time{}, time.Time{}, model.Hints{})
	if err != nil || !reflect.DeepEqual(both[0].Stays[4], h.Stays[4]) || both[1].Kind != h.Kind || len(both[1].Stays) < 5 {
		t.Errorf("%v: %+v, alone %+v", err, both[0].Stays[4], h.Stays[4])
	}
}

// The recipes whose claims wait are found, and no others, the most crowded first.
func TestTheCrowdIsFound(t *testing.T) {
	for dir, want := range map[string][]string{"contention": {"/el", "/locks/orders", "/sem"}, "expiry": {"/locks/nightly"}} {
		got, of, err := chronicle.Crowd(open(t, "../txnlog/testdata/"+dir), time.Time{}, time.Time{}, model.Hints{}, 10)
		if slices.Sort(got); err != nil || of != len(want) || !slices.Equal(got, want) {
			t.Errorf("%s: %q of %d, %v", dir, got, of, err)
		}
	}
	got, of, err := chronicle.Crowd(open(t, busyMember(t, 6000)), time.Time{}, time.Time{}, model.Hints{}, 3)
	if len(got) != 3 || of != 1000 || err != nil {
		t.Errorf("%q of %d, %v", got, of, err)
	}
}
