package past

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/chronicle"
	"github.com/zkscope/zkscope/internal/mirror"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/txnlog"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/recipes"
)

// turn is what a client knows of one of its claims: between which moments what happened.
type turn struct {
	lock                    string
	node                    string
	asked, had, letGo, done time.Time
}

// workdays are the turns of all clients, who work until there are enough of them, before and after the death of the leader.
type workdays struct {
	mu     sync.Mutex
	turns  []turn
	killed bool
	after  int // turns that ended since
}

func (w *workdays) add(x turn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.turns = append(w.turns, x)
	if w.killed {
		w.after++
	}
}

func (w *workdays) kill() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.killed = true
}

func (w *workdays) enough() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.turns) >= 100 && w.after >= 50
}

// work takes locks in turn until there were enough turns, or the time is up; what was interrupted is left out.
func (w *workdays) work(ctx context.Context, t *testing.T, addrs []string, name string, locks []string) {
	ses, err := recipes.Dial(ctx, recipes.Config{Servers: addrs, Timeout: 6 * time.Second})
	if err != nil {
		t.Error(err)
		return
	}
	defer ses.Close()
	for i := 0; ctx.Err() == nil && !w.enough(); i++ {
		x := turn{lock: locks[i%len(locks)], asked: time.Now()}
		c, err := ses.Lock(x.lock, recipes.Options{Data: []byte(name)}).Acquire(ctx)
		if err != nil {
			continue
		}
		x.had, x.node = time.Now(), c.Path()
		<-time.After(time.Duration(20+i%5*10) * time.Millisecond)
		x.letGo = time.Now()
		if err := c.Release(context.WithoutCancel(ctx)); err != nil {
			continue
		}
		x.done = time.Now()
		w.add(x)
	}
}

// What each member's files tell of claims lies between what the clients themselves saw, also over the death of a leader; the
// tree at the end is the live one, from each member alone and from all together.
func TestEveryMemberTellsTheSame(t *testing.T) {
	servers := peers.Ensemble(t, 3, peers.Options{JVMFlags: []string{"-Dzookeeper.snapCount=300"}})
	var addrs []string
	for _, s := range servers {
		addrs = append(addrs, s.Addr)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	admin, err := zkc.Dial(ctx, zkc.Config{Servers: addrs})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(admin.Close)
	for _, path := range []string{"/locks", "/locks/a", "/locks/0", "/locks/1", "/locks/2"} { // as containers, they would go meanwhile
		if _, err := admin.Create(ctx, path, nil, 0, nil); err != nil {
			t.Fatal(err)
		}
	}
	var days workdays
	var clients sync.WaitGroup
	for i := range 6 {
		clients.Go(func() {
			days.work(ctx, t, addrs, fmt.Sprint("w", i), []string{"/locks/a", fmt.Sprint("/locks/", i%3)})
		})
	}
	<-time.After(4 * time.Second) // of what happens under the first leader
	peers.WaitFor(t, 20*time.Second, "a leader that can be killed", func() bool {
		for _, s := range servers {
			if s.Mode() == "leader" {
				s.Kill()
				s.Restart()
				days.kill()
				return true
			}
		}
		return false
	})
	clients.Wait()
	turns := days.turns
	live, told := settled(t, addrs, servers)
	if !days.enough() {
		t.Fatalf("only %d turns in 90 s, %d of them after the leader's death", len(turns), days.after)
	}
	for i, s := range servers {
		if d := differ("/", told[i].end.Root, live.Root); len(d) > 0 {
			t.Errorf("%s: %d znodes differ, the first:\n%s", s.Addr, len(d), d[0])
		}
		if len(told[i].cover.Epochs) < 2 {
			t.Errorf("%s: %+v", s.Addr, told[i].cover.Epochs)
		}
		compare(t, told[i].story, told[i].cover, turns)
	}
}

// telling is what one member's files tell.
type telling struct {
	story *Story
	end   *znode.Snapshot
	cover *txnlog.Coverage
}

// settled reads the live tree and every member's files, all at one zxid: what the ensemble writes meanwhile, as the end of a
// session does, makes it read them anew.
func settled(t *testing.T, addrs []string, servers []*peers.Server) (live *znode.Snapshot, told []telling) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	c, err := zkc.Dial(ctx, zkc.Config{Servers: addrs})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	zxids := func() (out []string) {
		for _, s := range servers {
			_, rest, _ := strings.Cut(s.FourLetter("srvr"), "Zxid: ")
			zxid, _, _ := strings.Cut(rest, "\n")
			out = append(out, zxid)
		}
		return out
	}
	peers.WaitFor(t, 30*time.Second, "members that agree and stand still while they are read", func() bool {
		z := zxids()
		if z[0] == "" || z[0] != z[1] || z[1] != z[2] {
			return false
		}
		if live, err = mirror.Load(ctx, c, mirror.Options{}); err != nil {
			t.Fatal(err)
		}
		told = nil
		for _, s := range servers {
			story := open(t, s.DataDir())
			end, cover := end(t, story)
			told = append(told, telling{story, end, cover})
		}
		return slices.Equal(z, zxids())
	})
	return live, told
}

// compare holds what the files tell against what the clients saw: within fifty milliseconds. What happened in a hole of the
// files, nothing tells.
func compare(t *testing.T, story *Story, cover *txnlog.Coverage, turns []turn) {
	t.Helper()
	const off = 50 * time.Millisecond
	by := map[string]*chronicle.Stay{}
	for _, lock := range []string{"/locks/a", "/locks/0", "/locks/1", "/locks/2"} {
		h, err := chronicle.Of(story, lock, time.Time{}, time.Time{}, model.Hints{})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range h.Stays {
			by[s.Claim.Path] = s
		}
	}
	within := func(at, from, to time.Time) bool { return !at.Before(from.Add(-off)) && !at.After(to.Add(off)) }
	wrong := 0
	for _, x := range turns {
		s := by[x.node]
		unseen := slices.ContainsFunc(cover.Holes, func(h txnlog.Hole) bool {
			return !x.done.Before(h.After.Time().Add(-off)) && !x.asked.After(h.Before.Time().Add(off))
		})
		switch {
		case unseen:
		case s == nil:
			t.Errorf("%s is not told", x.node)
		case !within(s.Came.At, x.asked, x.had), !within(s.Held.At, x.asked, x.had), !within(s.Left.At, x.letGo, x.done), s.How != chronicle.Released:
			wrong++
			if wrong < 4 {
				t.Errorf("%s: came %v held %v left %v (%s); the client asked %v had %v let go %v done %v", x.node, s.Came.At, s.Held.At, s.Left.At, s.How, x.asked.UTC(), x.had.UTC(), x.letGo.UTC(), x.done.UTC())
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d turns are told wrongly", wrong, len(turns))
	}
}

// Stretches that were taken from members are told by others, and where nobody tells them there is a hole.
func TestStretchesAreTakenAway(t *testing.T) {
	whole, err := txnlog.FindMember("../txnlog/testdata/expiry", "")
	if err != nil {
		t.Fatal(err)
	}
	without := func(gone ...string) *txnlog.Member {
		m := &txnlog.Member{Name: "m", Snapshots: whole.Snapshots[:1]}
		for _, f := range whole.Logs {
			if !slices.Contains(gone, filepath.Base(f.Path)) {
				m.Logs = append(m.Logs, f)
			}
		}
		return m
	}
	story := func(ms ...*txnlog.Member) *Story {
		s, err := Open(ms)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	want, _ := end(t, story(whole))
	got, cover := end(t, story(without("log.1b", "log.74"), without("log.37", "log.1")))
	if d := differ("/", got.Root, want.Root); len(d) > 0 || len(cover.Holes) != 0 || cover.Records != 0xad {
		t.Errorf("%v %+v", d, cover)
	}
	if _, cover := end(t, story(without("log.37"))); len(cover.Holes) != 1 || cover.Holes[0].Lost() != 0x5a-0x37 {
		t.Errorf("%+v", cover.Holes)
	}
}

// Where a stretch is missing and a snapshot was written behind it, as a member does that was sent the whole tree, the tree goes
// on from there: what happened meanwhile was not seen. That snapshot is of one transaction before the hole ends: that one alone
// is missing in the tree.
func TestASnapshotLeadsOverAHole(t *testing.T) {
	whole, err := txnlog.FindMember("../txnlog/testdata/expiry", "")
	if err != nil {
		t.Fatal(err)
	}
	m := &txnlog.Member{Name: "m", Snapshots: whole.Snapshots}
	for _, f := range whole.Logs {
		if filepath.Base(f.Path) != "log.37" {
			m.Logs = append(m.Logs, f)
		}
	}
	s, err := Open([]*txnlog.Member{m})
	if err != nil {
		t.Fatal(err)
	}
	full, err := Open([]*txnlog.Member{whole})
	if err != nil {
		t.Fatal(err)
	}
	want, _ := end(t, full)
	got, cover := end(t, s)
	if d := differ("/", got.Root, want.Root); len(d) > 0 || !strings.HasPrefix(got.Lacks, "1 transaction is missing") || len(cover.Holes) != 1 {
		t.Errorf("it lacks %q, %d holes, %d znodes differ: %v", got.Lacks, len(cover.Holes), len(d), d)
	}
	hole := cover.Holes[0]
	if got.Gap != (znode.Gap{From: hole.After.Time(), To: hole.Before.Time()}) {
		t.Errorf("%+v, and the hole is %+v", got.Gap, hole)
	}
	h, err := chronicle.Of(s, "/locks/nightly", time.Time{}, time.Time{}, model.Hints{})
	if err != nil || len(h.Gaps) != 1 || h.Gaps[0] != (chronicle.Span{From: hole.After.Time(), To: hole.Before.Time()}) {
		t.Errorf("%v: %+v, want the hole %+v", err, h.Gaps, hole)
	}
	for _, s := range h.Stays {
		if !s.Left.From.IsZero() && (s.Left.Cause != nil || s.How != chronicle.Gone) {
			t.Errorf("%s went in the hole, and %s is told by %+v", s.Claim.Path, s.How, s.Left.Cause)
		}
		if !s.Left.From.IsZero() && s.Held.At.IsZero() {
			t.Errorf("%s: that it did not hold in the hole is not known", s.Claim.Path)
		}
		if !s.Start && s.Came.At.After(hole.After.Time()) && s.Came.At.Before(hole.Before.Time()) && s.PlaceText() != "?" {
			t.Errorf("%s came in the hole, at place %s", s.Claim.Path, s.PlaceText())
		}
		if !s.Came.From.IsZero() || !s.Held.From.IsZero() && s.Held.From.Before(s.Came.At) {
			t.Errorf("%s: its znode tells when it came, and %+v is told, held %+v", s.Claim.Path, s.Came, s.Held)
		}
	}
	rec := files.NewRecording(s) // by jumps, too
	rec.Keep()
	for _, i := range []int{0, rec.Len() - 1, 3, rec.Len() - 2, rec.Len() - 1} {
		state := rec.At(i)
		if i == rec.Len()-1 && (len(differ("/", state.Root, want.Root)) > 0 || state.Gap != got.Gap) {
			t.Errorf("state %d: gap %+v", i, state.Gap)
		}
	}
}
