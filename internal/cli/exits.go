package cli

import (
	"github.com/zkscope/zkscope/internal/cli/world"
)

// Exit is an exit code and what it means, in one line of plain text.
type Exit struct {
	Code  int
	Means string
}

// Exits lists every exit code of zkscope, in their order, for those who print pages about them. `check -o nagios` has those of
// Nagios' plugins instead, and join those of the command that it runs.
func Exits() []Exit {
	return []Exit{
		{world.ExitOK, "fine. What was found may be bad all the same, and the picture incomplete: only check and impact say so by their exit code"},
		{world.ExitError, "an error; an outcome that is not known; output that was lost; a path that was not read, or a znode of which it is not known whether it is a recipe. diff: something differs. watch: --for was over before --until was met"},
		{world.ExitUsage, "the command line or the configuration is wrong, or the console has no terminal. diff: whether anything differs could not be found out"},
		{world.ExitFindings, "check: findings of severity --fail-on or above. config check: something is wrong with the file. impact: not safe"},
		{world.ExitNotFound, "not found: known not to exist, or known not to be a recipe or claim that the command can act on"},
		{world.ExitRefused, "refused, and nothing changed: read-only, a holder that cannot be asked, no pin or --yes, a guard that failed, an audit log that cannot be written. revoke: asked, and still held after --follow"},
		{world.ExitConnect, "cannot connect"},
		{world.ExitUnlogged, "done, but the outcome could not be written to the audit log, which holds the intent alone"},
		{world.ExitOwn, "join with a command: join itself failed; any other code is the command's own"},
		{world.ExitUnread, "nobody reads the output any more, as after `| head`; SIGPIPE, as a shell tells it"},
	}
}
