package zkc

import (
	"context"
	"errors"
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

// whyShut is why a server hangs up in a handshake, as it says itself: one that has lost its quorum takes no clients, or only
// those that want no more than to read.
func (c *Conn) whyShut(addr string) string {
	ctx, cancel := context.WithTimeout(c.ctx, c.handshakeLimit()/2)
	defer cancel()
	switch answer := c.fourLetters(ctx, addr, "srvr"); {
	case strings.Contains(answer, "not currently serving"):
		return "it answers and does not serve: it has no quorum, or is starting up"
	case strings.Contains(answer, "Mode: read-only") && !c.cfg.ReadOnly:
		return "it has lost its quorum, is read-only and takes no writes"
	case c.cfg.TLS != nil:
		return "it closed the connection in the handshake: is it starting up, or without a quorum?"
	}
	return "it closed the connection in the handshake: is it starting up, without a quorum, or a TLS port?"
}

// isro asks a server whether it is read-only: "ro", "rw", or something else when it does not say.
func (c *Conn) isro(ctx context.Context, addr string) string {
	return strings.TrimSpace(c.fourLetters(ctx, addr, "isro"))
}

// fourLetters asks a server with a four-letter word; empty when it does not answer.
func (c *Conn) fourLetters(ctx context.Context, addr, word string) string {
	raw, err := c.connect(ctx, addr)
	if err != nil {
		return ""
	}
	defer raw.Close()
	_ = raw.SetDeadline(time.Now().Add(c.handshakeLimit() / 2))
	defer context.AfterFunc(ctx, func() { _ = raw.SetDeadline(time.Unix(1, 0)) })()
	if _, err := io.WriteString(raw, word); err != nil {
		return ""
	}
	answer, _ := io.ReadAll(io.LimitReader(raw, 4<<10))
	return string(answer)
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
