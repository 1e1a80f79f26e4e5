package waits_test

import (
	"testing"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/waits"
)

func TestServersThatDoNotAnswer(t *testing.T) {
	one, two := []string{"zk3:2181 (connection refused)"},
		[]string{"zk2:2181 (no answer in time)", "zk3:2181 (connection refused)"}
	for _, c := range []struct {
		s    waits.Silent
		says string
		sev  model.Severity
	}{
		{waits.Silent{Servers: one, Asked: 3, Voters: 3, Up: 2, Voting: true},
			"1 of 3 servers does not answer, zk3:2181 (connection refused): if one more fails the quorum is lost", model.Medium},
		{waits.Silent{Servers: one, Asked: 5, Voters: 5, Up: 4, Voting: true},
			"1 of 5 servers does not answer, zk3:2181 (connection refused): 1 more may fail before the quorum is lost", model.Medium},
		{waits.Silent{Servers: one, Asked: 5, Voters: 5, Up: 3, Unknown: 1, Voting: true},
			"1 of 5 servers does not answer, zk3:2181 (connection refused), and no address is known of 1: 0 to 1 more may fail before the quorum is lost", model.Medium},
		{waits.Silent{Servers: two, Asked: 3, Voters: 3, Up: 1, Voting: true},
			"no quorum, nothing can be written: 1 of 3 with a vote answer, 2 are needed; 2 of 3 servers do not answer, zk2:2181 (no answer in time), zk3:2181 (connection refused)", model.High},
		{waits.Silent{Servers: one, Asked: 3, Voters: 3, Up: 1, Unknown: 1, Voting: true},
			"whether the quorum holds is not known: 1 of 3 with a vote answer, 2 are needed; 1 of 3 servers does not answer, zk3:2181 (connection refused)", model.Medium},
		{waits.Silent{Servers: one, Asked: 2, Voting: true},
			"1 of 2 servers does not answer, zk3:2181 (connection refused): how many more may fail before the quorum is lost is not known, because no server lists the members", model.Medium},
		{waits.Silent{Servers: one, Asked: 4, Voters: 3, Up: 3},
			"1 of 4 servers does not answer, zk3:2181 (connection refused): observers have no vote, and the quorum does not need them", model.Low},
	} {
		if f := waits.SilentFinding(c.s); f.Text != c.says || f.Severity != c.sev ||
			f.Code != model.CodeServerUnreachable {
			t.Errorf("%+v:\n%s, %s\nwant\n%s, %s", c.s, f.Text, f.Severity, c.says, c.sev)
		}
	}
}
