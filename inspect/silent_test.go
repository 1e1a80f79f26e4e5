package inspect_test

import (
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
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
