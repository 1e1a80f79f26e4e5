package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/recipes"
)

// voteCommand writes a site's vote.
func (c *command) voteCommand() *cobra.Command {
	var reason string
	cmd := &cobra.Command{Use: "vote TX-PATH SITE commit|abort", Short: "vote for a site of a two-phase commit",
		Long: "vote writes the vote of a site to its znode below the transaction's, where it has not voted yet. To give the same\n" +
			"vote again is no error. Servers come from --servers or ZKSCOPE_SERVERS only.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 3 {
				return fmt.Errorf("vote takes a transaction's path, a site and commit or abort, not %d arguments; servers go into --servers", len(args))
			}
			return nil
		},
		RunE: action(func(ctx context.Context, args []string) error { return c.vote(ctx, args[0], args[1], args[2], reason) })}
	cmd.Flags().StringVar(&reason, "reason", "", "why, for the audit log")
	return cmd
}

func (c *command) vote(ctx context.Context, tx, site, vote, reason string) error {
	tx = strings.TrimRight(tx, "/")
	switch {
	case c.flags.from != "":
		return fail(exitUsage, "--from reads a file: there is nothing to vote in")
	case !strings.HasPrefix(tx, "/"):
		return fail(exitUsage, "a transaction's path begins with a slash and is not the root")
	case site == "" || strings.Contains(site, "/"):
		return fail(exitUsage, "%s is no site: give the name of a child of %s", inspect.Printable(site), inspect.Printable(tx))
	case vote != string(recipes.Commit) && vote != string(recipes.Abort):
		return fail(exitUsage, "%s is no vote: only the exact words commit and abort count", inspect.Printable(vote))
	}
	if err := c.flags.format("table", "json"); err != nil {
		return err
	}
	_, cfg, err := c.takePart()
	if err != nil {
		return err
	}
	joiner, err := actions.NewJoiner(cfg)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, c.flags.timeout)
	defer cancel()
	already, err := joiner.Vote(ctx, actions.Ballot{Path: tx, Site: site, Commit: vote == string(recipes.Commit), Reason: reason})
	if errors.Is(err, recipes.ErrNotFound) {
		return fail(exitNotFound, "%s has no site %s: zkscope show %s lists them; where sites make their own znodes, join as that site", inspect.Printable(tx), inspect.Printable(site), inspect.Printable(tx))
	}
	if err != nil {
		return joinError(err)
	}
	if c.flags.output == "json" {
		b, _ := json.Marshal(map[string]any{"schema": 1, "path": inspect.Printable(tx), "site": inspect.Printable(site), "vote": vote})
		_, err = fmt.Fprintf(c.Out, "%s\n", b)
		return err
	}
	had := map[bool]string{true: "had already voted", false: "voted"}[already]
	_, err = fmt.Fprintf(c.Out, "%s %s %s in %s\n", inspect.Printable(site), had, vote, inspect.Printable(tx))
	return err
}
