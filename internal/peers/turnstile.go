package peers

import (
	"io"
	"net"
	"sync"
	"testing"
	"time"
)

// Turnstile stands on loopback between clients and one server, and counts who comes. It looks at no byte, so that it serves TLS
// as well.
type Turnstile struct {
	Addr string // where clients connect to

	target string
	l      net.Listener
	wg     sync.WaitGroup

	mu   sync.Mutex
	came []time.Time
	open map[net.Conn]bool
}

// NewTurnstile starts one before a server's port. It ends with the test.
func NewTurnstile(t testing.TB, target string) *Turnstile {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	s := &Turnstile{Addr: l.Addr().String(), target: target, l: l, open: map[net.Conn]bool{}}
	s.wg.Go(s.accept)
	t.Cleanup(func() {
		l.Close()
		s.Cut()
		s.wg.Wait()
	})
	return s
}

// Came is how many connections there were so far.
func (s *Turnstile) Came() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.came)
}

// Times are when they came.
func (s *Turnstile) Times() []time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]time.Time(nil), s.came...)
}

// Cut ends every connection that there is.
func (s *Turnstile) Cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.open {
		c.Close()
	}
}

func (s *Turnstile) accept() {
	for {
		near, err := s.l.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		s.came = append(s.came, time.Now())
		s.mu.Unlock()
		far, err := net.Dial("tcp", s.target)
		if err != nil {
			near.Close()
			continue
		}
		s.mu.Lock()
		s.open[near], s.open[far] = true, true
		s.mu.Unlock()
		s.wg.Go(func() { s.pass(near, far) })
		s.wg.Go(func() { s.pass(far, near) })
	}
}

// pass carries what one side says to the other, until either ends.
func (s *Turnstile) pass(to, from net.Conn) {
	_, _ = io.Copy(to, from)
	to.Close()
	from.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, to)
	delete(s.open, from)
}
