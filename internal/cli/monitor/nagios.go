package monitor

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/term"
)

// What plugins of Nagios end with.
const (
	nagiosOK = iota
	nagiosWarning
	nagiosCritical
	nagiosUnknown
)

var nagiosWords = [...]string{"OK", "WARNING", "CRITICAL", "UNKNOWN"}

// printNagios prints what a plugin prints: one line with the state, the worst, and figures behind a bar; then every finding.
func printNagios(r *look.Reading, all []look.Located, least model.Severity, ignore []string) error {
	all = slices.DeleteFunc(slices.Clone(all), func(l look.Located) bool { return slices.Contains(ignore, l.Finding.Code) })
	counts, state := map[model.Severity]int{}, nagiosOK
	for _, l := range all {
		counts[l.Finding.Severity]++
		switch {
		case l.Finding.Severity >= least:
			state = nagiosCritical
		case l.Finding.Severity == model.Medium:
			state = max(state, nagiosWarning)
		}
	}
	text := "nothing is wrong"
	if len(all) > 0 && all[0].Finding.Severity >= model.Medium {
		text = fmt.Sprintf("%d high, %d medium: %s", counts[model.High], counts[model.Medium], inLine(all[0]))
	}
	if unknown := r.Incomplete(); unknown != "" {
		text += "; " + unknown
		if state == nagiosOK {
			state = nagiosUnknown
		}
	}
	waiting := 0
	for m := range r.Models.All() {
		for i := range m.Claims {
			if role := m.Claims[i].Role(); role == model.Waiter {
				waiting++
			}
		}
	}
	var page strings.Builder
	fmt.Fprintf(&page, "ZKSCOPE %s: %s | high=%d medium=%d low=%d recipes=%d waiting=%d\n", nagiosWords[state], barless(text),
		counts[model.High], counts[model.Medium], counts[model.Low], r.Models.Len(), waiting)
	for _, l := range all {
		fmt.Fprintln(&page, strings.ToUpper(l.Finding.Severity.String())+" "+barless(inLine(l)))
	}
	if _, err := io.WriteString(r.Out, page.String()); err != nil { // whoever asked knows nothing
		return world.Fail(nagiosUnknown, "output is lost: %w", world.RootCause(err))
	}
	return ending(state)
}

// inLine is a finding in one line.
func inLine(l look.Located) string {
	path := strings.Join(l.Finding.Paths[:min(len(l.Finding.Paths), 3)], " ")
	if l.Model != nil {
		path = l.Model.Path
	}
	return strings.TrimSpace(l.Finding.Code + " " + path + ": " + strings.TrimPrefix(l.Finding.Text, l.Finding.Code+": "))
}

// barless is text without the sign that figures begin with.
func barless(s string) string { return strings.ReplaceAll(term.Safe(s), "|", "/") }

// ending is an exit code of a plugin's, about which nothing more is to be said.
func ending(state int) error {
	if state == nagiosOK {
		return nil
	}
	return world.Failure{Code: state}
}

// unchecked says that nothing could be looked at, in the way that was asked for.
func unchecked(c *command.Line, err error) error {
	if c.Flags.Output != "nagios" {
		return err
	}
	var f world.Failure
	if errors.As(err, &f) && f.Code == world.ExitUsage {
		return err
	}
	fmt.Fprintf(c.Out, "ZKSCOPE %s: %s\n", nagiosWords[nagiosUnknown], barless(world.OneLine(err.Error())))
	return ending(nagiosUnknown)
}
