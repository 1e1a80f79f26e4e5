package tui

import (
	"fmt"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/tui/picture"
)

// While a search runs, the header tells of the moment that is shown, in all that it says.
func TestTheHeaderTellsOneMomentWhileASearchRuns(t *testing.T) {
	s, r := night()
	d := screen(t, s, r)
	d.app.search()
	for _, at := range []int{20, 40} {
		r.at = at
		_, link := r.Take()
		d.app.Update(picture.Tick{Link: link, Now: r.Now()})
		d.See("as of 12:00:00", "1 of 75", "searching the recording", fmt.Sprintf("esc stops at %d", at+1))
	}
	if got := d.app.shown.AsOf(); !got.Equal(noon) {
		t.Errorf("ages count to %v", got)
	}
	d.Press("esc").See("as of 12:00:40", "41 of 75")
}

// handed is a recording of a lock that goes from one to the next at some of its moments.
func handed(n int, hands ...int) (*stage, *reel) {
	s, r := newStage(), &reel{}
	node := func(i int) string { return fmt.Sprintf("/locks/job/%slock-%010d", curator("1"), i) }
	for i := range len(hands) + 1 {
		s.add(node(i), znode.SessionID(0x100+i), time.Minute, fmt.Sprintf("web-%d", i+1))
	}
	for i := range n {
		for k, at := range hands {
			if at == i {
				s.del(node(k))
			}
		}
		snap, _ := s.put("/tick", fmt.Sprint(i)).Take()
		r.frames = append(r.frames, snap)
		s.now = s.now.Add(time.Second)
	}
	return s, r
}

// put writes a znode, or makes it.
func (s *stage) put(path, data string) *stage {
	if s.nodes[path] == nil {
		return s.add(path, 0, time.Hour, data)
	}
	return s.set(path, data)
}

// A search back finds what one forward finds, in the other order, and looks at what was before a stretch once.
func TestASearchBackGoesInStretches(t *testing.T) {
	hands := []int{1, 7, 8, 63, 64, 65, 200, 201, 333}
	s, r := handed(400, hands...)
	d := screen(t, s, r)
	d.Press("/").Type("job").Press("enter", "esc", "G")
	r.at = 399
	d.run(d.app.seek(r.frames[399].TakenAt))
	d.See("400 of 400")
	for i := len(hands) - 1; i >= 0; i-- {
		r.pasts = 0
		d.Press("{").See(fmt.Sprintf("%d of 400", hands[i]), fmt.Sprintf("web-%d", i+1))
		if r.at != hands[i]-1 || r.pasts > 4 {
			t.Errorf("from hand %d it went to %d, and looked back %d times", i, r.at, r.pasts)
		}
	}
	d.Press("{").See("that is the beginning", "1 of 400")
}

// A search goes on to when the selected recipe comes, where it is not there; nothing is told of how it was later.
func TestASearchGoesOnToWhatIsNotThereYet(t *testing.T) {
	s, r := newStage(), &reel{}
	s.add("/locks/other/"+curator("3")+"lock-0000000001", sC, time.Minute, "else-1").add("/locks/other/"+curator("4")+"lock-0000000002", sD, time.Minute, "else-2")
	for i := range 40 {
		switch i {
		case 10:
			s.del("/locks/other/" + curator("3") + "lock-0000000001")
		case 20:
			s.add("/locks/late/"+curator("1")+"lock-0000000001", sA, 0, "kxw1")
		case 35:
			s.del("/locks/late/" + curator("1") + "lock-0000000001").del("/locks/late")
		}
		snap, _ := s.put("/tick", fmt.Sprint(i)).Take()
		r.frames = append(r.frames, snap)
		s.now = s.now.Add(time.Second)
	}
	d := screen(t, s, r)
	d.run(d.app.seek(r.frames[30].TakenAt))
	d.Press("/").Type("late").Press("enter", "esc").See("lock late", "kxw1")
	d.run(d.app.seek(noon.Add(2 * time.Second)))
	d.See("as of 12:00:02", "not there at this moment", "} goes on to when it").SeeNot("kxw1", "since 12:00")
	d.Press("}").See("as of 12:00:20", "kxw1").SeeNot("not there at this moment")
	d.Press("{").See("as of 12:00:19", "not there at this moment").SeeNot("kxw1")
	d.run(d.app.seek(noon.Add(37 * time.Second)))
	d.See("as of 12:00:37", "not there at this moment").SeeNot("kxw1").Press("{").See("as of 12:00:34", "kxw1 holds")
}
