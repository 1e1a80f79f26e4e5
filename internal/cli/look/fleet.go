package look

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/guard"
)

// FleetReport is what a command that was asked of all profiles prints.
type FleetReport struct {
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

// Answer is what a command printed for one profile.
type Answer struct {
	Name     string
	Code     int
	Out, err string
}

// AtOnce is how many ensembles are asked at the same time: one that does not answer holds up no other.
const AtOnce = 8

// AllProfiles declares the flag by which a command is asked of every profile.
func AllProfiles(fs *pflag.FlagSet, all *bool) {
	fs.BoolVar(all, "all-profiles", false, "ask the ensembles of all profiles, at the same time; a column names the ensemble")
}

// OfAll makes a command that can be asked of all profiles; print prints what they said.
func OfAll(c *command.Line, s command.Subcommand, all *bool, print func(in command.Invocation) error) command.Subcommand {
	alone := s.Run
	s.Run = func(ctx context.Context, in command.Invocation) error {
		if !*all {
			return alone(ctx, in)
		}
		for _, flag := range []string{"servers", "profile", "from"} {
			if in.Given(flag) {
				return world.Fail(world.ExitUsage, "--all-profiles does not go with --%s", flag)
			}
		}
		if len(in.Args) > 1 || len(in.Args) == 1 && !strings.HasPrefix(in.Args[0], "/") {
			return world.Fail(world.ExitUsage, "--all-profiles takes the servers from the profiles")
		}
		if len(c.Cfg.Profiles) == 0 {
			return world.Fail(world.ExitUsage, "--all-profiles: there are no profiles in %s", say.Printable(c.CfgPath))
		}
		return print(in)
	}
	return s
}

// AskAll runs the command line for every profile, with another format.
func AskAll(c *command.Line, format string, pages *world.Pages) []Answer {
	names := slices.Sorted(maps.Keys(c.Cfg.Profiles))
	out := make([]Answer, len(names))
	slots := make(chan struct{}, AtOnce)
	var all sync.WaitGroup
	for i, name := range names {
		all.Go(guard.Func(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			var printed, said bytes.Buffer
			w := world.World{In: strings.NewReader(""), Out: &printed, Err: &said, Getenv: c.Getenv, Now: c.Now, Resolver: c.Resolver, Dial: c.Dial, Pages: pages}
			args := append(slices.Clone(c.Args), "--all-profiles=false", "--profile", name, "--output", format)
			out[i] = Answer{name, c.Again(args, w), printed.String(), strings.TrimPrefix(strings.TrimSpace(said.String()), "zkscope: ")}
		}))
	}
	all.Wait()
	return out
}

// worst is the exit code for all: that something is wrong is graver than that one was not reached.
func worst(all []Answer) int {
	out := world.ExitOK
	for _, a := range all {
		switch {
		case a.Code == world.ExitFindings:
			return world.ExitFindings
		case a.Code != world.ExitOK:
			out = max(out, a.Code)
		}
	}
	return out
}

// EndAll ends a command that was asked of all profiles: what was not reached is said, each in one line.
func EndAll(c *command.Line, all []Answer, reached func(Answer) bool) error {
	n := 0
	for _, a := range all {
		if !reached(a) {
			n++
			fmt.Fprintln(c.Err, "zkscope: "+say.Printable(a.Name+": "+world.OneLine(a.err)))
		}
	}
	switch code := worst(all); {
	case code == world.ExitOK:
		return nil
	case n > 0:
		return world.Fail(code, "%d of %d ensembles could not be read", n, len(all))
	default:
		return world.Failure{Code: code}
	}
}

// Reports are the answers as JSON; each recipe and finding carries the name of its ensemble.
func Reports(all []Answer) FleetReport {
	out := FleetReport{Schema: 1}
	for _, a := range all {
		e := ensembleReport{Ensemble: a.Name, Exit: a.Code}
		var r story.Report
		if json.Unmarshal([]byte(a.Out), &r) == nil && r.Schema != 0 {
			for i := range r.Recipes {
				r.Recipes[i].Ensemble = a.Name
			}
			for i := range r.Findings {
				r.Findings[i].Ensemble = a.Name
			}
			e.Report = &r
		} else {
			e.Error = &a.err
		}
		out.Ensembles = append(out.Ensembles, e)
	}
	return out
}

// EveryFinding are a report's own findings and those of its recipes.
func EveryFinding(r *story.Report) []story.FindingReport {
	out := slices.Clone(r.Findings)
	for i := range r.Recipes {
		out = append(out, r.Recipes[i].Findings...)
	}
	return out
}

// Unread counts the ensembles that could not be read.
func Unread(r FleetReport) (n int) {
	for _, e := range r.Ensembles {
		if e.Report == nil {
			n++
		}
	}
	return n
}
