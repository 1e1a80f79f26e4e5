package inspect

import (
	"fmt"
	"strings"
)

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
func SilentFinding(s Silent) Finding {
	f := Finding{Code: CodeServerUnreachable, Severity: Medium}
	who := fmt.Sprintf("%d of %d servers %s not answer, %s", len(s.Servers), s.Asked, choose(len(s.Servers), "does", "do"), strings.Join(s.Servers, ", "))
	need := s.Voters/2 + 1
	switch least, most := s.Up-need, s.Up+s.Unknown-need; {
	case !s.Voting:
		f.Severity = Low
		f.Text = who + ": observers have no vote, and the quorum does not need them"
	case s.Voters == 0:
		f.Text = who + ": how many more may fail before the quorum is lost is not known, because no server lists the members"
	case most < 0:
		f.Severity = High
		f.Text = fmt.Sprintf("no quorum, nothing can be written: %d of %d with a vote answer, %d are needed; %s", s.Up, s.Voters, need, who)
	case least < 0:
		f.Text = fmt.Sprintf("whether the quorum holds is not known: %d of %d with a vote answer, %d are needed; %s", s.Up, s.Voters, need, who)
	case least == most:
		f.Text = fmt.Sprintf("%d more may fail before the quorum is lost: %s", most, who)
	default:
		f.Text = fmt.Sprintf("%d to %d more may fail before the quorum is lost: %s, and no address is known of %d", least, most, who, s.Unknown)
	}
	return f
}
