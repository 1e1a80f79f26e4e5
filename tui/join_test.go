package tui

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/tui/act"
	"github.com/zkscope/zkscope/tui/backend"
	"github.com/zkscope/zkscope/tui/layer"
	"github.com/zkscope/zkscope/tui/picture"
)

// seat is a place that a test moves along.
type seat struct {
	want    actions.Join
	state   actions.JoinState
	changed chan struct{}
	done    chan struct{}
	answers []bool
	ends    []bool
}

func (s *seat) Want() actions.Join       { return s.want }
func (s *seat) State() actions.JoinState { return s.state }
func (s *seat) Changed() <-chan struct{} { return s.changed }
func (s *seat) Done() <-chan struct{}    { return s.done }
func (s *seat) Finish(ok bool)           { s.ends = append(s.ends, ok) }
func (s *seat) Answer(ok bool)           { s.answers = append(s.answers, ok) }

func (s *seat) Leave(context.Context) actions.JoinState {
	s.state.Phase, s.state.Text = actions.JoinLeft, "left the line"
	return s.state
}

// seats is a Joiner of seats.
type seats struct {
	taken []*seat
}

func (j *seats) Join(r actions.Join) (backend.Place, error) {
	s := &seat{want: r, changed: make(chan struct{}, 1), done: make(chan struct{}),
		state: actions.JoinState{Phase: actions.JoinConnecting, Text: "connecting", Since: noon}}
	j.taken = append(j.taken, s)
	return s, nil
}

func joining(t *testing.T, s *stage) (*driver, *seats) {
	d := drive(t, s, 120, 40)
	j := &seats{}
	d.app.hand.Means.Joiner, d.app.hand.Means.Me = j, "eve"
	d.app.hand.Armed = true
	return d, j
}

// moves puts a seat into a phase and tells the console.
func (d *driver) moves(s *seat, change func(*actions.JoinState)) *driver {
	change(&s.state)
	_, cmd := d.app.Update(act.PlaceMsg{Place: s})
	_ = cmd // waits for the next move
	return d
}

func TestJoiningALineAndLeaving(t *testing.T) {
	d, j := joining(t, town())
	d.Press("/").Type("nightly").Press("enter", "J").See("take a place in a recipe", "/locks/nightly", "eve")
	d.SeeNot("data", "count", "< >").See("▸[ Cancel ]   [ Join ]   y does it").Press("enter").See("closed: nothing was done")
	if len(j.taken) > 0 {
		t.Fatal("joined without being told")
	}
	d.Press("J", "tab").See("▸[ Join ]   enter does it").Press("enter")
	if len(j.taken) != 1 || j.taken[0].want.Path != "/locks/nightly" || j.taken[0].want.Kind != layout.Lock || j.taken[0].want.Name != "eve" {
		t.Fatalf("joined %+v", j.taken)
	}
	d.See("you, in lock /locks/nightly", "connecting")
	s := j.taken[0]
	d.moves(s, func(st *actions.JoinState) {
		st.Phase, st.Text, st.Position, st.Of, st.Behind, st.Session = actions.JoinWaiting, "waiting", 2, 3, "batch-2", sD
	}).See("you are 3rd of 3", "behind    batch-2")
	if own := d.app.opts.Hints.Own; len(own) != 1 || own[0] != sD {
		t.Errorf("own sessions: %v", own)
	}
	d.Press("8").See("joined", "waiting").Press("enter", "esc").See("leave /locks/nightly").Press("enter")
	if s.state.Phase != actions.JoinWaiting {
		t.Fatal("left without being told")
	}
	d.Press("esc", "tab", "enter")
	if s.state.Phase != actions.JoinLeft {
		t.Fatal("not left")
	}
	d.Press("esc").See("joined", "left the line")
}

func TestBeingAskedToLetGoIsAQuestion(t *testing.T) {
	d, j := joining(t, town())
	d.Press("J", "tab", "enter")
	s := j.taken[0]
	ask := func(st *actions.JoinState) { st.Phase, st.Text = actions.JoinAsked, "asked to let go" }
	d.moves(s, ask).See("somebody asks you to let go").Press("tab", "enter")
	if len(s.answers) != 1 || !s.answers[0] {
		t.Fatalf("answers %v", s.answers)
	}
	d.moves(s, ask).SeeNot("somebody asks you")
}

func TestDisarmedJoinsNothing(t *testing.T) {
	d, j := joining(t, town())
	d.app.hand.Armed = false
	d.Press("J").See("cannot join: the console is disarmed")
	if len(j.taken) > 0 {
		t.Error("joined")
	}
}

func TestAVoteForASite(t *testing.T) {
	s := newStage()
	s.add("/app/tx1", 0, time.Minute, "x").add("/app/tx1/s_1", 0, time.Minute, "commit").add("/app/tx1/s_2", 0, time.Minute, "")
	s.hints = hinted
	var done []actions.Plan
	s.apply = func(p actions.Plan) actions.Result {
		done = append(done, p)
		return actions.Result{Plan: p, Outcome: actions.Done, Text: "voted"}
	}
	d, _ := joining(t, s)
	d.Press("v").See("vote for s_2 in /app/tx1").Press("shift+tab", "right", "enter").See("vote abort for s_2 in /app/tx1", "it decides the transaction: abort, by this vote alone",
		"it cannot be taken back", "s_2 is not our site", "type s_2", "[ Cancel ]")
	d.Press("esc").See("nothing was done")
	if len(done) > 0 {
		t.Fatal("voted by a key that cancels")
	}
	d.Press("v", "enter").See("vote commit for s_2", "it decides the transaction: commit").Type("s_2").Press("enter")
	if len(done) != 1 || string(done[0].NewData) != "commit" || done[0].Target.Path != "/app/tx1/s_2" {
		t.Errorf("%+v", done)
	}
	d.app.hand.Armed = false
	d.Press("v", "enter").See("this is only a preview: the console is disarmed")
}

func TestWhatIsMissingIsSaidInTheForm(t *testing.T) {
	d, j := joining(t, town())
	d.Press("J", "tab", "tab", "tab", "ctrl+u", "ctrl+s").See("a path is missing")
	if len(j.taken) > 0 {
		t.Error("joined")
	}
}

func TestAFormShowsOnlyWhatIsNeeded(t *testing.T) {
	for _, c := range []struct {
		kind, part  string
		shown, gone []string
	}{
		{"lock", "", []string{"name"}, []string{"as  ", "data", "count"}},
		{"semaphore", "", []string{"name", "count"}, []string{"as  ", "data"}},
		{"queue", "consumer", []string{"as  "}, []string{"name", "data", "count"}},
		{"queue", "producer", []string{"as  ", "data"}, []string{"name", "count"}},
		{"barrier", "wait", []string{"as  "}, []string{"name", "data", "count"}},
		{string(layout.DoubleBarrier), "", []string{"name", "count"}, []string{"as  ", "data"}},
		{string(layout.TwoPhase), "site", []string{"as  ", "name", "data"}, []string{"count"}},
	} {
		d, _ := joining(t, town())
		d.Press("J")
		f := layer.Top[*layer.Form](&d.app.stack)
		f.Fields[act.JoinKind].Value, f.Fields[act.JoinPart].Value = c.kind, c.part
		f.Change(f)
		labels := func() (out []string) {
			for i := range f.Fields {
				if !f.Fields[i].Hidden {
					out = append(out, f.Fields[i].Label+"  ")
					if l := len(f.Fields[i].Options); f.Fields[i].Options != nil && l < 2 {
						t.Errorf("%s: %s has nothing to choose from", c.kind, f.Fields[i].Label)
					}
				}
			}
			return out
		}
		all := strings.Join(labels(), "")
		for _, s := range c.shown {
			if !strings.Contains(all, s) {
				t.Errorf("%s %s: no %s in %s", c.kind, c.part, s, all)
			}
		}
		for _, s := range c.gone {
			if strings.Contains(all, s) {
				t.Errorf("%s %s: %s in %s", c.kind, c.part, s, all)
			}
		}
	}
}

func TestAFormIsDeafForAMoment(t *testing.T) {
	d, j := joining(t, town())
	d.Hammer("J", "tab", "enter").See("take a place")
	if len(j.taken) > 0 {
		t.Error("joined by a key that was meant for the list")
	}
}

func TestJoinsAndVotesCarryAReason(t *testing.T) {
	s := newStage()
	s.hints = hinted
	s.add("/app/tx1", 0, time.Minute, "x").add("/app/tx1/s_1", 0, time.Minute, "commit").add("/app/tx1/s_2", 0, time.Minute, "")
	s.add("/locks/a/"+curator("1")+"lock-0000000004", sB, time.Minute, "web-1")
	d, j := joining(t, s)
	var reasons []string
	s.apply = func(p actions.Plan) actions.Result {
		reasons = append(reasons, p.Reason)
		return actions.Result{Plan: p, Outcome: actions.Done}
	}
	d.Press("j", "v", "enter").See("why", "may be empty; for the audit log")
	d.Press("tab").Type("s_2 is drained").Press("enter").Type("s_2").Press("enter")
	if len(reasons) != 1 || reasons[0] != "s_2 is drained" {
		t.Fatalf("%q", reasons)
	}
	d.app.hand.Means.NeedReason = true
	d.Press("J", "ctrl+s").See("say why: this profile wants a reason")
	if len(j.taken) != 0 {
		t.Fatal("joined without a reason")
	}
	for range act.JoinFields {
		d.Press("down")
		if layer.Top[*layer.Form](&d.app.stack).At() == act.JoinWhy {
			break
		}
	}
	d.Type("drill").Press("enter").See("▸[ Join ]").Press("enter")
	if len(j.taken) != 1 || j.taken[0].want.Reason != "drill" {
		t.Fatalf("taken %v", j.taken)
	}
}

func TestAVoteIsForTheTransactionThatWasSeen(t *testing.T) {
	s := newStage()
	s.hints = hinted
	tx := func(vote string) {
		s.add("/app/tx1", 0, time.Minute, "x").add("/app/tx1/s_1", 0, time.Minute, "commit").add("/app/tx1/s_2", 0, time.Minute, vote)
	}
	tx("")
	s.apply = func(p actions.Plan) actions.Result { t.Fatalf("voted: %s", p.Title); return actions.Result{} }
	d, _ := joining(t, s)
	d.Press("v").See("vote for s_2 in /app/tx1")
	s.set("/app/tx1/s_2", "commit")
	d.Sync().Press("ctrl+s").See("s_2 has voted commit meanwhile").Press("esc")
	s.set("/app/tx1/s_2", "")
	d.Sync().Press("v").See("vote for s_2")
	s.del("/app/tx1/s_2").del("/app/tx1/s_1").del("/app/tx1")
	d.Sync().Press("ctrl+s").See("the transaction is gone")
	tx("")
	d.Sync().Press("ctrl+s").See("this is another transaction now").Press("esc")
	d.Press("v", "enter").See("vote commit for s_2")
	s.set("/app/tx1/s_2", "abort")
	d.Sync().See("its data has changed: close this and look again")
}

func TestWhatIsTypedIsEditedByCharacters(t *testing.T) {
	d := drive(t, town(), 120, 40)
	want := strings.Repeat("pr\u00f8d ", 20)
	box := &layer.Dialog{Title: "q", Do: "do"}
	box.Demand(want)
	d.app.hand.Ask(box)
	d.Wait(time.Second).Type("pr\u00f8").Press("backspace")
	if _, typed := box.Demands(); typed != "pr" {
		t.Errorf("%q", typed)
	}
	d.Type("\u00f8d ").Type(strings.Repeat("pr\u00f8d ", 19))
	if _, typed := box.Demands(); typed != want {
		t.Errorf("%q", typed)
	}
}

func TestAPlaceIsOfTheSamePictureAsTheLine(t *testing.T) {
	s := newStage()
	mine := "/locks/a/" + curator("3") + "lock-0000000006"
	s.add("/locks/a/"+curator("1")+"lock-0000000004", sB, time.Minute, "web-1").add("/locks/a/"+curator("2")+"lock-0000000005", sC, time.Minute, "web-2")
	s.add(mine, sA, time.Second, "eve")
	d, j := joining(t, s)
	d.Press("J", "ctrl+s")
	d.moves(j.taken[0], func(st *actions.JoinState) {
		st.Phase, st.Text, st.Position, st.Of, st.Behind, st.Node = actions.JoinWaiting, "waiting: 3rd of 3, behind web-2", 2, 3, "web-2", mine
	}).See("you are 3rd of 3")
	s.del("/locks/a/" + curator("1") + "lock-0000000004")
	d.Sync().See("waiting: 2nd of 2, behind web-2", "you are 2nd of 2").SeeNot("3rd of 3")
}

func TestJoiningSaysBeforehandWhatItDoesToOthers(t *testing.T) {
	d, j := joining(t, town())
	d.Press("/").Type("nightly").Press("enter", "J").See("you wait behind 2 claims; when it is your turn you hold it", "whoever is behind you waits", "esc on its page, or quit")
	d.Press("esc").SeeNot("HOLDING", "IN LINE").Press("J", "tab", "enter").See("[IN LINE 1]")
	d.moves(j.taken[0], func(st *actions.JoinState) { st.Phase, st.Text = actions.JoinHolding, "holds it" }).See("[HOLDING 1]").SeeNot("you wait")
	d.moves(j.taken[0], func(st *actions.JoinState) { st.Phase, st.Text = actions.JoinLeft, "left" }).SeeNot("HOLDING")
}

// three is a transaction of three sites, the first of which has voted.
func three() *stage {
	s := newStage()
	s.hints = hinted
	s.add("/app/tx1", 0, time.Minute, "x").add("/app/tx1/s_1", 0, time.Minute, "commit")
	return s.add("/app/tx1/s_2", 0, time.Minute, "").add("/app/tx1/s_3", 0, time.Minute, "")
}

func TestAVoteIsForTheSelectedSite(t *testing.T) {
	d := drive(t, three(), 140, 40)
	d.Press("v").See("vote: for which site?", "s_2", "s_3").SeeNot("1  s_1").Press("2").See("vote for s_3 in /app/tx1").Press("esc")
	d.Press("enter", "g", "v").See("s_1 has voted commit already: select a site that has not").SeeNot("vote for s_")
	d.Press("j", "j", "v").See("vote for s_3 in /app/tx1").Press("esc", "k", "v").See("vote for s_2 in /app/tx1").Press("esc")
	d.Press("g", "a").See("v  vote for a site: s_1 has voted commit already").Press("esc", "esc", "a", "v").See("vote: for which site?")
}

func TestAVoteIsForOurOwnSite(t *testing.T) {
	s := three()
	d, _ := joining(t, s)
	pl := &seat{want: actions.Join{Kind: layout.TwoPhase, Path: "/app/tx1"}, state: actions.JoinState{Phase: actions.JoinHolding, Node: "/app/tx1/s_3"}}
	d.app.shown.Places = append(d.app.shown.Places, pl)
	d.Press("v").See("vote for s_3 in /app/tx1")
}

// Taking part in one recipe ends nothing that is known of others, and no event is lost to it.
func TestJoiningForgetsNothingElsewhere(t *testing.T) {
	s := town()
	s.add("/locks/batch/x-lock-0000000001", sA, time.Minute, "one").add("/locks/batch/x-lock-0000000002", sB, time.Minute, "two")
	d, j := joining(t, s)
	d.Wait(time.Minute)
	s.del("/locks/batch/x-lock-0000000001")
	d.Sync().Wait(time.Minute)
	since := d.app.shown.Live.ByPath("/locks/batch").Claims[0].Since()
	d.Press("/").Type("nightly").Press("enter", "J", "tab", "enter")
	s.add("/locks/other/x-lock-0000000001", sC, 0, "three") // in the same moment
	j.taken[0].state.Phase, j.taken[0].state.Session = actions.JoinWaiting, sD
	_, cmd := d.app.Update(act.PlaceMsg{Place: j.taken[0]})
	for _, c := range cmd().(tea.BatchMsg) {
		if v, ok := c().(picture.Next); ok {
			d.app.Update(v)
			break
		}
	}
	if c := &d.app.shown.Live.ByPath("/locks/batch").Claims[0]; !c.RoleChangeSeen || !c.Since().Equal(since) || since.IsZero() {
		t.Errorf("holds since %v (seen: %v), not %v", c.Since(), c.RoleChangeSeen, since)
	}
	last := d.app.shown.Log.Events[len(d.app.shown.Log.Events)-1]
	if last.Path != "/locks/other" {
		t.Errorf("what happened meanwhile was lost: %+v", last)
	}
}

// A picture that follows another than the shown one is read again, so that nothing is told twice.
func TestAPictureOfTwoIsNotToldTwice(t *testing.T) {
	s := town()
	d := drive(t, s, 120, 40)
	one, two := d.app.redecode(true), d.app.redecode(true)
	s.add("/locks/other/x-lock-0000000001", sC, 0, "three")
	before := len(d.app.shown.Log.Events)
	a, b := one(), two()
	d.app.Update(a)
	_, again := d.app.Update(b)
	d.run(again)
	if n := len(d.app.shown.Log.Events) - before; n != 2 { // it appeared and was acquired
		t.Errorf("%d events of one change: %+v", n, d.app.shown.Log.Events[before:])
	}
}

// Before a place is given up it is said who learns of it, and not that somebody does where nobody is there.
func TestLeavingSaysWhoIsNext(t *testing.T) {
	s := town()
	node := "/locks/mine/x-lock-0000000001"
	s.add(node, sD, time.Minute, "eve")
	d, j := joining(t, s)
	d.Press("/").Type("mine").Press("enter", "J", "tab", "enter")
	d.moves(j.taken[0], func(st *actions.JoinState) {
		st.Phase, st.Session, st.Node = actions.JoinHolding, sD, node
	}).Press("esc").See("leave /locks/mine", "nobody is behind you").SeeNot("woken")
	d.Wait(time.Second).Press("esc")
	s.add("/locks/mine/x-lock-0000000002", sA, 0, "two")
	d.Sync().Press("8", "enter", "esc").See("leave /locks/mine", "and next to hold is two")
}

// Whoever goes to a recipe has chosen none of its claims.
func TestGoingToARecipeChoosesNoClaim(t *testing.T) {
	d := drive(t, three(), 140, 40)
	d.Press(":").Type("go /app/tx1").Press("enter", "v").See("vote: for which site?", "s_2", "s_3").Press("esc")
	d.Press("j", "v").See("vote for s_2 in /app/tx1").Press("esc") // the first step chooses; a vote that is missing is a key away
	d.Press("g", "v").See("s_1 has voted commit already")
	d.Press(":").Type("go /app/tx1/s_3").Press("enter", "v").See("vote for s_3 in /app/tx1")
}
