package waits

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
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
			return text + ": no answer: " + say.Printable(*s.Err)
		}
		return text + ": no answer"
	}
	return text + ": " + say.Either(s.Mode != "", s.Mode, "mode unknown") + ", " +
		say.Either(s.Version != "", s.Version, "version unknown") + ", tier " + s.Tier
}

// Limits says a duration in milliseconds as people read it; a question mark when it is not known.
func Limits(ms *int64) string {
	if ms == nil {
		return "?"
	}
	return (time.Duration(*ms) * time.Millisecond).String()
}

// Silent is what is known of an ensemble some of whose servers do not answer.
type Silent struct {
	Servers []string // those that do not, each with why
	Asked   int      // of how many
	Voters  int      // members with a vote; 0: not known, because no server lists the members
	Up      int      // of these, how many answer
	Unknown int      // of these, of how many it is not known, since no address leads to them
	Voting  bool     // one that does not answer has a vote, or may have one
}

// SilentFinding tells of servers that do not answer, and how many more may fail before the quorum is lost.
func SilentFinding(s Silent) model.Finding {
	f := model.Finding{Code: model.CodeServerUnreachable, Severity: model.Medium}
	who := fmt.Sprintf("%d of %d servers %s not answer, %s", len(s.Servers), s.Asked,
		say.Choose(len(s.Servers), "does", "do"), strings.Join(s.Servers, ", "))
	need := s.Voters/2 + 1
	switch least, most := s.Up-need, s.Up+s.Unknown-need; {
	case !s.Voting:
		f.Severity = model.Low
		f.Text = who + ": observers have no vote, and the quorum does not need them"
	case s.Voters == 0:
		f.Text = who + ": how many more may fail before the quorum is lost is not known, because no server lists the members"
	case most < 0:
		f.Severity = model.High
		f.Text = fmt.Sprintf("no quorum, nothing can be written: %d of %d with a vote answer, %d are needed; %s", s.Up,
			s.Voters, need, who)
	case least < 0:
		f.Text = fmt.Sprintf("whether the quorum holds is not known: %d of %d with a vote answer, %d are needed; %s",
			s.Up, s.Voters, need, who)
	case least == most && most == 0:
		f.Text = who + ": if one more fails the quorum is lost"
	case least == most:
		f.Text = fmt.Sprintf("%s: %d more may fail before the quorum is lost", who, most)
	default:
		f.Text = fmt.Sprintf("%s, and no address is known of %d: %d to %d more may fail before the quorum is lost",
			who, s.Unknown, least, most)
	}
	return f
}
