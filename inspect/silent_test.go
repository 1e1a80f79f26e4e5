package inspect_test

import (
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// A connected session that nobody heard for half its timeout and one round of questions is said to be silent, with the
// time that is left; it is not said any more once it was heard.
func TestSilentOwners(t *testing.T) {
	const line = "/locks/l/00000000000000000000000000000001__lock__0000000000 owner=A data=\"a\" z=1\n/locks/l/00000000000000000000000000000002__lock__0000000001 owner=B data=\"b\" z=2\n@server s1:2181 yes\n"
	s := script.New(t)
	s.Apply(line + "@session A connected=yes timeout=30s expires=21s\n@session B connected=yes timeout=30s expires=28s")
	res := inspect.Decode(s.Snapshot(), nil, s.Hints)
	silent := func(text string, want bool) {
		t.Helper()
		s.Apply(text)
		s.Snap.AskedAt = s.Snap.TakenAt
		a := s.Snap.Sessions[script.SessionIDs["A"]]
		a.Within = time.Second
		s.Snap.Sessions[a.ID] = a
		res = inspect.Decode(s.Snapshot(), res, s.Hints)
		f := res.ByPath("/locks/l").Finding(model.CodeOwnerSilent)
		if (f != nil) != want || want && (f.Severity != model.High ||
			!strings.Contains(f.Text, "a (holder) is connected and not heard since")) {
			t.Fatalf("after %q: %+v", text, f)
		}
	}
	silent("@session A connected=yes timeout=30s expires=12s", false)
	silent("@now +5s\n@session A connected=yes timeout=30s expires=7s", true)
	silent("@now +3s\n@session A connected=yes timeout=30s expires=4s", true)
	silent("@now +1s\n@session A connected=yes timeout=30s expires=30s", false)
	s.Snap.TakenAt = s.Snap.TakenAt.Add(time.Minute) // the tree moves on, and nobody was asked since
	if f := inspect.Decode(s.Snapshot(), res, s.Hints).ByPath("/locks/l").Finding(model.CodeOwnerSilent); f != nil {
		t.Errorf("%+v", f)
	}
}

// Where the server's clock is not known, a session is silent only in comparison with others: a clock that is off makes
// all of them look old.
func TestSilenceByAnUnknownClock(t *testing.T) {
	const line = "/locks/l/00000000000000000000000000000001__lock__0000000000 owner=A\n/locks/l/00000000000000000000000000000002__lock__0000000001 owner=B\n@server s1:2181 yes\n"
	for other, want := range map[string]bool{"expires=4s": false, "expires=28s": true} {
		s := script.New(t)
		s.Apply(line + "@session A connected=yes timeout=30s expires=3s\n@session B connected=yes timeout=30s " + other)
		s.Snap.AskedAt = s.Snap.TakenAt
		if f := inspect.Decode(s.Snapshot(), nil,
			s.Hints).ByPath("/locks/l").Finding(model.CodeOwnerSilent); (f != nil) != want {
			t.Errorf("%s: %+v", other, f)
		}
	}
}

// A session is told as silent before it expires, however short its timeout is, and not while its client pings in time.
func TestSilenceScalesWithTheTimeout(t *testing.T) {
	for _, x := range []struct{ timeout, from time.Duration }{
		{4 * time.Second, 2666 * time.Millisecond}, {10 * time.Second, 6666 * time.Millisecond}, {30 * time.Second, 20 * time.Second}, {time.Minute, 35 * time.Second},
	} {
		s := script.New(t)
		s.Snap.AskedAt = s.Snap.TakenAt
		x1 := znode.Session{Timeout: x.timeout, Connected: new(true), Within: time.Second}
		for past, want := range map[time.Duration]bool{x1.Within: false, x1.Within + 10*time.Millisecond: true, x.timeout/3 + time.Second - x.from: false} {
			x1.ExpiresAt = s.Snap.AskedAt.Add(x.timeout - x.from - past)
			if got := s.Snap.Silent(x1, s.Snap.LastHeard); got != want {
				t.Errorf("timeout %s, heard %s ago: silent %v", x.timeout, x.from+past, got)
			}
		}
	}
}
