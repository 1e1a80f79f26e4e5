package show

import (
	"cmp"
	"context"
	"encoding/csv"
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
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/term"
)

// listing is which recipes ls prints, in which order, and what of each.
type listing struct {
	kinds, columns []string
	sort           string
	bare           bool // without titles
	empty          bool // with the directories that recipes left behind
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

// Ls lists every recipe that is found.
func Ls(c *command.Line) command.Subcommand {
	var l listing
	all := false
	return look.OfAll(c, look.Reads(c, look.Reader{
		Subcommand: command.Subcommand{Use: "ls [PATH] [SERVERS]", Short: "list the recipes: who holds each, since when, and how many wait",
			Formats: []string{"table", "json", "csv", "name"},
			Example: "  zkscope ls /prod zk1:2181\n  zkscope ls --kind lock,election --sort waiting --columns path,holder,held,waiting\n  zkscope ls --kind lock -o name\n  zkscope ls --all-profiles --sort waiting",
			Flags: func(fs *pflag.FlagSet) {
				fs.StringSliceVar(&l.kinds, "kind", nil, "only these kinds: "+command.Joined(command.Kinds))
				fs.StringVar(&l.sort, "sort", "path", "by path, kind, trouble (worst finding first), waiting (most first) or held (longest first)")
				fs.StringSliceVar(&l.columns, "columns", nil, "columns to print, in this order: "+strings.Join(columnsOf, ", "))
				fs.BoolVar(&l.bare, "no-headers", false, "print no header line")
				fs.BoolVar(&l.empty, "all", false, "also list directories of locks and elections that are empty now")
				look.AllProfiles(fs, &all)
			}},
		Path: look.MayPath, Lists: true,
		Check: func() error { return l.check(c) },
		Aim: func(q *look.Query, _ []string) error {
			if q.Path != "" {
				q.Root, q.Asked = q.Path, []string{q.Path}
			}
			q.Known = slices.Contains(l.columns, "client")
			return nil
		},
		Print: func(_ context.Context, r *look.Reading) error { return printRecipes(r, l) },
	}), &all, func(command.Invocation) error { return lsAll(c, l.bare) })
}

// check finds words that are none.
func (l *listing) check(c *command.Line) error {
	if l.empty && c.Flags.Output == "json" {
		return world.Fail(world.ExitUsage, "--all goes with -o table, csv and name: in JSON, the finding "+
			"empty-parents tells of empty directories")
	}
	for _, k := range l.kinds {
		if !slices.Contains(command.Kinds, layout.Kind(k)) {
			return world.Fail(world.ExitUsage, "--kind %s: the kinds are %s%s", say.Printable(k), command.Joined(command.Kinds), world.Meant(k, strings.Fields(command.Joined(command.Kinds))))
		}
	}
	for _, col := range l.columns {
		if !slices.Contains(columnsOf, col) {
			return world.Fail(world.ExitUsage, "--columns %s: there are %s%s", say.Printable(col), strings.Join(columnsOf, ", "), world.Meant(col, columnsOf))
		}
	}
	if orders[l.sort] == nil {
		return world.Fail(world.ExitUsage, "--sort %s: by path, kind, trouble, waiting or held", say.Printable(l.sort))
	}
	return nil
}

// wants reports whether recipes of a kind are listed.
func (l *listing) wants(k string) bool { return len(l.kinds) == 0 || slices.Contains(l.kinds, k) }

// printRecipes prints the recipes.
func printRecipes(r *look.Reading, l listing) error {
	if r.Flags.Output == "json" {
		report := r.Report()
		report.Recipes = slices.DeleteFunc(report.Recipes, func(rec story.RecipeReport) bool { return !l.wants(string(rec.Kind)) })
		return r.PrintJSON(report)
	}
	rows := recipeRows(r, l)
	switch r.Flags.Output {
	case "name":
		for _, row := range rows {
			fmt.Fprintln(r.Out, row.cells["path"])
		}
		return nil
	case "csv":
		return printCSV(r, l, rows)
	}
	printListing(r, l, rows)
	return nil
}

// recipeRows are the recipes that are wanted, in order.
func recipeRows(r *look.Reading, l listing) (out []*row) {
	across := look.Spanning(r.Result)
	now := r.Snapshot.TakenAt
	for m := range r.Models.All() {
		if !l.wants(string(m.Kind)) {
			continue
		}
		row := &row{m: m, holder: model.FirstHolder(m), worst: look.Gravest(m.Findings, across[m])}
		for i := range m.Claims {
			if role := m.Claims[i].Role(); role == model.Waiter || role == model.Candidate {
				row.waiting++
			}
		}
		row.cells = map[string]string{"kind": string(m.Kind), "path": term.Safe(m.Path), "state": string(m.State), "dialect": string(m.Dialect),
			"summary":  term.Safe(strings.TrimPrefix(m.Summary(now), string(m.State)+": ")),
			"findings": look.Codes(m.Findings, across[m])}
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
	if l.empty {
		out = append(out, emptyRows(r, l)...)
	}
	sorted.By(out, orders[cmp.Or(l.sort, "path")])
	return out
}

// emptyRows are the directories that recipes left behind: nobody is in them now.
func emptyRows(r *look.Reading, l listing) (out []*row) {
	for path, kind := range r.Result.LeftBehind() {
		if l.wants(string(kind)) {
			m := &model.Model{Path: path, Kind: kind}
			out = append(out, &row{m: m, cells: map[string]string{"kind": string(kind), "path": term.Safe(path),
				"state": string(model.Empty), "summary": "nobody is in it; whether it is used is not known", "waiting": "0"}})
		}
	}
	return out
}

// tellEmpty says how many of those directories are left out.
func tellEmpty(r *look.Reading, l listing) {
	if l.empty || r.Result.EmptyParents() == 0 {
		return
	}
	if n := len(emptyRows(r, l)); n > 0 {
		fmt.Fprintf(r.Out, "%s empty now and not listed; --all lists %s\n",
			say.Plural(n, "directory of a lock or an election is", "directories of locks and elections are"),
			say.Choose(n, "it", "them"))
	}
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

func printCSV(r *look.Reading, l listing, rows []*row) error {
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

// PrintAll prints every recipe, as ls does that is given no flag.
func PrintAll(r *look.Reading) { printListing(r, listing{}, recipeRows(r, listing{})) }

// printListing prints one line a recipe.
func printListing(r *look.Reading, l listing, rows []*row) {
	r.AsOf()
	var lines [][]string
	if !l.bare {
		lines = append(lines, l.cells(nil))
	}
	for _, row := range rows {
		lines = append(lines, l.cells(row))
	}
	if len(rows) == 0 {
		what := say.Either(!r.Snapshot.Complete, "in what was read of", "below")
		fmt.Fprintf(r.Out, "no recipe found %s %s\n", what, term.Safe(r.Snapshot.Base))
	} else {
		world.PrintTable(r.Out, lines)
	}
	r.Hides()
	tellEmpty(r, l)
	look.PrintDisagreements(r.Out, r.Result)
	for _, why := range r.Snapshot.Partial {
		fmt.Fprintln(r.Out, "incomplete: "+term.Safe(why))
	}
}
