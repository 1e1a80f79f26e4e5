package waits_test

import (
	"testing"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/waits"
)

// A thread that waits for another of its own session hears of that one's end, and takes over.
func TestAThreadWaitsForAnother(t *testing.T) {
	rec := script.ReadText(t, `{"zkscope":1,"kind":"snapshot","takenAt":"2026-11-27T22:00:00Z","root":"/","complete":true,"servers":[{"addr":"s:1","mode":"standalone","tier":"4lw","answered":true}],`+
		`"sessions":[{"id":"0x1","addr":"10.0.0.1:5","timeoutMs":10000,"connected":true}],"watches":{"/locks/a/`+script.Hex+`__lock__0000000001":["0x1"]}}
{"path":"/locks/a/`+script.Hex+`__lock__0000000001","owner":"0x1","text":"w0","ctime":1795816700000}
{"path":"/locks/a/f`+script.Hex[1:]+`__lock__0000000002","owner":"0x1","text":"w1","ctime":1795816710000}
`)
	res := inspect.Decode(rec.First(), nil, model.Hints{})
	m := res.ByPath("/locks/a")
	f := waits.FateOf(res, m, &m.Claims[0])
	if f.Takes != model.Yes || f.Woken() != "a thread of its own session is woken" {
		t.Errorf("%+v, wakes %v: %s; %s", f, f.Wakes, f.Woken(), m.Claims[1].Why())
	}
}
