package tui

import (
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/tui/backend"
	"github.com/zkscope/zkscope/tui/picture"
)

// judged is a stage whose pictures somebody weighs.
type judged struct {
	*stage
	judge func(*model.Result) *model.Result
}

func (j judged) Judge(r *model.Result) *model.Result { return j.judge(r) }
func (j judged) Judges() bool                        { return true }

// unmoved is a stage on which nothing happens any more.
type unmoved struct {
	judged
	last *znode.Snapshot
}

func (u unmoved) Take() (*znode.Snapshot, backend.Link) { return u.last, backend.Link{} }
func (u unmoved) Changed() <-chan struct{}              { return make(chan struct{}) }

// What somebody hides is not listed and is counted; what is over their limits needs attention; and acting on it sees the same.
func TestPicturesAreShownBySomebodysTerms(t *testing.T) {
	s := newStage().add("/locks/a/lock-0000000001", 7, time.Hour, "web-1").add("/locks/b/lock-0000000001", 8, time.Minute, "web-2")
	d := drive(t, s, 120, 30)
	d.app.opts.Source = judged{s, func(r *model.Result) *model.Result {
		out := *r
		a := *r.ByPath("/locks/a")
		a.Findings = []model.Finding{{Code: model.CodeOverThreshold, Severity: model.High, Paths: []string{a.Path}, Text: "web-1 holds for 1h: longer than 5m, the limit of x:1"}}
		out.Models = r.Models.Spliced([]*model.Model{r.ByPath("/locks/a"), r.ByPath("/locks/b")}, []*model.Model{&a})
		return &out
	}}
	s.now = s.now.Add(time.Second)
	d.app.Update(picture.Take(d.app.opts.Source, d.app.opts.Hints, d.app.shown.LiveWaits))
	d.See("1 recipe", "1 hidden", "longer than 5m").SeeNot("web-2")
}

// What lasts is weighed as of now although nothing in the tree changed, also while servers are asked again and again.
func TestWhatLastsIsWeighedWhileNothingChanges(t *testing.T) {
	s := newStage().add("/locks/a/lock-0000000001", 7, time.Hour, "web-1")
	d := drive(t, s, 120, 30)
	var weighed time.Time
	src := unmoved{judged{s, func(r *model.Result) *model.Result {
		weighed = r.Snapshot.TakenAt
		return r
	}}, d.app.shown.Live.Snapshot}
	was := s.now
	for range 3 {
		s.now = s.now.Add(5 * time.Second)
		picture.Take(src, d.app.opts.Hints, d.app.shown.LiveWaits)
	}
	if s.now.Sub(weighed) > 10*time.Second {
		t.Errorf("%v later it is weighed as of %v", s.now.Sub(was), weighed.Sub(was))
	}
}
