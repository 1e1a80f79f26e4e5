package cli

import (
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/sorted"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/term"
)

// listing is which recipes ls prints, in which order, and what of each.
type listing struct {
	kinds, columns []string
	sort           string
	bare           bool // without titles
}

// row is a recipe as ls prints it.
type row struct {
	m       *model.Model
	holder  *model.Claim // the first; nil: nobody
	waiting int
	worst   model.Severity // of its findings; below Low: it has none
	cells   map[string]string
}

// columnsOf are the columns that there are, in the order of the help; the first ones are printed unless others are asked for.
var columnsOf = []string{"kind", "path", "state", "summary", "findings", "dialect", "holder", "held", "waiting", "client"}

const usualColumns = 5

// orders are the ways to sort, each with which of two rows comes first.
var orders = map[string]func(a, b *row) int{
	"path":    func(a, b *row) int { return strings.Compare(a.m.Path, b.m.Path) },
	"waiting": func(a, b *row) int { return cmp.Compare(b.waiting, a.waiting) },
	"held":    func(a, b *row) int { return since(a).Compare(since(b)) },
	"trouble": func(a, b *row) int {
		return cmp.Or(cmp.Compare(b.worst, a.worst), cmp.Compare(b.waiting, a.waiting), strings.Compare(a.m.Path, b.m.Path))
	},
	"kind": func(a, b *row) int { return strings.Compare(string(a.m.Kind), string(b.m.Kind)) },
}

// since is when the first holder took its place; of what nobody holds, later than of all that is held.
func since(r *row) time.Time {
	if r.holder == nil || r.holder.Since().IsZero() {
		return time.Unix(1<<40, 0)
	}
	return r.holder.Since()
}

// ls lists every recipe that is found.
func ls(c *command) subcommand {
	var l listing
	all := false
	return c.ofAll(c.reads(reader{
		subcommand: subcommand{use: "ls [PATH] [SERVERS]", short: "list the recipes: who holds each, since when, and how many wait",
			formats: []string{"table", "json", "csv", "name"},
			example: "  zkscope ls /prod zk1:2181\n  zkscope ls --kind lock,election --sort waiting --columns path,holder,held,waiting\n  zkscope ls --kind lock -o name\n  zkscope ls --all-profiles --sort waiting",
			flags: func(fs *pflag.FlagSet) {
				fs.StringSliceVar(&l.kinds, "kind", nil, "only these kinds: "+joined(kinds))
				fs.StringVar(&l.sort, "sort", "path", "by path, kind, trouble (worst finding first), waiting (most first) or held (longest first)")
				fs.StringSliceVar(&l.columns, "columns", nil, "columns to print, in this order: "+strings.Join(columnsOf, ", "))
				fs.BoolVar(&l.bare, "no-headers", false, "print no header line")
				allProfiles(fs, &all)
			}},
		path: mayPath, lists: true,
		check: l.check,
		aim: func(q *query, _ []string) error {
			if q.path != "" {
				q.root, q.asked = q.path, []string{q.path}
			}
			q.known = slices.Contains(l.columns, "client")
			return nil
		},
		print: func(_ context.Context, r *reading) error { return r.ls(l) },
	}), &all, func(invocation) error { return c.lsAll(l.bare) })
}

// check finds words that are none.
func (l *listing) check() error {
	for _, k := range l.kinds {
		if !slices.Contains(kinds, layout.Kind(k)) {
			return fail(exitUsage, "--kind %s: the kinds are %s%s", say.Printable(k), joined(kinds), meant(k, strings.Fields(joined(kinds))))
		}
	}
	for _, col := range l.columns {
		if !slices.Contains(columnsOf, col) {
			return fail(exitUsage, "--columns %s: there are %s%s", say.Printable(col), strings.Join(columnsOf, ", "), meant(col, columnsOf))
		}
	}
	if orders[l.sort] == nil {
		return fail(exitUsage, "--sort %s: by path, kind, trouble, waiting or held", say.Printable(l.sort))
	}
	return nil
}

// wants reports whether recipes of a kind are listed.
func (l *listing) wants(k string) bool { return len(l.kinds) == 0 || slices.Contains(l.kinds, k) }

// ls prints the recipes.
func (r *reading) ls(l listing) error {
	if r.flags.output == "json" {
		report := r.report()
		report.Recipes = slices.DeleteFunc(report.Recipes, func(rec story.RecipeReport) bool { return !l.wants(string(rec.Kind)) })
		return r.printJSON(report)
	}
	rows := r.rows(l)
	switch r.flags.output {
	case "name":
		for _, row := range rows {
			fmt.Fprintln(r.Out, row.cells["path"])
		}
		return nil
	case "csv":
		return r.csv(l, rows)
	}
	r.table(l, rows)
	return nil
}

// report is everything that was found, as JSON.
func (r *reading) report() *story.Report {
	out := story.NewReport(r.Result)
	out.Hidden = r.hidden
	return out
}

// rows are the recipes that are wanted, in order.
func (r *reading) rows(l listing) (out []*row) {
	across := spanning(r.Result)
	now := r.Snapshot.TakenAt
	for m := range r.Models.All() {
		if !l.wants(string(m.Kind)) {
			continue
		}
		row := &row{m: m, holder: model.FirstHolder(m), worst: gravest(m.Findings, across[m])}
		for i := range m.Claims {
			if role := m.Claims[i].Role(); role == model.Waiter || role == model.Candidate {
				row.waiting++
			}
		}
		row.cells = map[string]string{"kind": string(m.Kind), "path": term.Safe(m.Path), "state": string(m.State), "dialect": string(m.Dialect),
			"summary":  term.Safe(strings.TrimPrefix(m.Summary(now), string(m.State)+": ")),
			"findings": codes(m.Findings, across[m])}
		if row.holder != nil {
			row.cells["holder"], row.cells["held"] = term.Safe(row.holder.Owner()), row.holder.Lasts(now)
			client := r.Snapshot.Sessions[row.holder.Session]
			row.cells["client"] = term.Safe(client.From())
		}
		if m.Kind.InLine() {
			row.cells["waiting"] = strconv.Itoa(row.waiting)
		}
		out = append(out, row)
	}
	sorted.By(out, orders[cmp.Or(l.sort, "path")])
	return out
}

// cells are a row's cells for the wanted columns; of the titles, where there is no row.
func (l *listing) cells(r *row) (out []string) {
	columns := l.columns
	if len(columns) == 0 {
		columns = columnsOf[:usualColumns]
	}
	for _, col := range columns {
		if r == nil {
			out = append(out, strings.ToUpper(col))
		} else {
			out = append(out, r.cells[col])
		}
	}
	return out
}

func (r *reading) csv(l listing, rows []*row) error {
	w := csv.NewWriter(r.Out)
	if !l.bare {
		titles := l.cells(nil)
		for i := range titles {
			titles[i] = strings.ToLower(titles[i])
		}
		_ = w.Write(titles)
	}
	for _, row := range rows {
		_ = w.Write(l.cells(row))
	}
	w.Flush()
	return w.Error()
}

// table prints one line a recipe.
func (r *reading) table(l listing, rows []*row) {
	r.asOf()
	var lines [][]string
	if !l.bare {
		lines = append(lines, l.cells(nil))
	}
	for _, row := range rows {
		lines = append(lines, l.cells(row))
	}
	if len(rows) == 0 {
		what := "below"
		if !r.Snapshot.Complete {
			what = "in what was read of"
		}
		fmt.Fprintf(r.Out, "no recipe found %s %s\n", what, term.Safe(r.Snapshot.Base))
	} else {
		printTable(r.Out, lines)
	}
	r.hides()
	printDisagreements(r.Out, r.Result)
	for _, why := range r.Snapshot.Partial {
		fmt.Fprintln(r.Out, "incomplete: "+term.Safe(why))
	}
}

func (c *command) printJSON(v any) error {
	e := json.NewEncoder(c.Out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// asOf says how old what a file shows is.
func (r *reading) asOf() {
	if r.flags.from == "" {
		return
	}
	s := r.Snapshot
	fmt.Fprintf(r.Out, "as of %s, from %s\n", s.TakenAt.Format(time.RFC3339), say.Printable(r.flags.from))
	if !s.LostSince.IsZero() {
		fmt.Fprintf(r.Out, "no connection since %s: what happened from then on was not seen\n", s.LostSince.UTC().Format(time.RFC3339))
	}
}
