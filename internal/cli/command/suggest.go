package command

import (
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/world"
)

// commandNames are the names of a command's subcommands.
func commandNames(cmd *cobra.Command) (out []string) {
	for _, sub := range cmd.Commands() {
		out = append(out, sub.Name())
	}
	return out
}

// Mistyped says that what stands for the servers looks like a command: a bare word, close to one.
func Mistyped(cmd *cobra.Command, args []string) error {
	if len(args) != 1 || strings.IndexFunc(args[0], func(r rune) bool { return !unicode.IsLetter(r) && r != '-' }) >= 0 {
		return nil
	}
	if hint := world.Meant(args[0], commandNames(cmd)); hint != "" {
		return world.Fail(world.ExitUsage, "there is no command %s%s a server of that name is written %s:2181", say.Printable(args[0]), hint, say.Printable(args[0]))
	}
	return nil
}

// HelpCommand is help, which fails where there is nothing to tell about.
func HelpCommand() *cobra.Command {
	return &cobra.Command{Use: "help [COMMAND]", Short: "show help for a command", RunE: func(cmd *cobra.Command, args []string) error {
		root := cmd.Root()
		found, rest, err := root.Find(args)
		if err != nil || len(rest) > 0 || len(args) > 0 && found == root {
			return world.Fail(world.ExitUsage, "there is no command %s%s", say.Printable(strings.Join(args, " ")), world.Meant(args[0], commandNames(root)))
		}
		found.InitDefaultHelpFlag()
		found.InitDefaultVersionFlag()
		return found.Help()
	}}
}
