package inspect_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
)

// inputs are pictures of systems from the field, rebuilt by hand, and what is right of each recipe in them: path, kind,
// dialect, state, who comes first (- for nobody) of how many, and the findings.
var inputs = []struct {
	file, hint, want string
}{
	{"election-standbys", "", `/election election zookeeper elected node-1/3
`},
	{"nobody-leads", "", `/brokers/ids membership kafka present b1:9092/2
/controller election kafka vacant -/0 vacant:high
/hadoop-ha/ns1 election hadoop vacant -/0 vacant:medium
/hbase/backup-masters membership hbase present m2,16000,17/1
/hbase/master election hbase vacant -/0 vacant:high
/hbase/rs membership hbase present rs1,16020,1795/1
/loadbalance/brokers membership pulsar present 10.0.0.1:8080/1
/loadbalance/leader election pulsar vacant -/0 vacant:high
/marathon/leader-curator election marathon vacant -/0 vacant:medium
/otter/canal/destinations/crm/cluster membership canal present 10.0.0.5:11111/1
/otter/canal/destinations/crm/running election canal vacant -/0 vacant:high
/pinot/CONTROLLER/LEADER election helix vacant -/0 vacant:high
/pinot/LIVEINSTANCES membership helix present Controller_10.0.0.2_9000/1
/service/joker/leader election patroni vacant -/0 vacant:high
/service/joker/members membership patroni present pg-1/2
/storm/leader-lock election storm vacant -/0 vacant:medium
`},
	{"restored-from-backup", "", `/brokers/ids membership kafka present b1:9092/2 persistent-claim:medium
/controller election kafka elected 1/1 persistent-claim:high
/hadoop-ha/ns1 election hadoop elected ActiveStandbyElectorLock/1 persistent-claim:high
/hbase/master election hbase elected master/1 persistent-claim:high
/hbase/rs membership hbase present rs1,16020,1795/1
/ledgers/underreplication/locks/urL0000000042 lock bookkeeper held 10.0.0.9:3181/1 persistent-claim:high
/loadbalance/brokers membership pulsar present 10.0.0.1:8080/1
/loadbalance/leader election pulsar elected 10.0.0.1:8080/1 persistent-claim:high
/pinot/CONTROLLER/LEADER election helix elected 1@ctl-1/1 persistent-claim:high
/service/batman/leader election patroni elected pg-1/1 persistent-claim:high
/service/batman/members membership patroni present pg-1/2
`},
	{"canal-persistent-and-vacant", "", `/otter/canal/cluster membership canal present 10.0.0.5:11111/2
/otter/canal/destinations/crm/cluster membership canal present 10.0.0.5:11111/2
/otter/canal/destinations/crm/running election canal vacant -/0 vacant:high
/otter/canal/destinations/example/1001/running election canal elected 10.0.0.59:54224/1 persistent-claim:high
/otter/canal/destinations/example/cluster membership canal present 10.0.0.5:11111/2
/otter/canal/destinations/example/running election canal elected 10.0.0.5:11111/1
`},
	{"patroni", "", `/bp_postgres/postgres/leader election patroni vacant -/0 vacant:medium
/bp_postgres/postgres/members membership patroni present patroni-0/1
/service/batman/leader election patroni elected pg-1/1 owner-restarted:high
/service/batman/members membership patroni present pg-1/2
/service/joker/leader election patroni vacant -/0 vacant:high
/service/joker/members membership patroni present db-1/2
/service/robin/leader election patroni elected db-9/1 leader-mismatch:high
/service/robin/members membership patroni present db-2/1
`},
	{"vault", "", `/vault/core/_lock election vault vacant -/0 vacant:medium
/vault2/core/_lock election vault elected 10.0.7.1:8200/3 phantom-claim:medium
`},
	{"nerve-registry", "", `/nerve/services/search/services service nerve present i-10001/4 owner-restarted:medium
/smartstack/services/api service nerve present i-10001/4 owner-restarted:medium
`},
	{"marathon-chronos-mesos", "", `/chronos/state/candidate election chronos elected 10.0.0.1:4400/1
/marathon/leader election marathon elected 10.0.0.9:8080/3 orphan-ephemeral:high
/mesos election mesos elected m1:5050/2
/mesos/log_replicas membership mesos present log-replica(1)@10.0.0.1:5050/1
`},
	{"flink", "", `/flink/asinthetable/latch election curator elected 10.0.0.2:4712/2
/flink/prod/leader/latch election flink elected jm-2:41234/2
`},
	{"dolphinscheduler", "", `/dolphinscheduler/lock/failover/masters lock dolphinscheduler held 10.0.0.2/1
/dolphinscheduler/lock/failover/startup-masters lock dolphinscheduler held 10.0.0.1/2
/dolphinscheduler/lock/masters lock dolphinscheduler held 10.0.0.7/1 orphan-ephemeral:medium
/dolphinscheduler/nodes/master membership dolphinscheduler present 10.0.0.1:5678/2
/dolphinscheduler/nodes/worker/default membership dolphinscheduler present 10.0.0.3:1234/1
`},
	{"elastic-job", "", `/batchJob/instances membership elastic-job present 10.0.0.1@-@102156/1 orphan-work:medium
/batchJob/leader/election election elastic-job elected 10.0.0.9@-@777/2 orphan-ephemeral:high
/cronJob/instances membership elastic-job present 10.0.0.1@-@102156/2
/cronJob/leader/election election elastic-job elected 10.0.0.1@-@102156/1
`},
	{"codis", "/codis3/*/topom", `/codis3/shop/topom lock codis held 10.0.0.9:18080/1 persistent-claim:low
/jodis/shop service generic present 10.0.0.7:19000/1
/zk/codis/db_shop/LOCK lock codis held node3/2 persistent-claim:medium
/zk/codis/db_shop/proxy service generic present proxy_1/1
`},
	{"shedlock", "", `/app/shedlock/mailJob lease shedlock held mailJob/1
/shedlock/cleanup lease shedlock free -/0
/shedlock/legacyJob lease shedlock held legacyJob/1
/shedlock/nightlyReport lease shedlock held nightlyReport/1
`},
	{"owner-names-in-why", "", `/locks/a lock zookeeper held 主机-1/2 persistent-claim:high
/locks/b lock zookeeper held node3/2 persistent-claim:high
`},
	{"semaphore-one-lease", "", `/sem semaphore curator held 10.0.0.1/1
`},
	{"double-barrier-below-barrier", "", `/prod/barrier/stage-0 doublebarrier kazoo gathering app-00/2
`},
}

// readInput decodes a file of testdata/inputs by itself.
func readInput(t *testing.T, file string, h model.Hints) *model.Result {
	t.Helper()
	f, err := os.Open("testdata/inputs/" + file + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rec, err := files.ReadFile(f, file)
	if err != nil {
		t.Fatal(err)
	}
	return inspect.Decode(rec.Last(), nil, h)
}

// brief tells of a recipe what an input's row says.
func brief(m *model.Model) string {
	who := "-"
	if len(m.Claims) > 0 {
		who = m.Claims[0].Owner()
	}
	out := fmt.Sprintf("%s %s %s %s %s/%d", m.Path, m.Kind, m.Dialect, m.State, who, len(m.Claims))
	for _, f := range m.Findings {
		out += " " + f.Code + ":" + f.Severity.String()
	}
	return out
}

func TestInputsOfSystems(t *testing.T) {
	for _, in := range inputs {
		t.Run(in.file, func(t *testing.T) {
			var h model.Hints
			if in.hint != "" {
				h.Rules = []model.Hint{{Path: in.hint, Kind: layout.Lock}}
			}
			r := readInput(t, in.file, h)
			var got strings.Builder
			for m := range r.Models.All() {
				if m.Kind != layout.Config && m.Kind != layout.Counter {
					fmt.Fprintln(&got, brief(m))
				}
			}
			if got.String() != in.want {
				t.Errorf("got\n%swant\n%s", got.String(), in.want)
			}
		})
	}
}

// What a story says of the inputs.
func TestInputsInWords(t *testing.T) {
	why := func(file, path string) string {
		r := readInput(t, file, model.Hints{})
		m := r.ByPath(path)
		if m == nil {
			t.Fatalf("%s: nothing at %s", file, path)
		}
		return story.Why(waits.Of(r, nil), m).Text(nil)
	}
	for _, tt := range []struct{ file, path, says, not string }{
		{"nobody-leads", "/controller", "broker 1, broker 2 could be promoted", "nothing has to be done"},
		{"nobody-leads", "/storm/leader-lock", "Nobody stands in line: look at", "nothing has to be done"},
		{"patroni", "/service/joker/leader", "its operators have paused it", "nothing has to be done"},
		{"patroni", "/service/robin/leader", "db-9 leads and is no member: its session is that of member db-2", ""},
		{"patroni", "/service/batman/leader", "1 standby", "no standby"},
		{"owner-names-in-why", "/locks/a", "主机-1 has no owning session", ""},
		{"owner-names-in-why", "/locks/b", "node3 has no owning session", "Node3"},
		{"codis", "/zk/codis/db_shop/LOCK", "node3 holds for 43d by a claim that is durable by design", "Node3"},
		{"elastic-job", "/batchJob/leader/election", "1 standby", ""},
		{"election-standbys", "/election", "node-1 leads for ≤10s, 2 standbys", ""},
		{"shedlock", "/shedlock/nightlyReport", "held for 1h12m more, until 2026-11-27 23:12:00 UTC", ""},
	} {
		text := why(tt.file, tt.path)
		if !strings.Contains(text, tt.says) || tt.not != "" && strings.Contains(text, tt.not) {
			t.Errorf("%s of %s: %s", tt.path, tt.file, text)
		}
	}
}

// A vacancy is told after its grace, a leader that went leaves a row, and one that comes back takes it.
func TestVacancyInTime(t *testing.T) {
	s := script.New(t)
	s.Apply("/app/leader owner=A data=\"web-1\"\n/brokers/ids/1 owner=A\n/brokers/ids/2 owner=B\n/controller owner=A data=\"1\"")
	r := inspect.Decode(s.Snapshot(), nil, model.Hints{})
	if n, known := r.ByPath("/controller").Standbys(); n != 1 || !known {
		t.Errorf("%d stand by, %v", n, known)
	}
	s.Apply("- /app/leader\n- /controller")
	snap, root := *s.Snapshot(), *s.Snap.Root
	root.NumChildren++ // ZooKeeper's own znode, which is counted and not listed
	snap.Root = &root
	r = inspect.Decode(&snap, r, model.Hints{})
	for _, path := range []string{"/app/leader", "/controller"} {
		m := r.ByPath(path)
		if m == nil || m.State != model.Vacant || len(m.Claims) != 0 || m.Finding(model.CodeVacant) != nil {
			t.Fatalf("%s at once: %+v", path, m)
		}
	}
	later := snap
	later.TakenAt = later.TakenAt.Add(layout.Grace + time.Second)
	r = inspect.Decode(&later, r, model.Hints{})
	if f := r.ByPath("/controller").Finding(model.CodeVacant); f == nil || f.Severity != model.High {
		t.Errorf("after the grace: %+v", f)
	}
	if f := r.ByPath("/app/leader").Finding(model.CodeVacant); f == nil || f.Severity != model.Medium {
		t.Errorf("after the grace: %+v", f)
	}
	s.Apply("/app/leader owner=B data=\"web-2\"\n/controller owner=B data=\"2\"")
	r = inspect.Decode(s.Snapshot(), r, model.Hints{})
	for _, path := range []string{"/app/leader", "/controller"} {
		if m := r.ByPath(path); m.State != model.Elected || m.Finding(model.CodeVacant) != nil || len(m.Claims) != 1 {
			t.Errorf("%s is led again: %+v", path, m)
		}
	}
}

// The next round's first member walks in while ready stands from the last one, and the room had been seen empty.
func TestStaleReadyOfTheNextRound(t *testing.T) {
	s := script.New(t)
	s.Apply("/barrier/b/00000000000000000000000000000001 owner=A\n/barrier/b/ready")
	r := inspect.Decode(s.Snapshot(), nil, model.Hints{})
	if f := r.ByPath("/barrier/b").Finding(model.CodeStaleReady); f != nil {
		t.Fatalf("inside: %+v", f)
	}
	s.Apply("- /barrier/b/00000000000000000000000000000001")
	r = inspect.Decode(s.Snapshot(), r, model.Hints{})
	s.Apply("/barrier/b/00000000000000000000000000000002 owner=B")
	for range 2 {
		r = inspect.Decode(s.Snapshot(), r, model.Hints{})
		if f := r.ByPath("/barrier/b").Finding(model.CodeStaleReady); f == nil || f.Severity != model.High {
			t.Errorf("the next round: %+v", f)
		}
		s.Apply("/barrier/b/00000000000000000000000000000003 owner=C")
	}
}
