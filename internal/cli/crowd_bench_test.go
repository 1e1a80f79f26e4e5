package cli

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/catalog"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/console"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/live"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/tui"
	"github.com/zkscope/zkscope/tui/keys"
)

// The benchmarks of this file run against a real server:
//
//	go test ./internal/cli -run xxx -bench "Crowd|QueueVerbs" -benchtime 1x

const crowdSize = 300_000

// gather makes n sequential znodes of 300 sessions.
func gather(b *testing.B, addr, prefix string, flags int32, n int) {
	b.Helper()
	ctx := context.Background()
	var conns []*zkc.Conn
	for range 300 {
		c, err := zkc.Dial(ctx, zkc.Config{Servers: []string{addr}, Session: 30 * time.Second})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(c.Close)
		conns = append(conns, c)
	}
	dir, _ := znode.Split(prefix)
	if _, err := conns[0].Create(ctx, dir, nil, 0, nil); err != nil {
		b.Fatal(err)
	}
	const each = 1000
	for i := 0; i < n; i += each {
		ch := make([]zkc.Change, 0, each)
		for range min(each, n-i) {
			ch = append(ch, zkc.CreateOf(prefix, []byte("host-17.example.org"), flags))
		}
		if _, err := conns[i/each%len(conns)].Multi(ctx, ch...); err != nil {
			b.Fatal(err)
		}
	}
}

// line runs a command line and returns what its connection cost.
func line(b *testing.B, want int, args ...string) zkc.Counters {
	b.Helper()
	var out, errs bytes.Buffer
	home := b.TempDir()
	c := &command.Line{World: world.World{In: strings.NewReader(""), Out: &out, Err: &errs, Now: time.Now,
		Getenv: func(k string) string { return map[string]string{"XDG_STATE_HOME": home}[k] }}}
	root := root(c)
	root.SetArgs(args)
	err := root.ExecuteContext(context.Background())
	if got := world.ExitOK; err != nil {
		if got = world.Code(err); got != want {
			b.Fatalf("%v: exit %d: %v", args, got, err)
		}
	}
	return c.LastSeen.Cost
}

// BenchmarkCrowd looks at a lock with 300,000 claims of 300 sessions.
func BenchmarkCrowd(b *testing.B) {
	s := peers.ZooKeeper(b, peers.Options{Heap: "2g", Tick: 2 * time.Second})
	const dir = "/locks"
	gather(b, s.Addr, dir+"/0123456789abcdef0123456789abcdef__lock__", wire.FlagEphemeralSequence, crowdSize)
	for _, args := range [][]string{{"show", dir}, {"why", dir}, {"ls"}, {"show", dir + "/0123456789abcdef0123456789abcdef__lock__0000250000"}} {
		b.Run(args[0]+fmt.Sprint(len(args)), func(b *testing.B) {
			var cost zkc.Counters
			for b.Loop() {
				cost = line(b, world.ExitOK, append(args, "--servers", s.Addr, "--timeout", "60s")...)
			}
			b.ReportMetric(float64(cost.Requests), "requests")
			b.ReportMetric(float64(cost.BytesIn)/1e6, "MB")
		})
	}
	b.Run("console", func(b *testing.B) {
		var cost zkc.Counters
		for b.Loop() {
			cost = firstScreen(b, s.Addr)
		}
		b.ReportMetric(float64(cost.Requests), "requests")
		b.ReportMetric(float64(cost.BytesIn)/1e6, "MB")
	})
}

// firstScreen connects and draws the first frame that tells who holds.
func firstScreen(b *testing.B, addr string) zkc.Counters {
	b.Helper()
	ctx := context.Background()
	src, err := live.Open(ctx, live.Config{Conn: zkc.Config{Servers: []string{addr}}, Admin: []string{"off"}, FourLetter: []string{"off"}, Now: time.Now}, addr, true)
	if err != nil {
		b.Fatal(err)
	}
	defer src.Close()
	for s, _ := src.Take(); !s.Complete && len(s.Partial) == 0; s, _ = src.Take() {
		<-src.Changed()
	}
	app := tui.New(ctx, tui.Options{Source: src, Operator: console.Nobody{Why: "a benchmark"}, Recipes: catalog.Recipes(), Keys: keys.Default()})
	defer app.Close()
	app.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
	if frame := app.View(); !strings.Contains(frame, "299,999") {
		b.Fatalf("the crowd is not on the screen:\n%s", frame)
	}
	_, link := src.Take()
	return zkc.Counters{Requests: link.Requests, BytesIn: link.BytesIn}
}

// BenchmarkQueueVerbs plans what can be done to the first item of a queue.
func BenchmarkQueueVerbs(b *testing.B) {
	for _, n := range []int{3000, 100_000} {
		s := peers.ZooKeeper(b, peers.Options{Heap: "1g"})
		gather(b, s.Addr, "/queue/qn-", wire.FlagSequence, n)
		for _, args := range [][]string{{"skip", "/queue/qn-0000000000"}, {"clean", "/queue"}, {"ls"}} {
			for _, limit := range []string{"50000", "200000"} {
				b.Run(fmt.Sprintf("%s/%d/limit=%s", args[0], n, limit), func(b *testing.B) {
					for b.Loop() {
						all := append(args, "--servers", s.Addr, "--max-children", limit, "--timeout", "60s")
						if args[0] != "ls" {
							all = append(all, "--dry-run")
						}
						line(b, world.ExitRefused, all...)
					}
				})
			}
		}
	}
}
