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
	Foreign  *string        `json:"foreign"` // by what it is known to be of another ensemble; null: it is not known to be
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
	if s.Foreign != nil {
		return text + ": of another ensemble: " + say.Printable(*s.Foreign)
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

// Silent is what is known of an ensemble some of whose servers do not answer, or do not serve.
type Silent struct {
	Servers []string // those that do not answer, each with why
	Idle    []string // those that answer and serve nobody: they have no leader, or only start
	Asked   int      // of how many
	Voters  int      // members with a vote; 0: not known, because no server lists the members
	Up      int      // of these, how many serve, or answer without telling whether they do
	Resting int      // of these, how many are idle
	Unknown int      // of these, of how many it is not known, since no address leads to them
	Voting  bool     // one that does not answer or serve has a vote, or may have one
	Serves  string   // a server that serves as leader, follower or observer, which none does without a quorum; empty: none does
	Mute    bool     // of one it is not known whether it serves
}

// StrangerFinding tells of servers that were named among those of an ensemble and are of another one, each with why;
// home is the server that the connection is to, empty where that is not known.
func StrangerFinding(strangers []string, home string) model.Finding {
	of := "the ensemble that the connection is to"
	if home != "" {
		of = home + ", which the connection is to, and its ensemble"
	}
	n := len(strangers)
	return model.Finding{Code: model.CodeServersDisagree, Severity: model.High,
		Text: "the servers that are given are not of one ensemble: " + strings.Join(strangers, "; ") +
			". What is shown is of " + of + "; the next connection may be to another: leave " +
			say.Choose(n, "that server", "those servers") + " out, or look at " + say.Choose(n, "it", "them") + " apart"}
}

// SilentFinding tells of servers that do not answer or serve, and what follows for the quorum. A server that does not
// answer us may be heard by the others: only that none serves tells that the quorum is lost.
func SilentFinding(s Silent) model.Finding {
	f := model.Finding{Code: model.CodeServerUnreachable, Severity: model.Medium}
	who := s.who()
	down := s.unless()
	need := s.Voters/2 + 1
	switch least, most := s.Up-need, s.Up+s.Unknown-need; {
	case len(s.Servers) == s.Asked:
		f.Severity = model.High
		f.Text = who + ": the ensemble is down, or cannot be reached from here"
	case s.Voters > 0 && s.Voters-s.Resting < need:
		f.Severity = model.High
		f.Text = "no quorum, nothing can be written: " + who
	case s.Serves == "" && !s.Mute:
		f.Severity = model.High
		f.Text = "no server that answers serves, nothing can be read or written there: " + who
	case !s.Voting:
		f.Severity = model.Low
		f.Text = who + ": observers have no vote, and the quorum does not need them"
	case s.Voters == 0:
		f.Text = who + ": how many more may fail before the quorum is lost is not known, because no server lists the members"
	case most < 0 && s.Serves != "":
		f.Text = who + ": " + s.Serves + " serves, and without a quorum it stops within seconds; if this lasts, check the network from here to the others"
	case least < 0:
		f.Text = fmt.Sprintf("whether the quorum holds is not known: %d of %d with a vote answer, %d are needed; %s",
			s.Up, s.Voters, need, who)
	case least == most && most == 0:
		f.Text = who + ": " + down + "one more failure loses the quorum"
	case least == most:
		f.Text = fmt.Sprintf("%s: %s%d more may fail before the quorum is lost", who, down, most)
	default:
		f.Text = fmt.Sprintf("%s, and no address is known of %d: %s%d to %d more may fail before the quorum is lost",
			who, s.Unknown, down, least, most)
	}
	return f
}

// unless says on what it depends how many more may fail.
func (s *Silent) unless() string {
	one := len(s.Servers)+len(s.Idle) == 1
	switch {
	case len(s.Servers) == 0:
		return "until " + say.Choose(len(s.Idle), "it serves, ", "they serve, ")
	case one:
		return "if it is down, "
	}
	return "if they are down, "
}

// who names the servers, each group with what is wrong with it.
func (s *Silent) who() string {
	var groups []string
	if n := len(s.Servers); n == s.Asked && n > 0 {
		groups = append(groups, "no server answers, "+strings.Join(s.Servers, ", "))
	} else if n > 0 {
		groups = append(groups, fmt.Sprintf("%d of %d servers %s not answer, %s", n, s.Asked, say.Choose(n, "does", "do"),
			strings.Join(s.Servers, ", ")))
	}
	if n := len(s.Idle); n > 0 {
		groups = append(groups, fmt.Sprintf("%d of %d %s and %s nobody, %s", n, s.Asked, say.Choose(n, "answers", "answer"),
			say.Choose(n, "serves", "serve"), strings.Join(s.Idle, ", ")))
	}
	return strings.Join(groups, "; ")
}
