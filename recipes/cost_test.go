package recipes

import (
	"cmp"
	"context"
	"errors"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
)

// cost is one uncontended turn and the requests that it takes.
type cost struct {
	name string // its row in the package's documentation, and what it is of it
	turn func(ctx context.Context, s *Session) error
	ops  string
}

// row is the name of the row.
func (c cost) row() string {
	row, _, _ := strings.Cut(c.name, "/")
	return row
}

// taken is acquire and release.
func taken(acquire func(s *Session) func(context.Context) (*Claim, error)) func(context.Context, *Session) error {
	return func(ctx context.Context, s *Session) error {
		c, err := acquire(s)(ctx)
		if err != nil {
			return err
		}
		return c.Release(ctx)
	}
}

func costs() []cost {
	const (
		line   = "create2 getChildren delete"
		votes  = "getData setData getData setData getData removeWatches getData removeWatches "
		ending = "getChildren2 delete delete delete delete"
	)
	out := []cost{
		{"SingleLock", taken(func(s *Session) func(context.Context) (*Claim, error) {
			return s.SingleLock("/x/one", Options{}).Acquire
		}),
			"create2 exists delete"},
		{"SharedLock: write, downgrade", downgraded, "create2 getChildren create2 delete delete"},
		{"DoubleBarrier of one", meetOnce, "exists create2 getChildren2 create2 getChildren2 multi"},
		{"Membership", taken(func(s *Session) func(context.Context) (*Claim, error) { return s.Membership("/g", Options{}).Join }), "create2 delete"},
		{"a named member, Service/member", taken(func(s *Session) func(context.Context) (*Claim, error) {
			return s.Membership("/g", Options{Name: "n"}).Join
		}),
			"create2 exists delete"},
		{"a named member, Service/instance", taken(func(s *Session) func(context.Context) (*Claim, error) {
			return func(ctx context.Context) (*Claim, error) { return s.Service("/s", "web").Register(ctx, Instance{}) }
		}), "create2 exists delete"},
		{"Queue: put", func(ctx context.Context, s *Session) error {
			return s.Queue("/q", QueueOptions{}).Put(ctx, []byte("x"))
		}, "create2"},
		{"Queue: put, take, done", workOff, "create2 getChildren2 getChildren2 multi multiRead multi"},
		{"Barrier: close, open, pass", func(ctx context.Context, s *Session) error {
			b := s.Barrier("/b", Options{})
			return errors.Join(b.Close(ctx), b.Open(ctx), b.Wait(ctx))
		}, "create2 delete getData"},
		{"Configuration: get, set", func(ctx context.Context, s *Session) error {
			c := s.Configuration("/c")
			_, err := c.Get(ctx)
			return errors.Join(c.Set(ctx, []byte("x"), AnyVersion), err)
		}, "getData setData"},
		{"Counter", func(ctx context.Context, s *Session) error {
			_, err := s.Counter("/n", Options{}).Add(ctx, 1)
			return err
		}, "getData setData"},
		{"Rendezvous", meetAt, "create2 setData getData removeWatches exists delete"},
		{"NameService: look up, bind, unbind", func(ctx context.Context, s *Session) error {
			n := s.NameService("/names")
			_, err := n.Lookup(ctx, "keep")
			return errors.Join(n.Bind(ctx, "a", nil), err, n.Unbind(ctx, "a"))
		}, "create2 getData delete"},
		{"TwoPhase of 2 sites", decided(TwoPhaseOptions{}), "multi " + votes + "getChildren2 getData removeWatches getData removeWatches " + ending},
		{"the same, Coordinated", decided(TwoPhaseOptions{Coordinated: true}), "multi " + votes + "create2 getData removeWatches " + ending},
	}
	for name, acquire := range lines() {
		_, name, _ = strings.Cut(name, " ")
		name, ops := "Lock, SharedLock, Election/"+name, line
		switch name {
		case "Lock, SharedLock, Election/semaphore curator":
			name, ops = "Semaphore, Curator", "create2 getChildren getData create2 getChildren2 removeWatches delete delete"
		case "Lock, SharedLock, Election/semaphore kazoo":
			name, ops = "Semaphore, Kazoo", "getData create2 getChildren getData getChildren2 removeWatches create2 delete delete"
		}
		out = append(out, cost{name, taken(acquire), ops})
	}
	return out
}

func downgraded(ctx context.Context, s *Session) error {
	l := s.SharedLock("/rw", Options{})
	w, err := l.Write(ctx)
	if err != nil {
		return err
	}
	synctest.Wait()
	r, err := l.Downgrade(ctx, w)
	if err != nil {
		return err
	}
	synctest.Wait()
	return r.Release(ctx)
}

func meetOnce(ctx context.Context, s *Session) error {
	b := s.DoubleBarrier("/b", 1, Options{})
	c, err := b.Enter(ctx)
	if err != nil {
		return err
	}
	synctest.Wait()
	return b.Leave(ctx, c)
}

func workOff(ctx context.Context, s *Session) error {
	q := s.Queue("/q", QueueOptions{})
	if err := q.Put(ctx, []byte("x")); err != nil {
		return err
	}
	item, err := q.Take(ctx)
	if err != nil {
		return err
	}
	synctest.Wait()
	return item.Done(ctx)
}

func meetAt(ctx context.Context, s *Session) error {
	r := s.Rendezvous("/r")
	c, err := r.Arrange(ctx)
	if err != nil {
		return err
	}
	synctest.Wait()
	err = r.Fill(ctx, []byte("x"))
	synctest.Wait()
	_, e := r.Wait(ctx)
	return errors.Join(err, e, c.Release(ctx))
}

// decided goes through a transaction from its beginning to its end, alone.
func decided(o TwoPhaseOptions) func(context.Context, *Session) error {
	return func(ctx context.Context, s *Session) error {
		tx, sites := s.TwoPhase("/tx", o), []string{"s_1", "s_2"}
		err := tx.Begin(ctx, nil, sites)
		for _, site := range sites {
			err = errors.Join(err, tx.Vote(ctx, site, Commit))
		}
		_, e := tx.Decide(ctx, sites)
		_, e2 := tx.Await(ctx)
		return errors.Join(err, e, e2, tx.End(ctx))
	}
}

func sorted(words []string) string {
	slices.Sort(words)
	return strings.Join(words, " ")
}

// inWords is how the documentation calls requests.
var inWords = map[string]string{"create2": "create", "getChildren": "list", "getChildren2": "list", "getData": "read", "setData": "set",
	"removeWatches": "return", "multiRead": "batch read"}

// documented are the rows of the table of requests in the package's documentation: how many, and which, as a sorted text.
func documented(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "// # Requests\n")
	section, _, _ = strings.Cut(section, "\n// # ")
	out := make(map[string]string)
	for _, m := range regexp.MustCompile(`(?m)^//\t(\S.*?) {2,}(\d+) {2,}(.+)$`).FindAllStringSubmatch(section, -1) {
		var words []string
		for _, word := range regexp.MustCompile(`[,;] `).Split(m[3], -1) {
			times := 1
			if n, what, ok := strings.Cut(word, " × "); ok {
				times, word = digits(t, n), what
			}
			words = append(words, slices.Repeat([]string{word}, times)...)
		}
		if len(words) != digits(t, m[2]) {
			t.Errorf("%s: %s requests are said, and %d listed: %q", m[1], m[2], len(words), words)
		}
		out[m[1]] = sorted(words)
	}
	return out
}

func digits(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestTheDocumentedRequests holds the table of requests against what is sent, which the next test counts.
func TestTheDocumentedRequests(t *testing.T) {
	rows, seen := documented(t), make(map[string]bool)
	for _, x := range costs() {
		words := strings.Fields(x.ops)
		for i, op := range words {
			words[i] = cmp.Or(inWords[op], op)
		}
		seen[x.row()] = true
		if got := sorted(words); rows[x.row()] != got {
			t.Errorf("%s: documented %q, sent %q", x.name, rows[x.row()], got)
		}
	}
	for row := range rows {
		if !seen[row] {
			t.Errorf("%s is documented, and nothing is sent for it here", row)
		}
	}
	if len(rows) < 15 {
		t.Errorf("only %d rows were found", len(rows))
	}
}

// TestTheCostOfEachRecipe counts, on the server, the requests of an uncontended turn whose directory is there.
func TestTheCostOfEachRecipe(t *testing.T) {
	for _, x := range costs() {
		t.Run(x.name, func(t *testing.T) {
			bubble(t, func(s *stage) {
				ses, fresh := s.session(), s.session()
				ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
				defer cancel()
				count := func(ses *Session) string {
					s.server.ForgetRequests()
					if err := x.turn(ctx, ses); err != nil {
						t.Fatal(err)
					}
					synctest.Wait()
					var ops []string
					for _, r := range s.server.Requests() {
						if r.Op != wire.OpPing {
							ops = append(ops, r.Op.String())
						}
					}
					return sorted(ops) // who holds asks beside its guardian
				}
				for _, dir := range []string{"/names/keep", "/c"} {
					if _, err := ses.ensure(ctx, dir, nil, nil); err != nil {
						t.Fatal(err)
					}
				}
				count(ses) // makes the directories
				got, want := count(fresh), strings.Fields(x.ops)
				if i := slices.Index(want, "getData"); strings.HasPrefix(x.name, "Semaphore") && !strings.Contains(got, strings.Repeat("getData ", strings.Count(x.ops, "getData"))) {
					want = slices.Delete(slices.Clone(want), i, i+1) // of the gate's guardian, which was let through before it had begun to read
				}
				if got != sorted(want) {
					t.Errorf("%q, documented %q", got, x.ops)
				}
			})
		})
	}
}

// TestTurnsAgainAndAgain: each looks who else is there, in one piece with its create, until that told nothing that the
// numbers do not tell; then none does, until somebody has written something, anywhere. No watch stays.
func TestTurnsAgainAndAgain(t *testing.T) {
	for name, acquire := range lines() {
		if strings.HasPrefix(name, "/sem") {
			continue
		}
		bubble(t, func(s *stage) {
			ses, other := s.session(), s.session()
			wants := []string{"", "create2 getChildren delete", "create2 delete", "create2 delete", "create2 getChildren2 delete",
				"create2 getChildren delete", "create2 delete"}
			for i, want := range wants {
				if i == 4 {
					if err := other.NameService("/elsewhere").Bind(context.Background(), "x", nil); err != nil {
						t.Fatal(err)
					}
				}
				s.server.ForgetRequests()
				c, err := acquire(ses)(context.Background())
				granted(t, c, err)
				if err := c.Release(context.Background()); err != nil {
					t.Error(err)
				}
				synctest.Wait()
				var ops []string
				for _, r := range s.server.Requests() {
					ops = append(ops, r.Op.String())
				}
				if got := strings.Join(ops, " "); i > 0 && got != want {
					t.Errorf("%s: turn %d took %q", name, i, got)
				}
			}
			if n := s.watches(ses); n != 0 {
				t.Errorf("%s: %d watches", name, n)
			}
		})
	}
}

// TestAClaimThatIsHeldIsWatched: also where nobody asks whether it is lost.
func TestAClaimThatIsHeldIsWatched(t *testing.T) {
	bubble(t, func(s *stage) {
		ses, other := s.session(), s.session()
		c, err := ses.Lock("/l", Options{}).Acquire(context.Background())
		granted(t, c, err)
		synctest.Wait()
		if n := s.watches(ses); n != 0 {
			t.Errorf("%d watches at once", n)
		}
		time.Sleep(watchAfter)
		synctest.Wait()
		if n := s.watches(ses); n != 1 {
			t.Errorf("%d watches after %v", n, watchAfter)
		}
		if err := other.remove(context.Background(), c.Path()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if c.live() || !closed(c.Lost()) || c.Context().Err() == nil {
			t.Error("its end was not noticed")
		}
		d, err := ses.Lock("/l", Options{}).Acquire(context.Background())
		granted(t, d, err)
		if err := other.remove(context.Background(), d.Path()); err != nil {
			t.Fatal(err)
		}
		<-d.Lost() // asked at once: it is gone already
	})
}
