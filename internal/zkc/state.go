package zkc

import (
	"sync/atomic"
	"time"
)

// Phase is where a Conn stands.
type Phase uint8

// The phases. Closed and Failed are final.
const (
	Connecting   Phase = iota // no session yet
	Connected                 // the session is served
	Disconnected              // the connection is lost; the session may live on
	Expired                   // the server has ended the session; a new one is tried for, unless Config.EndOnExpiry
	Failed                    // final; State.Err says why
	Closed                    // final; Close was called
)

// String returns the phase in lower case.
func (p Phase) String() string {
	names := [...]string{"connecting", "connected", "disconnected", "expired", "failed", "closed"}
	if int(p) < len(names) {
		return names[p]
	}
	return "unknown"
}

// State is what is known about the session. It is a value: a copy never changes.
type State struct {
	Phase   Phase
	Server  string        // host:port that serves us, or the last that did; empty before the first
	Session int64         // 0 before the first and after an expiry
	Timeout time.Duration // of the session, as the server granted it
	Since   time.Time     // when Phase began

	// LostSince is since when nothing is known of the server: when the last request that it answered was sent (see
	// Conn.Alive), not the moment the loss was noticed. Zero while connected, and before the first connection.
	LostSince time.Time

	Connects    int // connections that reached a session so far
	Expirations int // sessions that we lost so far

	// Setbacks counts the connections to a server that was behind what was told before them; BackFrom and BackTo are the
	// zxids of the last. It lags behind, or its data was replaced.
	Setbacks         int
	BackFrom, BackTo int64

	// ReadOnlyServer says that the server has no quorum and answers reads only.
	ReadOnlyServer bool

	// Plain says that the server (older than 3.6) has neither recursive watches nor batch reads. MultiRead
	// then reads one by one, and AddWatch reports ErrNotOffered.
	Plain bool

	// Attempts counts the failed attempts since the last connection, Err is the latest failure. In the
	// phase Failed, Err is the reason.
	Attempts int
	Err      error
}

// Counters says what a Conn has cost so far, and what it holds now.
type Counters struct {
	Requests uint64 // frames sent, pings and handshakes included
	Replies  uint64 // frames received, events excluded
	Events   uint64 // watch events received
	BytesIn  uint64
	BytesOut uint64
	Refused  uint64 // writes that the read-only gate held back
	Watches  int    // persistent roots and outstanding one-shot watches
}

// tally is the live form of Counters.
type tally struct {
	requests, replies, events, in, out, refused atomic.Uint64
}
