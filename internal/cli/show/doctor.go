package show

import (
	"context"
	"fmt"
	"strings"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/sorted"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/ensemble"
	"github.com/zkscope/zkscope/internal/live"
	"github.com/zkscope/zkscope/internal/term"
)

// DoctorReport is the JSON output of doctor, schema 1.
type DoctorReport struct {
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

// Doctor says how the ensemble stands and what keeps zkscope from seeing more.
func Doctor(c *command.Line) command.Subcommand {
	return look.Reads(c, look.Reader{
		Subcommand: command.Subcommand{Use: "doctor [SERVERS]", Short: "report on the servers: versions, limits, clocks, what they answer, and which configuration line enables more", Formats: command.TableOrJSON},
		Aim: func(q *look.Query, _ []string) error {
			q.Limits = true
			return nil
		},
		Print: func(ctx context.Context, r *look.Reading) error {
			if c.Flags.From == "" {
				if conn, err := c.Connection(r.Query.Target); err == nil {
					live.CompareClocks(ctx, look.LiveConfig(c, conn, r.Query), r.Servers)
				}
			}
			if idle := c.Flags.Access.Idle(); len(idle) > 0 {
				look.Warning(c.Err, "no server was reached by --map "+say.Printable(strings.Join(idle, ","))+": write each as the servers and their members are named, with the port")
			}
			rep := examine(r)
			if c.Flags.Output == "json" {
				return c.PrintJSON(rep)
			}
			printDoctor(r, rep)
			return nil
		},
	})
}

// examine puts the report together.
func examine(r *look.Reading) *DoctorReport {
	res := r.Result
	frame := story.NewReportOf(res, "", nil)
	rep := &DoctorReport{Schema: 1, AsOf: frame.AsOf, Complete: frame.Complete, Sources: frame.Sources, Servers: r.Servers,
		Counters: []counterReport{}, Findings: story.NewReport(res).Findings,
		Cost: costReport{r.Cost.Requests, r.Cost.BytesIn, r.Cost.BytesOut, r.Cost.Watches, 1}}
	if r.Flags.From != "" {
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
	sorted.By(rep.Counters, func(a, b counterReport) int { return int(a.SeqLeft - b.SeqLeft) })
	rep.Empty = res.EmptyParents()
	return rep
}

func printDoctor(r *look.Reading, rep *DoctorReport) {
	res := r.Result
	r.Head()
	if r.Flags.From != "" {
		fmt.Fprintln(r.Out, "a file has no servers to ask: versions, limits and clocks are told where doctor is given the servers")
	}
	if len(rep.Servers) > 0 {
		world.PrintTable(r.Out, serverRows(rep.Servers))
	}
	for i := range rep.Servers {
		s := &rep.Servers[i]
		if !s.Up || s.Foreign != nil {
			fmt.Fprintln(r.Out, term.Safe(s.Line()))
		}
		for _, a := range s.Advice {
			fmt.Fprintf(r.Out, "%s: put %s into its configuration: %s\n", term.Safe(s.Addr), a.Line, term.Safe(a.Gives))
		}
		if s.SkewMs != nil && abs(*s.SkewMs) > *s.WithinMs+1000 {
			fmt.Fprintf(r.Out, "%s: its clock is %dms ahead of ours, give or take %dms: ages are in doubt by as much\n", term.Safe(s.Addr), *s.SkewMs, *s.WithinMs)
		}
	}
	for _, n := range rep.Counters {
		fmt.Fprintf(r.Out, "%s: its sequence counter is at %d, %d are left\n", n.Path, n.NextSeq, n.SeqLeft)
	}
	if len(rep.Counters) == 0 {
		fmt.Fprintln(r.Out, "no sequence counter is past nine tenths of its range")
	}
	fmt.Fprintf(r.Out, "%s empty\n", say.Plural(rep.Empty, "directory of locks and elections is", "directories of locks and elections are"))
	if r.Flags.From == "" {
		fmt.Fprintf(r.Out, "this command cost the ensemble %s, %s, %d bytes out, %d bytes in, %s, and a few questions a server; the console asks them every %v\n",
			say.Plural(int(rep.Cost.Sessions), "session", "sessions"), say.Plural(int(rep.Cost.Requests), "request", "requests"),
			rep.Cost.BytesOut, rep.Cost.BytesIn, say.Plural(int(rep.Cost.Watches), "watch", "watches"), ensemble.DefaultInterval)
	}
	for _, f := range res.Findings {
		fmt.Fprintln(r.Out, look.Saying(f))
	}
}

func abs(n int64) int64 { return max(n, -n) }

func serverRows(list []waits.ServerState) [][]string {
	rows := [][]string{{"SERVER", "ID", "MODE", "VERSION", "TIER", "TELLS", "LATENCY min/avg/max ms", "ZNODES", "CONNS", "WATCHES", "TIMEOUTS", "MAXBUFFER", "CLOCK ms"}}
	for i := range list {
		s := &list[i]
		var tells []string
		for _, t := range []struct {
			ok   bool
			word string
		}{{s.Tells.Connections, "connections"}, {s.Tells.Sessions, "sessions"}, {s.Tells.Ephemerals, "ephemerals"}, {s.Tells.Watches, "watches"}} {
			if t.ok {
				tells = append(tells, t.word)
			}
		}
		if len(tells) == 0 {
			tells = []string{"nothing"}
		}
		clock := "?"
		if s.SkewMs != nil {
			clock = fmt.Sprintf("%+d±%d", *s.SkewMs, *s.WithinMs)
		}
		tier := s.Tier
		if !s.Up {
			tier = "down"
		} else if s.Foreign != nil {
			tier = "stranger"
		}
		id := "?"
		if s.Up {
			id = fmt.Sprint(s.ID)
		}
		rows = append(rows, []string{term.Safe(s.Addr), id, blank(s.Mode), blank(s.Version), tier, strings.Join(tells, ","), world.OrMark(s.Latency), num(s.Znodes), num(s.Conns),
			num(s.Watches), waits.Limits(s.Shortest) + "-" + waits.Limits(s.Longest), world.OrMark(s.Buffer), clock})
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
