package cli

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/config"
	"github.com/zkscope/zkscope/internal/names"
)

// namesNow is where the names of hosts come from, and the keys that lead there: the profile's, else those for all.
func (c *command) namesNow() (n config.Names, at []string) {
	if name := c.profileInUse(); name != "" && (c.profile.Names.File != "" || len(c.profile.Names.Command) > 0) {
		return c.profile.Names, []string{"profiles", name, "names"}
	}
	return c.cfg.Names, []string{"names"}
}

// namesAgain is how long names hold where nothing is said.
const namesAgain = 5 * time.Minute

// badNames says what is wrong with where names come from, and in which key; every is how long they hold.
func badNames(n config.Names) (every time.Duration, key, wrong string) {
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

// known opens the list of names; nil where there is none. One that cannot be read is told, and the command goes on without: an
// address is still an address.
func (c *command) known(ctx context.Context) (b *names.Book, every time.Duration, err error) {
	n, at := c.namesNow()
	every, key, wrong := badNames(n)
	if wrong != "" {
		return nil, 0, fail(exitUsage, "%s: names: %s", say.Printable(c.cfg.At(ruleAt(&c.cfg, at, key)...)), wrong)
	}
	if n.File == "" && len(n.Command) == 0 {
		return nil, 0, nil
	}
	b, err = names.Open(ctx, names.Source{File: n.File, Command: n.Command, Env: c.withoutSecrets(os.Environ())})
	if err != nil {
		warning(c.Err, say.Printable(oneLine(err.Error())))
	}
	return b, every, nil
}

// nameRows are the settings of where names come from.
func (c *command) nameRows() (out []setting) {
	n, at := c.namesNow()
	for _, r := range [][2]string{{"file", n.File}, {"command", strings.Join(n.Command, " ")}, {"every", n.Every}} {
		if r[1] != "" {
			out = append(out, setting{"names." + r[0], r[1], "file", c.cfg.At(append(slices.Clone(at), r[0])...)})
		}
	}
	return out
}

// names looks at where names come from.
func (k *checker) names(n config.Names, at ...string) {
	add := func(key, text string) { k.add("names: "+text, append(slices.Clone(at), key)...) }
	if _, key, wrong := badNames(n); wrong != "" {
		add(key, wrong)
	}
	if n.File != "" {
		if _, err := os.Stat(n.File); err != nil {
			add("file", err.Error())
		}
	}
	if len(n.Command) > 0 {
		if _, err := exec.LookPath(n.Command[0]); err != nil {
			add("command", err.Error())
		}
	}
}
