package notify_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/zkscope/zkscope/internal/notify"
	"github.com/zkscope/zkscope/internal/peers"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var noon = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)

func vacant(path string) notify.Alert {
	return notify.Alert{Ensemble: "prod", Code: "vacant", Severity: "high", Path: path, Text: "nobody leads"}
}

// told is what is told, in short.
func told(all []notify.Alert) string {
	var out []string
	for _, a := range all {
		out = append(out, map[bool]string{true: "+", false: "-"}[a.End.IsZero()]+a.Path)
	}
	return strings.Join(out, " ")
}

// What stands for as long as is asked is told of once, and so is its end; what only comes by is not, nor does anything end
// while the picture is not whole.
func TestBeginningsAndEnds(t *testing.T) {
	tr := notify.Tracker{For: 30 * time.Second}
	at := func(s int) time.Time { return noon.Add(time.Duration(s) * time.Second) }
	for _, step := range []struct {
		s     int
		all   []notify.Alert
		whole bool
		want  string
	}{
		{0, []notify.Alert{vacant("/a"), vacant("/b")}, true, ""},
		{10, []notify.Alert{vacant("/a")}, true, ""}, // b came by
		{29, []notify.Alert{vacant("/a")}, true, ""},
		{31, []notify.Alert{vacant("/a")}, true, "+/a"},
		{60, []notify.Alert{vacant("/a")}, true, ""},
		{70, nil, false, ""},                          // no connection: it may stand
		{200, nil, false, ""},                         //
		{210, []notify.Alert{vacant("/a")}, true, ""}, // it did
		{220, nil, true, ""},
		{230, []notify.Alert{vacant("/a")}, true, ""}, // gone for a moment only
		{240, nil, true, ""},
		{271, nil, true, "-/a"},
		{300, nil, true, ""},
	} {
		if got := told(tr.Look(at(step.s), step.all, step.whole)); got != step.want {
			t.Errorf("after %d s: %q, want %q", step.s, got, step.want)
		}
	}
	tr.Look(at(400), []notify.Alert{vacant("/c")}, true)
	got := tr.Tick(at(431))
	if told(got) != "+/c" || !got[0].Begin.Equal(at(400)) || told(tr.Standing()) != "+/c" {
		t.Errorf("%+v", got)
	}
}

func TestForms(t *testing.T) {
	a := vacant("/a")
	a.Begin = noon
	b := a
	b.End = noon.Add(90 * time.Second)
	slack, err := notify.Slack.Body([]notify.Alert{a, b})
	if err != nil || string(slack) != `{"text":"high: vacant on /a, prod: nobody leads\nended after 1m30s: vacant on /a, prod\n"}` {
		t.Errorf("%v %s", err, slack)
	}
	var am []struct {
		StartsAt, EndsAt    string
		Labels, Annotations map[string]string
	}
	body, err := notify.Alertmanager.Body([]notify.Alert{a, b})
	if err := json.Unmarshal(body, &am); err != nil {
		t.Fatal(err)
	}
	if err != nil || len(am) != 2 || am[0].StartsAt != "2026-11-27T12:00:00Z" || am[0].EndsAt != "" || am[1].EndsAt != "2026-11-27T12:01:30Z" ||
		am[0].Labels["alertname"] != "zkscope_vacant" || am[0].Labels["path"] != "/a" || am[0].Annotations["summary"] != "nobody leads" {
		t.Errorf("%v %s", err, body)
	}
	body, err = notify.JSON.Body([]notify.Alert{b})
	if want := `"state":"ended"`; err != nil || !strings.Contains(string(body), want) || !strings.Contains(string(body), `"schema":1`) {
		t.Errorf("%v %s", err, body)
	}
}

// hook is a webhook that answers with one code after the other; the last one stays.
type hook struct {
	mu    sync.Mutex
	codes []int
	got   []string
}

func (h *hook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b, _ := io.ReadAll(r.Body)
	h.mu.Lock()
	defer h.mu.Unlock()
	code := h.codes[0]
	if len(h.codes) > 1 {
		h.codes = h.codes[1:]
	}
	if code == http.StatusOK {
		h.got = append(h.got, string(b))
	}
	w.WriteHeader(code)
}

func (h *hook) taken() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.Join(h.got, " ")
}

// What a webhook does not take is tried again, in order and once each; what it refuses is given up; and the URL is in nothing
// that is said.
func TestWhatFailsIsTriedAgain(t *testing.T) {
	h := &hook{codes: []int{503, 429, 200, 400, 200}}
	s := httptest.NewServer(h)
	defer s.Close()
	var mu sync.Mutex
	var said []string
	sender := notify.NewSender(s.URL+"/secret/T0K3N", func(text string) { mu.Lock(); said = append(said, text); mu.Unlock() })
	for _, body := range []string{"one", "two", "three"} {
		sender.Send([]byte(body))
	}
	peers.WaitFor(t, 20*time.Second, "the third message", func() bool { return strings.Contains(h.taken(), "three") })
	sender.Close(time.Second)
	if got := h.taken(); got != "one three" {
		t.Errorf("taken: %s", got)
	}
	all := strings.Join(said, "\n")
	if len(said) != 3 || !strings.Contains(said[0], "503") || !strings.Contains(said[1], "takes messages again") || !strings.Contains(said[2], "400") || strings.Contains(all, "T0K3N") {
		t.Errorf("said %q", said)
	}
}

// One that cannot be reached is said without its URL, and does not hold up the end.
func TestAWebhookThatIsNotThere(t *testing.T) {
	var mu sync.Mutex
	said := ""
	sender := notify.NewSender("http://127.0.0.1:1/T0K3N", func(text string) { mu.Lock(); said += text; mu.Unlock() })
	sender.Send([]byte("x"))
	peers.WaitFor(t, 10*time.Second, "a word", func() bool { mu.Lock(); defer mu.Unlock(); return said != "" })
	begin := time.Now()
	sender.Close(100 * time.Millisecond)
	if time.Since(begin) > 5*time.Second || strings.Contains(said, "T0K3N") || !strings.Contains(said, "refused") {
		t.Errorf("%v: %s", time.Since(begin), said)
	}
}
