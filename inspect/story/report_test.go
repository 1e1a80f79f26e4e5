package story_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/script"

	"pgregory.net/rapid"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/znode"
)

const reportTree = `
@server s1:2181 yes
@server s2:2181 no
@session A addr=10.0.0.7:4711 connected=yes
@watch /locks/orders/_c_` + script.UUID + `-lock-0000000004 B
/locks/orders/_c_` + script.UUID + `-lock-0000000004 owner=A z=40 data="10.0.0.7" age=12s
/locks/orders/_c_1123abcd-1111-4222-8333-44445555aaaa-lock-0000000005 owner=B z=41 data="\xff\x1b[2J\u202e"
/locks/orders/config
"/free/\xfe" data="x"
@hint /free kind=election
@partial over the limit
`

var update = flag.Bool("update", false, "rewrite the wanted report")

func reportOf(t *testing.T) *model.Result {
	s := script.New(t)
	s.Apply(reportTree)
	return inspect.Decode(s.Snapshot(), nil, s.Hints)
}

// TestReport compares the whole JSON, so that a changed key or a null is seen in review.
func TestReport(t *testing.T) {
	raw, err := story.NewReport(reportOf(t)).MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	if err := json.Indent(&buf, raw, "", "  "); err != nil {
		t.Fatal(err)
	}
	buf.WriteByte('\n')
	const file = "../testdata/report.json"
	if *update {
		if err := os.WriteFile(file, buf.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if buf.String() != string(want) {
		t.Errorf("got\n%s", buf.String())
	}
}

// claimKeys are all keys of a claim, recipe and report: each is always there, whatever is unknown.
var (
	reportKeys = []string{"schema", "asOf", "root", "complete", "sources", "recipes", "findings"}
	recipeKeys = []string{"path", "kind", "dialect", "confidence", "why", "state", "summary", "claims",
		"foreign", "numbers", "findings"}
	claimKeys = []string{"node", "path", "role", "mode", "position", "seq", "priority", "session", "owner",
		"addr", "since", "czxid",
		"blockedBy", "proof", "why", "revocable", "hears", "revoked", "vote", "mine"}
	findingKeys = []string{"code", "severity", "text", "paths", "sessions"}
	neverNull   = []string{"recipes", "claims", "findings", "foreign", "why", "blockedBy", "paths", "sessions",
		"numbers", "owner", "node", "path", "role", "summary", "state"}
)

// TestReportShape checks the shape of reports on any tree.
func TestReportShape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := script.AnySnapshot(t)
		raw, err := json.Marshal(story.NewReport(inspect.Decode(s, nil, model.Hints{})))
		if err != nil {
			t.Fatal(err)
		}
		if strings.ContainsFunc(string(raw), func(r rune) bool {
			return r < 0x20 || r == 0x7f ||
				r >= 0x80 && !say.Shown(r)
		}) {
			t.Fatalf("unsafe: %q", raw)
		}
		var report map[string]any
		if err := json.Unmarshal(raw, &report); err != nil {
			t.Fatal(err)
		}
		checkKeys(t, report, reportKeys)
		for _, f := range report["findings"].([]any) {
			checkKeys(t, f, findingKeys)
		}
		for _, m := range report["recipes"].([]any) {
			checkKeys(t, m, recipeKeys)
			for _, c := range m.(map[string]any)["claims"].([]any) {
				checkKeys(t, c, claimKeys)
			}
			for _, f := range m.(map[string]any)["findings"].([]any) {
				checkKeys(t, f, findingKeys)
			}
		}
	})
}

func checkKeys(t *rapid.T, v any, keys []string) {
	m := v.(map[string]any)
	for _, k := range keys {
		if _, ok := m[k]; !ok {
			t.Fatalf("%q is missing in %v", k, m)
		}
	}
	for _, k := range neverNull {
		if v, ok := m[k]; ok && v == nil {
			t.Fatalf("%q is null in %v", k, m)
		}
	}
}

func TestReportOfOne(t *testing.T) {
	r := reportOf(t)
	if got := story.NewReportOf(r, "/locks/orders", r.ByPath("/locks/orders")); len(got.Recipes) != 1 ||
		got.Znode != nil {
		t.Errorf("%+v", got)
	}
	got := story.NewReportOf(r, "/locks", nil)
	if len(got.Recipes) != 0 || got.Znode == nil || got.Znode.Path != "/locks" {
		t.Errorf("%+v", got)
	}
	if got := story.NewReportOf(r, "/nothing", nil); got.Znode != nil {
		t.Errorf("%+v", got.Znode)
	}
}

// What the commands do with a report keeps its escapes.
func TestReportThroughEncoder(t *testing.T) {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	m := &model.Model{Path: "/\u202e\x7f\u0085\U000e0041", Kind: layout.Lock, Foreign: []string{"a<b>"}}
	if err := e.Encode(story.NewReportOf(&model.Result{Snapshot: &znode.Snapshot{Base: "/", Root: &znode.Node{}}},
		m.Path, m)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(buf.String(), `"/\u202e\u007f\u0085\udb40\udc41"`) || !strings.Contains(buf.String(), `a<b>`) {
		t.Error(buf.String())
	}
	var back story.Report
	if err := json.Unmarshal(buf.Bytes(), &back); err != nil || back.Recipes[0].Path != m.Path {
		t.Error(err, back.Recipes)
	}
}
