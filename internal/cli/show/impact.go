package show

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/term"
)

// Impact predicts what would follow if a host or a session went.
func Impact(c *command.Line) command.Subcommand {
	return look.Reads(c, look.Reader{
		Subcommand: command.Subcommand{Use: "impact HOST|SESSION [SERVERS]", Short: "show what would be released if a host or a session went now, who is next, and what has no successor", Formats: command.TableOrJSON},
		Own:        1,
		Aim: func(_ *look.Query, own []string) error {
			if who := own[0]; strings.TrimSpace(who) == "" || strings.HasPrefix(who, "/") {
				return world.Fail(world.ExitUsage, "impact takes a host, an address, an owner's name or a session: %s is none", term.Safe(who))
			}
			return nil
		},
		Print: func(ctx context.Context, r *look.Reading) error { return tellImpact(ctx, r, r.Own[0]) },
	})
}

func tellImpact(ctx context.Context, r *look.Reading, who string) error {
	res := r.Result
	ids := waits.SessionsFor(res, who, lookup(ctx, r.Resolver, who)...)
	all := len(ids)
	if _, byID := znode.ParseSessionID(who); !byID {
		ids = slices.DeleteFunc(ids, func(id znode.SessionID) bool { return id == r.Self }) // this look ends with us
	}
	if len(ids) == 0 {
		hint := say.Either(all > 0, " but that of this very look", "")
		if res.Snapshot.Sessions == nil {
			hint = "; no server reports who is connected from where, so only names and ids in znodes could be looked at (zkscope doctor says what to open)"
		}
		return world.Fail(world.ExitNotFound, "no session is known as %s%s", term.Safe(who), hint)
	}
	im := waits.ImpactOf(res, ids...)
	if r.Flags.Output == "json" {
		if err := r.PrintJSON(story.NewImpactReport(res, im)); err != nil {
			return err
		}
	} else {
		printImpact(r, who, im)
	}
	if im.Unsafe > 0 {
		return world.Fail(world.ExitFindings, "not safe: %d of what %s has would be left without a successor", im.Unsafe, term.Safe(who))
	}
	return nil
}

func printImpact(r *look.Reading, who string, im *waits.Impact) {
	r.Head()
	names := waits.Labels(r.Result)
	var list []string
	for _, id := range im.Sessions {
		list = append(list, named1(names, id))
	}
	if n := len(list) - 5; n > 0 {
		list = append(list[:5], "and "+say.Plural(n, "more session", "more sessions"))
	}
	fmt.Fprintf(r.Out, "if %s went now: %s of %s\n", term.Safe(who), say.Plural(len(im.Releases), "claim", "claims"), strings.Join(list, ", "))
	for _, release := range im.Releases {
		mark := map[model.Answer]string{model.Yes: "  ", model.NotKnown: "? ", model.No: "! "}[release.Safe]
		wakes := ""
		if release.Wakes != nil && *release.Wakes > 0 {
			wakes = fmt.Sprintf(" (%d woken)", *release.Wakes)
		}
		fmt.Fprintln(r.Out, mark+term.Safe(release.Text)+wakes)
	}
	for _, p := range im.Unread {
		fmt.Fprintf(r.Out, "? %s belongs to them, as the servers list it, but was not read\n", term.Safe(p))
	}
	if im.Blind {
		fmt.Fprintln(r.Out, "? not everything was read, and no server reports which ephemeral znodes are theirs: there may be more")
	}
	for i, p := range im.Other {
		if i == 20 {
			fmt.Fprintf(r.Out, "  and %d more ephemeral znodes\n", len(im.Other)-i)
			break
		}
		fmt.Fprintf(r.Out, "  ephemeral znode %s: gone\n", term.Safe(p))
	}
	if r.Snapshot.SessionsPartial || r.Snapshot.Sessions == nil {
		fmt.Fprintln(r.Out, "  not every server reports who is connected from where: there may be more sessions")
	}
}
