package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
)

// job counts the keys that a person presses on purpose; what is typed as a name does not count.
type job struct {
	*driver
	keys []string
}

func (j *job) step(keys ...string) *job {
	j.keys = append(j.keys, keys...)
	j.Press(keys...)
	return j
}

// find filters for a recipe by its name, and goes into it.
func (j *job) find(name string) *job {
	j.step("/").Type(name)
	return j.step("enter")
}

// within fails when a job took more than five keys.
func (j *job) within(t *testing.T) {
	t.Helper()
	t.Logf("%d keys: %s", len(j.keys), strings.Join(j.keys, " "))
	if len(j.keys) > 5 {
		t.Errorf("%d keys", len(j.keys))
	}
}

// amid puts a stage among 300 quiet locks, each with who holds it and one who waits.
func amid(s *stage) *stage {
	for i := range 300 {
		dir := fmt.Sprintf("/apps/team-%d/locks/resource-%03d/", i%7, i)
		s.add(dir+curator("1")+"lock-0000000001", sA, time.Hour, "quiet-1").add(dir+curator("2")+"lock-0000000002", sB, time.Minute, "quiet-2")
	}
	return s
}

func start(t *testing.T, s *stage) (*job, *seats) {
	d, j := joining(t, s)
	s.apply = func(p actions.Plan) actions.Result {
		if p.Verb == actions.VerbRevoke {
			s.set(p.Target.Path, "unlock")
		} else {
			s.del(p.Target.Path)
		}
		return actions.Result{Plan: p, Outcome: actions.Done, Text: string(p.Verb) + " " + p.Name, At: s.now}
	}
	return &job{driver: d}, j
}

func TestJobWhyALockIsStuckAndBreakTheRightClaim(t *testing.T) {
	j, _ := start(t, amid(town()))
	j.See("phantom-claim", "w why") // what needs attention is selected
	j.step("w").See("/locks/orders is a lock", "b break")
	j.step("b").See("break the claim of web-1")
	j.Type("web-1")
	j.step("enter").Sync().See("you: break web-1", "web-1 0005")
	j.within(t)
}

func TestJobRevokeAReaderAndTheWriterGetsIn(t *testing.T) {
	s := newStage()
	r := "/rw/catalog/0a1b2c3d-0000-4000-8000-00000000000"
	s.add(r+"1-__READ__0000000001", sA, 9*time.Second, "reader-1").add(r+"3-__WRIT__0000000003", sC, 4*time.Second, "writer-1")
	s.add("/locks/a/"+curator("1")+"lock-0000000004", sB, time.Minute, "web-1")
	s.del(r + "1-__READ__0000000001").del(r + "3-__WRIT__0000000003")
	s.add(r+"1-read-0000000001", sA, 9*time.Second, "reader-1").add(r+"3-write-0000000003", sC, 4*time.Second, "writer-1")
	j, _ := start(t, amid(s))
	j.find("catalog").See("reader-1", "r revoke")
	j.step("r").See("ask reader-1 to let go", "writer-1", "y does it")
	j.step("y").Sync().See("still held")
	s.del(r + "1-read-0000000001")
	j.Wait(2*time.Second).Sync().See("reader-1 let go", "- reader-1", "writer-1")
	j.within(t)
}

func TestJobWatchAnElectionFailOver(t *testing.T) {
	s := amid(town())
	j, _ := start(t, s)
	j.find("scheduler").See("sched-1", "LEAD")
	j.step("n").See("the terminal rings")
	s.del("/election/scheduler/" + curator("1") + "latch-0000000000")
	j.Wait(9*time.Second).Sync().See("- sched-1", "sched-2", "is elected, sched-2 has it")
	j.within(t)
}

func TestJobFollowATransactionAndVote(t *testing.T) {
	s := newStage()
	s.hints = hinted
	s.add("/app/tx1", 0, time.Minute, "x").add("/app/tx1/s_1", 0, time.Minute, "commit").add("/app/tx1/s_2", 0, time.Minute, "")
	j, _ := start(t, amid(s))
	s.apply = func(p actions.Plan) actions.Result {
		s.set(p.Target.Path, string(p.NewData))
		return actions.Result{Plan: p, Outcome: actions.Done, Text: "voted", At: s.now}
	}
	j.find("tx1").See("1 of 2 voted", "v vote")
	j.step("v").See("vote for s_2 in /app/tx1", "< commit >")
	j.step("enter").See("it decides the transaction: commit", "type s_2")
	j.Type("s_2")
	j.step("enter")
	j.Sync().See("2pc tx1 commit", "decided: commit")
	j.within(t)
}

func TestJobJoinALineAndLeave(t *testing.T) {
	j, seats := start(t, amid(town()))
	j.find("nightly").See("batch-1 holds")
	j.step("J").See("take a place in a recipe", "y does it")
	j.step("y").See("you, in lock /locks/nightly")
	j.moves(seats.taken[0], func(st *actions.JoinState) {
		st.Phase, st.Text, st.Position, st.Of = actions.JoinWaiting, "waiting", 2, 3
	}).See("you are 3rd of 3", "c leaves the line at once")
	j.step("c")
	if seats.taken[0].state.Phase != actions.JoinLeft {
		t.Fatal("not left")
	}
	j.within(t)
}

func TestJobBreakADeadlockWhereItCostsLeast(t *testing.T) {
	j, _ := start(t, amid(askedTown()))
	j.step("3").See("DEADLOCK", "suggested: it came to hold last")
	j.step("b").See("break the claim of pair-b")
	if want, _ := j.app.box().Demands(); want != "" {
		j.Type(want)
		j.step("enter")
	} else {
		j.step("y")
	}
	j.Sync().See("0 deadlocks")
	j.within(t)
}

func TestJobFollowABarrier(t *testing.T) {
	s := newStage()
	s.hints = model.Hints{Rules: []model.Hint{{Path: "/app/gate", Kind: layout.Barrier}}}
	s.add("/app/gate", 0, time.Minute, "")
	j, _ := start(t, amid(s))
	j.find("gate").See("barrier", "closed for 1m")
	s.del("/app/gate")
	j.Wait(2*time.Second).Sync().See("open: its znode is not there", "the barrier opened after standing")
	j.within(t)
}
