package peers

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

// Late is a network on which requests arrive at once and replies late, until it falls silent. It has no sockets of
// its own, so that it serves virtual time as well.
type Late struct {
	dial func(ctx context.Context, network, addr string) (net.Conn, error)

	mu     sync.Mutex
	delay  time.Duration
	silent bool
	open   []net.Conn
	wg     sync.WaitGroup
}

// NewLate is a network over another one. Replies are not late yet.
func NewLate(dial func(ctx context.Context, network, addr string) (net.Conn, error)) *Late {
	return &Late{dial: dial}
}

// Delay says how late replies come that are sent from now on.
func (n *Late) Delay(d time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.delay = d
}

// Silence ends all traffic in both directions, also what is under way. Nobody is told, and no connection can be made.
func (n *Late) Silence() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.silent = true
}

// Close closes every connection and waits for all goroutines.
func (n *Late) Close() {
	n.Silence()
	n.mu.Lock()
	for _, c := range n.open {
		_ = c.Close()
	}
	n.mu.Unlock()
	n.wg.Wait()
}

// Dial connects.
func (n *Late) Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	if _, silent := n.state(); silent {
		return nil, errors.New("no route to the server")
	}
	far, err := n.dial(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	client, near := net.Pipe()
	n.mu.Lock()
	n.open = append(n.open, near, far)
	n.mu.Unlock()
	queue := make(chan parcel, 4096)
	n.wg.Go(func() { n.up(far, near) })
	n.wg.Go(func() { n.collect(queue, far) })
	n.wg.Go(func() { n.hand(near, queue) })
	return client, nil
}

func (n *Late) state() (delay time.Duration, silent bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.delay, n.silent
}

// parcel is what a server has sent, and when it is to arrive.
type parcel struct {
	due  time.Time
	data []byte
}

// up takes requests to the server. The end of a connection on a silent network is not told.
func (n *Late) up(far, near net.Conn) {
	b := make([]byte, 64<<10)
	for {
		k, err := near.Read(b)
		_, silent := n.state()
		if silent && err == nil {
			continue
		}
		if silent {
			return
		}
		if _, failed := far.Write(b[:k]); err != nil || failed != nil {
			_ = far.Close()
			return
		}
	}
}

func (n *Late) collect(queue chan<- parcel, far net.Conn) {
	defer close(queue)
	for {
		b := make([]byte, 64<<10)
		k, err := far.Read(b)
		if k > 0 {
			delay, _ := n.state()
			queue <- parcel{time.Now().Add(delay), b[:k]}
		}
		if err != nil {
			return
		}
	}
}

// hand takes replies to the client when they are due.
func (n *Late) hand(near net.Conn, queue <-chan parcel) {
	for p := range queue {
		time.Sleep(time.Until(p.due))
		if _, silent := n.state(); !silent {
			_, _ = near.Write(p.data)
		}
	}
	if _, silent := n.state(); !silent {
		_ = near.Close()
	}
}
