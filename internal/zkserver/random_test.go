package zkserver_test

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// TestRandomScripts runs the same random commands on both servers and compares every answer and event.
// ZKSERVER_SEEDS runs that many scripts instead of a few.
func TestRandomScripts(t *testing.T) {
	t.Parallel()
	seeds := 4
	if n, err := strconv.Atoi(os.Getenv("ZKSERVER_SEEDS")); err == nil {
		seeds = n
	}
	real := peers.ZooKeeper(t, peers.Options{JVMFlags: []string{"-Dznode.container.checkIntervalMs=3600000"}}).Addr
	_, embedded := listen(t, zkserver.Options{MinTimeout: time.Second, MaxTimeout: 10 * time.Second, ReapInterval: time.Hour, SuperDigest: superDigest})
	for seed := range seeds {
		text := randomScript(rand.New(rand.NewPCG(1, uint64(seed))), seed, 120)
		run := func(addr string) string {
			return sortCloses(runCase(t, func() (net.Conn, error) { return net.Dial("tcp", addr) }, text))
		}
		if want, got := run(real), run(embedded); got != want {
			t.Errorf("seed %d: %s", seed, difference(want, got))
		}
	}
}

// sortCloses sorts the events that the end of a session causes: its ephemerals go in any order.
func sortCloses(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if !strings.HasSuffix(l, "> close") {
			continue
		}
		j := i + 1
		for j < len(lines) && strings.HasPrefix(lines[j], "  ") {
			j++
		}
		slices.Sort(lines[i+1 : j])
	}
	return strings.Join(lines, "\n")
}

// generator writes commands.
type generator struct{ *rand.Rand }

func (g generator) pick(list ...string) string { return list[g.IntN(len(list))] }

func (g generator) path() string {
	return g.pick("/t", "/t/a", "/t/b", "/t/a/x", "/t/a/y", "/t/b/x", "/t/a/x/deep", "/none", "/t/a-0000000000", "/t/a-0000000001")
}

func (g generator) version() string { return g.pick("-1", "-1", "-1", "-1", "0", "1", "2") }

func (g generator) acl() string {
	return g.pick("", "", "", " acl=rwcda:world:anyone", " acl=rwcda:auth:", " acl=rw:world:anyone", " acl=cd:world:anyone,r:digest:u:x", " acl=wcda:world:anyone")
}

func (g generator) write() string {
	switch g.IntN(8) {
	case 0:
		return "set " + g.path() + " " + g.pick("null", `""`, "abc") + " " + g.version()
	case 1, 2:
		return "delete " + g.path() + " " + g.version()
	case 3:
		return g.pick("create ", "create2 ") + g.pick("/t/", "/t/a-", "/t/a/", "/t/b/q-") + " seq flags=" + g.pick("2", "3") + g.acl()
	case 4:
		return g.pick("container ", "ttl ") + g.path() + " x"
	default:
		return g.pick("create ", "create2 ") + g.path() + " " + g.pick("x", "null") + " flags=" + g.pick("0", "0", "0", "1") + g.acl()
	}
}

func (g generator) batch() string {
	var subOps []string
	for range 1 + g.IntN(5) {
		if g.IntN(5) == 0 {
			subOps = append(subOps, "check "+g.path()+" "+g.version())
			continue
		}
		subOps = append(subOps, g.write())
	}
	return "multi " + strings.Join(subOps, " | ")
}

func (g generator) watch() string {
	switch g.IntN(9) {
	case 0, 1, 2:
		return g.pick("get ", "exists ", "ls ", "ls2 ") + g.path() + " w"
	case 3, 4:
		return "addwatch " + g.path() + " " + g.pick("0", "1", "1")
	case 5:
		return g.pick("removewatches ", "checkwatches ") + g.path() + " " + g.pick("1", "2", "3")
	case 6:
		return fmt.Sprintf("setwatches z%d data=%s exist=%s child=%s", g.IntN(60), g.path(), g.path(), g.path())
	case 7:
		return fmt.Sprintf("setwatches2 z%d data=%s persistent=%s recursive=%s", g.IntN(60), g.path(), g.path(), g.path())
	}
	return "addwatch / " + g.pick("0", "1")
}

func (g generator) read() string {
	switch g.IntN(6) {
	case 0:
		return "multiread get " + g.path() + " | ls " + g.path() + " | get " + g.path()
	case 1:
		return "count " + g.path()
	case 2:
		return "ephemerals " + g.pick("/", "/t/a")
	}
	return g.pick("get ", "exists ", "ls ", "ls2 ", "getacl ") + g.path()
}

// randomScript writes a case of n commands by three clients.
func randomScript(r *rand.Rand, seed, n int) string {
	g := generator{r}
	var b strings.Builder
	fmt.Fprintf(&b, "== seed %d\nA> connect\nB> connect\nC> connect\nA> create /t x\n", seed)
	for range n {
		name := g.pick("A", "B", "C")
		switch g.IntN(20) {
		case 0:
			fmt.Fprintf(&b, "%s> reconnect\n", name)
		case 1:
			fmt.Fprintf(&b, "%s> close\n%s> connect\n", name, name)
		case 2:
			fmt.Fprintf(&b, "%s> auth digest %s\n", name, g.pick("u:p", "v:q"))
		case 3:
			fmt.Fprintf(&b, "%s> setacl %s %s %s\n", name, g.path(), g.pick("rwcda:world:anyone", "wcda:world:anyone", "r:world:anyone", "rwcda:auth:"), g.version())
		case 4, 5, 6:
			fmt.Fprintf(&b, "%s> %s\n", name, g.batch())
		case 7, 8, 9, 10, 11:
			fmt.Fprintf(&b, "%s> %s\n", name, g.watch())
		case 12, 13:
			fmt.Fprintf(&b, "%s> %s\n", name, g.read())
		default:
			fmt.Fprintf(&b, "%s> %s\n", name, g.write())
		}
	}
	return b.String()
}
