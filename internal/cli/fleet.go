package cli

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/sorted"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/term"
)

// fleetReport is what a command that was asked of all profiles prints.
type fleetReport struct {
	Schema    int              `json:"schema"`
	Ensembles []ensembleReport `json:"ensembles"` // in the order of their names
}

// ensembleReport is what one ensemble said; its recipes and findings carry its name, too.
type ensembleReport struct {
	Ensemble string        `json:"ensemble"` // the profile's name
	Exit     int           `json:"exit"`     // the exit code that the command alone would have had
	Error    *string       `json:"error"`    // null: it was read
	Report   *story.Report `json:"report"`   // null: it was not
}

// answer is what a command printed for one profile.
type answer struct {
	name     string
	code     int
	out, err string
}

// atOnce is how many ensembles are asked at the same time: one that does not answer holds up no other.
const atOnce = 8

// allProfiles declares the flag by which a command is asked of every profile.
func allProfiles(fs *pflag.FlagSet, all *bool) {
	fs.BoolVar(all, "all-profiles", false, "ask the ensembles of all profiles, at the same time; a column names the ensemble")
}

// ofAll makes a command that can be asked of all profiles; print prints what they said.
func (c *command) ofAll(s subcommand, all *bool, print func(in invocation) error) subcommand {
	alone := s.run
	s.run = func(ctx context.Context, in invocation) error {
		if !*all {
			return alone(ctx, in)
		}
		for _, flag := range []string{"servers", "profile", "from"} {
			if in.set(flag) {
				return fail(exitUsage, "--all-profiles does not go with --%s", flag)
			}
		}
		if len(in.args) > 1 || len(in.args) == 1 && !strings.HasPrefix(in.args[0], "/") {
			return fail(exitUsage, "--all-profiles takes the servers from the profiles")
		}
		if len(c.cfg.Profiles) == 0 {
			return fail(exitUsage, "--all-profiles: there are no profiles in %s", say.Printable(c.cfgPath))
		}
		return print(in)
	}
	return s
}

// ask runs the command line for every profile, with another format.
func (c *command) ask(format string, pages *pages) []answer {
	names := slices.Sorted(maps.Keys(c.cfg.Profiles))
	out := make([]answer, len(names))
	slots := make(chan struct{}, atOnce)
	var all sync.WaitGroup
	for i, name := range names {
		all.Go(guard.Func(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			var printed, said bytes.Buffer
			w := World{In: strings.NewReader(""), Out: &printed, Err: &said, Getenv: c.Getenv, Now: c.Now, pages: pages}
			args := append(slices.Clone(c.args), "--all-profiles=false", "--profile", name, "--output", format)
			out[i] = answer{name, c.again(args, w), printed.String(), strings.TrimPrefix(strings.TrimSpace(said.String()), "zkscope: ")}
		}))
	}
	all.Wait()
	return out
}

// worst is the exit code for all: that something is wrong is graver than that one was not reached.
func worst(all []answer) int {
	out := exitOK
	for _, a := range all {
		switch {
		case a.code == exitFindings:
			return exitFindings
		case a.code != exitOK:
			out = max(out, a.code)
		}
	}
	return out
}

// ended ends a command that was asked of all profiles: what was not reached is said, each in one line.
func (c *command) ended(all []answer, reached func(answer) bool) error {
	n := 0
	for _, a := range all {
		if !reached(a) {
			n++
			fmt.Fprintln(c.Err, "zkscope: "+say.Printable(a.name+": "+oneLine(a.err)))
		}
	}
	switch code := worst(all); {
	case code == exitOK:
		return nil
	case n > 0:
		return fail(code, "%d of %d ensembles could not be read", n, len(all))
	default:
		return failure{code: code}
	}
}

// reports are the answers as JSON; each recipe and finding carries the name of its ensemble.
func reports(all []answer) fleetReport {
	out := fleetReport{Schema: 1}
	for _, a := range all {
		e := ensembleReport{Ensemble: a.name, Exit: a.code}
		var r story.Report
		if json.Unmarshal([]byte(a.out), &r) == nil && r.Schema != 0 {
			for i := range r.Recipes {
				r.Recipes[i].Ensemble = a.name
			}
			for i := range r.Findings {
				r.Findings[i].Ensemble = a.name
			}
			e.Report = &r
		} else {
			e.Error = &a.err
		}
		out.Ensembles = append(out.Ensembles, e)
	}
	return out
}

// checkAll prints what is wrong anywhere, the worst first.
func (c *command) checkAll(ignore []string, page string) error {
	pages := new(pages)
	all := c.ask("json", pages)
	if page != "" {
		if err := pages.write(page); err != nil {
			return err
		}
	}
	r := reports(all)
	reached := func(a answer) bool { return a.out != "" }
	if c.flags.output == "json" {
		if err := c.printJSON(r); err != nil {
			return err
		}
		return c.ended(all, reached)
	}
	rows := [][]string{}
	for _, e := range r.Ensembles {
		if e.Report == nil {
			continue
		}
		for _, f := range everyFinding(e.Report) {
			if !slices.Contains(ignore, f.Code) {
				rows = append(rows, []string{term.Safe(e.Ensemble), strings.ToUpper(f.Severity), f.Code, term.Safe(strings.Join(f.Paths[:min(len(f.Paths), 2)], " ")),
					term.Safe(strings.TrimPrefix(f.Text, f.Code+": "))})
			}
		}
	}
	rank := func(row []string) int { return -int(severities[strings.ToLower(row[1])]) }
	sorted.By(rows, func(a, b []string) int { return rank(a) - rank(b) })
	if len(rows) == 0 {
		fmt.Fprintf(c.Out, "no finding in %d ensembles that were read\n", len(all)-unread(r))
	} else {
		printTable(c.Out, slices.Concat([][]string{{"ENSEMBLE", "SEVERITY", "CODE", "PATH", "WHAT"}}, rows))
	}
	return c.ended(all, reached)
}

// everyFinding are a report's own findings and those of its recipes.
func everyFinding(r *story.Report) []story.FindingReport {
	out := slices.Clone(r.Findings)
	for i := range r.Recipes {
		out = append(out, r.Recipes[i].Findings...)
	}
	return out
}

func unread(r fleetReport) (n int) {
	for _, e := range r.Ensembles {
		if e.Report == nil {
			n++
		}
	}
	return n
}

// lsAll prints the recipes of all ensembles.
func (c *command) lsAll(bare bool) error {
	reached := func(a answer) bool { return a.code == exitOK }
	switch c.flags.output {
	case "json":
		all := c.ask("json", nil)
		if err := c.printJSON(reports(all)); err != nil {
			return err
		}
		return c.ended(all, reached)
	case "name":
		all := c.ask("name", nil)
		for _, a := range all {
			for line := range strings.Lines(a.out) {
				fmt.Fprint(c.Out, term.Safe(a.name)+":"+line)
			}
		}
		return c.ended(all, reached)
	}
	all := c.ask("csv", nil)
	var rows [][]string
	for _, a := range all {
		if lines, err := csv.NewReader(strings.NewReader(a.out)).ReadAll(); err == nil {
			for i, l := range lines {
				switch titles := i == 0 && !bare; {
				case titles && len(rows) > 0:
				case titles:
					rows = append(rows, slices.Concat([]string{"ensemble"}, l))
				default:
					rows = append(rows, slices.Concat([]string{a.name}, l))
				}
			}
		}
	}
	if err := c.printRows(rows, bare); err != nil {
		return err
	}
	return c.ended(all, reached)
}

// printRows prints rows as the flags want them.
func (c *command) printRows(rows [][]string, bare bool) error {
	if c.flags.output == "csv" {
		w := csv.NewWriter(c.Out)
		_ = w.WriteAll(rows) // an error stays, and is told below
		return w.Error()
	}
	for i := range rows {
		for k := range rows[i] {
			if rows[i][k] = term.Safe(rows[i][k]); i == 0 && !bare {
				rows[i][k] = strings.ToUpper(rows[i][k])
			}
		}
	}
	if len(rows) > 0 {
		printTable(c.Out, rows)
	}
	return nil
}
