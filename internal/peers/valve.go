package peers

import (
	"net"
	"sync"
	"testing"
)

// valve passes bytes on between whoever connects to it and a target; what the target sends can be held back.
type valve struct {
	l      net.Listener
	target string
	wg     sync.WaitGroup

	mu   sync.Mutex
	shut chan struct{} // closed while bytes may pass
	over bool
	open map[net.Conn]bool
}

func newValve(t testing.TB, target string) *valve {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	v := &valve{l: l, target: target, shut: make(chan struct{}), open: map[net.Conn]bool{}}
	close(v.shut)
	v.wg.Go(v.accept)
	t.Cleanup(v.close)
	return v
}

func (v *valve) port() int { return v.l.Addr().(*net.TCPAddr).Port }

// hold keeps back what the target sends, until release.
func (v *valve) hold() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.shut = make(chan struct{})
}

func (v *valve) release() {
	v.mu.Lock()
	defer v.mu.Unlock()
	select {
	case <-v.shut:
	default:
		close(v.shut)
	}
}

func (v *valve) close() {
	v.l.Close()
	v.release()
	v.mu.Lock()
	v.over = true
	for c := range v.open {
		c.Close()
	}
	v.mu.Unlock()
	v.wg.Wait()
}

func (v *valve) accept() {
	for {
		near, err := v.l.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", v.target)
		if err != nil {
			near.Close()
			continue
		}
		v.mu.Lock()
		v.open[near], v.open[far] = true, true
		if v.over {
			near.Close()
			far.Close()
		}
		v.mu.Unlock()
		v.wg.Go(func() { v.pass(far, near, false) })
		v.wg.Go(func() { v.pass(near, far, true) })
	}
}

func (v *valve) pass(to, from net.Conn, holding bool) {
	defer to.Close()
	defer from.Close()
	b := make([]byte, 64<<10)
	for {
		n, err := from.Read(b)
		if holding {
			v.mu.Lock()
			shut := v.shut
			v.mu.Unlock()
			<-shut
		}
		if n > 0 {
			if _, err := to.Write(b[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
