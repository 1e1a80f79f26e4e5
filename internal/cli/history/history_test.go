package history_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/history"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// The samples of real servers tell who held for how long, and how it ended; the numbers are those of the records.
func TestHistoryOfTheSamples(t *testing.T) {
	s := &clitest.Shell{T: t, Does: cli.Run}
	read := func(from, path string) (h history.HistoryReport) {
		t.Helper()
		code, out, errs := s.Run("", "history", "--from", clitest.Samples+from, path, "-o", "json")
		if err := json.Unmarshal([]byte(out), &h); code != 0 || err != nil {
			t.Fatalf("exit %d: %s%s %v", code, out, errs, err)
		}
		return h
	}
	h := read("contention", "/locks/orders")
	for i, want := range []history.StayReport{{Owner: "web-1", WaitedMs: 0, HeldMs: 1015, Of: 1}, {Owner: "web-2", Position: 1, WaitedMs: 1005, HeldMs: 711, Of: 2}, {Owner: "web-3", Position: 2, WaitedMs: 1509, HeldMs: 410, Of: 3}} {
		if c := h.Claims[i]; c.Owner != want.Owner || c.WaitedMs != want.WaitedMs || c.HeldMs != want.HeldMs || c.Position != want.Position || c.Of != want.Of || c.How != "released" || *c.By != *c.Session {
			t.Errorf("%+v", c)
		}
	}
	if len(h.Claims) != 3 || h.Changes != 2 || h.Hold.P50Ms != 711 || h.Hold.MaxMs != 1015 || len(h.Nobody) != 1 || h.Nobody[0].Ms != 539 {
		t.Errorf("%+v", h)
	}
	h = read("expiry", "/locks/nightly")
	c := h.Claims[0]
	if c.Owner != "batch-1" || c.How != "expired" || c.HeldMs != 4118 || *c.LeftZxid != "0x32" || c.Silent[0] != "2026-11-28T09:31:17.586Z" || c.Silent[1] != "2026-11-28T09:31:17.704Z" ||
		!strings.HasSuffix(*c.Record, "expiry/log.1b:2684") {
		t.Errorf("%+v", c)
	}
	if c = h.Claims[1]; c.Owner != "batch-2" || c.How != "released" || c.WaitedMs != 4104 || c.HeldMs != 807 {
		t.Errorf("%+v", c)
	}
	if h = read("contention", "/el"); h.Claims[1].How != "closed" || h.Claims[0].How != "" || h.Claims[0].Held == nil {
		t.Errorf("%+v", h.Claims)
	}
	for _, x := range []struct {
		args string
		code int
		says string
	}{
		{"history --from ../../txnlog/testdata/contention /nothing", world.ExitNotFound, "no recipe stood at /nothing between 2026-11-28T09:30:14.381Z and"},
		{"history /locks/orders", world.ExitUsage, "servers cannot be asked for the past"},
		{"history --from ../../txnlog/testdata/contention /locks/orders --since 09:30:15.600 --until 09:30:16", 0, "web-2"},
		{"history --from ../../txnlog/testdata/contention /locks/orders -o csv", 0, "web-3,0x1000006de230002,2,3,2026-11-28T09:30:14.692Z,2026-11-28T09:30:16.201Z,2026-11-28T09:30:16.611Z,1509,410,released"},
		{"history --from ../../txnlog/testdata/expiry /locks/nightly", 0, "last heard between 09:31:17.586 and 09:31:17.704"},
	} {
		if code, out, errs := s.Run("", strings.Fields(x.args)...); code != x.code || !strings.Contains(out+errs, x.says) {
			t.Errorf("%s: exit %d, does not say %q:\n%s%s", x.args, code, x.says, out, errs)
		}
	}
}

// A member's directory becomes a recording, packed or not, that tells the same; and one that was cut off tells what it has.
func TestADirectoryBecomesARecording(t *testing.T) {
	s := &clitest.Shell{T: t, Does: cli.Run}
	_, want, _ := s.Run("", "show", "--from", clitest.Samples+"expiry", "--at", "09:31:18", "/locks/nightly")
	for _, name := range []string{"night.jsonl", "night.jsonl.gz", "night.jsonl.zst"} {
		file := filepath.Join(t.TempDir(), name)
		if code, out, errs := s.Run("", "record", "--from", clitest.Samples+"expiry", "--file", file); code != 0 || !strings.HasPrefix(out, "recorded ") {
			t.Fatalf("%s: exit %d: %s%s", name, code, out, errs)
		}
		_, got, _ := s.Run("", "show", "--from", file, "--at", "09:31:18", "/locks/nightly")
		_, a, _ := strings.Cut(want, "\n")
		if _, b, _ := strings.Cut(got, "\n"); a != b || !strings.Contains(b, "batch-1 holds") {
			t.Errorf("%s:\n%s\nwant\n%s", name, b, a)
		}
		if code, _, errs := s.Run("", "record", "--from", clitest.Samples+"expiry", "--file", file); code != world.ExitError || !strings.Contains(errs, "name a file that is not there yet") {
			t.Errorf("it is overwritten: exit %d, %s", code, errs)
		}
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, b[:len(b)*3/4], 0o600); err != nil {
			t.Fatal(err)
		}
		if code, out, errs := s.Run("", "show", "--from", file, "--at", "09:31:17.590", "/locks/nightly"); code != 0 || !strings.Contains(out, "batch-1 holds") {
			t.Errorf("%s, cut off: exit %d: %s%s", name, code, out, errs)
		}
	}
}

// A recording of ours tells the same, but for how claims went.
func TestHistoryOfARecording(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	s.Create("/locks", "", 0)
	file := filepath.Join(t.TempDir(), "night.jsonl")
	text := `{"zkscope":1,"kind":"recording","takenAt":"2026-11-27T22:00:00Z","root":"/","complete":true}
{"path":"/locks/a","cversion":2}
{"path":"/locks/a/x-lock-0000000001","owner":"0x1","text":"one","ctime":1795816790000,"czxid":5}
{"at":"2026-11-27T22:00:10Z","put":{"path":"/locks/a/x-lock-0000000002","owner":"0x2","text":"two","ctime":1795816810000,"czxid":6}}
{"at":"2026-11-27T22:00:40Z","del":"/locks/a/x-lock-0000000001"}
{"at":"2026-11-27T22:00:50Z","put":{"path":"/locks/b","text":"another"}}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errs := s.Run("", "history", "--from", file, "/locks/a", "-o", "json")
	var h history.HistoryReport
	if err := json.Unmarshal([]byte(out), &h); code != 0 || err != nil {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	one, two := h.Claims[0], h.Claims[1]
	if one.CameSeen || one.How != "gone" || *one.Left != "2026-11-27T22:00:40.000Z" || one.By != nil {
		t.Errorf("%+v", one)
	}
	if two.WaitedMs != (30*time.Second).Milliseconds() || two.HeldMs != (10*time.Second).Milliseconds() || two.How != "" || two.Left != nil {
		t.Errorf("%+v", two)
	}
}

// What came and went in a gap of a recording is told with both bounds, and counts among no figures.
func TestHistoryOfAGap(t *testing.T) {
	file := filepath.Join(t.TempDir(), "gap.jsonl")
	claim := func(n string) string {
		return `"path":"/locks/a/_c_00000000-0000-4000-8000-00000000000` + n + `-lock-000000000` + n + `","owner":"0x` + n + `","czxid":1` + n + `,"ctime":1795816800000,"text":"web-` + n + `"`
	}
	text := `{"zkscope":1,"kind":"recording","takenAt":"2026-11-27T22:00:00Z","root":"/","complete":true}` + "\n" + `{"path":"/locks/a","czxid":9}` + "\n" +
		`{"at":"2026-11-27T22:00:05Z","put":{` + claim("1") + `}}` + "\n" + `{"at":"2026-11-27T22:00:06Z","put":{` + claim("2") + `}}` + "\n" +
		`{"at":"2026-11-27T22:00:10Z","gap":"disconnected"}` + "\n" +
		`{"at":"2026-11-27T22:00:40Z","del":"/locks/a/_c_00000000-0000-4000-8000-000000000001-lock-0000000001"}` + "\n" +
		`{"at":"2026-11-27T22:00:50Z","del":"/locks/a/_c_00000000-0000-4000-8000-000000000002-lock-0000000002"}` + "\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &clitest.Shell{T: t, Does: cli.Run}
	_, out, errs := s.Run("", "history", "--from", file, "/locks/a")
	for _, want := range []string{"5.000s to 35.000s", "between 22:00:10.000 and 22:00:40.000 (not seen)", "4.000s to 34.000s", "10.000s to 40.000s", "held: none from beginning to end"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s%s", want, out, errs)
		}
	}
	var h history.HistoryReport
	_, out, _ = s.Run("", "history", "--from", file, "/locks/a", "-o", "json")
	if err := json.Unmarshal([]byte(out), &h); err != nil || len(h.Claims) != 2 || h.Claims[0].LeftFrom == nil || *h.Claims[1].HeldFrom != "2026-11-27T22:00:10.000Z" || h.Wait == nil || h.Wait.N != 1 || h.Hold != nil {
		t.Errorf("%v: %s", err, out)
	}
}
