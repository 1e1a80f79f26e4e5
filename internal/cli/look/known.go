package look

import (
	"context"
	"os"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/config"
	"github.com/zkscope/zkscope/internal/names"
)

// NamesNow is where the names of hosts come from, and the keys that lead there: the profile's, else those for all.
func NamesNow(c *command.Line) (n config.Names, at []string) {
	if name := c.ProfileInUse(); name != "" && (c.Profile.Names.File != "" || len(c.Profile.Names.Command) > 0) {
		return c.Profile.Names, []string{"profiles", name, "names"}
	}
	return c.Cfg.Names, []string{"names"}
}

// namesAgain is how long names hold where nothing is said.
const namesAgain = 5 * time.Minute

// BadNames says what is wrong with where names come from, and in which key; every is how long they hold.
func BadNames(n config.Names) (every time.Duration, key, wrong string) {
	every = namesAgain
	if n.Every != "" {
		var err error
		if every, err = time.ParseDuration(n.Every); err != nil || every < time.Second {
			return every, "every", "every takes a time from 1s, as 5m"
		}
	}
	switch {
	case n.File != "" && len(n.Command) > 0:
		return every, "command", "names come from a file or from a command, not from both"
	case n.Every != "" && n.File == "" && len(n.Command) == 0:
		return every, "every", "there is neither file nor command"
	}
	return every, "", ""
}

// NamesOf opens the list of names; nil where there is none. One that cannot be read is told, and the command goes on without: an
// address is still an address.
func NamesOf(ctx context.Context, c *command.Line) (b *names.Book, every time.Duration, err error) {
	n, at := NamesNow(c)
	every, key, wrong := BadNames(n)
	if wrong != "" {
		return nil, 0, world.Fail(world.ExitUsage, "%s: names: %s", say.Printable(c.Cfg.At(command.RuleAt(&c.Cfg, at, key)...)), wrong)
	}
	if n.File == "" && len(n.Command) == 0 {
		return nil, 0, nil
	}
	b, err = names.Open(ctx, names.Source{File: n.File, Command: n.Command, Env: c.WithoutSecrets(os.Environ())})
	if err != nil {
		Warning(c.Err, say.Printable(world.OneLine(err.Error())))
	}
	return b, every, nil
}
