package tui

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/muesli/termenv"
	"pgregory.net/rapid"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/picture"
)

const firstOrder = "/locks/orders/_c_0a1b2c3d-0000-4000-8000-000000000001-lock-0000000004"

func onOrders(t *testing.T, s *stage) *driver {
	d := drive(t, s, 120, 40)
	return d.Press("/").Type("orders").Press("enter", "esc").See("web-1 0004")
}

func TestWhatCameAndWentStandsOutForAMoment(t *testing.T) {
	s := town()
	d := onOrders(t, s)
	d.SeeNot("+4 late-1", "- web-1")
	s.add("/locks/orders/"+curator("5")+"lock-0000000008", sB, 0, "late-1").del(firstOrder)
	d.Wait(time.Second).Sync().See("+4 late-1 0008", "- web-1 0004")
	d.Wait(2*time.Second).Sync().See("+4 late-1 0008", "- web-1 0004")
	d.Wait(2 * time.Second).SeeNot("- web-1").See("+4 late-1")
	d.Wait(2 * time.Second).SeeNot("+4 late-1").See(" 4 late-1 0008")
}

func TestARowThatWentIsNotActedOn(t *testing.T) {
	s := town()
	d := onOrders(t, s)
	d.Press("enter", "g")
	s.del(firstOrder)
	d.Sync().See("- web-1 0004")
	d.Press("k", "k", "g")
	if c := subjectClaim(d.app); c.Seq != 5 {
		t.Fatalf("selected is %d, which is not in line", c.Seq)
	}
	d.Press("j", "j").See("▸ 3 job-9 0007")
}

func TestRecipesComeAndGo(t *testing.T) {
	s := town()
	d := drive(t, s, 120, 40)
	s.add("/locks/new/"+curator("5")+"lock-0000000001", sB, 0, "late-1")
	d.Sync().See("+lock /locks/new").SeeNot("+lock /locks/orders")
	d.Press("/").Type("nightly").SeeNot("+lock").Press("esc").See("+lock /locks/new").Wait(6 * time.Second).See("lock /locks/new").SeeNot("+lock /locks/new")
	s.del("/locks/new/" + curator("5") + "lock-0000000001")
	d.Sync().See("-lock /locks/new")
	for range 8 {
		if d.Press("j"); d.app.desk.Model().Path == "/locks/new" {
			t.Fatal("what is gone can be selected")
		}
	}
	d.Press("/").Type("sched").SeeNot("-lock /locks/new").Press("esc").See("-lock /locks/new").Wait(5 * time.Second).SeeNot("-lock /locks/new")
}

func TestTheFirstPictureAndJumpsAreNoNews(t *testing.T) {
	s := town()
	d := onOrders(t, s)
	d.SeeNot("+/", "+4 late-1", "+ web-1")
	d.Press("p")
	s.add("/locks/orders/"+curator("5")+"lock-0000000008", sB, 0, "late-1").del(firstOrder)
	d.Sync().SeeNot("+4 late-1", "- web-1").Press("p").See("late-1").SeeNot("+4 late-1", "- web-1")
	s.del("/locks/orders/" + curator("5") + "lock-0000000008")
	m := picture.Take(s, s.hints, nil)
	d.app.onPlayed(playedMsg{views: []picture.Next{m}, back: true})
	d.SeeNot("late-1 0008", "- late-1")
	d.Sync().Press("4").SeeNot("+")
}

func TestSessionsComeAndGo(t *testing.T) {
	s := town()
	d := drive(t, s, 120, 40)
	d.Press("4")
	s.add("/locks/new/"+curator("5")+"lock-0000000001", 0x30000a1b2c30009, 0, "late-1")
	d.Sync().See("+0x30000a1b2c30009").SeeNot("+0x1")
	s.del("/locks/new/" + curator("5") + "lock-0000000001")
	d.Sync().See("-0x30000a1b2c30009").Press("G", "g", "/").Type("late").See("0 lines").Press("esc").Wait(5 * time.Second).SeeNot("late-1")
}

func TestFramesStaySquareWhileClaimsComeAndGo(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w, h := rapid.IntRange(60, 200).Draw(rt, "w"), rapid.IntRange(12, 50).Draw(rt, "h")
		s := town()
		d := driveTheme(t, s, w, h, paint.New(term.ASCII(), termenv.Ascii))
		defer d.app.Close()
		d.Press("/").Type("orders").Press("enter", "enter")
		for i := range rapid.IntRange(1, 12).Draw(rt, "steps") {
			name := "/locks/orders/" + strings.Replace(curator("5"), "0000-4", "000"+string(rune('a'+i))+"-4", 1) + "lock-00000000" + string(rune('1'+i/10)) + string(rune('0'+i%10))
			if s.add(name, sB, 0, "x"); rapid.Bool().Draw(rt, "gone") {
				for _, p := range slices.Sorted(maps.Keys(s.nodes)) {
					if strings.Contains(p, "-lock-") && rapid.Bool().Draw(rt, "this") {
						s.del(p)
					}
				}
			}
			d.Wait(time.Duration(rapid.IntRange(0, 3).Draw(rt, "wait")) * time.Second).Sync()
			d.Press(rapid.SampledFrom([]string{"j", "k", "G", "g", "tab", "4", "1"}).Draw(rt, "key"))
			squared(rt, d.app.View(), w, h)
		}
	})
}

// stuckPair is a deadlock of two sessions over two locks, and lets one of them work on: the deadlock is low then.
func stuckPair(t *testing.T) (s *stage, d *driver, work func()) {
	t.Helper()
	s = asked(newStage())
	d = drive(t, s, 140, 40)
	d.Sync().Wait(time.Second).Sync()
	return s, d, func() {
		s.add("/locks/else/"+curator("7")+"lock-0000000003", pairA, 0, "pair-a")
		d.Wait(time.Second).Sync()
	}
}

func TestAFindingThatIsGradedDownIsNotGone(t *testing.T) {
	_, d, work := stuckPair(t)
	d.Press("G").See("deadlock", "1 warning")
	work()
	d.SeeNot("▲-deadlock", "●-deadlock", "warning").See("deadlock", "only low now")
	d.Wait(5 * time.Second).SeeNot("only low now")
}

func TestASelectedFindingThatIsGradedDownStaysAndIsActedOn(t *testing.T) {
	s, d, work := stuckPair(t)
	d.Press("g").See("deadlock")
	work()
	d.Wait(time.Minute).See("▸· deadlock", "only low now").SeeNot("-deadlock")
	d.Press("b").SeeNot("-deadlock").See("break")
	d.Press("esc", "j")
	s.add("/locks/z/"+curator("1")+"lock-0000000001", sD, 0, "z")
	d.Wait(time.Second).Sync().SeeNot("only low now", "-deadlock")
}

func TestTheOverviewKeepsWhatIsGradedDown(t *testing.T) {
	_, d, work := stuckPair(t)
	d.Press("2", "g").See("deadlock")
	d.SeeNot("only low now")
	if it := d.app.pageItem(); it == nil || it.Finding == nil || it.Finding.Code != model.CodeDeadlock {
		t.Fatalf("selected %+v\n%s", it, d.Text())
	}
	work()
	d.See("only low now: ").Wait(time.Minute).Sync()
	if it := d.app.pageItem(); it == nil || d.app.page().Lost() {
		t.Fatalf("selected %+v\n%s", it, d.Text())
	}
	d.SeeNot("-deadlock")
}

func TestWhatIsGoneAgesNoMore(t *testing.T) {
	s := town()
	d := onOrders(t, s)
	s.del(firstOrder)
	row := func() string { return strings.Split(d.Text(), "\n")[d.lineOf("-  web-1")] }
	d.Wait(time.Second).Sync()
	if l := row(); !strings.Contains(l, "3m13s") || !strings.Contains(l, "0s ago") {
		t.Error(l)
	}
	d.Wait(2 * time.Second)
	if l := row(); !strings.Contains(l, "3m13s") || !strings.Contains(l, "2s ago") {
		t.Error(l)
	}
	d.Press("3", "G") // a page with ages
	w := s.add("/locks/new/"+curator("5")+"lock-0000000001", sB, 0, "late-1").add("/locks/new/"+curator("6")+"lock-0000000002", sC, 0, "late-2")
	d.Sync().See("late-2")
	w.del("/locks/new/" + curator("6") + "lock-0000000002")
	d.Wait(time.Second).Sync()
	gone := func() string { return strings.Split(d.Text(), "\n")[d.lineOf("late-2")] }
	was := gone()
	if d.Wait(2 * time.Second); gone() != was || !strings.Contains(was, "waits 1s") {
		t.Errorf("%s\n%s", was, gone())
	}
}
