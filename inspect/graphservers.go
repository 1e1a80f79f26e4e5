package inspect

import (
	"strconv"
	"time"
)

// ServerState is one member of the ensemble in full: what it is, by which means it tells, and what it does not tell.
type ServerState struct {
	Addr     string         `json:"addr"`
	ID       int64          `json:"id"`
	Role     string         `json:"role"` // participant, observer; empty: not known
	Up       bool           `json:"up"`
	Mode     string         `json:"mode"` // as in Server; empty: not known
	Version  string         `json:"version"`
	Tier     string         `json:"tier"`
	Admin    *string        `json:"admin"` // URL of its AdminServer's commands
	Err      *string        `json:"error"`
	Tells    Tells          `json:"tells"`
	Advice   []ServerAdvice `json:"advice"`
	Latency  *string        `json:"latency"` // min/avg/max in milliseconds
	Zxid     *string        `json:"zxid"`
	Znodes   *int64         `json:"znodes"`
	Conns    *int64         `json:"connections"`
	Waiting  *int64         `json:"outstanding"`
	Watches  *int64         `json:"watches"`
	Tick     *int64         `json:"tickMs"`
	Shortest *int64         `json:"minSessionTimeoutMs"`
	Longest  *int64         `json:"maxSessionTimeoutMs"`
	Buffer   *string        `json:"juteMaxbuffer"` // bytes, or why it is not known
	SkewMs   *int64         `json:"clockAheadMs"`  // of ours
	WithinMs *int64         `json:"clockWithinMs"` // how far that may be off
}

// Tells says what a server told in full.
type Tells struct {
	Connections bool `json:"connections"`
	Sessions    bool `json:"sessions"`
	Ephemerals  bool `json:"ephemerals"`
	Watches     bool `json:"watches"`
}

// ServerAdvice is a line of a server's configuration and what it would let be known.
type ServerAdvice struct {
	Line  string `json:"line"`
	Gives string `json:"gives"`
}

// Line says in one line how a server stands.
func (s *ServerState) Line() string {
	text := s.Addr
	if s.ID > 0 {
		text += " (" + strconv.FormatInt(s.ID, 10) + ")"
	}
	if !s.Up {
		if s.Err != nil {
			return text + ": no answer: " + Printable(*s.Err)
		}
		return text + ": no answer"
	}
	return text + ": " + choose(b2i(s.Mode != ""), s.Mode, "mode unknown") + ", " + choose(b2i(s.Version != ""), s.Version, "version unknown") + ", tier " + s.Tier
}

// Limits says a duration in milliseconds as people read it; a question mark when it is not known.
func Limits(ms *int64) string {
	if ms == nil {
		return "?"
	}
	return (time.Duration(*ms) * time.Millisecond).String()
}

// EmptyParents counts the directories that locks and elections left behind without anything in them.
func (r *Result) EmptyParents() int {
	if r.root == nil {
		return 0
	}
	return r.root.empty
}

// EmptyParent tells of which kind of recipe the znode at a path is the directory that was left behind: a lock or an
// election; empty for any other znode.
func (r *Result) EmptyParent(path string) Kind {
	n := r.Snapshot.At(path)
	dir, _ := Split(path)
	if n == nil || path == "/" || r.ByPath(path) != nil || r.ByPath(dir) != nil {
		return ""
	}
	return (&walk{path: dir}).emptied(n)
}
