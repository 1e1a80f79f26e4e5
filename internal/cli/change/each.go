package change

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/world"
)

// aboutEach is what the help of a command that changes something says of several claims.
const aboutEach = `With - in the place of the path it does so to each claim that standard input lists, one after the other: a line is a path, a tab
and the znode's czxid, or a claim of zkscope show --output json. Then it takes --yes, and each claim its czxid.`

// listedClaim is a claim that standard input lists.
type listedClaim struct {
	Path  string `json:"path"`
	Czxid int64  `json:"czxid"` // 0: not given
}

// listedOnInput reports whether the paths come from standard input, and returns the other arguments.
func listedOnInput(args []string) (others []string, each bool) {
	for _, a := range args {
		if a == "-" {
			each = true
			continue
		}
		others = append(others, a)
	}
	return others, each
}

// mostListed bounds what is read before anything is done.
const mostListed = 100_000

// readClaims reads the list. Nothing is done where a line of it is wrong.
func readClaims(in io.Reader) ([]listedClaim, error) {
	var out []listedClaim
	seen := map[string]int{}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 4<<20)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimRight(lines.Text(), "\r")
		if strings.TrimSpace(text) == "" {
			continue
		}
		l, err := readClaim(text)
		if err != nil {
			return nil, world.Fail(world.ExitUsage, "standard input, line %d: %w", n, err)
		}
		if before := seen[l.Path]; before > 0 {
			return nil, world.Fail(world.ExitUsage, "standard input, line %d: %s stands on line %d already", n, say.Printable(l.Path), before)
		}
		if seen[l.Path] = n; n > mostListed {
			return nil, world.Fail(world.ExitUsage, "standard input has more than %d lines", mostListed)
		}
		out = append(out, l)
	}
	if err := lines.Err(); err != nil {
		return nil, world.Fail(world.ExitUsage, "standard input: %w", err)
	}
	if len(out) == 0 {
		return nil, world.Fail(world.ExitUsage, "standard input lists no claim")
	}
	return out, nil
}

func readClaim(text string) (l listedClaim, err error) {
	if strings.HasPrefix(text, "{") {
		err = json.Unmarshal([]byte(text), &l)
	} else {
		path, pin, pinned := strings.Cut(text, "\t")
		if l.Path = path; pinned {
			l.Czxid, err = strconv.ParseInt(strings.TrimSpace(pin), 0, 64)
		}
	}
	switch {
	case err != nil:
		return l, fmt.Errorf("not a path, a tab and a czxid, nor a claim as JSON: %s", say.Printable(text))
	case !strings.HasPrefix(l.Path, "/"):
		return l, fmt.Errorf("%s is not a path: a path begins with a slash", say.Printable(text))
	case l.Czxid < 0:
		return l, errors.New("a czxid is above zero")
	}
	return l, nil
}

// changeEach does one thing to each claim that standard input lists, each with its own plan and guards, and goes on where one
// cannot be done. It ends early where the next could not be done either.
func changeEach(ctx context.Context, c *command.Line, t command.Target, verb actions.Verb, f actFlags) error {
	switch {
	case verb == actions.VerbSet:
		return world.Fail(world.ExitUsage, "set takes one path")
	case f.czxid != 0 || f.session != "":
		return world.Fail(world.ExitUsage, "--czxid and --session pin one claim; of a list each line has its own czxid")
	case !f.yes && !f.dryRun:
		return world.Fail(world.ExitRefused, "nobody can be asked about claims from standard input: give --yes, or --dry-run to see the plans")
	}
	list, err := world.WhileReading(func() ([]listedClaim, error) { return readClaims(c.In) })
	if err != nil {
		return err
	}
	for _, l := range list {
		if l.Czxid == 0 && !f.dryRun {
			return world.Fail(world.ExitRefused, "nothing done: %s has no czxid, and without one the claim may be another by now", say.Printable(l.Path))
		}
	}
	failed, first := 0, error(nil)
	for i, l := range list {
		at, one := t, f
		at.Path, one.czxid = strings.TrimRight(l.Path, "/"), l.Czxid
		err := changeOne(ctx, c, at, verb, one)
		if err == nil {
			continue
		}
		if failed++; first == nil {
			first = err
		}
		if n := world.Code(err); ctx.Err() != nil || n != world.ExitRefused && n != world.ExitNotFound {
			return world.Fail(n, "stopped at %s, %d of %d, of which %d were not done: %w", say.Printable(l.Path), i+1, len(list), failed, err)
		}
		if c.Flags.Output != "json" {
			fmt.Fprintf(c.Out, "not done: %s\n", say.Printable(world.OneLine(err.Error())))
		}
	}
	if failed == 0 {
		return nil
	}
	return world.Fail(world.Code(first), "%d of %d were not done; the first: %w", failed, len(list), first)
}
