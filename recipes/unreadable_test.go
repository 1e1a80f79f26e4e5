package recipes

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
)

// digestOnly is what whoever made it may do, and nobody else.
var digestOnly = []wire.ACL{{Perms: wire.PermAll, Scheme: "auth", ID: ""}}

// TestWaitersBehindClaimsThatTheyMayNotReadAreWoken: real servers tell them nothing of such a claim.
func TestWaitersBehindClaimsThatTheyMayNotReadAreWoken(t *testing.T) {
	t.Parallel()
	server := peers.ZooKeeper(t, peers.Options{})
	cfg := Config{Servers: []string{server.Addr}, Timeout: 30 * time.Second}
	mine, err := Dial(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer mine.Close()
	cfg.Auth = []Credential{{Scheme: "digest", Token: []byte("other:secret")}}
	other, err := Dial(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	id := hexID()
	guarded := "_c_" + id[:8] + "-" + id[8:12] + "-" + id[12:16] + "-" + id[16:20] + "-" + id[20:] + "-"
	type waits func(context.Context) (*Claim, error)
	barrier := func(ctx context.Context) (*Claim, error) { return nil, mine.Barrier("/barrier", Options{}).Wait(ctx) }
	for _, c := range []struct {
		name, path string
		flags      int32
		wait       waits
	}{
		{"lock, zookeeper", "/lz/" + guarded + "lock-", wire.FlagEphemeralSequence, mine.Lock("/lz", Options{}).Acquire},
		{"lock, curator", "/lc/" + guarded + "lock-", wire.FlagEphemeralSequence, mine.Lock("/lc", Options{Dialect: Curator}).Acquire},
		{"lock, kazoo", "/lk/" + id + "__lock__", wire.FlagEphemeralSequence, mine.Lock("/lk", Options{Dialect: Kazoo}).Acquire},
		{"write lock", "/rw/" + guarded + "__READ__", wire.FlagEphemeralSequence, mine.SharedLock("/rw", Options{Dialect: Curator}).Write},
		{"election", "/el/" + guarded + "latch-", wire.FlagEphemeralSequence, mine.Election("/el", Options{Dialect: Curator}).Campaign},
		{"single lock", "/single", wire.FlagEphemeral, mine.SingleLock("/single", Options{}).Acquire},
		{"barrier", "/barrier", wire.FlagPersistent, barrier},
	} {
		t.Run(c.name, func(t *testing.T) {
			wakes(t, server, other, c.path, c.flags, c.wait)
		})
	}
}

func wakes(t *testing.T, server *peers.Server, other *Session, path string, flags int32, wait func(context.Context) (*Claim, error)) {
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
	defer cancel()
	if _, err := other.makeParents(ctx, path, true, nil); err != nil && flags == wire.FlagEphemeralSequence {
		t.Fatal(err)
	}
	made, err := other.conn.Create(ctx, path, []byte("hidden"), flags, digestOnly)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		c, err := wait(ctx)
		if c != nil {
			_ = c.Release(ctx)
		}
		done <- err
	}()
	peers.WaitFor(t, 10*time.Second, "a watch", func() bool { return !strings.Contains(server.FourLetter("mntr"), "zk_watch_count\t0\n") })
	select {
	case err := <-done:
		t.Fatalf("%v while the claim stands", err)
	default:
	}
	gone := time.Now()
	if err := other.remove(ctx, made.Path); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatalf("not woken: %v", err)
	}
	if took := time.Since(gone); took > 5*time.Second {
		t.Errorf("woken after %v", took)
	}
}

// standing lists the znodes that sessions own.
func (s *stage) standing() (out []string) {
	for path, n := range s.server.Tree() {
		if n.Stat.EphemeralOwner != 0 {
			out = append(out, path)
		}
	}
	return out
}

// TestAWaitingClaimThatSomebodyDeletesIsNoticedAtOnce: not only when the one ahead goes.
func TestAWaitingClaimThatSomebodyDeletesIsNoticedAtOnce(t *testing.T) {
	for name, acquire := range lines() {
		bubble(t, func(s *stage) {
			first, err := acquire(s.session())(context.Background())
			granted(t, first, err)
			helper, before := s.session(), s.standing()
			waits := make(chan error, 1)
			go func() {
				_, err := acquire(s.session())(context.Background())
				waits <- err
			}()
			synctest.Wait()
			for _, path := range s.standing() {
				if !slices.Contains(before, path) {
					_ = helper.remove(context.Background(), path)
				}
			}
			select {
			case err := <-waits:
				if !errors.Is(err, ErrLost) {
					t.Errorf("%s: %v", name, err)
				}
			case <-time.After(time.Second):
				t.Errorf("%s: it waits on", name)
				first.Release(context.Background())
				<-waits
			}
		})
	}
}
