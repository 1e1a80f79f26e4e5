package tui

import (
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/znode"
)

func TestAPlaceShowsTheLineWithYouInIt(t *testing.T) {
	d, j := joining(t, town())
	d.Press("/").Type("nightly").Press("enter", "J", "tab", "enter")
	node := "/locks/nightly/0a1b2c3d-0000-4000-8000-000000000009-lock-0000000013"
	d.stage.add(node, sD, 0, "eve")
	d.app.opts.Hints.Own = []znode.SessionID{sD}
	d.moves(j.taken[0], func(st *actions.JoinState) {
		st.Phase, st.Text, st.Position, st.Of, st.Behind, st.Session = actions.JoinWaiting, "waiting", 2, 3, "batch-2", sD
		st.Node = node
	}).Sync().See("batch-1 holds for ≤41m, 2 waiting", "line      batch-1 ◂ batch-2 ◂ you", "you are 3rd of 3", "c leaves the line at once", "c leave", "esc leave").SeeNot("f finish")
	d.app.Update(tea.WindowSizeMsg{Width: 60, Height: 20})
	d.See("-lock-0000000013").SeeNot("znode     /locks")
}

func TestFinishingIsOfferedWhereItMeansSomething(t *testing.T) {
	hold := func(st *actions.JoinState) { st.Phase, st.Text = actions.JoinHolding, "holding" }
	for _, c := range []struct {
		want     actions.Join
		see, not []string
	}{
		{actions.Join{Kind: layout.Lock, Path: "/locks/x"}, []string{"c releases it at once", "c release"}, []string{"f finish"}},
		{actions.Join{Kind: layout.Queue, Path: "/q", Part: actions.PartConsumer}, []string{"f finishes the item: it is done; c returns it to the queue", "f finish", "c return"}, nil},
		{actions.Join{Kind: layout.TwoPhase, Path: "/tx", Part: actions.PartSite}, []string{"f votes commit; c votes abort", "f commit", "c abort"}, nil},
	} {
		d, j := joining(t, town())
		d.app.hand.Join(c.want)
		d.moves(j.taken[0], hold).See(c.see...).SeeNot(c.not...)
	}
}

// Whoever waits is told what is wrong with those who stand before.
func TestAPlaceSaysWhatIsWrongAhead(t *testing.T) {
	s := town()
	d, j := joining(t, s)
	const dir = "/locks/mine/"
	first, again, node := dir+"00000000000000000000000000000001__lock__0000000001", dir+"00000000000000000000000000000001__lock__0000000002", dir+"00000000000000000000000000000003__lock__0000000003"
	s.add(dir+"00000000000000000000000000000009__lock__0000000000", sA, time.Minute, "head").add(first, sB, time.Minute, "b").add(again, sB, 0, "b").add(node, sD, 0, "eve")
	d.Sync().Press("/").Type("mine").Press("enter", "J", "tab", "enter")
	wait := func(st *actions.JoinState) {
		st.Phase, st.Text, st.Node, st.Session = actions.JoinWaiting, "waiting", node, sD
	}
	d.moves(j.taken[0], wait).Sync().See("you are 4th of 4", "ahead of you: b is in line more than once")
	s.del(again)
	d.Sync().See("you are 3rd of 3").SeeNot("ahead of you")
}
