package zkc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// wantsFresh reports whether to ask this server for a new session. A server that has lost its quorum
// refuses, without a word, a session that the ensemble knows; only its answer to isro tells it from one
// that is starting up.
func (c *Conn) wantsFresh(ctx context.Context, addr string) bool {
	if c.renew.CompareAndSwap(true, false) {
		return true
	}
	if !c.cfg.ReadOnly || !c.hosts.suspect(addr) {
		return false
	}
	return c.isro(ctx, addr) == "ro"
}

// takesNoWrites says that a server which has hung up on us has lost its quorum: it then takes only clients that want
// no more than to read. Nil: it does not say so, or we are such a client.
func (c *Conn) takesNoWrites(ctx context.Context, addr string) error {
	if c.cfg.ReadOnly || !c.hosts.shutsOut(addr) || c.isro(ctx, addr) != "ro" {
		return nil
	}
	return fmt.Errorf("%s: it has lost its quorum, is read-only and takes no writes", addr)
}

// isro asks a server with the four-letter word of that name: "ro", "rw", or something else when it does
// not say.
func (c *Conn) isro(ctx context.Context, addr string) string {
	raw, err := c.connect(ctx, addr)
	if err != nil {
		return ""
	}
	defer raw.Close()
	_ = raw.SetDeadline(time.Now().Add(c.handshakeLimit() / 2))
	if _, err := io.WriteString(raw, "isro"); err != nil {
		return ""
	}
	answer, _ := io.ReadAll(io.LimitReader(raw, 64))
	return strings.TrimSpace(string(answer))
}

// seekPause is how often a Conn on a read-only server looks for a better one.
const seekPause = 5 * time.Second

var errBetter = errors.New("left for a server that has a quorum")

// seek looks for a server with a quorum as long as a read-only one serves us, and goes over when there is
// one.
func (c *Conn) seek(l *link) {
	defer c.wg.Done()
	pause := time.NewTicker(seekPause)
	defer pause.Stop()
	for {
		select {
		case <-pause.C:
		case <-l.dead:
			return
		}
		for _, addr := range c.cfg.Servers {
			if addr == l.addr {
				continue
			}
			ctx, cancel := context.WithTimeout(c.ctx, c.handshakeLimit())
			mode := c.isro(ctx, addr)
			cancel()
			if mode == "rw" {
				c.hosts.prefer(addr)
				l.fail(errBetter)
				return
			}
		}
	}
}
