package e2e

import (
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
)

// deed is what a contender did: acquire, release or lost a claim, or wrote under its token to what it protects.
type deed struct {
	what  string
	token int64
}

// book is the history of one lock or election, and the store that its holders write to: it refuses a smaller token
// than it has seen.
type book struct {
	begun time.Time

	mu    sync.Mutex
	ops   []porcupine.Operation
	seen  int64
	stale int // writes that were refused
}

func (b *book) now() int64 { return int64(time.Since(b.begun)) }

// note adds an operation that began at a time and has just ended.
func (b *book) note(client int, d deed, call int64, accepted bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ops = append(b.ops, porcupine.Operation{ClientId: client, Input: d, Call: call, Output: accepted, Return: b.now()})
}

// write writes under a token.
func (b *book) write(client int, token int64) {
	call := b.now()
	b.mu.Lock()
	ok := token >= b.seen
	b.seen = max(b.seen, token)
	if !ok {
		b.stale++
	}
	b.mu.Unlock()
	b.note(client, deed{"write", token}, call, ok)
}

// fenced is the state that the history is judged by.
type fenced struct {
	granted, seen int64
	held          bool
}

// fencedLock is a lock whose token grows with each grant. A claim ends by release or by loss, which its holder was
// told of, before the next is granted; the store takes a write unless it has seen a greater token.
var fencedLock = porcupine.Model{
	Init: func() any { return fenced{} },
	Step: func(state, input, output any) (bool, any) {
		s, d := state.(fenced), input.(deed)
		switch d.what {
		case "acquire":
			ok := !s.held && d.token > s.granted
			s.granted, s.held = d.token, true
			return ok, s
		case "release", "lost":
			ok := s.held && d.token == s.granted
			s.held = false
			return ok, s
		}
		ok := output.(bool) == (d.token >= s.seen)
		s.seen = max(s.seen, d.token)
		return ok, s
	},
}

// judge fails the test unless the history is linearizable.
func (b *book) judge(t *testing.T, name string) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	count := map[string]int{}
	for _, op := range b.ops {
		count[op.Input.(deed).what]++
	}
	t.Logf("%s: %v, %d writes refused by fencing", name, count, b.stale)
	if count["acquire"] < 20 {
		t.Errorf("%s: nothing to judge", name)
	}
	switch porcupine.CheckOperationsTimeout(fencedLock, b.ops, 2*time.Minute) {
	case porcupine.Illegal:
		t.Errorf("%s: the history of %d operations is not linearizable", name, len(b.ops))
	case porcupine.Unknown:
		t.Errorf("%s: the history of %d operations could not be judged in time", name, len(b.ops))
	}
}

// TestTheJudgeSeesFouls: two holders, an old token, and a late write that was taken are not linearizable.
func TestTheJudgeSeesFouls(t *testing.T) {
	op := func(client int, what string, token, call, ret int64, ok bool) porcupine.Operation {
		return porcupine.Operation{ClientId: client, Input: deed{what, token}, Call: call, Return: ret, Output: ok}
	}
	good := []porcupine.Operation{op(0, "acquire", 1, 0, 10, true), op(1, "acquire", 2, 5, 30, true), op(0, "release", 1, 20, 25, true), op(1, "write", 2, 31, 32, true)}
	for name, x := range map[string]struct {
		ops  []porcupine.Operation
		want bool
	}{
		"in turn":           {good, true},
		"a late write":      {append(good[:4:4], op(0, "write", 1, 40, 41, false)), true},
		"a late write took": {append(good[:4:4], op(0, "write", 1, 40, 41, true)), false},
		"two holders":       {[]porcupine.Operation{good[0], good[1], op(0, "release", 1, 40, 45, true)}, false},
		"an old token":      {[]porcupine.Operation{op(0, "acquire", 2, 0, 1, true), op(0, "release", 2, 2, 3, true), op(1, "acquire", 1, 4, 5, true)}, false},
		"a loss between":    {[]porcupine.Operation{good[0], good[1], op(0, "lost", 1, 10, 40, true)}, true},
	} {
		if got := porcupine.CheckOperations(fencedLock, x.ops); got != x.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
