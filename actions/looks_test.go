package actions

import (
	"strings"
	"testing"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/model"
)

// A break on what only looks like a lock, and one of a claim that is durable by design, take a typed name.
func TestBreakOfWhatIsUnsure(t *testing.T) {
	rec, err := files.ReadFile(strings.NewReader(`{"zkscope":1,"kind":"snapshot","takenAt":"2026-11-27T22:00:00Z","root":"/","complete":true}
{"path":"/app/q","owner":"0x0"}
{"path":"/app/q/any0000000001","owner":"0x1","text":"worker one"}
{"path":"/app/q/any0000000002","owner":"0x2","text":"worker two"}
{"path":"/codis3/shop/slots"}
{"path":"/codis3/shop/topom","text":"{\"admin_addr\":\"10.0.0.9:18080\"}"}
`), "unsure")
	if err != nil {
		t.Fatal(err)
	}
	res := inspect.Decode(rec.Last(), nil, model.Hints{})
	for path, says := range map[string]string{"/app/q": "only looks like a lock", "/codis3/shop/topom": "persistent"} {
		m := res.ByPath(path)
		if m == nil {
			t.Fatalf("nothing at %s", path)
		}
		last := &m.Claims[len(m.Claims)-1]
		o := breakClaim.offer(Scene{Result: res, Model: m, Claim: last, Now: rec.Last().TakenAt})
		if p := o.Plan(); p.Risk != High || p.Confirm == "" || !strings.Contains(strings.Join(p.Warnings, " "), says) {
			t.Errorf("%s: %+v, %+v", path, o, p)
		}
	}
}
