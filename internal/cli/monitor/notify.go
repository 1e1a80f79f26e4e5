package monitor

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/config"
	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/live"
	"github.com/zkscope/zkscope/internal/notify"
)

// webhookVar is where the webhook's URL may stand: it is a secret of most chats.
const webhookVar = "ZKSCOPE_WEBHOOK"

// telling is what notify was asked for.
type telling struct {
	url, file, form, least string
	thresholds             string // a file of limits
	after                  time.Duration
	ignore                 []string
}

// Notifier posts findings that begin and end to a webhook.
func Notifier(c *command.Line) command.Subcommand {
	o := telling{form: string(notify.Slack), least: "high", after: 30 * time.Second}
	return command.Subcommand{Use: "notify [SERVERS]", GoesOn: true, Short: "tell a webhook of findings that begin and end",
		Long: "Follow an ensemble and post each finding that begins, and that ends, to a webhook, until it is ended. A finding is reported once,\n" +
			"when it has been there for --for; what the webhook does not take is tried again. A finding that is there at the start counts too.\n" +
			"While there is no connection nothing ends: what is not seen is not known. The URL is read from --webhook-file or " + webhookVar + ",\n" +
			"since for most chats it is a secret; --webhook is for a URL that is not.",
		Example: "  zkscope notify zk1:2181 --webhook-file /etc/zkscope/slack\n  zkscope notify --profile prod --format alertmanager --webhook http://alerts:9093/api/v2/alerts --least medium",
		Flags: func(fs *pflag.FlagSet) {
			fs.StringVar(&o.url, "webhook", "", "where to post, for a URL that is not a secret")
			fs.StringVar(&o.file, "webhook-file", "", "a file with the URL, which only you can read")
			fs.StringVar(&o.form, "format", o.form, "format of the messages: slack, alertmanager or json")
			look.ThresholdsFlag(fs, &o.thresholds)
			fs.StringVar(&o.least, "least", o.least, "the lowest severity to report: low, medium or high")
			fs.DurationVar(&o.after, "for", o.after, "how long a finding must be there, or be gone, before it is reported")
			fs.StringSliceVar(&o.ignore, "ignore", nil, "codes of findings to leave out")
		},
		Run: func(ctx context.Context, in command.Invocation) error {
			to, err := o.check(c)
			if err != nil {
				return err
			}
			t, err := c.Target(in.Args, false)
			if err != nil {
				return err
			}
			src, err := look.FollowUnder(ctx, c, t, o.thresholds)
			if err != nil {
				return err
			}
			defer src.Close()
			return tellWebhook(ctx, c, src, cmp.Or(c.ProfileInUse(), t.Name), to, o)
		}}
}

// check finds what is wrong with the flags, and the URL.
func (o *telling) check(c *command.Line) (to string, err error) {
	if _, ok := look.Severities[o.least]; !ok {
		return "", world.Fail(world.ExitUsage, "--least %s: it is one of low, medium, high", say.Printable(o.least))
	}
	if err := knownCodes(o.ignore); err != nil {
		return "", err
	}
	known := false
	for _, f := range notify.Forms() {
		known = known || string(f) == o.form
	}
	if !known {
		return "", world.Fail(world.ExitUsage, "--format %s: it is one of slack, alertmanager, json", say.Printable(o.form))
	}
	to = cmp.Or(o.url, c.Getenv(webhookVar))
	if o.file != "" {
		if err := config.Private(o.file); err != nil {
			return "", world.Fail(world.ExitUsage, "--webhook-file: %w", err)
		}
		b, err := os.ReadFile(o.file)
		if err != nil {
			return "", world.Fail(world.ExitUsage, "--webhook-file: %w", err)
		}
		to = strings.TrimSpace(string(b))
	}
	if !strings.HasPrefix(to, "http://") && !strings.HasPrefix(to, "https://") {
		return "", world.Fail(world.ExitUsage, "where to? give the URL, http:// or https://, by --webhook-file, %s or --webhook", webhookVar)
	}
	return to, nil
}

// tellWebhook follows a source and tells the webhook of it until the context ends.
func tellWebhook(ctx context.Context, c *command.Line, src *live.Source, name, to string, o telling) error {
	c.Err = world.Shared(c.Err) // the sender writes to it beside us
	sender := notify.NewSender(to, func(text string) { fmt.Fprintln(c.Err, "zkscope: "+say.Printable(text)) })
	defer sender.Close(5 * time.Second)
	form := notify.Form(o.form)
	send := func(all []notify.Alert) {
		if body, err := form.Body(all); err == nil && len(all) > 0 {
			sender.Send(body)
		}
	}
	var mu sync.Mutex
	tracker := notify.Tracker{For: o.after}
	ticking, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	guard.Go(func() {
		defer close(done)
		tick(ticking, c, func(n int, now time.Time) {
			mu.Lock()
			tell := tracker.Tick(now)
			if form == notify.Alertmanager && n%int(notify.Again/time.Second) == 0 {
				tell = append(tell, tracker.Standing()...)
			}
			mu.Unlock()
			send(tell)
		})
	})
	defer func() { stop(); <-done }()
	fmt.Fprintf(c.Out, "watching %s\n", say.Printable(name))
	outage := look.Outage{Meanwhile: "what begins or ends now is told when it is back"}
	err := src.Follow(ctx, c.Hints(), 500*time.Millisecond, func(m live.Update) error {
		outage.Tell(c.Err, c.Now(), !m.Result.Snapshot.LostSince.IsZero(), m.Link.Cause)
		whole := m.Result.Snapshot.Complete && m.Result.Snapshot.LostSince.IsZero()
		mu.Lock()
		tell := tracker.Look(c.Now(), alertsOf(m.Result, name, o), whole)
		mu.Unlock()
		send(tell)
		return nil
	})
	if err != nil {
		err = look.ConnectError(err)
	}
	return err
}

// tick calls f each second, with how often it has been called.
func tick(ctx context.Context, c *command.Line, f func(n int, now time.Time)) {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			f(n, c.Now())
		}
	}
}

// alertsOf are the findings that are told of.
func alertsOf(res *model.Result, ensemble string, o telling) (out []notify.Alert) {
	ignored := map[string]bool{}
	for _, code := range o.ignore {
		ignored[code] = true
	}
	for _, l := range look.FindingsOf(res) {
		if l.Finding.Severity < look.Severities[o.least] || ignored[l.Finding.Code] {
			continue
		}
		path := ""
		switch {
		case l.Model != nil:
			path = l.Model.Path
		case len(l.Finding.Paths) > 0:
			path = l.Finding.Paths[0]
			if m, _, _ := res.RecipeAt(path); m != nil {
				path = m.Path
			}
		}
		out = append(out, notify.Alert{Ensemble: ensemble, Code: l.Finding.Code, Severity: l.Finding.Severity.String(), Path: say.Printable(path), Text: say.Printable(l.Finding.Text)})
	}
	return out
}
