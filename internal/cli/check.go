package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/sorted"
	"github.com/zkscope/zkscope/internal/metrics"
	"github.com/zkscope/zkscope/internal/term"
)

// check fails when there are findings that are severe enough.
func check(c *command) subcommand {
	failOn := "high"
	var ignore []string
	var thresholds, page, ensemble string
	all := false
	return c.ofAll(c.reads(reader{
		subcommand: subcommand{use: "check [PATH] [SERVERS]", short: "list what is wrong; exit 3 when anything is as severe as --fail-on",
			formats: []string{"table", "json", "nagios"},
			long:    checkHelp(),
			example: "  zkscope check zk1:2181\n  zkscope check /prod --profile prod --fail-on medium --ignore empty-parents,herd\n  zkscope check zk1:2181 -o nagios --thresholds limits.yaml\n  zkscope check --all-profiles --fail-on medium\n  zkscope check --profile prod --prometheus zkscope.prom",
			flags: func(fs *pflag.FlagSet) {
				fs.StringVar(&failOn, "fail-on", failOn, "the lowest severity that is a failure: low, medium or high")
				fs.StringSliceVar(&ignore, "ignore", nil, "codes of findings to ignore")
				thresholdsFlag(fs, &thresholds)
				fs.StringVar(&page, "prometheus", "", "also write what was seen into this file, as a page of metrics for node_exporter's textfile collector")
				allProfiles(fs, &all)
			}},
		path: mayPath, lists: true,
		check: func() error {
			if _, ok := severities[failOn]; !ok {
				return fail(exitUsage, "--fail-on %s: it is one of low, medium, high", term.Safe(failOn))
			}
			if page != "" && c.flags.from != "" {
				return fail(exitUsage, "--prometheus tells of servers as they are now; it does not go with --from")
			}
			return knownCodes(ignore)
		},
		aim: func(q *query, _ []string) error {
			q.limited = thresholds
			ensemble = cmp.Or(c.profileInUse(), q.name)
			if q.path != "" {
				q.ask(q.path) // with all the rest: who waits here may hold elsewhere
			}
			q.patient = true
			return nil
		},
		print: func(_ context.Context, r *reading) error {
			if r.query.path != "" {
				r.Result = r.Below(r.query.path)
			}
			if err := c.page(page, r.lookAt(ensemble, ignore)); err != nil {
				return c.unchecked(err)
			}
			return r.check(severities[failOn], ignore)
		},
		failed: func(err error) error {
			if unwritten := c.page(page, metrics.Look{Ensemble: say.Printable(ensemble), At: c.Now()}); unwritten != nil {
				err = fmt.Errorf("%w; %w", err, unwritten)
			}
			return c.unchecked(err)
		},
	}), &all, func(invocation) error {
		if c.flags.output == "nagios" {
			return fail(exitUsage, "--all-profiles does not go with -o nagios: a plugin watches one ensemble")
		}
		return c.checkAll(ignore, page)
	})
}

// checkHelp is the long help of check.
func checkHelp() string {
	return "List what is wrong, the worst first. The exit code is 3 when anything is as severe as --fail-on; with -o nagios the codes are\n" +
		"those of its plugins: 2 for that, 1 for what is medium, 3 when parts are not known, 0 else.\n\n" +
		"Limits of your own are rules in --thresholds FILE, and in the configuration and its profiles under the same key:\n\n" +
		"  thresholds:\n" +
		"    - {path: /batch/**, kind: lock, held: off, severity: high}   # the first rule that sets a limit decides it, by severity\n" +
		"    - {kind: lock, held: 2h, waited: 10m, waiting: 50, severity: high}\n" +
		"    - {kind: queue, depth: 1000, age: 1d, severity: medium}\n" +
		"    - {code: herd, path: /legacy/**, severity: none}             # none: these findings are left out\n\n" +
		"What is over one is the finding " + model.CodeOverThreshold + ".\n\n" +
		"Findings: " + strings.Join(model.Codes(), ", ") + ".\nzkscope explain CODE says what one means, how it is known, and what to do."
}

// knownCodes refuses a code that no finding has: a mistyped one would hide nothing, and nobody would notice.
func knownCodes(list []string) error {
	for _, code := range list {
		if !slices.Contains(model.Codes(), code) {
			return fail(exitUsage, "--ignore %s: no finding has that code%s", term.Safe(code), meant(code, model.Codes()))
		}
	}
	return nil
}

var severities = map[string]model.Severity{"low": model.Low, "medium": model.Medium, "high": model.High}

// located is a finding with the recipe that it belongs to; nil for one that spans recipes.
type located struct {
	m *model.Model
	f model.Finding
}

// findingsOf lists all findings, the worst first.
func findingsOf(res *model.Result) (out []located) {
	for _, f := range res.Findings {
		out = append(out, located{nil, f})
	}
	for m := range res.Models.All() {
		for _, f := range m.Findings {
			out = append(out, located{m, f})
		}
	}
	sorted.By(out, func(a, b located) int { return int(b.f.Severity) - int(a.f.Severity) })
	return out
}

func (r *reading) check(least model.Severity, ignore []string) error {
	bad, all := 0, findingsOf(r.Result)
	for _, l := range all {
		if l.f.Severity >= least && !slices.Contains(ignore, l.f.Code) {
			bad++
		}
	}
	switch r.flags.output {
	case "nagios":
		return r.nagios(all, least, ignore)
	case "json":
		if err := r.printJSON(r.report()); err != nil {
			return err
		}
	default:
		r.printFindings(all, ignore)
	}
	if bad > 0 {
		return fail(exitFindings, "%s at severity %s or above, of %d", say.Plural(bad, "finding", "findings"), least, len(all))
	}
	return nil
}

func (r *reading) printFindings(all []located, ignore []string) {
	r.asOf()
	printSources(r.Out, r.Result)
	if text := r.incomplete(); text != "" {
		defer fmt.Fprintln(r.Out, term.Safe(text))
	}
	rows := [][]string{{"SEVERITY", "CODE", "PATH", "WHAT"}}
	for _, l := range all {
		if slices.Contains(ignore, l.f.Code) {
			continue
		}
		path := strings.Join(l.f.Paths[:min(len(l.f.Paths), 3)], " ")
		if l.f.Code == model.CodeServerUnreachable || l.f.Code == model.CodeClockSkew || l.f.Code == model.CodeServersDisagree && path == "" {
			path = "ensemble"
		}
		if l.m != nil {
			path = l.m.Path
		}
		rows = append(rows, []string{strings.ToUpper(l.f.Severity.String()), l.f.Code, term.Safe(path), term.Safe(strings.TrimPrefix(l.f.Text, l.f.Code+": "))})
	}
	if len(rows) == 1 {
		fmt.Fprintf(r.Out, "no finding in %d recipes\n", r.Models.Len())
	} else {
		printTable(r.Out, rows)
	}
	r.hides()
}
