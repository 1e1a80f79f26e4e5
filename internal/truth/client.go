package truth

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// Errors of a request, beside the server's own codes.
var (
	errLost = errors.New("truth: the connection was lost before the answer")
	errGone = errors.New("truth: the session is over")
)

// tables of watches, as a client keeps them.
const (
	dataTable = iota // exists and getData
	childTable
	tables
)

// client is a session as a library keeps it: one connection at a time, pings at a third of the timeout, watches that
// are set again after a reconnect, unless the library is one that forgets them. Its methods may be called from any
// goroutine of the bubble; requests block until they are answered.
type client struct {
	server  *zkserver.Server
	tr      *oracle
	from    string // address, as servers show it
	id      int64
	timeout time.Duration
	follow  func(wire.Event) // Optional; told of every event
	forgets bool             // it does not set its watches again after a reconnect
	back    time.Duration    // how long a reconnect takes

	mu      sync.Mutex
	nc      net.Conn // nil while there is none
	passwd  []byte
	xid     int32
	zxid    int64
	calls   map[int32]chan reply
	watches [tables]map[string][]chan struct{}
	silent  bool          // the whole process hangs: no pings
	over    chan struct{} // closed when the session is over, or the process
	once    sync.Once
	up      chan struct{} // closed while there is a connection
	wg      sync.WaitGroup
}

type reply struct {
	body []byte
	code wire.Code
	err  error
}

// connect opens a session.
func connect(srv *zkserver.Server, tr *oracle, from string, timeout time.Duration) (*client, error) {
	c := &client{server: srv, tr: tr, from: from, timeout: timeout, back: 200 * time.Millisecond, calls: map[int32]chan reply{}, over: make(chan struct{}), up: make(chan struct{})}
	for i := range c.watches {
		c.watches[i] = map[string][]chan struct{}{}
	}
	if err := c.dial(); err != nil {
		return nil, err
	}
	c.wg.Add(1)
	guard.Go(c.ping)
	return c, nil
}

// dial makes a connection, and the session with the first one.
func (c *client) dial() error {
	nc, err := c.server.DialFrom(context.Background(), c.from)
	if err != nil {
		return err
	}
	c.mu.Lock()
	var e wire.Encoder
	(&wire.ConnectRequest{LastZxid: c.zxid, Timeout: int32(c.timeout.Milliseconds()), SessionID: c.id, Passwd: append([]byte(nil), pad(c.passwd)...), HasReadOnly: true}).Encode(&e)
	c.mu.Unlock()
	if _, err := nc.Write(wire.AppendFrame(nil, e.B)); err != nil {
		nc.Close()
		return err
	}
	r := bufio.NewReader(nc)
	frame, err := wire.ReadFrame(r, wire.MaxFrame)
	if err != nil {
		nc.Close()
		return err
	}
	var resp wire.ConnectResponse
	resp.Decode(wire.NewDecoder(frame))
	if resp.SessionID == 0 {
		nc.Close()
		return errGone
	}
	c.mu.Lock()
	if c.nc = nc; c.id == 0 {
		c.id, c.passwd, c.timeout = resp.SessionID, bytes.Clone(resp.Passwd), time.Duration(resp.Timeout)*time.Millisecond
	}
	close(c.up)
	c.mu.Unlock()
	c.tr.connected(c.id, true)
	c.wg.Add(1)
	guard.Go(func() { c.read(nc, r) })
	return nil
}

func pad(b []byte) []byte {
	if len(b) == 16 {
		return b
	}
	return make([]byte, 16)
}

// read serves one connection's answers and events.
func (c *client) read(nc net.Conn, r *bufio.Reader) {
	defer c.wg.Done()
	for {
		frame, err := wire.ReadFrame(r, 64<<20)
		if err != nil {
			break
		}
		var h wire.ReplyHeader
		d := wire.NewDecoder(frame)
		h.Decode(d)
		switch {
		case h.Xid == wire.XidEvent:
			var ev wire.Event
			ev.Decode(d)
			c.fire(ev)
		case h.Xid >= 0:
			c.mu.Lock()
			ch := c.calls[h.Xid]
			delete(c.calls, h.Xid)
			c.zxid = max(c.zxid, h.Zxid)
			c.mu.Unlock()
			if ch != nil {
				ch <- reply{body: d.Rest(), code: h.Err}
			}
		}
	}
	nc.Close()
	c.cut(nc)
}

// cut ends a connection: what waits for an answer is told, and the client comes back, unless it is over.
func (c *client) cut(nc net.Conn) {
	c.mu.Lock()
	if c.nc != nc {
		c.mu.Unlock()
		return
	}
	c.nc, c.up = nil, make(chan struct{})
	for xid, ch := range c.calls {
		ch <- reply{err: errLost}
		delete(c.calls, xid)
	}
	lost := c.forgets
	if lost {
		for i := range c.watches {
			clear(c.watches[i]) // the threads that wait on them never hear
		}
	}
	c.mu.Unlock()
	c.tr.connected(c.id, false)
	if lost {
		c.tr.unwatchAll(c.id)
	}
	if c.isOver() {
		return
	}
	c.wg.Add(1)
	guard.Go(c.reconnect)
}

func (c *client) isOver() bool {
	select {
	case <-c.over:
		return true
	default:
		return false
	}
}

// sleep waits; false when the client was over first.
func (c *client) sleep(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-c.over:
		return false
	}
}

// reconnect tries until the session is resumed or over.
func (c *client) reconnect() {
	defer c.wg.Done()
	c.mu.Lock()
	back := c.back
	c.mu.Unlock()
	for c.sleep(back) {
		switch err := c.dial(); {
		case errors.Is(err, errGone):
			c.end()
			return
		case err == nil:
			c.rearm()
			return
		}
	}
}

// rearm sets the watches again, as libraries do.
func (c *client) rearm() {
	c.mu.Lock()
	w := wire.SetWatches{RelativeZxid: c.zxid}
	for path := range c.watches[dataTable] {
		w.Data = append(w.Data, path)
	}
	for path := range c.watches[childTable] {
		w.Child = append(w.Child, path)
	}
	var e wire.Encoder
	e.Int32(wire.XidSetWatches)
	e.Int32(int32(wire.OpSetWatches))
	w.Encode(&e, wire.OpSetWatches)
	nc := c.nc
	c.mu.Unlock()
	if nc == nil || len(w.Data)+len(w.Child) == 0 {
		return
	}
	for _, path := range w.Data {
		c.tr.watches(c.id, dataTable, path)
	}
	_, _ = nc.Write(wire.AppendFrame(nil, e.B))
}

// ping keeps the session alive, unless the process hangs.
func (c *client) ping() {
	defer c.wg.Done()
	for c.sleep(c.timeout / 3) {
		c.mu.Lock()
		nc, silent := c.nc, c.silent
		c.mu.Unlock()
		if nc == nil || silent {
			continue
		}
		var e wire.Encoder
		e.Int32(wire.XidPing)
		e.Int32(int32(wire.OpPing))
		_, _ = nc.Write(wire.AppendFrame(nil, e.B))
	}
}

// end says that the session is over.
func (c *client) end() { c.once.Do(func() { close(c.over) }) }

// kill ends the process without a word: the session lives until it expires.
func (c *client) kill() {
	c.end()
	c.mu.Lock()
	nc := c.nc
	c.mu.Unlock()
	if nc != nil {
		nc.Close()
	}
}

// close ends the session in order.
func (c *client) close() {
	if !c.isOver() {
		_, _, _ = c.do(wire.OpClose, func(*wire.Encoder) {})
	}
	c.kill()
}

// hush makes the process hang, or go on: no pings are sent meanwhile.
func (c *client) hush(on bool) {
	c.mu.Lock()
	c.silent = on
	c.mu.Unlock()
}

// watch registers for one event on a path; the channel is closed when it comes.
func (c *client) watch(table int, path string) chan struct{} {
	ch := make(chan struct{})
	c.mu.Lock()
	c.watches[table][path] = append(c.watches[table][path], ch)
	c.mu.Unlock()
	return ch
}

// unwatch forgets a registration; the server keeps its watch.
func (c *client) unwatch(table int, path string, ch chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := c.watches[table][path]
	for i := range list {
		if list[i] == ch {
			list = append(list[:i:i], list[i+1:]...)
			break
		}
	}
	if len(list) == 0 {
		delete(c.watches[table], path)
		return
	}
	c.watches[table][path] = list
}

// fire hands an event to those who wait for it.
func (c *client) fire(ev wire.Event) {
	c.mu.Lock()
	var told []chan struct{}
	for table := range c.watches {
		if (ev.Type == wire.EventChildrenChanged) != (table == childTable) && ev.Type != wire.EventDeleted {
			continue
		}
		told = append(told, c.watches[table][ev.Path]...)
		delete(c.watches[table], ev.Path)
	}
	c.mu.Unlock()
	c.tr.woke(c.id, ev)
	if c.follow != nil {
		c.follow(ev)
	}
	for _, ch := range told {
		close(ch)
	}
}

// do sends one request and waits for its answer.
func (c *client) do(op wire.Op, body func(*wire.Encoder)) ([]byte, wire.Code, error) {
	c.mu.Lock()
	for c.nc == nil {
		up := c.up
		c.mu.Unlock()
		select {
		case <-up:
		case <-c.over:
			return nil, 0, errGone
		}
		c.mu.Lock()
	}
	if c.isOver() {
		c.mu.Unlock()
		return nil, 0, errGone
	}
	c.xid++
	ch := make(chan reply, 1)
	c.calls[c.xid] = ch
	var e wire.Encoder
	e.Int32(c.xid)
	e.Int32(int32(op))
	body(&e)
	nc := c.nc
	c.mu.Unlock()
	if _, err := nc.Write(wire.AppendFrame(nil, e.B)); err != nil {
		c.cut(nc)
	}
	select {
	case r := <-ch:
		if c.isOver() && r.err != nil {
			r.err = errGone
		}
		return r.body, r.code, r.err
	case <-c.over:
		return nil, 0, errGone
	}
}
