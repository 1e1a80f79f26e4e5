package monitor

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/live"
	"github.com/zkscope/zkscope/internal/metrics"
	"github.com/zkscope/zkscope/internal/webgate"
)

// Export serves what is seen to Prometheus.
func Export(c *command.Line) command.Subcommand {
	var listen, webConfig, thresholds string
	var opts metrics.Options
	return command.Subcommand{Use: "export [SERVERS]", GoesOn: true, Short: "serve metrics of the recipes to Prometheus",
		Long: "Follow an ensemble and serve metrics of its recipes at /metrics, until it is ended: who holds and for how long, how many\n" +
			"wait, how long holds and waits take, what is wrong. It costs the ensemble what a console costs, however often it is scraped.",
		Example: "  zkscope export zk1:2181,zk2:2181 --listen 127.0.0.1:9642\n  zkscope export --profile prod --listen :9642 --web-config web.yml",
		Flags: func(fs *pflag.FlagSet) {
			fs.StringVar(&listen, "listen", "127.0.0.1:9642", "where to serve, as host:port")
			fs.StringVar(&webConfig, "web-config", "", "TLS and passwords of the page, in a file of the form that Prometheus' exporters take")
			look.ThresholdsFlag(fs, &thresholds)
			fs.IntVar(&opts.Recipes, "max-recipes", 1000, "export this many recipes one by one, the busiest; the rest as totals")
			fs.BoolVar(&opts.Owners, "owners", false, "export the holder's name as a label")
		},
		Run: func(ctx context.Context, in command.Invocation) error {
			t, err := c.Target(in.Args, false)
			if err != nil {
				return err
			}
			if opts.Recipes < 0 {
				return world.Fail(world.ExitUsage, "--max-recipes takes a number that is not negative")
			}
			gate, err := webgate.Open(webConfig)
			if err != nil {
				return world.Fail(world.ExitUsage, "--web-config: %w", err)
			}
			l, err := net.Listen("tcp", listen)
			if err != nil {
				return world.Fail(world.ExitError, "cannot listen at %s: %w; choose another address", say.Printable(listen), world.RootCause(err))
			}
			defer l.Close()
			src, err := look.FollowUnder(ctx, c, t, thresholds)
			if err != nil {
				return err
			}
			defer src.Close()
			opts.Now = c.Now
			return serve(ctx, c, src, metrics.New(opts), l, gate)
		}}
}

// serve feeds the exporter and answers scrapes until the context or the server ends.
func serve(ctx context.Context, c *command.Line, src *live.Source, e *metrics.Exporter, l net.Listener, gate *webgate.Gate) error {
	reg := prometheus.NewRegistry()
	reg.MustRegister(e)
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(reg, promhttp.HandlerOpts{EnableOpenMetrics: true}))
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "zkscope serves metrics at /metrics") })
	srv := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	guard.Go(func() { ended <- gate.Serve(l, srv) })
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	watched := make(chan struct{})
	guard.Go(func() {
		defer close(watched)
		select {
		case err := <-ended:
			stop(err)
		case <-ctx.Done():
		}
	})
	fmt.Fprintf(c.Out, "serving http://%s/metrics\n", l.Addr())
	outage := look.Outage{Meanwhile: "what is served is from before"}
	err := src.Follow(ctx, c.Hints(), 500*time.Millisecond, func(m live.Update) error {
		outage.Tell(c.Err, c.Now(), !m.Result.Snapshot.LostSince.IsZero(), m.Link.Cause)
		up := 0
		for _, s := range m.Servers {
			if s.Up {
				up++
			}
		}
		e.Feed(metrics.Feed{Result: m.Result, Findings: m.Findings, Events: m.Events, Requests: m.Link.Requests, Hidden: m.Hidden, Servers: up, Asked: len(m.Servers)})
		return nil
	})
	if err != nil {
		err = look.ConnectError(err)
	}
	if cause := context.Cause(ctx); err == nil && cause != nil && !errors.Is(cause, context.Canceled) {
		err = world.Fail(world.ExitUsage, "serving ended: %w", cause)
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = srv.Shutdown(closing)
	stop(nil)
	<-watched
	return err
}
