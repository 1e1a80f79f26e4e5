package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/term"
)

// impactCommand predicts what would follow if a host or a session went.
func (c *command) impactCommand() *cobra.Command {
	return &cobra.Command{
		Use: "impact HOST|SESSION [SERVERS]", Short: "say what would be released if a host or a session went now, who is next, and what has no successor",
		Args: between(1, 2, "HOST|SESSION [SERVERS]"),
		RunE: action(func(ctx context.Context, args []string) error {
			if err := c.flags.format("table", "json"); err != nil {
				return err
			}
			t, err := c.target(args[1:], false)
			if err != nil {
				return err
			}
			if strings.TrimSpace(args[0]) == "" || strings.HasPrefix(args[0], "/") {
				return fail(exitUsage, "impact takes a host, an address, an owner's name or a session: %s is none", term.Safe(args[0]))
			}
			res, err := c.read(ctx, t)
			if err != nil {
				return err
			}
			return c.impact(ctx, res, args[0])
		}),
	}
}

func (c *command) impact(ctx context.Context, res *model.Result, who string) error {
	ids := waits.SessionsFor(res, who, lookup(ctx, who)...)
	all := len(ids)
	if _, byID := znode.ParseSessionID(who); !byID {
		ids = slices.DeleteFunc(ids, func(id znode.SessionID) bool { return id == c.seen.self }) // this look ends with us
	}
	if len(ids) == 0 {
		hint := ""
		if all > 0 {
			hint = " but that of this very look"
		}
		if res.Snapshot.Sessions == nil {
			hint = "; no server tells who is connected from where, so only names and ids in znodes could be looked at (zkscope doctor says what to open)"
		}
		return fail(exitNotFound, "no session is known as %s%s", term.Safe(who), hint)
	}
	im := waits.ImpactOf(res, ids...)
	if c.flags.output == "json" {
		if err := c.printJSON(story.NewImpactReport(res, im)); err != nil {
			return err
		}
	} else {
		c.printImpact(res, who, im)
	}
	if im.Unsafe > 0 {
		return fail(exitFindings, "not safe: %d of what %s has would be left without a successor", im.Unsafe, term.Safe(who))
	}
	return nil
}

func (c *command) printImpact(res *model.Result, who string, im *waits.Impact) {
	c.asOf(res)
	c.printSources(res)
	names := waits.Labels(res)
	var list []string
	for _, id := range im.Sessions {
		list = append(list, named1(names, id))
	}
	if n := len(list) - 5; n > 0 {
		list = append(list[:5], fmt.Sprintf("and %d more sessions", n))
	}
	fmt.Fprintf(c.Out, "if %s went now: %d claims of %s\n", term.Safe(who), len(im.Releases), strings.Join(list, ", "))
	for _, r := range im.Releases {
		mark := map[model.Answer]string{model.Yes: "  ", model.NotKnown: "? ", model.No: "! "}[r.Safe]
		wakes := ""
		if r.Wakes != nil && *r.Wakes > 0 {
			wakes = fmt.Sprintf(" (%d woken)", *r.Wakes)
		}
		fmt.Fprintln(c.Out, mark+term.Safe(r.Text)+wakes)
	}
	for _, p := range im.Unread {
		fmt.Fprintf(c.Out, "? %s belongs to them, as the servers list it, but was not read\n", term.Safe(p))
	}
	if im.Blind {
		fmt.Fprintln(c.Out, "? not everything was read, and no server tells which ephemeral znodes are theirs: there may be more")
	}
	for i, p := range im.Other {
		if i == 20 {
			fmt.Fprintf(c.Out, "  and %d more ephemeral znodes\n", len(im.Other)-i)
			break
		}
		fmt.Fprintf(c.Out, "  ephemeral znode %s: gone\n", term.Safe(p))
	}
	if res.Snapshot.SessionsPartial || res.Snapshot.Sessions == nil {
		fmt.Fprintln(c.Out, "  not every server tells who is connected from where: there may be more sessions")
	}
}
