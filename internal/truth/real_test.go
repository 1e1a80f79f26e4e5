package truth

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/ensemble"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkc"
)

//go:embed testdata/kazoo_threads.py
var kazooThreads string

//go:embed testdata/CuratorThreads.java
var curatorThreads string

// deed is one line of a client's log.
type deed struct {
	At      float64 `json:"at"` // milliseconds since the epoch
	Thread  string  `json:"thread"`
	Session string  `json:"session"`
	Do      string  `json:"do"` // holds, releases, gave up
	Lock    string  `json:"lock"`
}

// TestRealClients judges the console by the logs of real clients, threads of which share sessions, on an ensemble of
// three: kazoo, Curator and go-zookeeper, for ten minutes. Half way one of them is killed. It is part of make test-long
// alone: in less time too little happens.
func TestRealClients(t *testing.T) {
	if os.Getenv("ZKSCOPE_LONG") == "" {
		return
	}
	const length = 10 * time.Minute
	servers := peers.Ensemble(t, 3, peers.Options{})
	var addrs []string
	for _, s := range servers {
		addrs = append(addrs, s.Addr)
	}
	f := &field{t: t, addrs: addrs, length: length}
	f.prepare()
	var shown []published
	obs, err := observe(zkc.Config{Servers: addrs}, ensemble.Config{Servers: addrs, Admin: []string{"off"}}, func(p published) {
		shown = append(shown, p)
	})
	if err != nil {
		t.Fatal(err)
	}
	f.play()
	obs.close()
	tr, s := f.judge(shown)
	sum := NewResults("")
	sum.Worlds, sum.score = 1, s
	sum.WriteTable(t.Output(), nil)
	t.Logf("%d pictures, %d deeds, %d deadlocks", len(shown), len(f.deeds), len(tr.knots.past))
	if len(f.deeds) < 500 || len(shown) < 500 {
		t.Errorf("too little happened: %d deeds, %d pictures", len(f.deeds), len(shown))
	}
	for k, n := range s.precision {
		if k[1] == "high" && n.False > 0 && !slices.Contains(known, k[0]) {
			t.Errorf("%d of %d high findings of %s were false", n.False, n.Said, k[0])
		}
	}
	for _, story := range tr.bad.stories {
		t.Log(story.Code + ": " + story.Text)
	}
}

// known are the codes of high findings that may be false here: what the clients log is less than what the bench knows of its
// own threads.
var known = []string{"deadlock", "lost-waiter"}

// field is real clients on a real ensemble.
type field struct {
	t      *testing.T
	addrs  []string
	length time.Duration
	killed string // the name of the process that is killed
	at     time.Time

	mu    sync.Mutex
	deeds []deed
}

// groups are the lines of each library; the first two of each are taken in both orders.
var groups = []string{"kazoo", "curator", "go"}

func locksOf(group string) (out []string) {
	for i := range 4 {
		out = append(out, fmt.Sprintf("/real/%s/lock-%d", group, i))
	}
	return out
}

// prepare makes the directories.
func (f *field) prepare() {
	conn, _, err := zk.Connect(f.addrs, 10*time.Second, zk.WithLogger(noLog{}))
	if err != nil {
		f.t.Fatal(err)
	}
	defer conn.Close()
	for _, path := range []string{"/real", "/real/kazoo", "/real/curator", "/real/go"} {
		if _, err := conn.Create(path, nil, 0, zk.WorldACL(zk.PermAll)); err != nil {
			f.t.Fatal(err)
		}
	}
}

type noLog struct{}

func (noLog) Printf(string, ...any) {}

// play runs all clients and gathers their logs.
func (f *field) play() {
	servers := strings.Join(f.addrs, ",")
	var procs []*peers.Proc
	args := func(name string, seed int, group string) []string {
		return append([]string{servers, name, "3", fmt.Sprint(f.length.Seconds()), strconv.Itoa(seed)}, locksOf(group)...)
	}
	for i := range 3 {
		procs = append(procs, peers.Kazoo(f.t, kazooThreads, args(fmt.Sprintf("kz%d", i), i, "kazoo")...))
	}
	for i := range 2 {
		procs = append(procs, peers.Java(f.t, "CuratorThreads", curatorThreads, args(fmt.Sprintf("cur%d", i), i, "curator")...))
	}
	var wg sync.WaitGroup
	for i := range 2 {
		f.golang(&wg, fmt.Sprintf("go%d", i), 3, uint64(i))
	}
	time.Sleep(f.length / 2)
	f.killed, f.at = "kz2", time.Now()
	procs[2].Kill()
	for i, p := range procs {
		if i != 2 {
			p.Expect("DONE", f.length+2*time.Minute)
		}
	}
	wg.Wait()
	for _, p := range procs {
		for line := range strings.Lines(p.Output()) {
			var d deed
			if strings.HasPrefix(line, "{") && json.Unmarshal([]byte(line), &d) == nil {
				f.deeds = append(f.deeds, d)
			} else if strings.Contains(line, "FAILED") {
				f.t.Error(line)
			}
		}
	}
}

// golang runs threads over one session of go-zookeeper's.
func (f *field) golang(wg *sync.WaitGroup, name string, threads int, seed uint64) {
	conn, _, err := zk.Connect(f.addrs, 6*time.Second, zk.WithLogger(noLog{}))
	if err != nil {
		f.t.Fatal(err)
	}
	end := time.Now().Add(f.length)
	say := func(thread, do, lock string) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.deeds = append(f.deeds, deed{float64(time.Now().UnixMicro()) / 1000, thread, fmt.Sprintf("%#x", uint64(conn.SessionID())), do, lock})
	}
	var own sync.WaitGroup
	for i := range threads {
		own.Add(1)
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer own.Done()
			rng, thread := rand.New(rand.NewPCG(seed, uint64(i))), fmt.Sprintf("%s-%d", name, i)
			for time.Now().Before(end) {
				time.Sleep(between(rng, 200*time.Millisecond, 3*time.Second))
				path := locksOf("go")[rng.IntN(4)]
				l := zk.NewLock(conn, path, zk.WorldACL(zk.PermAll))
				if err := l.LockWithData([]byte(thread)); err != nil {
					continue
				}
				say(thread, "holds", path)
				time.Sleep(between(rng, 100*time.Millisecond, 4*time.Second))
				say(thread, "releases", path)
				_ = l.Unlock()
			}
		}()
	}
	wg.Add(1)
	go func() {
		defer wg.Done()
		own.Wait()
		conn.Close()
	}()
}

// moment is something that the oracle is told, or the console showed.
type moment struct {
	at   time.Time
	rank int // of what happens at one moment: what comes, what is done, what goes, what is shown
	do   func()
}

// judge plays what happened once more, for the oracle, and judges what was shown.
func (f *field) judge(shown []published) (*oracle, *score) {
	tr, s := newOracle(), newScore()
	tr.bad = &failures{most: 20, count: map[string]int{}}
	tr.keep, tr.unheard = true, true
	var now time.Time
	tr.now = func() time.Time { return now }
	tr.last = func(before time.Time) *published {
		i := slices.IndexFunc(shown, func(p published) bool { return !p.at.Before(before) })
		if i < 1 {
			return nil
		}
		return &shown[i-1]
	}
	j := newJudge(tr, s, tr.bad)
	r := &replay{tr: tr, threads: map[string]*thread{}}
	for _, group := range groups {
		for _, path := range locksOf(group) {
			tr.line(path, exclusive, 1)
		}
	}
	moments := r.tree(shown)
	for _, d := range f.deeds {
		moments = append(moments, moment{time.UnixMicro(int64(d.At * 1000)), 1, func() { r.deed(d) }})
	}
	if f.killed != "" {
		moments = append(moments, moment{f.at, 1, func() { r.died(f.killed) }})
	}
	for _, p := range shown {
		moments = append(moments, moment{p.at, 3, func() { j.take(p) }})
	}
	slices.SortStableFunc(moments, func(a, b moment) int {
		if c := a.at.Compare(b.at); c != 0 {
			return c
		}
		return a.rank - b.rank
	})
	for _, m := range moments {
		now = m.at
		m.do()
	}
	tr.recallOf(s, now, &members{}, tr.bad)
	return tr, s
}

// replay tells an oracle what clients logged.
type replay struct {
	tr      *oracle
	threads map[string]*thread
}

// thread finds the thread of a name, "process-number", and makes it when it is new. session is its process's.
func (r *replay) thread(name string, session int64) *thread {
	th := r.threads[name]
	if th == nil {
		p, number, _ := strings.Cut(name, "-")
		n, _ := strconv.Atoi(number)
		th = &thread{p: &proc{name: p}, c: &client{id: session}, number: n}
		r.threads[name] = th
	}
	return th
}

// tree finds in the pictures when claims came and went. That they came is known to the millisecond by their stat, that they
// went by the logs, else at the next picture.
func (r *replay) tree(shown []published) (out []moment) {
	stands := map[string]*znode.Node{}
	for _, p := range shown {
		now := map[string]*znode.Node{}
		for _, group := range groups {
			for _, lock := range locksOf(group) {
				dir := p.res.Snapshot.At(lock)
				for i := 0; dir != nil && i < len(dir.Children); i++ {
					if n := dir.Children[i]; n.Ephemeral() {
						now[lock+"/"+n.Name] = n
					}
				}
			}
		}
		for path, n := range now {
			if stands[path] == nil {
				out = append(out, moment{n.Ctime.Time(), 0, func() { r.made(path, n) }})
			}
		}
		for path := range stands {
			if now[path] == nil {
				out = append(out, moment{p.res.Snapshot.TakenAt, 2, func() { r.tr.went(path) }})
			}
		}
		stands = now
	}
	return out
}

func (r *replay) made(path string, n *znode.Node) {
	lock, _ := znode.Split(path)
	s := r.tr.made(r.tr.lines[lock], path, r.thread(string(bytes.Clone(n.Data)), int64(n.Owner)), int64(n.Owner), 'x')
	r.tr.waits(s, false)
}

// deed tells of one line of a log.
func (r *replay) deed(d deed) {
	th := r.threads[d.Thread]
	if th == nil {
		return
	}
	for _, s := range r.tr.lines[d.Lock].stakes {
		switch {
		case s.th != th:
		case d.Do == "holds" && !s.holding:
			r.expired(s)
			r.tr.holds(s)
			return
		case d.Do == "releases" && s.holding:
			r.tr.went(s.path)
			return
		}
	}
}

// expired lets the claims of killed processes go that must have been gone before a claim behind them came to hold.
func (r *replay) expired(s *stake) {
	for _, x := range slices.Clone(s.line.stakes) {
		if x == s {
			return
		}
		if x.dead {
			r.tr.went(x.path)
		}
	}
}

// died tells that a process was killed.
func (r *replay) died(name string) {
	for _, th := range r.threads {
		if th.p.name == name {
			r.tr.died(th.c.id)
			r.tr.connected(th.c.id, false)
		}
	}
}
