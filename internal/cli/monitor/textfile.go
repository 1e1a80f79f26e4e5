package monitor

import (
	"slices"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/metrics"
)

// writePage writes the page of a look; no file is no page.
func writePage(c *command.Line, file string, l metrics.Look) error {
	if file == "" {
		return nil
	}
	if c.Pages != nil { // somebody asks for several
		c.Pages.Add(l.Page())
		return nil
	}
	one := new(world.Pages)
	one.Add(l.Page())
	return one.Write(file)
}

// pageOf is what a page tells of a reading, without the findings that do not count.
func pageOf(r *look.Reading, ensemble string, ignore []string) metrics.Look {
	l := metrics.Look{Ensemble: say.Printable(ensemble), At: r.Now(), Feed: metrics.Feed{Result: r.Result, Requests: r.Cost.Requests, Hidden: r.Hidden, Asked: len(r.Servers)}}
	for _, f := range look.FindingsOf(r.Result) {
		if !slices.Contains(ignore, f.Finding.Code) {
			l.Findings = append(l.Findings, f.Finding)
		}
	}
	for i := range r.Servers {
		if r.Servers[i].Up {
			l.Servers++
		}
	}
	return l
}
