package tui

import (
	"strings"
	"testing"
	"time"
)

const lossCaption = "report-1 loses its connection while it holds, again and again: press w, then b"

// bar is the bottom row.
func (d *driver) bar() string {
	rows := strings.Split(d.Text(), "\n")
	return rows[len(rows)-1]
}

func TestTheKeysComeBeforeTheCaption(t *testing.T) {
	for w, all := range map[int]bool{60: false, 80: false, 120: false, 160: true} {
		d := drive(t, town(), w, 24)
		d.app.opts.Caption = lossCaption
		d.Press("j", "j")
		bar := d.bar()
		for _, k := range []string{"enter open", "w why", "b break", "a act", "? keys", "q quit"} {
			if !strings.Contains(bar, k) {
				t.Errorf("%d: no %q in %q", w, k, bar)
			}
		}
		if got := strings.Contains(bar, "press w, then b"); got != (w >= 80) {
			t.Errorf("%d: the caption's keys: %q", w, bar)
		}
		if got := strings.Contains(bar, lossCaption); got != all {
			t.Errorf("%d: the whole caption: %v in %q", w, got, bar)
		}
	}
}

func TestPagesHaveNoCaption(t *testing.T) {
	d, j := joining(t, town())
	d.app.opts.Caption = lossCaption
	d.See("press w, then b").Press("4").SeeNot("press w, then b").Press("1", "J", "tab", "enter")
	if len(j.taken) != 1 {
		t.Fatal("not joined")
	}
	d.SeeNot("press w, then b").See("c leave")
}

func TestHintsOfferOnlyWhatCanBeDone(t *testing.T) {
	d := drive(t, town(), 160, 40)
	d.See("/locks/orders lock").SeeNot("r revoke").See("b break") // Curator's claims of orders show no sign of listening
	d.Press("/").Type("nightly").Press("enter", "esc").See("r revoke", "b break")
	d.Press("enter", "j").SeeNot("r revoke") // a waiter holds nothing that it could let go
	d.Press("esc", "/", "ctrl+u").Type("scheduler").Press("enter", "esc", "w").SeeNot("r revoke").See("b break")
	empty := drive(t, newStage(), 160, 40)
	empty.SeeNot("r revoke", "b break", "a act", "J join", "n notify", "w why", "i session", "y copy").See("1-9 views", "? keys", "q quit")
}

func TestAVoteIsHintedWhileOneIsMissing(t *testing.T) {
	s := newStage()
	s.add("/app/tx1", 0, time.Minute, "x").add("/app/tx1/s_1", 0, time.Minute, "commit").add("/app/tx1/s_2", 0, time.Minute, "")
	s.hints = hinted
	d := drive(t, s, 120, 40)
	d.See("v vote").SeeNot("r revoke")
	s.set("/app/tx1/s_2", "commit")
	d.Sync().SeeNot("v vote").See("a act")
}
