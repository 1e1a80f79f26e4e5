package recipes

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkscope/zkscope/internal/peers"
)

// TestBesideGoZooKeeper contends for a lock with go-zookeeper's own.
func TestBesideGoZooKeeper(t *testing.T) {
	t.Parallel()
	peers.Require(t, peers.NeedZooKeeper)
	addr := realServer(t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(60+turnsEach())*time.Second)
	defer cancel()
	m := &match{t: t, referee: newReferee(t), addr: addr, root: "/g", d: GoZooKeeper, turns: turnsEach(), ctx: ctx}
	m.keep("/lock")
	conn := borrow(t, addr)
	c, err := net.Dial("tcp", m.referee.addr())
	if err != nil {
		t.Fatal(err)
	}
	m.wg.Go(func() {
		defer c.Close()
		in := bufio.NewReader(c)
		tell := func(words ...any) {
			fmt.Fprintln(c, words...)
			_, _ = in.ReadString('\n')
		}
		for range m.turns {
			l := zk.NewLock(conn, "/g/lock", zk.WorldACL(zk.PermAll))
			if err := l.Lock(); err != nil {
				t.Error(err)
				return
			}
			tell("+", "lock", 1, 1)
			tell("-", "lock", 1)
			if err := l.Unlock(); err != nil {
				t.Error(err)
				return
			}
		}
	})
	m.take("lock", 1, func(s *Session) (*Claim, int, error) {
		c, err := s.Lock("/g/lock", Options{Dialect: m.d}).Acquire(ctx)
		return c, 1, err
	})
	m.wg.Wait()
	m.referee.check()
	if got := m.referee.turns("lock"); got != 3*m.turns {
		t.Errorf("%d turns, want %d", got, 3*m.turns)
	}
}
