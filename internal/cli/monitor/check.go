package monitor

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/metrics"
	"github.com/zkscope/zkscope/internal/term"
)

// Check fails when there are findings that are severe enough.
func Check(c *command.Line) command.Subcommand {
	failOn := "high"
	var ignore []string
	var thresholds, page, ensemble string
	all := false
	return look.OfAll(c, look.Reads(c, look.Reader{
		Subcommand: command.Subcommand{Use: "check [PATH] [SERVERS]", Short: "list what is wrong; exit 3 when anything is as severe as --fail-on",
			Formats: []string{"table", "json", "nagios"},
			Long:    checkHelp(),
			Example: "  zkscope check zk1:2181\n  zkscope check /prod --profile prod --fail-on medium --ignore empty-parents,herd\n  zkscope check zk1:2181 -o nagios --thresholds limits.yaml\n  zkscope check --all-profiles --fail-on medium\n  zkscope check --profile prod --prometheus zkscope.prom",
			Flags: func(fs *pflag.FlagSet) {
				fs.StringVar(&failOn, "fail-on", failOn, "the lowest severity that is a failure: low, medium or high")
				fs.StringSliceVar(&ignore, "ignore", nil, "codes of findings to ignore")
				look.ThresholdsFlag(fs, &thresholds)
				fs.StringVar(&page, "prometheus", "", "also write what was seen into this file, as a page of metrics for node_exporter's textfile collector")
				look.AllProfiles(fs, &all)
			}},
		Path: look.MayPath, Lists: true,
		Check: func() error {
			if _, ok := look.Severities[failOn]; !ok {
				return world.Fail(world.ExitUsage, "--fail-on %s: it is one of low, medium, high", term.Safe(failOn))
			}
			if page != "" && c.Flags.From != "" {
				return world.Fail(world.ExitUsage, "--prometheus tells of servers as they are now; it does not go with --from")
			}
			return knownCodes(ignore)
		},
		Aim: func(q *look.Query, _ []string) error {
			q.Limited = thresholds
			ensemble = cmp.Or(c.ProfileInUse(), q.Name)
			if q.Path != "" {
				q.Ask(q.Path) // with all the rest: who waits here may hold elsewhere
			}
			q.Patient = true
			return nil
		},
		Print: func(_ context.Context, r *look.Reading) error {
			if err := narrow(r); err != nil {
				return unchecked(c, err)
			}
			if err := writePage(c, page, pageOf(r, ensemble, ignore)); err != nil {
				return unchecked(c, err)
			}
			return judgeFindings(r, look.Severities[failOn], ignore)
		},
		Failed: func(err error) error {
			if unwritten := writePage(c, page, metrics.Look{Ensemble: say.Printable(ensemble), At: c.Now()}); unwritten != nil {
				err = fmt.Errorf("%w; %w", err, unwritten)
			}
			return unchecked(c, err)
		},
	}), &all, func(command.Invocation) error {
		if c.Flags.Output == "nagios" {
			return world.Fail(world.ExitUsage, "--all-profiles does not go with -o nagios: a plugin watches one ensemble")
		}
		return checkAll(c, ignore, page)
	})
}

// narrow leaves what is below the path that was asked for. One that is not there is an error: mistyped, it would be fine for ever.
func narrow(r *look.Reading) error {
	path := r.Query.Path
	if path == "" {
		return nil
	}
	if n, why := r.Snapshot.Known(path); n == nil {
		return look.NotThere(r.Line, path, why)
	}
	r.Result = r.Below(path)
	return nil
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
			return world.Fail(world.ExitUsage, "--ignore %s: no finding has that code%s", term.Safe(code), world.Meant(code, model.Codes()))
		}
	}
	return nil
}

func judgeFindings(r *look.Reading, least model.Severity, ignore []string) error {
	bad, all := 0, look.FindingsOf(r.Result)
	for _, l := range all {
		if l.Finding.Severity >= least && !slices.Contains(ignore, l.Finding.Code) {
			bad++
		}
	}
	switch r.Flags.Output {
	case "nagios":
		return printNagios(r, all, least, ignore)
	case "json":
		if err := r.PrintJSON(r.Report()); err != nil {
			return err
		}
	default:
		printFindings(r, all, ignore)
	}
	if bad > 0 {
		return world.Fail(world.ExitFindings, "%s at severity %s or above, of %d", say.Plural(bad, "finding", "findings"), least, len(all))
	}
	return nil
}

func printFindings(r *look.Reading, all []look.Located, ignore []string) {
	r.Head()
	if text := r.Incomplete(); text != "" {
		defer fmt.Fprintln(r.Out, term.Safe(text))
	}
	rows := [][]string{{"SEVERITY", "CODE", "PATH", "WHAT"}}
	for _, l := range all {
		if slices.Contains(ignore, l.Finding.Code) {
			continue
		}
		path := strings.Join(l.Finding.Paths[:min(len(l.Finding.Paths), 3)], " ")
		if l.Finding.Code == model.CodeServerUnreachable || l.Finding.Code == model.CodeClockSkew || l.Finding.Code == model.CodeServersDisagree && path == "" {
			path = "ensemble"
		}
		if l.Model != nil {
			path = l.Model.Path
		}
		rows = append(rows, []string{strings.ToUpper(l.Finding.Severity.String()), l.Finding.Code, term.Safe(path), term.Safe(strings.TrimPrefix(l.Finding.Text, l.Finding.Code+": "))})
	}
	if len(rows) == 1 {
		fmt.Fprintf(r.Out, "no finding in %s\n", say.Plural(r.Models.Len(), "recipe", "recipes"))
	} else {
		world.PrintTable(r.Out, rows)
	}
	r.Hides()
}
