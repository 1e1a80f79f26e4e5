package zkc

import (
	"strings"
	"time"

	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/wire"
)

// This file is what links report to their Conn. Everything here is called on a pump or on the library's
// dialing goroutine, which never run at the same time.

// shift changes the state, wakes whoever waits for a change, and tells OnState. change returns false when
// there is nothing to tell.
func (c *Conn) shift(change func(*State) bool) {
	c.notify.Lock()
	defer c.notify.Unlock()
	c.mu.Lock()
	told := change(&c.state)
	s := c.state
	if told {
		close(c.moved)
		c.moved = make(chan struct{})
	}
	c.mu.Unlock()
	if told {
		c.log.Debug("connection", "phase", s.Phase.String(), "server", s.Server, "session", s.Session, "err", s.Err)
		if c.cfg.OnState != nil {
			c.cfg.OnState(s)
		}
	}
}

// adopt makes a new link the current one and starts it; false when the Conn is over.
func (c *Conn) adopt(l *link) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.final != nil {
		return false
	}
	c.cur = l
	c.wg.Add(2)
	guard.Go(l.pump)
	guard.Go(l.writer)
	return true
}

func (c *Conn) current() *link {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cur
}

func (c *Conn) livelink() *link {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.live
}

// up publishes a link whose handshake is over. The recursive watches are armed first: whatever is read
// after that, no change to it goes unnoticed.
func (c *Conn) up(l *link, resp wire.ConnectResponse) error {
	if s := c.State().Session; s != 0 && s != resp.SessionID {
		c.expire(l) // a new session without a word on the old one
	}
	plain := c.plain(l.addr)
	if !plain {
		for _, root := range c.watchRoots() {
			l.arm(root)
		}
	}
	c.hosts.reached()
	c.answered(l.greeted)
	c.shift(func(s *State) bool {
		if c.final != nil {
			return false
		}
		c.live, c.upAt = l, time.Now()
		s.Phase, s.Since, s.LostSince = Connected, c.upAt, time.Time{}
		s.Server, s.Session, s.Timeout = l.addr, resp.SessionID, time.Duration(resp.Timeout)*time.Millisecond
		s.ReadOnlyServer, s.Plain = resp.ReadOnly, plain
		s.Connects++
		s.Attempts, s.Err = 0, nil
		clear(c.tried)
		return true
	})
	c.poke()
	if resp.ReadOnly && len(c.cfg.Servers) > 1 {
		c.wg.Add(1) // the pump, which runs this, holds one already
		guard.Go(func() { c.seek(l) })
	}
	return nil
}

// expire notes that the session is over.
func (c *Conn) expire(l *link) {
	c.shift(func(s *State) bool {
		if c.final != nil || s.Session == 0 {
			return false
		}
		s.Phase, s.Since, s.Session = Expired, time.Now(), 0
		s.Expirations++
		if s.LostSince.IsZero() {
			s.LostSince = s.Since
		}
		return true
	})
	c.dropWatches(wire.StateExpired)
	if c.cfg.EndOnExpiry {
		c.terminate(&Error{Op: "session", Err: because(ErrSessionExpired, errLost(l.addr))})
	}
}

type errLost string

// Error is one line.
func (e errLost) Error() string { return "says " + string(e) }

// down notes the end of a link, whether or not it ever got up.
func (c *Conn) down(l *link, cause error) {
	probing := l.probing()
	c.shift(func(s *State) bool {
		wasUp := c.live == l
		var lived time.Duration
		if wasUp {
			c.live = nil
			lived = time.Since(c.upAt)
		}
		c.hosts.ended(lived, cause)
		if probing {
			c.suspectProbe(l.addr)
		}
		if c.final != nil {
			return false
		}
		if wasUp {
			s.Phase, s.Since, s.LostSince = Disconnected, time.Now(), c.Alive()
		} else {
			s.Attempts++
		}
		s.Err, c.tried[l.addr] = cause, cause
		return true
	})
}

// failed notes an attempt that got no connection at all.
func (c *Conn) failed(addr string, err error) {
	c.hosts.ended(0, err)
	c.shift(func(s *State) bool {
		if c.final != nil {
			return false
		}
		s.Attempts++
		s.Err, c.tried[addr] = err, err
		return true
	})
}

// sawZxid keeps the highest zxid, of the session and of all that was ever told. A server whose first word is of an
// earlier one is told of.
func (c *Conn) sawZxid(l *link, z int64) {
	if z > c.zxid.Load() {
		c.zxid.Store(z)
	}
	first := !l.spoke
	if l.spoke = true; z > c.peak || c.peak == 0 {
		c.peak = z
	}
	if !first || z == c.peak {
		return
	}
	c.shift(func(s *State) bool {
		s.Setbacks++
		s.BackFrom, s.BackTo = c.peak, z
		return c.final == nil
	})
	c.peak = z
}

// event takes a watch event to the one-shot watches and to OnEvent.
func (c *Conn) event(ev wire.Event) {
	if ev.Type != wire.EventNone {
		path, ok := c.logical(ev.Path)
		if !ok {
			c.log.Warn("event outside the chroot", "path", ev.Path)
			return
		}
		ev.Path = path
		c.fire(ev)
	}
	if c.cfg.OnEvent != nil {
		c.cfg.OnEvent(ev)
	}
}

// logical returns the path below the chroot; false when it lies outside.
func (c *Conn) logical(path string) (string, bool) {
	rest, ok := strings.CutPrefix(path, c.cfg.Chroot)
	switch {
	case !ok || rest != "" && rest[0] != '/':
		return path, false
	case rest == "":
		return "/", true
	}
	return rest, true
}

// path appends the path on the server to a request.
func (c *Conn) path(e *wire.Encoder, path string) { c.childPath(e, path, "") }

// childPath is path for a child of a directory; for the directory itself when name is empty.
func (c *Conn) childPath(e *wire.Encoder, dir, name string) {
	slash := ""
	if name != "" {
		slash = "/"
	}
	if dir == "/" && (name != "" || c.cfg.Chroot != "") {
		dir = ""
	}
	e.Int32(int32(len(c.cfg.Chroot) + len(dir) + len(slash) + len(name)))
	e.B = append(append(append(append(e.B, c.cfg.Chroot...), dir...), slash...), name...)
}
