package live

import (
	"context"
	"errors"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// ensembleOfOne is a server in memory and how to look at it.
func ensembleOfOne(t *testing.T) (Config, *zkc.Conn) {
	t.Helper()
	s := zkserver.New(zkserver.Options{})
	t.Cleanup(func() { s.Close() })
	c := Config{Conn: zkc.Config{Servers: []string{"zk1:2181"}, Session: 20 * time.Second,
		Dial: func(ctx context.Context, _, _ string) (net.Conn, error) { return s.Dial(ctx) }}, Timeout: 30 * time.Second, Now: time.Now}
	conn, err := zkc.Dial(t.Context(), c.Conn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return c, conn
}

// line makes a line of two, the second of which watches the first, or does not yet.
func line(t *testing.T, conn *zkc.Conn, watches bool) {
	t.Helper()
	var first string
	for i, path := range []string{"/l", "/l/0123456789abcdef0123456789abcdef__lock__", "/l/1123456789abcdef0123456789abcdef__lock__"} {
		made, err := conn.Create(t.Context(), path, []byte("job"), map[bool]int32{true: wire.FlagEphemeralSequence}[i > 0], nil)
		if err != nil {
			t.Fatal(err)
		}
		if i == 1 {
			first = made.Path
		}
	}
	if watches {
		if _, err := conn.WatchOnce(t.Context(), zkc.WatchData, first); err != nil {
			t.Fatal(err)
		}
	}
}

// A look that accuses nobody is one look; one in which a waiter is not seen to watch is taken again a moment later.
func TestWhatIsInDoubtIsLookedAtAgain(t *testing.T) {
	for _, watches := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			c, conn := ensembleOfOne(t)
			line(t, conn, watches)
			began := time.Now()
			seen, err := Look(t.Context(), c, nil)
			if err != nil {
				t.Fatal(err)
			}
			again := time.Since(began) >= secondLook
			if again == watches || seen.ByPath("/l") == nil || len(seen.Servers) != 1 || seen.Self == 0 || seen.Cost.Requests == 0 {
				t.Errorf("watches %v: looked again %v, %+v", watches, again, seen)
			}
		})
	}
}

// A limit that leaves no time for a second look leaves it at the first.
func TestThereIsNoSecondLookWithoutTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, conn := ensembleOfOne(t)
		line(t, conn, false)
		c.Timeout = secondLook + time.Second/2
		began := time.Now()
		if seen, err := Look(t.Context(), c, nil); err != nil || seen.ByPath("/l") == nil || time.Since(began) >= secondLook {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
	})
}

func TestAnAddressThatCannotBeAskedIsTheUsersMistake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := ensembleOfOne(t)
		c.Admin = []string{"ftp://zk1"}
		if _, err := Look(t.Context(), c, nil); !errors.As(err, new(AddressError)) {
			t.Errorf("look: %v", err)
		}
		if _, err := Open(t.Context(), c, "zk1", false); !errors.As(err, new(AddressError)) {
			t.Errorf("open: %v", err)
		}
	})
}
