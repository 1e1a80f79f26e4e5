package history

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
)

// Snapshot writes what is there to a file that every read command takes with --from.
func Snapshot(c *command.Line) command.Subcommand {
	var file string
	var hide redacting
	return look.Reads(c, look.Reader{
		Subcommand: command.Subcommand{Use: "snapshot [SERVERS]", Short: "write the tree to a file that --from reads",
			Long:    "Write the tree, sessions and watches to a file that every command takes with --from.\n\n" + redactHelp,
			Example: "  zkscope snapshot zk1:2181 --file now.jsonl\n  zkscope snapshot zk1:2181 --redact data,addresses,names --file to-share.jsonl",
			Flags: func(fs *pflag.FlagSet) {
				hide.declare(fs)
				fs.StringVar(&file, "file", "-", "write to this file, which must not exist (- for standard output)")
			}},
		Aim: func(*look.Query, []string) error {
			if file == "" {
				return world.Fail(world.ExitUsage, "--file is empty: name a file, or - for standard output")
			}
			return hide.check()
		},
		Print: func(_ context.Context, r *look.Reading) error {
			snap := hide.with(c.Hints())(r.Snapshot)
			if file == "-" {
				return files.WriteSnapshot(c.Out, snap)
			}
			return writeNew(file, func(w io.Writer) error { return files.WriteSnapshot(w, snap) }, c.Out)
		},
	})
}

// writeNew writes a file that did not exist; a failed one is removed.
func writeNew(name string, write func(io.Writer) error, out io.Writer) error {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return world.Fail(world.ExitError, "%s exists already: nothing is overwritten; name another file", say.Printable(name))
	}
	if err != nil {
		return world.Failure{Code: world.ExitError, Err: err}
	}
	err = write(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		os.Remove(name)
		return world.Failure{Code: world.ExitError, Err: err}
	}
	_, err = fmt.Fprintln(out, "wrote "+say.Printable(name))
	return err
}
