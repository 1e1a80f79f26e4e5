package metrics_test

import (
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/metrics"
	"github.com/zkscope/zkscope/internal/script"
)

const (
	lock = "/locks/x/00000000000000000000000000000001__lock__000000000"
	tail = " owner=B data=\"b\"\n"
)

// A page says what the models say, and counts what happened.
func TestPageAgreesWithThePicture(t *testing.T) {
	run := script.Run(t, lock+"1 owner=A data=\"a\"\n"+lock+"2"+tail)
	first := run.Waits.Result
	e := metrics.New(metrics.Options{Owners: true, Now: func() time.Time { return run.Waits.Result.Snapshot.TakenAt }})
	e.Feed(metrics.Feed{Result: first, Findings: []model.Finding{{Code: "herd", Severity: model.Low}}, Requests: 7, Servers: 2, Asked: 3})
	run.Then("@now +4s\n- " + lock + "1")
	second := run.Waits.Result
	e.Feed(metrics.Feed{Result: second, Events: story.Diff(first, second), Requests: 9, Servers: 3, Asked: 3})
	want := `
# HELP zkscope_claims Claims of all recipes, by kind and role.
# TYPE zkscope_claims gauge
zkscope_claims{kind="lock",role="holder"} 1
# HELP zkscope_recipe_holder 1 for whoever holds or leads one recipe.
# TYPE zkscope_recipe_holder gauge
zkscope_recipe_holder{kind="lock",owner="b",path="/locks/x"} 1
# HELP zkscope_recipe_waiting Claims that wait in one recipe.
# TYPE zkscope_recipe_waiting gauge
zkscope_recipe_waiting{kind="lock",path="/locks/x"} 0
# HELP zkscope_recipes Recipes, by kind and state.
# TYPE zkscope_recipes gauge
zkscope_recipes{kind="lock",state="held"} 1
# HELP zkscope_requests_total Requests that zkscope itself has sent to the ensemble.
# TYPE zkscope_requests_total counter
zkscope_requests_total 9
# HELP zkscope_servers Servers of the ensemble, by whether they answered the last round.
# TYPE zkscope_servers gauge
zkscope_servers{answered="no"} 0
zkscope_servers{answered="yes"} 3
# HELP zkscope_up 1 while all was read and the data follows the ensemble, else 0.
# TYPE zkscope_up gauge
zkscope_up 1
`
	if err := testutil.CollectAndCompare(e, strings.NewReader(want), "zkscope_claims", "zkscope_recipe_holder", "zkscope_recipe_waiting",
		"zkscope_recipes", "zkscope_requests_total", "zkscope_servers", "zkscope_up", "zkscope_findings"); err != nil {
		t.Error(err)
	}
	events := testutil.CollectAndCount(e, "zkscope_events_total")
	if events == 0 || events > len(story.Diff(first, second)) {
		t.Errorf("%d kinds of events of %d", events, len(story.Diff(first, second)))
	}
	if problems, err := testutil.CollectAndLint(e); err != nil || len(problems) > 0 {
		t.Errorf("%v %v", problems, err)
	}
}

// Nothing of a lost connection reads as fresh.
func TestALostConnectionIsNotUp(t *testing.T) {
	run := script.Run(t, lock+"1 owner=A data=\"a\" age=60s\n")
	at := run.Waits.Result.Snapshot.TakenAt
	run.Then("@lost")
	e := metrics.New(metrics.Options{Now: func() time.Time { return at.Add(time.Hour) }})
	e.Feed(metrics.Feed{Result: run.Waits.Result})
	err := testutil.CollectAndCompare(e, strings.NewReader("# HELP zkscope_up 1 while all was read and the data follows the ensemble, else 0.\n# TYPE zkscope_up gauge\nzkscope_up 0\n"), "zkscope_up")
	if err != nil {
		t.Error(err)
	}
	if held := value(t, e, "zkscope_recipe_held_seconds"); held > 100 {
		t.Errorf("held for %v s, of which an hour was not seen", held)
	}
	if age := value(t, e, "zkscope_picture_age_seconds"); age < 3500 {
		t.Errorf("the picture is %v s old", age)
	}
}

// value is the only sample of a metric.
func value(t *testing.T, c prometheus.Collector, name string) float64 {
	t.Helper()
	reg := prometheus.NewPedanticRegistry()
	reg.MustRegister(c)
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == name {
			return f.GetMetric()[0].GetGauge().GetValue()
		}
	}
	t.Fatalf("%s is not told", name)
	return 0
}

// Ten thousand recipes make a page of a bounded size, which says that it is one.
func TestAPageIsBounded(t *testing.T) {
	e := metrics.New(metrics.Options{Recipes: 100})
	e.Feed(metrics.Feed{Result: inspect.Decode(script.BigTree(10_000, 3), nil, model.Hints{})})
	if n := testutil.CollectAndCount(e); n > 400 {
		t.Errorf("%d samples", n)
	}
	if left := value(t, e, "zkscope_recipes_left_out"); left != 9900 {
		t.Errorf("%v left out", left)
	}
}
