package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/tui/picture"
)

// rings adds n deadlocks, each of two sessions.
func (s *stage) rings(n int) *stage {
	for i := range n {
		for j, l := range []string{"a", "b"} {
			x, y := fmt.Sprintf("/locks/ring%d%s/%slock-0000000000", i, l, curator("7")), fmt.Sprintf("/locks/ring%d%s/%slock-0000000001", i, l, curator("8"))
			first, second := znode.SessionID(0x500+2*i+j), znode.SessionID(0x500+2*i+1-j)
			s.watch[x] = []znode.SessionID{second}
			s.add(x, first, 200*time.Second, fmt.Sprintf("ring%d-%d", i, j)).add(y, second, 190*time.Second, fmt.Sprintf("ring%d-%d", i, 1-j))
		}
	}
	return s
}

// proved has pictures taken until a deadlock is seen to last.
func proved(d *driver) *driver {
	return d.Wait(10 * time.Second).Sync().Wait(10 * time.Second).Sync()
}

// attentionRows is what needs attention as it is drawn.
func (d *driver) attentionRows() string {
	at := d.app.shown.Size.Attention
	return strings.Join(strings.Split(d.Text(), "\n")[at.Y:at.Y+at.H], "\n")
}

// However many there are of one sort, and whichever the cursor is on, what else is urgent has its line.
func TestASortOfFindingDoesNotHideTheOthers(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		d := proved(drive(t, asked(town()).rings(6), size[0], size[1])).Press("g")
		for range 7 {
			rows := d.attentionRows()
			for _, want := range []string{"deadlock", "phantom-claim", "▸▲"} {
				if !strings.Contains(rows, want) {
					t.Fatalf("%v: no %s among\n%s", size, want, rows)
				}
			}
			d.Press("j")
		}
	}
	d := proved(drive(t, asked(town()).rings(6), 80, 24)).Press("g").See("deadlock ×7", "+6 more").Press("j", "j").See("↑ 2 above  +4 more")
	d.Press("G").See("deadlock ×7", "+6 more").SeeNot("above", "below")
	d = proved(drive(t, asked(town()).rings(6), 60, 16)).Press("g").See("deadlock ×7", "+6 ↓2").Press("j", "j").See("↑2 +4 ↓2")
	d.Press("j", "j", "j", "j", "j", "j").See("▸▲ phantom-claim", "↑8").Press("G").See("deadlock ×7").SeeNot("↑")
}

// A row that is drawn is the one that a click chooses.
func TestAClickChoosesTheRowThatIsDrawn(t *testing.T) {
	d := proved(drive(t, asked(town()).rings(6), 80, 24))
	at := d.lineOf("phantom-claim")
	d.app.desk.List.Loose = false
	d.app.desk.List.Choose(d.app.desk.LineAt(at))
	d.See("▸▲ phantom-claim")
}

// What urgent comes is told of for a minute where its row is not in sight: elsewhere in what needs attention, on a page, and
// outside a filter. The cursor stays.
func TestSomethingUrgentThatComesIsTold(t *testing.T) {
	s := lines(1, 2, 3)
	j := judged{s, nil}
	late := false
	j.judge = func(r *model.Result) *model.Result {
		out := *r
		var was, is []*model.Model
		for i, code := range []string{model.CodeHerd, model.CodeLostWaiter, model.CodeOwnerSilent} {
			if i == 2 && !late {
				break
			}
			m := r.ByPath(fmt.Sprintf("/prod/locks/l%d", i))
			one := *m
			one.Findings = []model.Finding{{Code: code, Severity: model.High, Paths: []string{one.Path}, Text: code + ": so it is"}}
			was, is = append(was, m), append(is, &one)
		}
		out.Models = r.Models.Spliced(was, is)
		return &out
	}
	d := drive(t, s, 60, 12)
	d.app.opts.Source = j
	sync := func(by time.Duration) *driver {
		d.Wait(by)
		m := picture.Take(j, d.app.opts.Hints, d.app.shown.LiveWaits)
		m.Gen, m.Aside = d.app.hints, true
		_, cmd := d.app.Update(m)
		d.run(cmd)
		return d
	}
	sync(time.Second)
	sync(time.Minute).See("herd", "↓1").SeeNot("new:").Press("G").See("▸ l2")
	late = true
	s.add("/prod/locks/l0/"+curator("2")+"lock-0000000002", 0x999, 0, "late") // something changes
	sync(time.Second).See("▲ new: owner-silent 0s", "▸▲ l2")
	d.Press("5").See("▲ new: owner-silent 0s", "1▲").Press("esc")
	d.Press("g", "j", "j").See("▸▲+owner-silent").SeeNot("new:")
	d.Press("/").Type("l1").Press("enter").See("▲ new: owner-silent")
	sync(time.Minute).SeeNot("new:")
}

// Many findings of a sort do not push the counts by kind off the overview; a filter of the page looks through all of them.
func TestTheOverviewKeepsItsCountsInSight(t *testing.T) {
	d := proved(drive(t, asked(town()).rings(9), 80, 24)).Press("2").See("deadlock", "7 more: deadlock", "phantom-claim", "KIND RECIPES CLAIMS", "locks")
	d.Press("/").Type("ring8").Press("enter").See("/locks/ring8b")
	proved(drive(t, asked(town()).rings(9), 80, 24)).Press("2", "g", "j", "j", "j").See("▸ … 7 more").Press("enter").See("[Recipes]", "deadlock ×10")
}

// Of a sort that has one line, one that stands is shown while there is one: the first of it, which has just been cleared,
// is not.
func TestASortShowsOneThatStands(t *testing.T) {
	s := newStage()
	for i := range 7 {
		dir := fmt.Sprintf("/locks/l%d/", i)
		s.add(dir+curator("1")+"lock-0000000001", sA, time.Minute, "a").add(dir+curator("1")+"lock-0000000002", sA, time.Minute, "a")
		s.add(dir+curator("2")+"lock-0000000003", sB, time.Minute, "b")
	}
	for _, head := range []int{1, 3} {
		d := drive(t, s, 80, 24)
		d.See("phantom-claim ×7")
		d.app.desk.List.Settle(9) // a recipe, as whoever looks at it has it
		if draw := d.head(head); len(draw) != head || !strings.Contains(draw[0], "l0 ") {
			t.Fatalf("%q", draw)
		}
		s.del("/locks/l0/" + curator("1") + "lock-0000000002")
		d.Wait(time.Second).Sync()
		for _, line := range d.head(head) {
			if strings.Contains(line, "cleared") || !strings.Contains(line, "phantom-claim") {
				t.Errorf("of %d lines one is %q", head, line)
			}
		}
		s.add("/locks/l0/"+curator("1")+"lock-0000000002", sA, time.Minute, "a")
	}
}

// head draws what needs attention in so many lines.
func (d *driver) head(lines int) (out []string) {
	d.app.shown.Size.Attention.H = lines
	for _, l := range d.app.desk.AttentionArea() {
		text := ""
		for _, s := range l {
			text += s.Text
		}
		out = append(out, text)
	}
	return out
}
