package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/show"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/peers"
)

// Real servers of two ensembles, or that stand alone, in one list: those that the connection is not to are told, with why,
// whichever it is; the members of one, by whatever name, are not.
func TestServersOfTwoEnsemblesInOneList(t *testing.T) {
	members, pair, alone, other := peers.Ensemble(t, 3, peers.Options{}), peers.Ensemble(t, 2, peers.Options{}), peers.ZooKeeper(t, peers.Options{}), peers.ZooKeeper(t, peers.Options{})
	s := &clitest.Shell{T: t, Does: Run}
	of := func(list string) (home string, strangers map[string]string) {
		t.Helper()
		code, out, errs := s.Run("", "doctor", list, "-o", "json")
		var rep show.DoctorReport
		if err := json.Unmarshal([]byte(out), &rep); code != world.ExitOK || err != nil {
			t.Fatalf("%s: exit %d: %s%s", list, code, out, errs)
		}
		strangers = map[string]string{}
		for _, sv := range rep.Servers {
			if sv.Foreign != nil {
				strangers[sv.Addr] = *sv.Foreign
			} else if home == "" {
				home = sv.Addr
			}
		}
		return home, strangers
	}
	for name, x := range map[string]struct{ a, b, why string }{
		"a member and one alone": {members[1].Addr, alone.Addr, "alone"},
		"one alone and a member": {alone.Addr, members[0].Addr, "alone"},
		"two alone":              {alone.Addr, other.Addr, "both stand alone"},
		"members of two":         {members[2].Addr, pair[0].Addr, "it lists other members: server.1="},
		"of two, with one id":    {members[0].Addr, pair[0].Addr, "it lists other members: server.1="},
	} {
		t.Run(name, func(t *testing.T) {
			home, strangers := of(x.a + "," + x.b)
			stranger := x.a
			if strangers[stranger] == "" {
				stranger = x.b
			}
			if len(strangers) != 1 || home == stranger || !strings.Contains(strangers[stranger], x.why) {
				t.Errorf("of %s: %v", home, strangers)
			}
			code, out, errs := s.Run("", "check", x.a+","+x.b)
			if code != world.ExitFindings || !strings.Contains(out, "servers-disagree") || !strings.Contains(out, "ensemble  ") || !strings.Contains(out, "are not of one ensemble") {
				t.Errorf("exit %d: %s%s", code, out, errs)
			}
			if _, out, _ = s.Run("", "doctor", x.a+","+x.b); !strings.Contains(out, ": of another ensemble: ") || !strings.Contains(out, "  stranger  ") {
				t.Error(out)
			}
		})
	}
	_, port, _ := strings.Cut(alone.Addr, ":")
	for _, list := range []string{members[0].Addr + "," + members[1].Addr + "," + members[2].Addr, members[2].Addr, alone.Addr + ",localhost:" + port,
		"zk-0.invalid:2181,zk-1.invalid:2181 --map zk-0.invalid:2181=" + members[0].Addr + ",zk-1.invalid:2181=" + members[1].Addr} {
		code, out, errs := s.Run("", append([]string{"check"}, strings.Fields(list)...)...)
		if code != world.ExitOK || strings.Contains(out, "servers-disagree") {
			t.Errorf("%s: exit %d: %s%s", list, code, out, errs)
		}
	}
}
