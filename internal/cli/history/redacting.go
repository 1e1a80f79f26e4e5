package history

import (
	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/redact"
)

// redactHelp says what --redact does, for the commands that have it.
const redactHelp = "--redact takes out what is not to be shared; holders, waiters and findings stay. data: letters and digits of what\n" +
	"znodes hold, but for keys, numbers, times and the words that recipes speak with. addresses: of clients, servers and in data and\n" +
	"znodes' names, each replaced by one that stands for it throughout; ports stay. names: of participants, the same. Names of znodes\n" +
	"stay, but for addresses, and ephemeral ones that are a participant's name: look at them before you share the file."

// redacting is the flag that says what is taken out of what is written.
type redacting struct {
	list []string
	what redact.What
}

func (r *redacting) declare(fs *pflag.FlagSet) {
	fs.StringSliceVar(&r.list, "redact", nil, "take out of it, for sharing: data, addresses, names")
}

// check reads the flag.
func (r *redacting) check() (err error) {
	if r.what, err = redact.Parse(r.list); err != nil {
		return world.Fail(world.ExitUsage, "--redact: %w", err)
	}
	return nil
}

// with is what is done with each picture before it is written.
func (r *redacting) with(h model.Hints) func(*znode.Snapshot) *znode.Snapshot {
	if r.what == (redact.What{}) {
		return func(s *znode.Snapshot) *znode.Snapshot { return s }
	}
	return redact.New(r.what, h).Snapshot
}
