package history

import (
	"encoding/csv"
	"fmt"
	"io"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/chronicle"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/report"
	"github.com/zkscope/zkscope/internal/term"
)

// TopReport is the JSON output of history --top, schema 1.
type TopReport struct {
	Schema  int       `json:"schema"`
	Begin   *string   `json:"begin"` // null: no recipe was found
	End     *string   `json:"end"`
	Recipes []topLine `json:"recipes"` // those whose claims waited longest come first, elections after the others
	Of      int       `json:"of"`      // how many recipes there are whose claims wait
	Ranked  int       `json:"ranked"`  // among how many of them, the most crowded, they were ranked
}

type topLine struct {
	Path      string      `json:"path"`
	Kind      layout.Kind `json:"kind"`
	Claims    int         `json:"claims"`
	WaitedMs  int64       `json:"waitedMs"`  // by all claims together
	Waiters   int         `json:"waiters"`   // claims that waited
	LongestMs int64       `json:"longestMs"` // of one claim
	Changes   int         `json:"changes"`   // how often another claim came to hold
	Lost      int         `json:"lost"`      // claims that expired or were broken
	Doubts    int         `json:"doubts"`    // claims of which it is not known whether they waited or read
}

// printTop ranks recipes by contention.
func printTop(c *command.Line, most int, since, until string) error {
	all, err := world.WhileReading(func() (*ranking, error) {
		rec, err := look.InputOf(c).Open()
		if err != nil {
			return nil, err
		}
		from, to, err := span(rec, since, until)
		if err != nil {
			return nil, err
		}
		return rank(c, rec.Reel(), from, to, most)
	})
	if err != nil {
		return err
	}
	rep := TopReport{Schema: 1, Recipes: []topLine{}, Of: all.of, Ranked: min(all.of, rankedAmong)}
	for _, h := range all.recipes {
		rep.Begin, rep.End = world.StampOrNil(h.Begin), world.StampOrNil(h.End)
		rep.Recipes = append(rep.Recipes, topLineOf(h))
	}
	switch c.Flags.Output {
	case "json":
		return c.PrintJSON(rep)
	case "csv":
		return topCSV(c.Out, rep)
	}
	topTable(c.Out, rep, all.recipes)
	return nil
}

func topLineOf(h *chronicle.Chronicle) topLine {
	out := topLine{Path: term.Safe(h.Path), Kind: h.Kind, Claims: len(h.Stays), WaitedMs: report.Waited(h).Milliseconds(), Changes: h.Changes(), Doubts: h.Doubts()}
	for _, s := range h.Stays {
		if w := s.Waited(h.End).Milliseconds(); w > 0 {
			out.Waiters, out.LongestMs = out.Waiters+1, max(out.LongestMs, w)
		}
		if s.How == chronicle.Expired || s.How == chronicle.Broken {
			out.Lost++
		}
	}
	return out
}

func topTable(out io.Writer, rep TopReport, all []*chronicle.Chronicle) {
	if len(all) == 0 {
		fmt.Fprintln(out, "no recipe whose claims wait stood in what is covered")
		return
	}
	fmt.Fprintf(out, "%s to %s: %d of %s whose claims waited, the longest waits first, elections last\n\n", *rep.Begin, *rep.End, len(all), say.Plural(rep.Of, "recipe", "recipes"))
	rows := [][]string{{"PATH", "KIND", "WAITED", "WAITERS", "LONGEST", "CLAIMS", "CHANGES", "LOST"}}
	doubts := 0
	ms := func(n int64) string { return chronicle.Exactly(time.Duration(n) * time.Millisecond) }
	for _, l := range rep.Recipes {
		rows = append(rows, []string{l.Path, string(l.Kind), ms(l.WaitedMs), fmt.Sprint(l.Waiters), ms(l.LongestMs), fmt.Sprint(l.Claims), fmt.Sprint(l.Changes), fmt.Sprint(l.Lost)})
		doubts += l.Doubts
	}
	world.PrintTable(out, rows)
	if rep.Of > rep.Ranked {
		fmt.Fprintf(out, "\nranked among the %d most crowded: of the others nothing is told here\n", rep.Ranked)
	}
	if doubts > 0 {
		fmt.Fprintf(out, "\nof %s it is not known whether they waited or read: they count with the least that they waited\n", say.Plural(doubts, "claim", "claims"))
	}
}

func topCSV(out io.Writer, rep TopReport) error {
	w := csv.NewWriter(out)
	_ = w.Write([]string{"path", "kind", "waited_ms", "waiters", "longest_ms", "claims", "changes", "lost", "doubts"})
	for _, l := range rep.Recipes {
		_ = w.Write([]string{l.Path, string(l.Kind), fmt.Sprint(l.WaitedMs), fmt.Sprint(l.Waiters), fmt.Sprint(l.LongestMs), fmt.Sprint(l.Claims), fmt.Sprint(l.Changes), fmt.Sprint(l.Lost), fmt.Sprint(l.Doubts)})
	}
	w.Flush()
	return w.Error() // the first there was
}
