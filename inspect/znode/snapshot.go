package znode

import (
	"sort"
	"strings"
	"time"
)

// Snapshot is a picture of a tree of znodes and of what is known about the sessions behind it. It is
// immutable: whoever holds one may read it from any goroutine for ever. It is built from many reads,
// so it is no cut through one point in time.
type Snapshot struct {
	Root     *Node     // the znode at Base; never nil
	Base     string    // absolute path of Root as the client sees it (below any chroot): "/" or "/app"
	TakenAt  time.Time // by the reader's clock; "now" for everything derived from a file
	Complete bool      // every znode below Base was read; false while loading or when a limit was hit
	Partial  []string  // why not Complete, one phrase each; empty while the first load runs
	Lacks    string    // why anything else may be there too, wherever it is: the changes that made it are lost; empty: nothing is

	// LostSince is when the connection was lost; zero while connected. What the snapshot shows is then
	// as of that moment.
	LostSince time.Time

	// Gap is the latest span without a connection that is over. What changed in it was read at its end.
	Gap Gap

	Servers  []Server               // nil: unknown
	Sessions map[SessionID]Session  // nil: unknown. A session that is missing from a non-nil map is known to be absent only if every server answered
	Watches  map[string][]SessionID // data and exist watches by path; nil: unknown

	// AskedAt is when the servers began to be asked for the three above, by the reader's clock; zero: not known.
	// What they say cannot speak about anything younger.
	AskedAt time.Time
	// Ephemerals are the paths of ephemeral znodes by session, as servers tell them, below any chroot; whether the tree
	// shows them or not. Nil: no server told.
	Ephemerals map[SessionID][]string

	// Went are znodes that went of late, the last ones last, where a history records by whose doing: see HowWent.
	Went []Departure

	// Missing are paths that were asked for by name, and do not exist: see Known.
	Missing []string

	// SessionsPartial and WatchesPartial say that a server did not list its connections, or its watches: one that is
	// missing may be there.
	SessionsPartial, WatchesPartial bool
}

// Server is one member of the ensemble, as far as it could be asked.
type Server struct {
	Addr     string // host:port
	Mode     string // leader, follower, observer, standalone, read-only; empty: unknown
	Tier     string // admin, 4lw, none: by which means it answers
	Answered bool   // it told what it was asked for
}

// Session is a client's session, merged from what the servers say about it.
type Session struct {
	ID        SessionID
	Addr      string        // client ip:port; empty: unknown
	Known     string        // what somebody's own list calls that address; empty: it is not in it
	Timeout   time.Duration // negotiated; zero: unknown
	Server    string        // the member that the client is connected to; empty: unknown
	Connected *bool         // nil: unknown
	ExpiresAt time.Time     // zero: unknown
	Within    time.Duration // how far ExpiresAt may be off by clocks and rounding; zero: unknown
	Since     time.Time     // when its connection was made; zero: unknown
}

// From is where the client is: its address, and what that is known as.
func (s *Session) From() string {
	if s.Known == "" {
		return s.Addr
	}
	return s.Addr + " (" + s.Known + ")"
}

// Flag marks what could not be kept of a znode.
type Flag uint8

const (
	Unreadable  Flag = 1 << iota // data could not be read: no READ permission; the stat may be missing as well
	DataOmitted                  // data is larger than the reader keeps; DataLength is right
	NotListed                    // children are counted (NumChildren), not listed
	NoStat                       // the stat could not be read either; only the name is known
	Numbered                     // the czxid is a line's number in a file, which tells no order in time

	// NameOnly marks a child of a very large directory of which nothing was asked for but its name. It comes with
	// Unreadable, NotListed and NoStat: whatever they forbid to conclude holds here too.
	NameOnly
	// NamesRead marks such a directory: most of its children, or all, are NameOnly.
	NamesRead
	// OverBudget comes with NotListed where the reader did not list the children because it had read as many znodes as
	// it may, not because they are too many.
	OverBudget
)

// Node is one znode. It is immutable once it is part of a published Snapshot.
//
// Its path is not stored: a node knows its own name, and a walk from the root knows where it is. That
// keeps a million znodes small and lets an unchanged subtree be shared between snapshots by pointer.
type Node struct {
	Name string // last component; empty for "/"
	Data []byte // nil: null data, or not kept (see Flags)

	Owner               SessionID // the owning session of an ephemeral znode; 0 for any other
	Czxid, Mzxid, Pzxid Zxid      // 0: unknown
	Ctime, Mtime        Millis    // 0: unknown

	Version, Cversion, Aversion int32
	NumChildren                 int32 // as the stat says; may differ from len(Children) while loading
	DataLength                  int32 // as the stat says
	Flags                       Flag  // what of it was not read
	HasCversion                 bool  // Cversion was read (false only for hand-written files)

	Children []*Node // sorted by Name, bytewise
}

// Has reports whether all of the given flags are set.
func (n *Node) Has(f Flag) bool { return n.Flags&f == f }

// Ephemeral reports whether the znode is bound to a session.
func (n *Node) Ephemeral() bool { return n.Owner != 0 }

// Child returns the child of that name, or nil.
func (n *Node) Child(name string) *Node {
	i := sort.Search(len(n.Children), func(i int) bool { return n.Children[i].Name >= name })
	if i < len(n.Children) && n.Children[i].Name == name {
		return n.Children[i]
	}
	return nil
}

// At returns the znode at an absolute path, or nil when the snapshot does not hold it.
func (s *Snapshot) At(path string) *Node {
	if path == s.Base {
		return s.Root
	}
	rest, ok := Relative(s.Base, path)
	if !ok {
		return nil
	}
	n := s.Root
	for more := true; more && n != nil; {
		var name string
		name, rest, more = strings.Cut(rest, "/")
		n = n.Child(name)
	}
	return n
}
