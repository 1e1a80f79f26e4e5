package waits_test

import (
	"testing"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/waits"
)

func TestServersThatDoNotAnswer(t *testing.T) {
	one, two := []string{"zk3:2181 (connection refused)"}, []string{"zk2:2181 (no answer in time)", "zk3:2181 (connection refused)"}
	for _, c := range []struct {
		s    waits.Silent
		says string
		sev  model.Severity
	}{
		{waits.Silent{Servers: one, Asked: 3, Voters: 3, Up: 2, Voting: true, Serves: "zk1:2181"},
			"1 of 3 servers does not answer, zk3:2181 (connection refused): if it is down, one more failure loses the quorum", model.Medium},
		{waits.Silent{Servers: one, Asked: 5, Voters: 5, Up: 4, Voting: true, Serves: "zk1:2181"},
			"1 of 5 servers does not answer, zk3:2181 (connection refused): if it is down, 1 more may fail before the quorum is lost", model.Medium},
		{waits.Silent{Servers: one, Asked: 5, Voters: 5, Up: 3, Unknown: 1, Voting: true, Serves: "zk1:2181", Mute: true},
			"1 of 5 servers does not answer, zk3:2181 (connection refused), and no address is known of 1: if it is down, 0 to 1 more may fail before the quorum is lost", model.Medium},
		// A firewall, or a forwarded port: the one that answers serves, and would not without the others.
		{waits.Silent{Servers: two, Asked: 3, Voters: 3, Up: 1, Voting: true, Serves: "zk1:2181"},
			"2 of 3 servers do not answer, zk2:2181 (no answer in time), zk3:2181 (connection refused): zk1:2181 serves, and without a quorum it stops within seconds; if this lasts, check the network from here to the others", model.Medium},
		{waits.Silent{Servers: two, Idle: []string{"zk1:2181"}, Asked: 3, Voters: 3, Resting: 1, Voting: true},
			"no server that answers serves, nothing can be read or written there: 2 of 3 servers do not answer, zk2:2181 (no answer in time), zk3:2181 (connection refused); 1 of 3 answers and serves nobody, zk1:2181", model.High},
		{waits.Silent{Servers: one, Idle: []string{"zk1:2181", "zk2:2181"}, Asked: 3, Voters: 3, Resting: 2, Voting: true},
			"no quorum, nothing can be written: 1 of 3 servers does not answer, zk3:2181 (connection refused); 2 of 3 answer and serve nobody, zk1:2181, zk2:2181", model.High},
		{waits.Silent{Idle: []string{"zk1:2181"}, Asked: 3, Voters: 3, Up: 2, Resting: 1, Voting: true, Serves: "zk2:2181"},
			"1 of 3 answers and serves nobody, zk1:2181: until it serves, one more failure loses the quorum", model.Medium},
		{waits.Silent{Idle: []string{"zk1:2181"}, Asked: 1, Voting: true},
			"no server that answers serves, nothing can be read or written there: 1 of 1 answers and serves nobody, zk1:2181", model.High},
		{waits.Silent{Servers: two, Asked: 2, Voting: true},
			"no server answers, zk2:2181 (no answer in time), zk3:2181 (connection refused): the ensemble is down, or cannot be reached from here", model.High},
		{waits.Silent{Servers: one, Asked: 3, Voters: 3, Up: 1, Unknown: 1, Voting: true, Mute: true},
			"whether the quorum holds is not known: 1 of 3 with a vote answer, 2 are needed; 1 of 3 servers does not answer, zk3:2181 (connection refused)", model.Medium},
		{waits.Silent{Servers: one, Asked: 2, Voting: true, Serves: "zk1:2181"},
			"1 of 2 servers does not answer, zk3:2181 (connection refused): how many more may fail before the quorum is lost is not known, because no server lists the members", model.Medium},
		{waits.Silent{Servers: one, Asked: 4, Voters: 3, Up: 3, Serves: "zk1:2181"},
			"1 of 4 servers does not answer, zk3:2181 (connection refused): observers have no vote, and the quorum does not need them", model.Low},
	} {
		if f := waits.SilentFinding(c.s); f.Text != c.says || f.Severity != c.sev || f.Code != model.CodeServerUnreachable {
			t.Errorf("%+v:\n%s, %s\nwant\n%s, %s", c.s, f.Text, f.Severity, c.says, c.sev)
		}
	}
}
