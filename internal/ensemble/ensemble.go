package ensemble

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/wait"
)

// Limits of what is asked for when Config does not set them.
const (
	DefaultTimeout    = 1500 * time.Millisecond
	DefaultInterval   = 5 * time.Second
	DefaultMaxBytes   = 32 << 20
	DefaultMaxWatches = 50000
)

// atOnce is how many members are asked at the same time.
const atOnce = 8

// retryAfter is how long a closed endpoint is left alone before it is tried again.
const retryAfter = time.Minute

// Config says whom to ask and how. Open copies it.
type Config struct {
	Servers []string    // client addresses as the user gave them, host:port
	Chroot  string      // Optional; watches and ephemeral znodes are told below it, as a client with that chroot sees them
	TLS     *tls.Config // Optional; for client ports and for HTTPS. nil: client ports are plain

	// Admin and Words override where AdminServers and four-letter words are looked for: host:port or URL, and
	// host:port. A single entry "off" turns the means off. Optional.
	Admin, FourLetter []string

	// Members returns what the ensemble's own /zookeeper/config holds. Optional; without it, the members are those
	// that Servers names and what they say of each other.
	Members func(context.Context) ([]byte, error)
	// Self returns our own session, and when, by our clock, its connection was made and last heard of: the server's
	// account of the same moments tells how far its clocks are from ours. Optional.
	Self func() (id int64, since, heard time.Time)

	// Home returns which of Servers our connection is to; empty: not known. It tells which ensemble is meant where the
	// servers are of several. Optional.
	Home func() string

	Dial       func(ctx context.Context, network, addr string) (net.Conn, error) // Optional; default: a net.Dialer
	Now        func() time.Time                                                  // Optional; default time.Now
	Timeout    time.Duration                                                     // Optional; of one question
	MaxBytes   int                                                               // Optional; of one reply
	MaxWatches int64                                                             // Optional; with more watches than this on a server they are not listed
}

func (c Config) withDefaults() Config {
	if c.Dial == nil {
		c.Dial = new(net.Dialer).DialContext
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Timeout <= 0 {
		c.Timeout = DefaultTimeout
	}
	if c.MaxBytes <= 0 {
		c.MaxBytes = DefaultMaxBytes
	}
	if c.MaxWatches <= 0 {
		c.MaxWatches = DefaultMaxWatches
	}
	return c
}

func off(list []string) bool { return len(list) == 1 && list[0] == "off" }

// Ensemble asks the members of one ensemble, and remembers which of their endpoints are open.
type Ensemble struct {
	cfg    Config
	http   *http.Client
	pool   *http.Transport
	asking chan struct{} // one slot: held by whoever asks

	refused, heard atomic.Int32 // words that TLS was in the way of, and those that were answered, since the last shut

	// guarded by asking
	endpoints  []*endpoint
	strangers  []*endpoint        // those that are known to be of another ensemble
	configured []configuredMember // the ensemble's own list of its members; nil: not known
	read       bool               // it is what our own connection read
	missing    []configuredMember // those of whom no client address is known
	found      time.Time          // when endpoints were looked for last
	began      time.Time          // when the last round began
	before     *Status
	owned      owned // of the last round
	made       map[madeBy]madeAt
}

// Open prepares to ask. It does no I/O. It fails when an override is no address.
func Open(cfg Config) (*Ensemble, error) {
	e := &Ensemble{cfg: cfg.withDefaults(), asking: make(chan struct{}, 1)}
	if !off(cfg.Admin) {
		for _, a := range cfg.Admin {
			if _, err := adminURL(a); err != nil {
				return nil, err
			}
		}
	}
	e.pool = &http.Transport{DialContext: e.cfg.Dial, TLSClientConfig: e.cfg.TLS, MaxIdleConnsPerHost: 1,
		IdleConnTimeout: 30 * time.Second, ResponseHeaderTimeout: e.cfg.Timeout, DisableCompression: true}
	e.http = &http.Client{Transport: e.pool, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return e, nil
}

// Close lets go of idle connections. Asking goes on working.
func (e *Ensemble) Close() { e.pool.CloseIdleConnections() }

// shut reports whether every word since it was asked last was in vain because of who we are, or who the servers are not: no
// word gets through until somebody does something about it.
func (e *Ensemble) shut() bool {
	refused, heard := e.refused.Swap(0), e.heard.Swap(0)
	return refused > 0 && heard == 0
}

// Want is what a round of questions is after.
type Want struct {
	Watches bool // list the watches, where the summary says that they are few enough
	Limits  bool // also ask for limits that seldom change, such as jute.maxbuffer
}

// Ask asks every member once and merges the answers. It always returns a Status: what failed is in it. What would
// make a session appear dead is asked twice, because a client that moves from one member to another can be missed by both;
// whether members disagree on a znode a few times, because none of them is asked at the same moment as another. It takes
// a few timeouts at most, also when ports hang.
func (e *Ensemble) Ask(ctx context.Context, w Want) *Status {
	select {
	case e.asking <- struct{}{}:
		defer func() { <-e.asking }()
	case <-ctx.Done():
		return &Status{At: e.cfg.Now()}
	}
	e.find(ctx)
	e.round(ctx, slices.Concat(e.endpoints, e.strangers), w)
	if e.setApart(ctx); e.missesOnce() {
		wait.For(ctx, again)
		e.round(ctx, slices.Concat(e.endpoints, e.strangers), w)
		e.setApart(ctx)
	}
	e.identify(ctx, w)
	st := e.merge()
	if e.before != nil {
		st.confirm(e.before)
	}
	for rounds := 1; st.doubtful(rounds) && ctx.Err() == nil; rounds++ {
		first := st
		wait.For(ctx, again)
		e.round(ctx, e.endpoints, w)
		st = e.merge()
		st.confirm(first)
		st.settle()
	}
	e.before = st
	return st
}

// again is how long after a doubtful round the next one begins.
const again = 300 * time.Millisecond

// round asks all members, a few at a time.
func (e *Ensemble) round(ctx context.Context, endpoints []*endpoint, w Want) {
	e.began = e.cfg.Now()
	var wg sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	for _, ep := range endpoints {
		wg.Add(1)
		slots <- struct{}{}
		guard.Go(func() {
			defer wg.Done()
			e.visit(ctx, ep, w)
			<-slots
		})
	}
	wg.Wait()
}

// self is our own session, if it is known.
func (e *Ensemble) self() (id znode.SessionID, since, heard time.Time) {
	if e.cfg.Self == nil {
		return 0, since, heard
	}
	n, since, heard := e.cfg.Self()
	return znode.SessionID(n), since, heard
}
