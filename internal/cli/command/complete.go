package command

import (
	"context"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/zkc"
)

const (
	completionPatience = 2 * time.Second // somebody waits for their shell
	mostCompletions    = 1000

	// runs are signs by which a shell may run what a name says: of several names that begin alike it puts the beginning on the
	// line as it is, and reads the line again at the next tab. Clients choose the names, so one that holds any is not completed.
	runs = "$`\\\"';&|<>()!"
)

// completes completes arguments: codes, kinds and words of the command's own, and paths as the servers have them now. What
// cannot be asked in time is not completed; nothing is printed, and nobody is asked for a password.
func (c *Line) completes(takes string) cobra.CompletionFunc {
	words := strings.Fields(takes)
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if i := len(args); i < len(words) {
			switch strings.Trim(words[i], "[]") {
			case "CODE":
				return slices.Sorted(slices.Values(model.Codes())), cobra.ShellCompDirectiveNoFileComp
			case "KIND":
				return layout.KindNames(), cobra.ShellCompDirectiveNoFileComp
			case "commit|abort":
				return []string{"commit", "abort"}, cobra.ShellCompDirectiveNoFileComp
			case "FILE", "A", "B":
				return nil, cobra.ShellCompDirectiveDefault
			}
		}
		if strings.Contains(takes, "PATH") && !HasPath(args) && (typed == "" || strings.HasPrefix(typed, "/")) {
			return c.below(cmd, args, typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
}

// below lists the znodes that a typed path may go on to.
func (c *Line) below(cmd *cobra.Command, args []string, typed string) []cobra.Completion {
	c.In, c.Err, c.InTTY, c.Given = strings.NewReader(""), io.Discard, false, cmd.Flags()
	c.Flags.Timeout = min(c.Flags.Timeout, completionPatience)
	c.unasked = true
	if c.Flags.From != "" || c.Settings(c.Given) != nil {
		return nil
	}
	servers := slices.DeleteFunc(slices.Clone(args), func(a string) bool { return cmd.Name() == "join" || a == "-" })
	t, err := c.Target(servers, false)
	if err != nil {
		return nil
	}
	conn, err := c.Connection(t)
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), completionPatience)
	defer cancel()
	dir := typed[:strings.LastIndex(typed, "/")+1]
	names := childNames(ctx, conn, dir)
	var out []cobra.Completion
	for _, n := range slices.Sorted(slices.Values(names)) {
		if path := znode.Join("/"+strings.Trim(dir, "/"), n); strings.HasPrefix(path, typed) && say.Printable(n) == n && !strings.ContainsAny(n, runs) && len(out) < mostCompletions {
			out = append(out, path)
		}
	}
	return out
}

// childNames asks a server; nil where it does not answer in time.
func childNames(ctx context.Context, conn zkc.Config, dir string) []string {
	k, err := zkc.Dial(ctx, conn)
	if err != nil {
		return nil
	}
	defer k.Close()
	names, _, err := k.Children(ctx, "/"+strings.Trim(dir, "/"))
	if err != nil {
		return nil
	}
	return names
}

// CompleteFlags completes the values of flags of every command.
func (c *Line) CompleteFlags(root *cobra.Command) {
	fixed := func(words ...string) cobra.CompletionFunc {
		return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
	}
	for flag, f := range map[string]cobra.CompletionFunc{
		"theme":   fixed("auto", "dark", "light", "mono", "contrast", "safe"),
		"tls-min": fixed("1.2", "1.3"),
		"profile": c.completeProfiles,
		"servers": cobra.NoFileCompletions,
		"root": func(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return c.below(cmd, nil, typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		},
		"output": func(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return strings.Fields(cmd.Annotations[Outputs]), cobra.ShellCompDirectiveNoFileComp
		},
	} {
		_ = root.RegisterFlagCompletionFunc(flag, f) // of a flag that is not there nothing is completed
	}
}

// completeProfiles lists the profiles of the configuration file.
func (c *Line) completeProfiles(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	name := c.Flags.profile
	c.Flags.profile = "" // what is typed is not one yet
	_ = c.Settings(nil)
	c.Flags.profile = name
	return slices.Sorted(maps.Keys(c.Cfg.Profiles)), cobra.ShellCompDirectiveNoFileComp
}
