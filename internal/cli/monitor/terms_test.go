package monitor_test

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/monitor"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/limits"
	"github.com/zkscope/zkscope/internal/live"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// What the configuration hides is left out of lists, which say so; who asks for it by name, or for all, sees it.
func TestHiddenPaths(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	s.Contend()
	file := clitest.Written(t, "config.yaml", "hidden: [/locks/b]\nprofile: p\nprofiles:\n  p: {servers: \""+s.Addr+"\", hidden: [/nothing/**]}\n")
	run := func(args ...string) string {
		t.Helper()
		code, out, errs := s.Run("", append(args, "--config", file)...)
		if code != world.ExitOK || errs != "" {
			t.Errorf("%v: exit %d: %s", args, code, errs)
		}
		return out
	}
	const says = "1 recipe is hidden by "
	for _, args := range [][]string{{"ls"}, {"ls", "/locks"}, {"check"}} {
		if out := run(args...); strings.Contains(out, "/locks/b") || !strings.Contains(out, says+file+"; --hidden shows it\n") {
			t.Errorf("%v: %s", args, out)
		}
	}
	for _, args := range [][]string{{"ls", "--hidden"}, {"ls", "/locks/b"}, {"show", "/locks/b"}} {
		if out := run(args...); !strings.Contains(out, "/locks/b") || strings.Contains(out, says) {
			t.Errorf("%v: %s", args, out)
		}
	}
	var r story.Report
	if err := json.Unmarshal([]byte(run("ls", "-o", "json")), &r); err != nil || r.Hidden != 1 || len(r.Recipes) != 1 {
		t.Errorf("%v: %d hidden, %d told", err, r.Hidden, len(r.Recipes))
	}
	out := run("config")
	for _, want := range []string{"/locks/b", file + ":1", "/nothing/**", file + ":4"} {
		if !strings.Contains(out, want) {
			t.Errorf("config: no %s in %s", want, out)
		}
	}
	bad := clitest.Written(t, "config.yaml", "hidden:\n- locks\n")
	s.Fails(world.ExitUsage, bad+":2: hidden: \"locks\" is not a glob of a path", "ls", s.Addr, "--config", bad)
	if code, out, _ := s.Run("", "config", "check", bad); code != world.ExitFindings || !strings.Contains(out, bad+":2: hidden: ") {
		t.Errorf("config check: exit %d %s", code, out)
	}
}

// What is followed is weighed as what is looked at once: a limit that time alone exceeds is told, too, and what is hidden is
// counted.
func TestWhatIsFollowedIsWeighed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := zkserver.New(zkserver.Options{})
		defer server.Close()
		conn := zkc.Config{Servers: []string{"zk1"}, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) { return server.Dial(ctx) }}
		c, err := zkc.Dial(t.Context(), conn)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		for _, path := range []string{"/locks", "/locks/a", "/locks/a/_c_0a1b2c3d-0000-4000-8000-000000000001-lock-0000000000", "/q", "/q/queue-0000000001"} {
			if _, err := c.Create(t.Context(), path, []byte("job"), 0, nil); err != nil {
				t.Fatal(err)
			}
		}
		terms := limits.Terms{Hidden: []string{"/q"}, Rules: []limits.Rule{{Severity: model.High, From: "x:1", Most: map[limits.Measure]int64{limits.Held: int64(time.Hour)}}}}
		src, err := live.Open(t.Context(), live.Config{Conn: conn, FourLetter: []string{"off"}, Admin: []string{"off"}, Now: time.Now, Judge: look.Judge(terms)}, "zk1", true)
		if err != nil {
			t.Fatal(err)
		}
		defer src.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Hour)
		defer cancel()
		begin, over := time.Now(), time.Duration(0)
		err = src.Follow(ctx, model.Hints{}, time.Second, func(u live.Update) error {
			if u.Hidden != 1 || u.Result.ByPath("/q") != nil || u.Waits.Result.ByPath("/q") == nil {
				t.Fatalf("%d hidden", u.Hidden)
			}
			for _, f := range u.Findings {
				if f.Code == model.CodeOverThreshold {
					over = time.Since(begin)
					return monitor.ErrMet
				}
			}
			return nil
		})
		if err != monitor.ErrMet || over < time.Hour || over > time.Hour+time.Minute {
			t.Errorf("%v: told after %v", err, over)
		}
	})
}

// fetched is a page.
func fetched(t *testing.T, url string) string {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	defer http.DefaultClient.CloseIdleConnections()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// export and notify take limits from a file, as check does.
func TestExportAndNotifyTakeThresholds(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	s.Contend()
	file := clitest.Written(t, "limits.yaml", "thresholds:\n- {kind: lock, waiting: 0, severity: high}\n")
	p := clitest.Start(t, "export", s.Addr, "--listen", "127.0.0.1:0", "--thresholds", file, "--admin", "off")
	peers.WaitFor(t, 20*time.Second, "it serves", func() bool { return strings.Contains(p.Printed(), "/metrics") })
	url := strings.TrimSpace(p.Printed()[strings.Index(p.Printed(), "http"):])
	peers.WaitFor(t, 20*time.Second, "what is over the limit", func() bool {
		page := fetched(t, url)
		return strings.Contains(page, `zkscope_findings{code="over-threshold",severity="high"} 2`) && strings.Contains(page, "zkscope_recipes_hidden 0")
	})
	p.End(t)
	s.Fails(world.ExitUsage, "--thresholds: open /nowhere", "notify", s.Addr, "--webhook", "http://127.0.0.1:1/", "--thresholds", "/nowhere")
	s.Fails(world.ExitUsage, "--thresholds: open /nowhere", "export", s.Addr, "--listen", "127.0.0.1:0", "--thresholds", "/nowhere")
}
