package peers

import (
	"encoding/binary"
	"io"
	"net"
	"sync"
	"testing"
)

// Lose says what of a request a Relay loses, and the connection with it.
type Lose uint8

// What can be lost.
const (
	LoseNothing Lose = iota
	LoseRequest      // it never reaches the server
	LoseReply        // the server has answered; the client is not told
)

// Fate is what a Relay does with one request. The zero value lets it pass.
type Fate struct {
	Lose  Lose
	First func() // Optional; runs before the request goes on
	Then  func() // Optional; runs when it is lost, before the client can notice
}

// Relay stands on loopback between clients and one server. It sees every request, and can lose it, or its reply.
type Relay struct {
	Addr string // where clients connect to

	target string
	l      net.Listener
	wg     sync.WaitGroup

	mu      sync.Mutex
	meddle  func(op int32) Fate
	connect func(frame []byte)
	granted func(frame []byte)
	session int64
	passwd  []byte
	open    map[net.Conn]bool
}

// NewRelay starts a relay to a server's client port. It ends with the test.
func NewRelay(t testing.TB, target string) *Relay {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	r := &Relay{Addr: l.Addr().String(), target: target, l: l, open: map[net.Conn]bool{}}
	r.wg.Go(r.accept)
	t.Cleanup(func() {
		l.Close()
		r.Cut()
		r.wg.Wait()
	})
	return r
}

// Meddle sets what happens to requests that come from now on, by their opcode; nil lets all pass.
func (r *Relay) Meddle(f func(op int32) Fate) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.meddle = f
}

// EditConnect sets what is changed about connect requests that come from now on. A frame is without its length.
func (r *Relay) EditConnect(f func(frame []byte)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.connect = f
}

// EditConnected sets what is changed about the answers to connect requests.
func (r *Relay) EditConnected(f func(frame []byte)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.granted = f
}

// Session is the one that the server granted last through this relay, with its password.
func (r *Relay) Session() (id int64, passwd []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.session, r.passwd
}

// Cut ends every connection that there is.
func (r *Relay) Cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.open {
		c.Close()
	}
}

func (r *Relay) accept() {
	for {
		client, err := r.l.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", r.target)
		if err != nil {
			client.Close()
			continue
		}
		r.mu.Lock()
		r.open[client], r.open[server] = true, true
		r.mu.Unlock()
		p := &relayed{Relay: r, client: client, server: server}
		r.wg.Go(p.up)
		r.wg.Go(p.down)
	}
}

// relayed is one connection.
type relayed struct {
	*Relay
	client, server net.Conn

	mu   sync.Mutex
	lost int32 // xid whose reply is to be lost; 0: none
	then func()
}

func (p *relayed) end() {
	p.client.Close()
	p.server.Close()
	p.Relay.mu.Lock()
	defer p.Relay.mu.Unlock()
	delete(p.open, p.client)
	delete(p.open, p.server)
}

// readFrame returns a frame with its length; four-letter words and their answers, which have none, in pieces of four.
func readFrame(c net.Conn) ([]byte, error) {
	b := make([]byte, 4)
	if n, err := io.ReadFull(c, b); err != nil {
		return b[:n], err
	}
	size := binary.BigEndian.Uint32(b)
	if size > 64<<20 {
		return b, nil
	}
	b = append(b, make([]byte, size)...)
	_, err := io.ReadFull(c, b[4:])
	return b, err
}

// up takes requests to the server.
func (p *relayed) up() {
	defer p.end()
	for first := true; ; first = false {
		b, err := readFrame(p.client)
		if err != nil {
			return
		}
		if fate := p.fate(b, first); !p.passes(fate, b) {
			return
		}
		if _, err := p.server.Write(b); err != nil {
			return
		}
	}
}

func (p *relayed) fate(b []byte, first bool) Fate {
	p.Relay.mu.Lock()
	meddle, connect := p.meddle, p.connect
	p.Relay.mu.Unlock()
	switch {
	case first && connect != nil && len(b) > 4:
		connect(b[4:])
	case !first && meddle != nil && len(b) >= 12:
		return meddle(int32(binary.BigEndian.Uint32(b[8:])))
	}
	return Fate{}
}

// passes does with a request what its fate says, and reports whether it goes on.
func (p *relayed) passes(f Fate, b []byte) bool {
	if f.First != nil {
		f.First()
	}
	switch f.Lose {
	case LoseRequest:
		if f.Then != nil {
			f.Then()
		}
		return false
	case LoseReply:
		p.mu.Lock()
		p.lost, p.then = int32(binary.BigEndian.Uint32(b[4:])), f.Then
		p.mu.Unlock()
	}
	return true
}

// down takes replies to the client.
func (p *relayed) down() {
	defer p.end()
	for first := true; ; first = false {
		b, err := readFrame(p.server)
		if err != nil {
			_, _ = p.client.Write(b) // the end of an answer to a four-letter word
			return
		}
		if first {
			p.note(b)
		} else if p.loses(b) {
			return
		}
		if _, err := p.client.Write(b); err != nil {
			return
		}
	}
}

// note remembers the session that a connect response grants, and changes the response where that is asked for.
func (p *relayed) note(b []byte) {
	const passwd = 4 + 4 + 4 + 8 + 4 // length, version, timeout, session, length of the password
	if len(b) < passwd+16 {
		return
	}
	p.Relay.mu.Lock()
	defer p.Relay.mu.Unlock()
	if p.granted != nil {
		p.granted(b[4:])
	}
	p.session, p.passwd = int64(binary.BigEndian.Uint64(b[12:])), append([]byte(nil), b[passwd:passwd+16]...)
}

func (p *relayed) loses(b []byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lost == 0 || len(b) < 8 || int32(binary.BigEndian.Uint32(b[4:])) != p.lost {
		return false
	}
	if p.then != nil {
		p.then()
	}
	return true
}
