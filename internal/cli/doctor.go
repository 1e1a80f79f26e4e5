package cli

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/internal/ensemble"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/internal/zkc"
)

// doctorReport is the JSON output of doctor, schema 1.
type doctorReport struct {
	Schema   int                   `json:"schema"`
	AsOf     string                `json:"asOf"`
	Complete bool                  `json:"complete"`
	Sources  story.SourcesReport   `json:"sources"`
	Servers  []waits.ServerState   `json:"servers"`
	Cost     costReport            `json:"cost"`
	Counters []counterReport       `json:"counters"`
	Empty    int                   `json:"emptyParents"`
	Findings []story.FindingReport `json:"findings"`
}

type costReport struct {
	Requests uint64 `json:"requests"`
	BytesIn  uint64 `json:"bytesIn"`
	BytesOut uint64 `json:"bytesOut"`
	Watches  int    `json:"watches"`
	Sessions int    `json:"sessions"`
}

type counterReport struct {
	Path    string `json:"path"`
	NextSeq int64  `json:"nextSeq"`
	SeqLeft int64  `json:"seqLeft"`
}

// doctorCommand says how the ensemble stands and what keeps zkscope from seeing more.
func (c *command) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use: "doctor [SERVERS]", Short: "say how the servers stand: versions, limits, clocks, what they tell and which line of configuration opens more", Args: between(0, 1, "[SERVERS]"),
		RunE: action(func(ctx context.Context, args []string) error {
			if err := c.flags.format("table", "json"); err != nil {
				return err
			}
			t, err := c.target(args, false)
			if err != nil {
				return err
			}
			c.seen.limits = true
			res, err := c.read(ctx, t)
			if err != nil {
				return err
			}
			if c.flags.from == "" {
				c.compareClocks(ctx, t)
			}
			rep := c.examine(res)
			if c.flags.output == "json" {
				return c.printJSON(rep)
			}
			c.printDoctor(res, rep)
			return nil
		}),
	}
}

// compareClocks makes a short session on each member whose clock is not known yet: what the member says of when that
// began tells how far its clock is from ours.
func (c *command) compareClocks(ctx context.Context, t target) {
	cfg, err := c.config(t)
	if err != nil {
		return
	}
	for i := range c.seen.states {
		s := &c.seen.states[i]
		if !s.Up || s.SkewMs != nil || !s.Tells.Connections {
			continue
		}
		one := cfg
		one.Servers, one.GiveUp, one.Chroot = []string{s.Addr}, 1, ""
		if clock, ok := c.clockOf(ctx, one); ok {
			ahead, within := clock.Ahead.Milliseconds(), clock.Within.Milliseconds()
			s.SkewMs, s.WithinMs = &ahead, &within
		}
	}
}

func (c *command) clockOf(ctx context.Context, cfg zkc.Config) (ensemble.Clock, bool) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	conn, err := zkc.Dial(ctx, cfg)
	if err != nil {
		return ensemble.Clock{}, false
	}
	defer conn.Close()
	own := c.ensembleConfig(cfg)
	own.Self = func() (int64, time.Time, time.Time) { st := conn.State(); return st.Session, st.Since, conn.Heard() }
	ens, err := ensemble.Open(own)
	if err != nil {
		return ensemble.Clock{}, false
	}
	defer ens.Close()
	return ens.ClockOf(ctx, cfg.Servers[0])
}

// examine puts the report together.
func (c *command) examine(res *model.Result) *doctorReport {
	frame := story.NewReportOf(res, "", nil)
	rep := &doctorReport{Schema: 1, AsOf: frame.AsOf, Complete: frame.Complete, Sources: frame.Sources, Servers: c.seen.states,
		Counters: []counterReport{}, Findings: story.NewReport(res).Findings,
		Cost: costReport{c.seen.cost.Requests, c.seen.cost.BytesIn, c.seen.cost.BytesOut, c.seen.cost.Watches, 1}}
	if c.flags.from != "" {
		rep.Cost = costReport{}
	}
	if rep.Servers == nil {
		rep.Servers = []waits.ServerState{}
	}
	for m := range res.Models.All() {
		if left, ok := m.Numbers.Get("seqLeft"); ok && left < 1<<31/10 {
			rep.Counters = append(rep.Counters, counterReport{term.Safe(m.Path), m.Numbers.Of("nextSeq"), left})
		}
	}
	slices.SortFunc(rep.Counters, func(a, b counterReport) int { return int(a.SeqLeft - b.SeqLeft) })
	rep.Empty = res.EmptyParents()
	return rep
}

func (c *command) printDoctor(res *model.Result, rep *doctorReport) {
	c.asOf(res)
	c.printSources(res)
	if c.flags.from != "" {
		fmt.Fprintln(c.Out, "a file has no servers to ask: versions, limits and clocks are told where doctor is given the servers")
	}
	if len(rep.Servers) > 0 {
		printTable(c.Out, serverRows(rep.Servers))
	}
	for i := range rep.Servers {
		s := &rep.Servers[i]
		if !s.Up {
			fmt.Fprintln(c.Out, term.Safe(s.Line()))
		}
		for _, a := range s.Advice {
			fmt.Fprintf(c.Out, "%s: put %s into its configuration: %s\n", term.Safe(s.Addr), a.Line, term.Safe(a.Gives))
		}
		if s.SkewMs != nil && abs(*s.SkewMs) > *s.WithinMs+1000 {
			fmt.Fprintf(c.Out, "%s: its clock is %dms ahead of ours, give or take %dms: ages are in doubt by as much\n", term.Safe(s.Addr), *s.SkewMs, *s.WithinMs)
		}
	}
	for _, n := range rep.Counters {
		fmt.Fprintf(c.Out, "%s: its sequence counter is at %d, %d are left\n", n.Path, n.NextSeq, n.SeqLeft)
	}
	if len(rep.Counters) == 0 {
		fmt.Fprintln(c.Out, "no sequence counter is past nine tenths of its range")
	}
	fmt.Fprintf(c.Out, "%d directories of locks and elections are empty\n", rep.Empty)
	if c.flags.from == "" {
		fmt.Fprintf(c.Out, "this look cost the ensemble %d session, %d requests, %d bytes out, %d bytes in, %d watches, and a few questions a server; the console asks them every %v\n",
			rep.Cost.Sessions, rep.Cost.Requests, rep.Cost.BytesOut, rep.Cost.BytesIn, rep.Cost.Watches, ensemble.DefaultInterval)
	}
	for _, f := range res.Findings {
		fmt.Fprintln(c.Out, saying(f))
	}
}

func abs(n int64) int64 { return max(n, -n) }

func serverRows(list []waits.ServerState) [][]string {
	rows := [][]string{{"SERVER", "ID", "MODE", "VERSION", "TIER", "TELLS", "LATENCY min/avg/max ms", "ZNODES", "CONNS", "WATCHES", "TIMEOUTS", "MAXBUFFER", "CLOCK ms"}}
	for i := range list {
		s := &list[i]
		tells := ""
		for _, t := range []struct {
			ok   bool
			word string
		}{{s.Tells.Connections, "connections"}, {s.Tells.Sessions, "sessions"}, {s.Tells.Ephemerals, "ephemerals"}, {s.Tells.Watches, "watches"}} {
			if t.ok {
				tells += map[bool]string{true: ",", false: ""}[tells != ""] + t.word
			}
		}
		if tells == "" {
			tells = "nothing"
		}
		clock := "?"
		if s.SkewMs != nil {
			clock = fmt.Sprintf("%+d±%d", *s.SkewMs, *s.WithinMs)
		}
		tier := s.Tier
		if !s.Up {
			tier = "down"
		}
		rows = append(rows, []string{term.Safe(s.Addr), fmt.Sprint(s.ID), blank(s.Mode), blank(s.Version), tier, tells, orMark(s.Latency), num(s.Znodes), num(s.Conns),
			num(s.Watches), waits.Limits(s.Shortest) + "-" + waits.Limits(s.Longest), orMark(s.Buffer), clock})
	}
	return rows
}

func blank(s string) string {
	if s == "" {
		return "?"
	}
	return term.Safe(s)
}

func num(n *int64) string {
	if n == nil {
		return "?"
	}
	return fmt.Sprint(*n)
}
