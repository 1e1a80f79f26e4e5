package console

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/show"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/demo"
	"github.com/zkscope/zkscope/internal/live"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/recipes"
	"github.com/zkscope/zkscope/tui"
)

// DemoStage opens the console on a stage of our own.
func DemoStage(c *command.Line) command.Subcommand {
	var listen, scenario string
	var headless bool
	return command.Subcommand{Use: "demo", GoesOn: true, Short: "look around on an embedded server where clients contend for locks and elections",
		Long: "demo starts a ZooKeeper server in memory and clients that contend for locks, shared locks and elections in\n" +
			"several dialects, with something going wrong now and then, and opens the console on it, armed.\n" +
			"Without a terminal it prints one picture of the stage.",
		Formats: command.TableOrJSON,
		Flags: func(fs *pflag.FlagSet) {
			fs.StringVar(&listen, "listen", "", "serve the stage at this address, as 127.0.0.1:2181, to other clients")
			fs.StringVar(&scenario, "scenario", "all", "what is played: "+strings.Join(demo.Names(), ", "))
			fs.BoolVar(&headless, "headless", false, "run without a console until interrupted")
		},
		Run: func(ctx context.Context, _ command.Invocation) error {
			if c.Flags.From != "" {
				return world.Fail(world.ExitUsage, "demo plays on a server of its own; --from does not go with it")
			}
			return play(ctx, c, listen, scenario, headless)
		}}
}

func play(ctx context.Context, c *command.Line, listen, scenario string, headless bool) error {
	if headless && listen == "" {
		return world.Fail(world.ExitUsage, "--headless without --listen would play where nobody can see it: add --listen 127.0.0.1:PORT")
	}
	if _, err := demo.Find(scenario); err != nil {
		return world.Failure{Code: world.ExitUsage, Err: err}
	}
	start, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	stage, err := demo.Start(start, demo.Options{Scenario: scenario})
	if err != nil {
		return err
	}
	defer stage.Close()
	if listen != "" {
		addr, err := stage.Listen(listen)
		if err != nil {
			return world.Fail(world.ExitError, "cannot listen at %s: %w; choose another address", say.Printable(listen), world.RootCause(err))
		}
		if headless || !c.OutTTY {
			fmt.Fprintf(c.Out, "serving at %s\n", addr)
		}
	}
	if headless {
		<-ctx.Done()
		return nil
	}
	c.Flags.Admin = []string{"off"} // the stage has client ports only
	conn := zkc.Config{Servers: []string{"demo:2181"}, Session: c.Flags.Session, ReadOnly: true, Dial: stage.Dial}
	if needTerminal(c) != nil {
		return printStage(ctx, c, conn)
	}
	return newRun(c).stage(ctx, conn, stage)
}

// printStage prints what stands on the stage.
func printStage(ctx context.Context, c *command.Line, conn zkc.Config) error {
	q := look.Query{Root: c.Flags.Root}
	seen, err := look.Once(ctx, c, conn, q, nil)
	if err != nil {
		return err
	}
	if c.Flags.Output == "json" {
		return c.PrintJSON(story.NewReport(seen.Result))
	}
	r := &look.Reading{Line: c, Seen: seen, Query: q}
	show.PrintAll(r)
	fmt.Fprintln(c.Out, "this is the demo's stage; on a terminal zkscope demo shows it live")
	return nil
}

// stage shows the demo's stage.
func (c *consoleRun) stage(ctx context.Context, conn zkc.Config, stage *demo.Stage) error {
	conn.Log = slog.New(slog.NewTextHandler(&c.log, nil))
	src, err := live.Open(ctx, look.LiveConfig(c.Line, conn, look.Query{Root: c.Flags.Root}), "demo", c.Flags.ReadOnly)
	if err != nil {
		return err
	}
	defer src.Close()
	dir, err := os.MkdirTemp("", "zkscope-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) // what is done to the stage is nobody's business afterwards
	audit, err := actions.OpenAudit(filepath.Join(dir, "audit.jsonl"))
	if err != nil {
		return err
	}
	ac := actions.Config{Conn: recipes.Config{Servers: conn.Servers, Dial: stage.Dial}, Name: "demo", Audit: audit, ReadOnly: c.Flags.ReadOnly, Now: c.Now}
	o := tui.Options{Source: src, Audit: audit.Records, Caption: stage.Caption(), Armed: !c.Flags.ReadOnly}
	return c.alone(ctx, o, func(p *prepared) error { return c.equip(p, ac) })
}
