package e2e

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// pair is two sessions that each hold a lock and wait for the other's, in threads of their own.
func pair(t *testing.T, addr string) (conns [2]*zk.Conn) {
	t.Helper()
	var held, done sync.WaitGroup
	for i := range conns {
		conn, _, err := zk.Connect([]string{addr}, 20*time.Second, zk.WithLogger(mute{}))
		if err != nil {
			t.Fatal(err)
		}
		conns[i] = conn
		mine, other := zk.NewLock(conn, []string{"/pair/a", "/pair/b"}[i], zk.WorldACL(zk.PermAll)), zk.NewLock(conn, []string{"/pair/b", "/pair/a"}[i], zk.WorldACL(zk.PermAll))
		held.Add(1)
		done.Go(func() {
			if err := mine.Lock(); err != nil {
				t.Error(err)
			}
			held.Done()
			held.Wait()
			_ = other.Lock() // ends with the connection
		})
	}
	t.Cleanup(func() {
		for _, c := range conns {
			c.Close()
		}
		done.Wait()
	})
	held.Wait()
	return conns
}

// watched: two claims are in the line, and one of them has a watcher.
func watched(s *zkserver.Server, conn *zk.Conn, line string) bool {
	claims, _, err := conn.Children(line)
	watchers := 0
	for _, c := range claims {
		data, _ := s.Watchers(line + "/" + c)
		watchers += len(data)
	}
	return err == nil && len(claims) == 2 && watchers == 1
}

// TestADeadlockIsNotCalledStillWhileItsSessionsWork: what comes and goes between two looks is seen, and only sessions that
// make and release nothing all the while are said to stand still.
func TestADeadlockIsNotCalledStillWhileItsSessionsWork(t *testing.T) {
	t.Parallel()
	s := zkserver.New(zkserver.Options{})
	t.Cleanup(func() { s.Close() })
	addr, err := s.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	conns := pair(t, addr.String())
	peers.WaitFor(t, time.Minute, "both to wait for each other, each with its watch", func() bool {
		return watched(s, conns[0], "/pair/a") && watched(s, conns[0], "/pair/b")
	})
	ctx, stop := context.WithCancel(context.Background())
	var work sync.WaitGroup
	for _, conn := range conns {
		work.Go(func() { // another thread takes and releases a lock, and mostly has none
			for tick := time.NewTicker(400 * time.Millisecond); ctx.Err() == nil; <-tick.C {
				l := zk.NewLock(conn, "/bg/work", zk.WorldACL(zk.PermAll))
				if l.Lock() == nil {
					_ = l.Unlock()
				}
			}
		})
	}
	for _, args := range [][]string{{"check", addr.String(), "--timeout", "20s"}, {"why", "/pair/a", addr.String(), "--timeout", "20s"}} {
		_, out, errs := run(args...)
		if !strings.Contains(out, "deadlock") || strings.Contains(out, "HIGH      deadlock") || strings.Contains(out, "nothing of theirs moved") {
			t.Errorf("%v while they work:\n%s%s", args, out, errs)
		}
	}
	stop()
	work.Wait()
	peers.WaitFor(t, time.Minute, "the deadlock to be told as one that stands", func() bool {
		code, out, _ := run("check", addr.String(), "--timeout", "20s")
		return code == 3 && strings.Contains(out, "HIGH      deadlock") && strings.Contains(out, "nothing of theirs moved for 5s")
	})
}
