package e2e

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/peers"
)

//go:embed testdata/tooz_group.py
var toozGroup string

//go:embed testdata/taskflow_board.py
var taskflowBoard string

// long leaves a test to the long run, in which a missing peer is a failure.
func long(t *testing.T) {
	t.Helper()
	if os.Getenv("ZKSCOPE_LONG") == "" {
		t.Skip("in make test-long")
	}
	t.Setenv("CI", "true")
}

// recipe finds a recipe in a report of ls.
func recipe(t *testing.T, addr, path string) (r story.RecipeReport) {
	t.Helper()
	_, out, errs := run("ls", addr, "-o", "json")
	var all story.Report
	if err := json.Unmarshal([]byte(out), &all); err != nil {
		t.Fatalf("%v: %s", err, errs)
	}
	for _, r := range all.Recipes {
		if r.Path == path {
			return r
		}
	}
	t.Fatalf("no recipe at %s: %s", path, out)
	return r
}

// owners lists the owners of a recipe's claims of one role, sorted.
func owners(r story.RecipeReport, role model.Role) (out []string) {
	for _, c := range r.Claims {
		if c.Role == role {
			out = append(out, c.Owner)
		}
	}
	slices.Sort(out)
	return out
}

func finds(r story.RecipeReport, code string) bool {
	return slices.ContainsFunc(r.Findings, func(f story.FindingReport) bool { return f.Code == code })
}

// same fails when two lists differ.
func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: we say %q, it says %q", what, got, want)
	}
}

func TestToozSaysTheSame(t *testing.T) {
	long(t)
	peers.Require(t, peers.NeedTooz)
	server := peers.ZooKeeper(t, peers.Options{Tick: time.Second})
	p := peers.Kazoo(t, toozGroup, "zookeeper://"+server.Addr)
	for _, step := range []string{"FIRST", "THEN"} {
		line := p.Expect(step+" ", 30*time.Second)
		var says struct {
			Members      []string
			Leader, Lock string
		}
		if err := json.Unmarshal([]byte(line), &says); err != nil {
			t.Fatal(err)
		}
		t.Logf("tooz: %s", line)
		same(t, "members", owners(recipe(t, server.Addr, "/tooz/workers"), model.Member), says.Members)
		leader := recipe(t, server.Addr, "/tooz/workers/leader")
		same(t, "leader", owners(leader, model.Leader), []string{says.Leader})
		if strings.Contains(leader.Summary, "no standby") {
			t.Errorf("candidates of tooz leave no znode: %s", leader.Summary)
		}
		same(t, "lock", owners(recipe(t, server.Addr, "/tooz/locks/backup"), model.Holder), []string{says.Lock})
		p.Say("leave")
	}
}

func TestTaskflowSaysTheSame(t *testing.T) {
	long(t)
	peers.Require(t, peers.NeedTaskflow)
	server := peers.ZooKeeper(t, peers.Options{Tick: time.Second})
	p := peers.Kazoo(t, taskflowBoard, server.Addr)
	for _, step := range []string{"FIRST", "THEN"} {
		line := p.Expect(step+" ", 30*time.Second)
		var jobs []struct {
			Node, Name, State string
			Owner             *string
		}
		if err := json.Unmarshal([]byte(line), &jobs); err != nil {
			t.Fatal(err)
		}
		t.Logf("taskflow: %s", line)
		var want []string
		for _, j := range jobs {
			text := j.Node + " " + map[string]string{"CLAIMED": "taken", "UNCLAIMED": "item"}[j.State]
			if j.Owner != nil {
				text += " " + *j.Owner
			}
			want = append(want, text)
		}
		var got []string
		for _, c := range recipe(t, server.Addr, "/taskflow/jobs").Claims {
			text := c.Node + " " + string(c.Role)
			if c.Role == model.Taken {
				text += " " + c.Owner
			}
			got = append(got, text)
		}
		slices.Sort(got)
		slices.Sort(want)
		same(t, "jobs", got, want)
		p.Say("consume")
	}
}

// patroniConfig is one node of a Patroni cluster.
const patroniConfig = `scope: batman
namespace: /service
name: pg-%[1]d
restapi: {listen: "127.0.0.1:%[2]d", connect_address: "127.0.0.1:%[2]d"}
zookeeper: {hosts: ["%[3]s"]}
bootstrap:
  dcs: {ttl: 20, loop_wait: 2, retry_timeout: 5, postgresql: {use_pg_rewind: false}}
  initdb: [{encoding: UTF8}, {auth-host: trust}, {auth-local: trust}]
postgresql:
  listen: "127.0.0.1:%[4]d"
  connect_address: "127.0.0.1:%[4]d"
  data_dir: %[5]s/data
  bin_dir: %[6]s
  pgpass: %[5]s/pgpass
  authentication: {superuser: {username: postgres, password: x}, replication: {username: replicator, password: x}}
  parameters: {unix_socket_directories: "%[5]s"}
  pg_hba: ["host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust", "local all all trust"]
`

// cluster is a Patroni cluster under PostgreSQL's own user.
type cluster struct {
	t     *testing.T
	zk    string
	dirs  []string
	nodes []*peers.Proc
}

func newCluster(t *testing.T, zk string, n int) *cluster {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("PostgreSQL runs under its own user, and only root can start it there")
	}
	postgres, err := user.Lookup("postgres")
	if err != nil {
		t.Fatal(err)
	}
	uid, _ := strconv.Atoi(postgres.Uid)
	bins, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	if len(bins) == 0 {
		t.Fatal("no PostgreSQL below /usr/lib/postgresql")
	}
	home, err := os.MkdirTemp("", "patroni") // its path has to be short enough for a socket, and open to the user
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	_ = os.Chmod(home, 0o755)
	c := &cluster{t: t, zk: zk}
	for i := 1; i <= n; i++ {
		dir := filepath.Join(home, strconv.Itoa(i))
		config := fmt.Sprintf(patroniConfig, i, peers.FreePort(t), zk, peers.FreePort(t), dir, bins[len(bins)-1])
		err := os.Mkdir(dir, 0o700)
		if err == nil {
			err = os.WriteFile(dir+"/patroni.yml", []byte(config), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		_ = os.Chown(dir, uid, -1)
		_ = os.Chown(dir+"/patroni.yml", uid, -1)
		c.dirs = append(c.dirs, dir)
		c.nodes = append(c.nodes, peers.Start(t, "/", nil, "setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--pdeathsig=KILL", "patroni", dir+"/patroni.yml"))
		t.Cleanup(func() { c.stopPostgres(dir) })
	}
	return c
}

// stopPostgres ends the server that a node started: it outlives Patroni.
func (c *cluster) stopPostgres(dir string) {
	data, err := os.ReadFile(dir + "/data/postmaster.pid")
	if err != nil {
		return
	}
	first, _, _ := strings.Cut(string(data), "\n")
	if pid, err := strconv.Atoi(first); err == nil && pid > 1 {
		if p, err := os.FindProcess(pid); err == nil {
			_ = p.Kill()
		}
	}
}

// kill ends a node and its server at once, as a machine that loses its power.
func (c *cluster) kill(name string) {
	i, _ := strconv.Atoi(strings.TrimPrefix(name, "pg-"))
	c.nodes[i-1].Kill()
	c.stopPostgres(c.dirs[i-1])
}

// says is what Patroni itself says: who leads, and which replicas run.
func (c *cluster) says() (leader string, replicas []string) {
	out := peers.Start(c.t, "/", nil, "patronictl", "-c", c.dirs[0]+"/patroni.yml", "list", "-f", "json")
	<-out.Done()
	var list []struct{ Member, Role, State string }
	text := out.Output()
	if i := strings.Index(text, "[{"); i >= 0 {
		_ = json.Unmarshal([]byte(text[i:]), &list)
	}
	for _, m := range list {
		switch {
		case m.Role == "Leader":
			leader = m.Member
		case m.State == "running" || m.State == "streaming":
			replicas = append(replicas, m.Member)
		}
	}
	slices.Sort(replicas)
	return leader, replicas
}

// agrees waits until Patroni has a leader and so many replicas, and compares what we say.
func (c *cluster) agrees(replicas int) (leader string) {
	c.t.Helper()
	var standby []string
	peers.WaitFor(c.t, 2*time.Minute, "Patroni to have a leader and its replicas", func() bool {
		leader, standby = c.says()
		return leader != "" && len(standby) == replicas
	})
	r := recipe(c.t, c.zk, "/service/batman/leader")
	c.t.Logf("Patroni: %s leads, %v; we: %s", leader, standby, r.Summary)
	same(c.t, "leader", owners(r, model.Leader), []string{leader})
	want := ", " + strconv.Itoa(replicas) + " standbys"
	switch replicas {
	case 0:
		want = ", no standby"
	case 1:
		want = ", 1 standby"
	}
	if !strings.HasSuffix(r.Summary, want) {
		c.t.Errorf("%d replicas can be promoted, and we say %q", replicas, r.Summary)
	}
	members := append(slices.Clone(standby), leader)
	slices.Sort(members)
	same(c.t, "members", owners(recipe(c.t, c.zk, "/service/batman/members"), model.Member), members)
	return leader
}

func TestPatroniSaysTheSame(t *testing.T) {
	long(t)
	peers.Require(t, peers.NeedPatroni, peers.NeedPostgres)
	server := peers.ZooKeeper(t, peers.Options{Tick: time.Second, ExtraCfg: "maxSessionTimeout=40000"})
	c := newCluster(t, server.Addr, 3)
	first := c.agrees(2)
	c.kill(first)
	peers.WaitFor(t, 20*time.Second, "the dead leader to be told", func() bool {
		return finds(recipe(t, server.Addr, "/service/batman/leader"), model.CodeOwnerDisconnected)
	})
	next := ""
	peers.WaitFor(t, time.Minute, "somebody else to lead", func() bool {
		next, _ = c.says()
		return next != "" && next != first
	})
	second := c.agrees(1)
	c.kill(second)
	third := c.agrees(0)
	c.kill(third)
	peers.WaitFor(t, time.Minute, "the vacancy to be told", func() bool {
		r := recipe(t, server.Addr, "/service/batman/leader")
		return r.State == model.Vacant && len(r.Claims) == 0 && finds(r, model.CodeVacant)
	})
	if code, out, _ := run("why", "/service/batman/leader", server.Addr); code != 0 || strings.Contains(out, "nothing has to be done") {
		t.Errorf("why: exit %d\n%s", code, out)
	} else {
		t.Log(out)
	}
}
