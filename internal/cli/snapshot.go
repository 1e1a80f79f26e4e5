package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/say"
)

// snapshotCommand writes what is there to a file that every read command takes with --from.
func (c *command) snapshotCommand() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use: "snapshot [SERVERS]", Short: "write the tree to a file that --from reads", Args: between(0, 1, "[SERVERS]"),
		RunE: action(func(ctx context.Context, args []string) error {
			t, err := c.target(args, false)
			if err != nil {
				return err
			}
			if file == "" {
				return fail(exitUsage, "--file is empty: name a file, or - for standard output")
			}
			res, err := c.read(ctx, t)
			if err != nil {
				return err
			}
			if file == "-" {
				return files.WriteSnapshot(c.Out, res.Snapshot)
			}
			return writeNew(file, func(w io.Writer) error { return files.WriteSnapshot(w, res.Snapshot) }, c.Out)
		}),
	}
	cmd.Flags().StringVar(&file, "file", "-", "write to this file, which must not exist (- for standard output)")
	return cmd
}

// writeNew writes a file that did not exist; a failed one is removed.
func writeNew(name string, write func(io.Writer) error, out io.Writer) error {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fail(exitError, "%s exists already: nothing is overwritten; name another file", say.Printable(name))
	}
	if err != nil {
		return failure{code: exitError, err: err}
	}
	err = write(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		os.Remove(name)
		return failure{code: exitError, err: err}
	}
	_, err = fmt.Fprintln(out, "wrote "+say.Printable(name))
	return err
}
