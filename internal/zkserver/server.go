package zkserver

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/wire"
)

// ErrClosed reports a call on a server that was closed.
var ErrClosed = errors.New("zkserver: server closed")

// Options of a Server. The zero value is a server as Debian ships it.
type Options struct {
	MinTimeout time.Duration // Optional; shortest session timeout granted; default 4 s
	MaxTimeout time.Duration // Optional; longest session timeout granted; default 40 s
	ServerID   uint8         // Optional; top byte of session ids; default 1, as of a standalone server
	MaxFrame   int           // Optional; longest request in bytes (jute.maxbuffer); default 1,048,575

	// ReapInterval is how often empty containers and outlived TTL nodes are looked for. Optional; default 1 minute.
	ReapInterval time.Duration

	// SuperDigest is the digest id ("super:" and a hash, see DigestID) whose owner may do everything. Optional.
	SuperDigest string

	// FourLetter are the four-letter words that are answered; others get a real server's refusal. Optional; default all.
	FourLetter []string

	NoAddWatch  bool // imitate a server before 3.6: addWatch and setWatches2 are unknown operations
	NoMultiRead bool // imitate a server before 3.6: multiRead is an unknown operation

	// ReadOnlyMode starts the server cut off from its quorum: see SetReadOnly.
	ReadOnlyMode bool
	// Observer makes the server say that it is one.
	Observer bool
	// NoLocalSessions makes a read-only server refuse every session with error -119, as real ones do by default.
	NoLocalSessions bool

	Record bool // keep a log of requests for Requests

	// Fault is asked about each request before it is applied, session requests included (OpCreateSession). Optional. It
	// runs on the connection's goroutine with no lock held and may call methods of the Server, Close excepted.
	Fault func(Request) Action
}

func (o *Options) fill() {
	if o.MinTimeout == 0 {
		o.MinTimeout = 4 * time.Second
	}
	if o.MaxTimeout == 0 {
		o.MaxTimeout = 40 * time.Second
	}
	if o.ServerID == 0 {
		o.ServerID = 1
	}
	if o.MaxFrame == 0 {
		o.MaxFrame = wire.MaxFrame
	}
	if o.ReapInterval == 0 {
		o.ReapInterval = time.Minute
	}
}

// Server is an in-memory ZooKeeper server. Make one with New and end it with Close.
type Server struct {
	opts    Options
	started time.Time
	wg      sync.WaitGroup // goroutines of connections and listeners

	mu        sync.Mutex // guards all below; never held across I/O
	closed    bool
	listeners map[net.Listener]bool
	conns     map[*conn]bool // that serve a client
	live      map[*conn]bool // whose goroutines run, also those that only send a last reply
	lastConn  int64

	zxid     int64
	wasted   int64 // of the latest zxids, how many were given to no write
	tree     tree
	data     watches // data and exist watches
	child    watches // child watches
	sessions map[int64]*session
	nextID   int64
	secret   [16]byte

	readOnly bool
	observer bool // it says so
	refuse   bool
	gate     chan struct{} // non-nil while paused; closed by Resume
	fault    func(Request) Action
	log      []Request
	reaper   *time.Timer
	scratch  wire.Encoder // the reply under construction
	stats    counters
	quotas   map[string]bool // paths of which is counted what stands below
}

// New returns a server that holds what a fresh real one holds: /zookeeper, /zookeeper/config and /zookeeper/quota.
func New(o Options) *Server {
	o.fill()
	s := &Server{
		opts: o, started: time.Now(),
		listeners: map[net.Listener]bool{}, conns: map[*conn]bool{}, live: map[*conn]bool{}, sessions: map[int64]*session{}, quotas: map[string]bool{},
		tree: newTree(), data: newWatches(dataWatch), child: newWatches(childWatch),
		readOnly: o.ReadOnlyMode, observer: o.Observer, fault: o.Fault,
	}
	s.nextID = int64(uint64(o.ServerID)<<56 | uint64(s.started.UnixMilli())<<24>>8)
	s.secret = newSecret()
	return s
}

// Listen serves clients on a TCP address, such as "127.0.0.1:0", and returns the address it got. It may be called more
// than once.
func (s *Server) Listen(addr string) (net.Addr, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("zkserver: listen: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		l.Close()
		return nil, ErrClosed
	}
	s.listeners[l] = true
	s.wg.Add(1)
	guard.Go(func() { s.accept(l) })
	return l.Addr(), nil
}

// accept serves the clients of one listener until it is closed.
func (s *Server) accept(l net.Listener) {
	defer s.wg.Done()
	for {
		nc, err := l.Accept()
		if err != nil {
			return
		}
		s.ServeConn(nc)
	}
}

// ServeConn serves one client and returns at once. The server owns nc from then on; it closes nc at once when the
// server is closed or refuses connections.
func (s *Server) ServeConn(nc net.Conn) { s.serve(nc, "") }

// Dial connects to the server in-process, over net.Pipe.
func (s *Server) Dial(ctx context.Context) (net.Conn, error) { return s.DialFrom(ctx, "") }

// DialFrom is Dial for a client whose address, as the four-letter words and ip ACLs show it, is to be from
// ("10.0.0.7:40112"). Empty: a made-up loopback address.
func (s *Server) DialFrom(ctx context.Context, from string) (net.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	client, server := net.Pipe()
	if !s.serve(server, from) {
		client.Close()
		return nil, &net.OpError{Op: "dial", Net: "pipe", Err: errors.New("connection refused")}
	}
	return client, nil
}

// Pipe is Dial without a context; nil when the server is closed or refuses connections.
func (s *Server) Pipe() net.Conn {
	nc, err := s.Dial(context.Background())
	if err != nil {
		return nil
	}
	return nc
}

// Close drops all connections, stops all timers and waits for all goroutines. Sessions do not expire: they are gone.
func (s *Server) Close() error {
	s.mu.Lock()
	s.closed = true
	if s.gate != nil {
		close(s.gate)
		s.gate = nil
	}
	if s.reaper != nil {
		s.reaper.Stop()
	}
	for _, ses := range s.sessions {
		ses.timer.Stop()
	}
	for l := range s.listeners {
		l.Close()
	}
	kill := slices.Collect(maps.Keys(s.live))
	s.mu.Unlock()
	for _, c := range kill {
		c.kill()
	}
	s.wg.Wait()
	return nil
}

func (s *Server) allConns() []*conn { return slices.Collect(maps.Keys(s.conns)) }
