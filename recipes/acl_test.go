package recipes

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// noted is a connection that keeps the ACL of everything that is made on it, and makes it open.
type noted struct {
	connection
	mu   sync.Mutex
	made map[string][]wire.ACL
}

func (n *noted) note(path string, acl []wire.ACL) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.made[path] = acl
}

func (n *noted) Create(ctx context.Context, path string, data []byte, flags int32, acl []wire.ACL) (zkc.Created, error) {
	n.note(path, acl)
	return n.connection.Create(ctx, path, data, flags, nil)
}

func (n *noted) enter(ctx context.Context, path string, data []byte, flags int32, acl []wire.ACL, list bool) (zkc.Entered, error) {
	n.note(path, acl)
	return n.connection.enter(ctx, path, data, flags, nil, list)
}

func (n *noted) Multi(ctx context.Context, changes ...zkc.Change) ([]zkc.Done, error) {
	changes = slices.Clone(changes)
	for i, c := range changes {
		if c.Op == wire.OpCreate {
			n.note(c.Path, c.ACL)
			changes[i].ACL = nil
		}
	}
	return n.connection.Multi(ctx, changes...)
}

// note makes a session keep the ACLs of what it makes.
func note(s *Session) *noted {
	n := &noted{connection: s.conn, made: map[string][]wire.ACL{}}
	s.conn = n
	return n
}

// all complains about everything that was made with another ACL.
func (n *noted) all(t *testing.T, want []wire.ACL) {
	t.Helper()
	n.mu.Lock()
	defer n.mu.Unlock()
	for path, acl := range n.made {
		if !slices.Equal(acl, want) {
			t.Errorf("%s was made with %v, want %v", path, acl, want)
		}
	}
}

// TestEverythingIsMadeWithTheSessionsACL plays every recipe on a session with an ACL of its own.
func TestEverythingIsMadeWithTheSessionsACL(t *testing.T) {
	for _, a := range acts() {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(s *stage) {
				p := &play{s: s.session(), help: s.session(), beat: time.Second}
				p.s.made = WorldReads()
				n := note(p.s)
				var wg sync.WaitGroup
				ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
				p.ctx, p.off, p.wait, p.run, p.stop = ctx, ctx, wg.Wait, wg.Go, cancel
				err := a.play(p)
				cancel()
				wg.Wait()
				if err != nil {
					t.Error(err)
				}
				n.all(t, p.s.acl(WorldReads()))
			})
		})
	}
}

// made uses every recipe that makes something, with an ACL in its options.
func made(s *Session, acl ACL) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	o, q := Options{ACL: acl}, QueueOptions{ACL: acl}
	var errs []error
	turn := func(c *Claim, err error) {
		if err == nil {
			err = c.Release(ctx)
		}
		errs = append(errs, err)
	}
	turn(s.Lock("/made/lock", o).Acquire(ctx))
	turn(s.SharedLock("/made/rw", o).Read(ctx))
	turn(s.SingleLock("/made/single", o).Acquire(ctx))
	turn(s.Semaphore("/made/sem", 1, o).Acquire(ctx))
	turn(s.Semaphore("/made/ksem", 1, Options{ACL: acl, Dialect: Kazoo}).Acquire(ctx))
	leading, err := s.Election("/made/el", o).Campaign(ctx)
	errs = append(errs, err)
	turn(s.Election("/made/el", o).Acknowledge(ctx, leading))
	turn(leading, nil)
	d := s.DoubleBarrier("/made/double", 1, o)
	member, err := d.Enter(ctx)
	errs = append(errs, err, d.Leave(ctx, member), s.Barrier("/made/barrier", o).Close(ctx))
	turn(s.Membership("/made/group", o).Join(ctx))
	turn(s.Service("/made/services", "web", o.ACL...).Register(ctx, Instance{}))
	turn(s.NameService("/made/names", o.ACL...).Claim(ctx, "a", nil))
	turn(s.Rendezvous("/made/rv", o.ACL...).Arrange(ctx))
	errs = append(errs, s.NameService("/made/names", o.ACL...).Bind(ctx, "b", nil), s.Configuration("/made/config/x", o.ACL...).Create(ctx, nil))
	_, err = s.Counter("/made/counter", o).Add(ctx, 1)
	errs = append(errs, err, s.Queue("/made/q", q).Put(ctx, nil), s.PriorityQueue("/made/pq", q).Put(ctx, 1, nil),
		s.DelayQueue("/made/dq", q).Put(ctx, time.Now(), nil))
	item, err := s.Queue("/made/q", q).Take(ctx)
	errs = append(errs, err, item.Done(ctx))
	own := s.TwoPhase("/made/own", TwoPhaseOptions{OwnNodes: true, ACL: acl})
	errs = append(errs, own.Begin(ctx, nil, nil))
	turn(own.Join(ctx, "s_1"))
	_, err = own.Abort(ctx)
	return errors.Join(append(errs, err, s.TwoPhase("/made/tx", TwoPhaseOptions{ACL: acl}).Begin(ctx, nil, []string{"s_1"}))...)
}

// TestARecipesACLGoesBeforeTheSessions: everywhere, the directories on the way included, also on a borrowed connection.
func TestARecipesACLGoesBeforeTheSessions(t *testing.T) {
	for name, session := range map[string]func(*stage) *Session{"own": (*stage).session, "borrowed": (*stage).borrowed} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(s *stage) {
				ses := session(s)
				ses.made = CreatorAll()
				n := note(ses)
				if err := made(ses, WorldReads()); err != nil {
					t.Error(err)
				}
				if len(n.made) < 30 {
					t.Errorf("only %d were made", len(n.made))
				}
				n.all(t, ses.acl(WorldReads()))
			})
		})
	}
}

// TestACLs is what ACLs do, on the embedded server and on a real one.
func TestACLs(t *testing.T) {
	t.Run("embedded", func(t *testing.T) {
		s := zkserver.New(zkserver.Options{})
		defer s.Close()
		addr, err := s.Listen("127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		guards(t, addr.String())
	})
	t.Run("real", func(t *testing.T) {
		t.Parallel()
		guards(t, peers.ZooKeeper(t, peers.Options{}).Addr)
	})
}

func guards(t *testing.T, addr string) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	dial := func(user string, acl ACL) *Session {
		c := Config{Servers: []string{addr}, ACL: acl}
		if user != "" {
			c.Auth = []Credential{{Scheme: "digest", Token: []byte(user + ":secret")}}
		}
		s, err := Dial(ctx, c)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		return s
	}
	mine := []wire.ACL{{Perms: wire.PermAll, Scheme: "digest", ID: zkserver.DigestID("ann:secret")}}
	anyone := []wire.ACL{{Perms: wire.PermRead, Scheme: "world", ID: "anyone"}}
	ann, bob, nobody, nosy := dial("ann", CreatorAll()), dial("bob", nil), dial("", nil), dial("", CreatorAll())
	lock := func(s *Session, path string, o Options) (*Claim, error) { return s.Lock(path, o).TryAcquire(ctx) }

	for _, c := range []struct {
		dir  string
		s    *Session
		o    Options
		want []wire.ACL
	}{
		{"/creator", ann, Options{}, mine},
		{"/read", ann, Options{ACL: WorldReads()}, append(slices.Clone(mine), anyone...)},
		{"/open", ann, Options{ACL: WorldAll()}, wire.OpenACL()},
		{"/default", bob, Options{}, wire.OpenACL()},
		{"/list", nobody, Options{ACL: ACL{{"ip", "127.0.0.1", MayAll}}}, []wire.ACL{{Perms: wire.PermAll, Scheme: "ip", ID: "127.0.0.1"}}},
	} {
		held, err := lock(c.s, c.dir+"/a/lock", c.o)
		if err != nil {
			t.Fatal(c.dir, err)
		}
		for _, path := range []string{c.dir, c.dir + "/a", c.dir + "/a/lock", held.Path()} {
			got, _, err := c.s.conn.(zkcConn).ACL(ctx, path)
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%s has %v (%v), want %v", path, got, err, c.want)
			}
		}
		_, err = lock(bob, c.dir+"/a/lock", Options{})
		if denied := c.dir == "/creator" || c.dir == "/read"; errors.Is(err, ErrDenied) != denied || errors.Is(err, ErrBusy) == denied {
			t.Errorf("%s: another comes to: %v", c.dir, err)
		}
		if err := held.Release(ctx); err != nil {
			t.Error(err)
		}
	}
	if _, err := lock(nosy, "/nosy", Options{}); !errors.Is(err, ErrACL) || strings.Contains(err.Error(), "\n") {
		t.Errorf("creator-all without credentials: %v", err)
	}
	if _, err := lock(nobody, "/bad", Options{ACL: ACL{{"no-such-scheme", "x", MayAll}}}); !errors.Is(err, ErrACL) {
		t.Errorf("an unknown scheme: %v", err)
	}
}

func TestParseACL(t *testing.T) {
	for text, want := range map[string]ACL{
		"": nil, "world": WorldAll(), "creator": CreatorAll(), "read": WorldReads(),
		"digest:ann:aGFzaA==:cdrwa":   {{"digest", "ann:aGFzaA==", MayAll}},
		"ip:::1:r,world:anyone:rw":    {{"ip", "::1", MayRead}, {"world", "anyone", MayRead | MayWrite}},
		"auth::cd,sasl:bob@REALM:dca": {{"auth", "", MayCreate | MayDelete}, {"sasl", "bob@REALM", MayCreate | MayDelete | MayAdmin}},
	} {
		if got, err := ParseACL(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"everybody", "world:anyone:", "world:anyone:rx", ":x:r", "world:r", "world:anyone:r,", "\x1b:a:b"} {
		if got, err := ParseACL(text); err == nil || strings.ContainsRune(err.Error(), 0x1b) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}
