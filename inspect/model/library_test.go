package model_test

import (
	"testing"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
)

func TestLibrary(t *testing.T) {
	s := script.New(t)
	s.Apply(`/nifi/leaders/x/_c_` + script.UUID + `-lock-0000000000 owner=A
/yarn-leader-election/c1/_c_` + script.UUID + `-latch-0000000000 owner=A
/yarn-leader-election/c2/ActiveStandbyElectorLock owner=A
/vault/core/_lock data="v"
/vault/core/_lock/_c_` + script.Hex + `-lock-0000000000 owner=A
/oozie/locks/j/_c_` + script.UUID + `-__READ__0000000000 owner=A
/solr/overseer_elect/election/72058288526786561-n-n_0000000000 owner=A
/metamx/lock-0000000001 owner=A data="lock"
/k/` + script.Hex + `__lock__0000000001 owner=A
`)
	r := inspect.Decode(s.Snapshot(), nil, model.Hints{})
	for path, want := range map[string]layout.Dialect{"/nifi/leaders/x": layout.Curator,
		"/yarn-leader-election/c1": layout.Curator, "/yarn-leader-election/c2": layout.Hadoop,
		"/vault/core/_lock": layout.GoZooKeeper, "/oozie/locks/j": layout.Curator,
		"/solr/overseer_elect/election": layout.Solr, "/metamx": layout.Metamx, "/k": layout.Kazoo} {
		if m := r.ByPath(path); m == nil || m.Library() != want {
			t.Errorf("%s: %v, want %s", path, m, want)
		}
	}
}
