package inspect

import "testing"

func TestLibrary(t *testing.T) {
	s := newStage(t)
	s.apply(`/nifi/leaders/x/_c_` + testUUID + `-lock-0000000000 owner=A
/yarn-leader-election/c1/_c_` + testUUID + `-latch-0000000000 owner=A
/yarn-leader-election/c2/ActiveStandbyElectorLock owner=A
/vault/core/_lock data="v"
/vault/core/_lock/_c_` + testHex + `-lock-0000000000 owner=A
/oozie/locks/j/_c_` + testUUID + `-__READ__0000000000 owner=A
/solr/overseer_elect/election/72058288526786561-n-n_0000000000 owner=A
/metamx/lock-0000000001 owner=A data="lock"
/k/` + testHex + `__lock__0000000001 owner=A
`)
	r := Decode(s.snapshot(), nil, Hints{})
	for path, want := range map[string]Dialect{"/nifi/leaders/x": Curator, "/yarn-leader-election/c1": Curator, "/yarn-leader-election/c2": Hadoop,
		"/vault/core/_lock": GoZooKeeper, "/oozie/locks/j": Curator, "/solr/overseer_elect/election": Solr, "/metamx": Metamx, "/k": Kazoo} {
		if m := r.ByPath(path); m == nil || m.Library() != want {
			t.Errorf("%s: %v, want %s", path, m, want)
		}
	}
}
