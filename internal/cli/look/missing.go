package look

import (
	"fmt"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/term"
)

// NotThere is the error of a path without a znode: why says why it was not read, and is empty where none exists.
func NotThere(c *command.Line, path, why string) error {
	switch {
	case why == "":
		return world.Fail(world.ExitNotFound, "%s does not exist", term.Safe(path))
	case c.Flags.From != "":
		return world.Fail(world.ExitError, "%s was not read: %s; whether it exists the file does not tell, zkscope show %s asks the servers", term.Safe(path), why, world.ShellWord(path))
	}
	return world.Fail(world.ExitError, "%s was not read: %s; whether it exists is not known, zkscope doctor says what may be read", term.Safe(path), why)
}

// Unclear is the error of a znode of which it is not known whether it is a recipe, for the reason given; nil without one.
func Unclear(c *command.Line, n *znode.Node, path, why string) error {
	next := ""
	switch {
	case why == "":
		return nil
	case c.Flags.From != "":
		next = "zkscope show " + world.ShellWord(path) + " asks the servers"
	case n.Has(znode.NamesRead):
		next = fmt.Sprintf("--max-children %d reads all of them", n.NumChildren)
	case n.Has(znode.Unreadable):
		next = "give a credential with permission in $ZKSCOPE_AUTH"
	default:
		next = "--hint says what it is"
	}
	return world.Fail(world.ExitError, "whether %s is a recipe, or part of one, is not known: %s; %s", term.Safe(path), why, next)
}

// NoRecipe says what stands at a path where no recipe does.
func NoRecipe(res *model.Result, path string) string {
	switch k := res.EmptyParent(path); {
	case k == "":
	case !k.Leads():
		return ": nobody holds it; an empty lock directory"
	default:
		return ": nobody leads; an empty directory of an election"
	}
	if m, _, how := res.RecipeAt(path); how == model.Below {
		return " is not part of " + m.Kind.OneOf() + " above it, " + term.Safe(m.Path)
	}
	return " is not a recipe that zkscope knows"
}

// RecipeOf is the recipe that the znode at a path is, or is a claim or a part of; nil: none.
func RecipeOf(res *model.Result, path string) *model.Model {
	m, _, how := res.RecipeAt(path)
	if how == model.Below {
		return nil
	}
	return m
}
