package zkc

import (
	"context"
	"strings"
	"sync"

	"github.com/zkscope/zkscope/internal/guard"
)

// choose returns the server to try instead of the one whose turn it is: an observer, where such are preferred and one says that
// it is. After a failure whose turn it is is tried, so that an observer that takes no clients holds up nobody.
func (c *Conn) choose(addr string) string {
	if !c.cfg.PreferObserver || len(c.cfg.Servers) < 2 || !c.hosts.settled() {
		return addr
	}
	observer := c.observer()
	if observer == "" {
		c.log.Info("no server says that it is an observer: any is taken", "servers", c.cfg.Servers)
		return addr
	}
	c.hosts.took(observer)
	return observer
}

// observer asks all servers at once what they are, and returns the first that says that it is an observer; empty: none does.
func (c *Conn) observer() string {
	ctx, cancel := context.WithTimeout(c.ctx, c.handshakeLimit()/2)
	defer cancel()
	found := make(chan string, len(c.cfg.Servers))
	var all sync.WaitGroup
	for _, addr := range c.cfg.Servers {
		all.Go(guard.Func(func() {
			if strings.Contains(c.fourLetters(ctx, addr, "srvr"), "Mode: observer") {
				found <- addr
				cancel() // the others need not answer
			}
		}))
	}
	all.Wait()
	close(found)
	return <-found
}
