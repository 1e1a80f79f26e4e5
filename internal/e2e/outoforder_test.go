package e2e

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/internal/peers"
)

func (p *proc) ask(kind, path string) {
	p.p.Say(kind + " " + path)
	p.p.Expect("WANTS "+path, 30*time.Second)
}

func (p *proc) drop(path string) {
	p.p.Say("drop " + path)
	p.p.Expect("DROPPED "+path, 30*time.Second)
}

// A reader of kazoo before 2.9 that a writer's release wakes goes on to wait for the next writer, which waits for it.
func TestAKazooReaderWaitsForALaterWriter(t *testing.T) {
	t.Parallel()
	const path = "/rw/report"
	addr := peers.ZooKeeper(t, peers.Options{}).Addr
	first, reader, second := newKazoo(t, addr, "w1", "20"), newKazoo(t, addr, "r1", "20"), newKazoo(t, addr, "w2", "20")
	v := watching(t, time.Second, addr)
	v.until("the first answers", func(*waits.Waits) bool { return v.w.Status() != nil })
	first.ask("write", path)
	first.got(path, 10*time.Second)
	reader.ask("read", path)
	second.ask("write", path)
	mdl := func(n int) *model.Model {
		m := v.last.ByPath(path)
		if m == nil || len(m.Claims) != n {
			return nil
		}
		return m
	}
	v.until("all three to show", func(*waits.Waits) bool { m := mdl(3); return m != nil && m.Claims[1].Proof() == model.Proven })
	first.drop(path)
	said := map[string]bool{}
	v.until("both to be seen waiting", func(*waits.Waits) bool {
		m := mdl(2)
		if m == nil {
			return false
		}
		said[m.Claims[0].Why()] = true
		for _, f := range m.Findings {
			if f.Severity == model.High {
				t.Errorf("%s: %s", f.Code, f.Text)
			}
		}
		return m.State == model.Stuck && m.Claims[0].Proof() == model.Proven && m.Claims[1].Proof() == model.Proven
	})
	if said["no writer ahead"] {
		t.Errorf("it was said to read for sure: %v", said)
	}
	m := mdl(2)
	if by := m.Claims[0].BlockedBy(); !slices.Equal(by, []string{m.Claims[1].Path()}) || m.Claims[0].Owner() != "r1" {
		t.Errorf("%s is blocked by %q", m.Claims[0].Owner(), by)
	}
	var found *waits.Waits
	v.until("a deadlock that stands still", func(w *waits.Waits) bool {
		found = w
		return len(w.Cycles) == 1 && w.Cycles[0].Severity == model.High
	})
	c := found.Cycles[0]
	if victim := c.Breaks[c.Victim]; victim.Claim.Owner() != "r1" || victim.Next != "w2" || !victim.Sure {
		t.Errorf("the way out: %+v, %s", victim, c.Reason)
	}
	code, out, errs := run("why", addr, path)
	if !strings.Contains(out, "break") || !strings.Contains(out, "nobody holds") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	code, out, errs = run("check", addr)
	if code != 3 || !strings.Contains(out, "deadlock") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	breakIt(t, addr, graphOf(t, addr).Cycles[0], reader, second)
}
