package tui

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/picture"
)

// quietSource is a source of which no news comes.
type quietSource struct {
	*stage
	silence chan struct{}
}

func (q quietSource) Changed() <-chan struct{} { return q.silence }
func (q quietSource) Now() time.Time           { return time.Now() }

// What becomes a finding with time alone is told although nothing changes: here that nobody leads.
func TestTimeAloneChangesThePicture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage()
		s.now = time.Now()
		s.add("/brokers/ids/1", 1, time.Minute, "{}").add("/controller", 1, time.Minute, "1")
		src := quietSource{s, make(chan struct{})}
		first := picture.Take(src, model.Hints{}, nil)
		s.del("/controller")
		second := picture.Take(src, model.Hints{}, first.Waits)
		if m := second.Result.ByPath("/controller"); m == nil || len(m.Findings) > 0 || second.Result.Due().IsZero() {
			t.Fatalf("at once: %+v, due %v", m, second.Result.Due())
		}
		began := time.Now()
		msg := picture.Await(context.Background(), src, model.Hints{}, second.Waits, 0, time.Time{})()
		v := msg.(picture.Next)
		if m := v.Result.ByPath("/controller"); len(m.Findings) != 1 || m.Findings[0].Code != model.CodeVacant {
			t.Errorf("after %v: %+v", time.Since(began), m)
		}
		if waited := time.Since(began); waited < layout.Grace || waited > 2*layout.Grace {
			t.Errorf("told after %v", waited)
		}
	})
}
