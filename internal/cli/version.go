package cli

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version prints what was built, and from what.
func version(c *command) subcommand {
	return subcommand{use: "version", short: "print the version", args: cobra.NoArgs, formats: []string{"table"},
		run: func(context.Context, invocation) error {
			number, revision := "devel", ""
			if info, ok := debug.ReadBuildInfo(); ok {
				if v := info.Main.Version; v != "" && v != "(devel)" {
					number = v
				}
				for _, s := range info.Settings {
					if s.Key == "vcs.revision" {
						revision = " " + s.Value[:min(12, len(s.Value))]
					}
				}
			}
			_, err := fmt.Fprintf(c.Out, "zkscope %s%s %s %s/%s\n", number, revision, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		}}
}
