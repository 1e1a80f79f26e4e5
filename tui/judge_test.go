package tui

import (
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/picture"
)

// judged is a stage whose pictures somebody weighs.
type judged struct {
	*stage
	judge func(*model.Result) *model.Result
}

func (j judged) Judge(r *model.Result) *model.Result { return j.judge(r) }
func (j judged) Judges() bool                        { return true }

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
