package zkc

import "github.com/zkscope/zkscope/internal/wire"

// offer is what we know about one server's optional operations, for as long as the Conn lives. A server
// answers an unknown operation with an error and hangs up, so asking again on each connection would never
// end.
type offer struct {
	proven bool             // it answered one of them
	plain  bool             // it has none of those that came with 3.6
	deaths int              // connections that died while one of them was unanswered and unproven
	lacks  map[wire.Op]bool // other operations that it refused
}

// optional reports whether an operation came with ZooKeeper 3.6 and the Conn can do without it.
func optional(op wire.Op) bool { return op == wire.OpAddWatch || op == wire.OpMultiRead }

// maxProbeDeaths is how many connections in a row may die on a probe until it gets the blame.
const maxProbeDeaths = 2

func (c *Conn) offerOf(addr string) *offer {
	o := c.offers[addr]
	if o == nil {
		o = &offer{lacks: make(map[wire.Op]bool)}
		c.offers[addr] = o
	}
	return o
}

// learn draws the conclusions from an answer. It runs on the pump, before the server's hang-up can start
// the next handshake.
func (c *Conn) learn(addr string, op wire.Op, code wire.Code) {
	if !optional(op) && code != wire.ErrUnimplemented {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	o := c.offerOf(addr)
	switch {
	case code != wire.ErrUnimplemented:
		o.proven = true
	case optional(op):
		o.plain = true
		c.log.Info("server has neither recursive watches nor batch reads", "server", addr)
	default:
		o.lacks[op] = true
	}
}

// suspectProbe counts a connection that died on a probe. The caller holds c.mu.
func (c *Conn) suspectProbe(addr string) {
	o := c.offerOf(addr)
	if o.proven {
		return
	}
	if o.deaths++; o.deaths >= maxProbeDeaths {
		o.plain = true
	}
}

// plain reports whether the server is known to have no optional operations.
func (c *Conn) plain(addr string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.offerOf(addr).plain
}

// proven reports whether there is nothing left to find out about the server.
func (c *Conn) proven(addr string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	o := c.offerOf(addr)
	return o.proven || o.plain
}

// lacks reports whether the server has refused the operation before.
func (c *Conn) lacks(addr string, op wire.Op) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lacking(addr, op)
}

// lacking is lacks for a caller who holds c.mu.
func (c *Conn) lacking(addr string, op wire.Op) bool {
	o := c.offerOf(addr)
	return o.lacks[op] || o.plain && optional(op)
}
