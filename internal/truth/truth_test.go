package truth

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestOne(t *testing.T) {
	for seed := uint64(1); seed <= 3; seed++ {
		begun := time.Now()
		var r *Report
		synctest.Test(t, func(t *testing.T) {
			var err error
			if r, err = Run(seed, Length, 5); err != nil {
				t.Fatal(err)
			}
		})
		t.Logf("seed %d: %v, %d pictures", seed, time.Since(begun), r.Pictures)
		for k, v := range r.score.precision {
			t.Log(k, *v)
		}
		for k, v := range r.score.recall {
			t.Log(k, v.Facts, v.Told)
		}
		for k, v := range r.score.odds {
			t.Log(k, *v)
		}
		t.Log(r.score.others)
		for _, f := range r.Failures {
			t.Log(f)
		}
	}
}
