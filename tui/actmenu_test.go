package tui

import (
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/tui/layer"
)

func TestTheActMenuListsVotingAndJoining(t *testing.T) {
	s := newStage()
	s.add("/app/tx1", 0, time.Minute, "x").add("/app/tx1/s_1", 0, time.Minute, "commit").add("/app/tx1/s_2", 0, time.Minute, "")
	s.hints = hinted
	d, _ := joining(t, s)
	d.Press("a").See("v  vote for a site", "J  take a place in it").Press("v").See("vote for s_2 in /app/tx1").Press("esc")
	d.Press("a", "J").See("take a place in a recipe", "/app/tx1").Press("esc")
	s.set("/app/tx1/s_2", "commit")
	d.Sync().Press("a").See("vote for a site: every site has voted").Press("esc")
	d.app.hand.Armed = false
	d.Press("a").See("take a place in it: the console is disarmed; press W to arm it first")
}

func TestTheActMenuBeginsWithWhatCanBeDone(t *testing.T) {
	d, _ := joining(t, town())
	d.Press("/").Type("orders").Press("enter", "a").See("act: which of these?", "web-1 (0004), HOLD of /locks/orders", "web-1 (0005), wait of").Press("enter")
	if m := layer.Top[*layer.Menu](&d.app.stack); m.At != 0 || m.Entries[0].Off != "" || m.Entries[len(m.Entries)-1].Off == "" {
		t.Fatalf("%+v", m)
	}
	d.Press("esc")
	d.stage.lost = noon
	d.app.hand.Armed = false
	d.Sync().Press("a", "1")
	if m := layer.Top[*layer.Menu](&d.app.stack); m.At != -1 {
		t.Fatalf("selected %d of %+v, and none can be done", m.At, m.Entries)
	}
	d.Press("enter").See("act on web-1")
}

func TestReasonsInTheActMenuAreShownWhole(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {80, 24}, {60, 14}} {
		d := drive(t, town(), size[0], size[1])
		d.Press("/").Type("orders").Press("enter", "a", "1")
		why := ""
		for i, e := range layer.Top[*layer.Menu](&d.app.stack).Entries {
			if strings.HasPrefix(e.Off, "web-1 shows no sign") {
				layer.Top[*layer.Menu](&d.app.stack).At, why = i, e.Off
			}
		}
		if why == "" {
			t.Fatalf("%+v", layer.Top[*layer.Menu](&d.app.stack).Entries)
		}
		seen := strings.Join(strings.Fields(d.boxed("┌─ Act on web-1")), " ")
		if !strings.Contains(seen, why) {
			t.Errorf("%v: %q is not on the screen\n%s", size, why, d.Text())
		}
	}
}

func TestAMenuDoesNothingToAnotherThanItOpenedFor(t *testing.T) {
	s := town()
	d, _ := joining(t, s)
	d.Press("/").Type("orders").Press("enter", "esc", "a", "1").See("act on web-1")
	s.del(firstOrder).del("/locks/orders/" + curator("1") + "lock-0000000005")
	d.Sync().Press("b").See("web-1 on /locks/orders is no longer what is selected: nothing was done").SeeNot("only if")
}
