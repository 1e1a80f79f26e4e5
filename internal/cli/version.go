package cli

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// versionCommand prints what was built, and from what.
func (c *command) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "print the version", Args: cobra.NoArgs,
		RunE: action(func(context.Context, []string) error {
			if err := c.flags.format("table"); err != nil {
				return err
			}
			version, revision := "devel", ""
			if info, ok := debug.ReadBuildInfo(); ok {
				if v := info.Main.Version; v != "" && v != "(devel)" {
					version = v
				}
				for _, s := range info.Settings {
					if s.Key == "vcs.revision" {
						revision = " " + s.Value[:min(12, len(s.Value))]
					}
				}
			}
			_, err := fmt.Fprintf(c.Out, "zkscope %s%s %s %s/%s\n", version, revision, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		}),
	}
}
