package ensemble

import (
	"slices"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Tier is the means by which a member tells of its sessions.
type Tier string

const (
	TierAdmin      Tier = "admin" // AdminServer
	TierFourLetter Tier = "4lw"   // four-letter words
	TierNone       Tier = "none"  // neither
)

// Member is one member of the ensemble and what it said in a round.
type Member struct {
	Addr    string // for clients; the quorum's host alone when that is all that is known
	ID      int64  // the server's id; 0: it stands alone, or the id is not known
	Role    string // participant or observer; empty: not known
	Up      bool   // it answered
	Down    bool   // nobody answered there, twice in a row: refused, unknown by name, or silent
	Idle    bool   // it answered, twice in a row, that it serves nobody: it has no leader, or starts
	Tier    Tier
	Admin   string // base URL of its AdminServer; empty: none was found
	Foreign string // by what it is known to be of another ensemble; empty: it is not known to be
	Err     string // why it is not up, or why it tells nothing; empty: nothing to say
	Advice  []Advice

	Connections bool // it told all its connections
	Sessions    bool // it told which sessions exist
	Ephemerals  bool // it told who owns which ephemeral znode
	Watches     bool // it told all its watches

	Version, Mode, Latency  string // empty: not known; latency in milliseconds, min/avg/max
	Zxid                    znode.Zxid
	Nodes, Conns, Waiting   int64         // znodes, connections, outstanding requests; -1: not known
	Watching                int64         // watches; -1: not known
	Tick, Shortest, Longest time.Duration // zero: not known
	Buffer                  string        // jute.maxbuffer in bytes; empty: not known
	Clock                   Clock
}

// Advice is a line of a server's configuration that would let more be known.
type Advice struct{ Line, Gives string }

// Status is what the members said in one round. It is immutable. Paths are below the chroot of the Config.
type Status struct {
	Began, At time.Time // of the round, by our clock
	Members   []Member
	Strangers []Member // servers that were named and are of another ensemble: nothing of what they told is here
	Home      string   // the server that our connection is to; empty: not known

	Sessions   map[znode.SessionID]znode.Session // nil: nobody told
	Ephemerals map[znode.SessionID][]string      // nil: nobody told
	Watches    map[string][]znode.SessionID      // nil: nobody told

	// WholeWatches says that every member that answered listed all its watches, WholeConns the same of connections.
	WholeWatches, WholeConns bool

	Disagree []Disagreement

	Listed bool // the members' own list is known: Members are all that there are

	doubt   map[znode.SessionID]bool // seen without a connection, or not at all, in this round only
	unsure  []Disagreement           // seen in too few rounds
	tracked bool                     // a session tracker told all sessions there are
	silent  bool                     // a member did not answer, or did not serve, for the first time
}

// Disagreement is an ephemeral znode that some members have and others do not, or have as another session's.
type Disagreement struct {
	Path    string
	Owner   znode.SessionID
	On, Off []string // addresses of members

	rounds int // in a row that told so
}

// enough is in how many rounds in a row members must differ. A round's questions reach them at different moments, so that
// a znode that comes and goes is there for one and not for another, in two rounds too where it came during the first and
// went during the second. One that a member has in the first and in the third was there throughout the second, whose
// other member has not got it: that is a disagreement. Only a numbered name is sure to be the same znode each time; of
// any other the session could have made it anew, which it is hardly caught at in five rounds.
func (d *Disagreement) enough() int {
	if name := layout.ParseName(d.Path[strings.LastIndexByte(d.Path, '/')+1:]); name.HasSeq {
		return 3
	}
	return 5
}

// Answered counts the members that answered.
func (st *Status) Answered() (n int) {
	for i := range st.Members {
		if st.Members[i].Up {
			n++
		}
	}
	return n
}

// Onto returns the snapshot with the evidence of the status. The snapshot is shared but for that; the same status always
// gives the same maps.
func (st *Status) Onto(s *znode.Snapshot) *znode.Snapshot {
	if st == nil || len(st.Members) == 0 {
		return s
	}
	out := *s
	out.Servers = make([]znode.Server, len(st.Members))
	for i := range st.Members {
		m := &st.Members[i]
		out.Servers[i] = znode.Server{Addr: m.Addr, Mode: m.Mode, Tier: string(m.Tier), Answered: m.Up}
	}
	out.Sessions, out.Watches = st.Sessions, st.Watches
	out.AskedAt, out.WatchesPartial, out.SessionsPartial = st.Began, !st.WholeWatches, !st.WholeConns
	return &out
}

// Findings are what the status itself tells: members that do not answer or disagree on a znode, clocks that are off.
func (st *Status) Findings() (out []model.Finding) {
	if st == nil {
		return nil
	}
	if s := st.silentMembers(); len(s.Servers)+len(s.Idle) > 0 {
		out = append(out, waits.SilentFinding(s))
	}
	if len(st.Strangers) > 0 {
		out = append(out, waits.StrangerFinding(st.strangers(), st.Home))
	}
	for _, d := range st.Disagree {
		out = append(out, model.DisagreeFinding(d.Path, d.Owner, d.On, d.Off))
	}
	for i := range st.Members {
		if m := &st.Members[i]; m.Clock.Off() {
			out = append(out, model.SkewFinding(m.Addr, m.Clock.Ahead, m.Clock.Within))
		}
	}
	return out
}

// strangers says which servers are of another ensemble, each with why.
func (st *Status) strangers() (out []string) {
	for i := range st.Strangers {
		out = append(out, st.Strangers[i].Addr+" ("+st.Strangers[i].Foreign+")")
	}
	return out
}

// silentMembers counts the members that do not answer or serve, and those of the others that have a vote.
func (st *Status) silentMembers() (s waits.Silent) {
	s.Asked = len(st.Members)
	for i := range st.Members {
		m := &st.Members[i]
		votes := m.Role != "observer" && m.Mode != "observer"
		switch {
		case m.Down:
			s.Servers = append(s.Servers, m.Addr+" ("+m.Err+")")
			s.Voting = s.Voting || votes
		case m.Idle:
			s.Idle = append(s.Idle, m.Addr)
			s.Voting = s.Voting || votes
		case m.serves():
			s.Serves = m.Addr
		default:
			s.Mute = true
		}
		switch {
		case !votes || !st.Listed:
			continue
		case m.Idle:
			s.Resting++
		case m.Up:
			s.Up++
		case !m.Down:
			s.Unknown++
		}
		s.Voters++
	}
	return s
}

// serves reports whether a member tells that it takes part in an ensemble with a quorum, or needs none.
func (m *Member) serves() bool {
	return m.Up && m.Mode != "" && m.Mode != "read-only"
}

// confirm compares a round with the one before it: what only this round saw is in doubt.
func (st *Status) confirm(before *Status) {
	for id := range st.doubt {
		was, there := before.Sessions[id]
		if there && was.Connected != nil && !*was.Connected || !there && before.Sessions != nil && st.orphan(id) && before.orphan(id) {
			delete(st.doubt, id)
		}
	}
	for i := range st.unsure {
		d := &st.unsure[i]
		for _, was := range [2][]Disagreement{before.Disagree, before.unsure} {
			for _, b := range was {
				if b.Path == d.Path && b.Owner == d.Owner && slices.Equal(b.Off, d.Off) {
					d.rounds = b.rounds + 1
				}
			}
		}
	}
	st.unsure = slices.DeleteFunc(st.unsure, func(d Disagreement) bool {
		if d.rounds < d.enough() {
			return false
		}
		st.Disagree = append(st.Disagree, d)
		return true
	})
}

// orphan reports whether a session owns znodes and no session tracker has it.
func (st *Status) orphan(id znode.SessionID) bool {
	_, there := st.Sessions[id]
	_, owns := st.Ephemerals[id]
	return owns && !there
}

// doubtful reports whether another round should follow at once: after a first one for whatever only that one saw, after
// more for members that differ in each of them.
func (st *Status) doubtful(rounds int) bool {
	if rounds == 1 {
		return len(st.doubt) > 0 || len(st.unsure) > 0 || st.silent
	}
	return slices.ContainsFunc(st.unsure, func(d Disagreement) bool { return d.rounds >= rounds })
}

// settle drops what two rounds in a row did not see.
func (st *Status) settle() {
	for id := range st.doubt {
		s := st.Sessions[id]
		s.ID, s.Connected = id, nil
		st.Sessions[id] = s
	}
	st.doubt = nil
}
