package lines_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/waits"
)

// A waiter that two lists of the servers' watches lacked, and whose turn comes, has probably been given up: that is
// found whatever else changes between the answers and the turn.
func TestLeakedClaimsAreFoundInAnyOrder(t *testing.T) {
	const (
		dir   = "/locks/l/"
		head  = dir + "00000000000000000000000000000001__lock__0000000000"
		mine  = dir + "00000000000000000000000000000002__lock__0000000001"
		last  = dir + "00000000000000000000000000000003__lock__0000000002"
		setup = "@server s1:2181 yes\n@session A connected=yes\n@session B connected=yes\n@session C connected=yes\n"
	)
	steps := map[string]func(s *script.Tree){
		"poll": func(s *script.Tree) {
			s.Apply("@now +5s\n@watch " + mine + " C")
			s.Snap.AskedAt = s.Snap.TakenAt.Add(-time.Second)
		},
		"join":   func(s *script.Tree) { s.Apply("@now +1s\n" + last + " owner=C data=\"c\"") },
		"change": func(s *script.Tree) { s.Apply("@now +1s\n" + last + " owner=C data=\"c2\" z=3") },
		"elsewhere": func(s *script.Tree) {
			s.Apply("@now +1s\n/locks/m/" + script.Hex +
				"__lock__0000000001 owner=C")
		},
		"wait": func(s *script.Tree) { s.Apply("@now +2s\n" + mine + " owner=B data=\"b\" z=2") },
		"turn": func(s *script.Tree) { s.Apply("@now +1s\n- " + head) },
	}
	for order, leaks := range map[string]bool{
		"wait poll poll turn": true, "wait join poll poll turn": true, "wait poll join poll turn": true,
		"wait poll poll join turn":        true,
		"wait join change poll poll turn": true, "wait poll change poll change turn": true,
		"wait poll elsewhere poll turn": true,
		"poll wait poll poll turn":      true, "wait poll poll poll elsewhere turn poll": true,
		"join poll wait poll poll turn change": true,
		"wait turn":                            false, "wait poll turn": false, "wait turn poll poll": false,
		"poll poll wait turn": false,
	} {
		s := script.New(t)
		s.Apply(setup + head + " owner=A data=\"a\" z=1")
		res := inspect.Decode(s.Snapshot(), nil, s.Hints)
		for step := range strings.FieldsSeq(order) {
			steps[step](s)
			res = inspect.Decode(s.Snapshot(), res, s.Hints)
		}
		if f := res.ByPath("/locks/l").Finding(model.CodeLeakedClaim); (f != nil) != leaks {
			t.Errorf("%s: %v, want a leaked claim: %v", order, f, leaks)
		}
	}
}

// A wait is refuted by the second list that lacks it and was begun after it was seen; a list that has it starts anew.
func TestAWaitIsRefutedByTwoLists(t *testing.T) {
	const head, mine = "/locks/l/00000000000000000000000000000001__lock__0000000000",
		"/locks/l/00000000000000000000000000000002__lock__0000000001"
	s := script.New(t)
	s.Apply("@server s1:2181 yes\n@session A connected=yes\n@session B connected=yes\n@nowatches\n" + head +
		" owner=A\n" + mine + " owner=B")
	res := (*model.Result)(nil)
	look := func(text string, after time.Duration, want model.Proof) {
		t.Helper()
		s.Apply(text)
		s.Snap.AskedAt = s.Snap.TakenAt.Add(after)
		res = inspect.Decode(s.Snapshot(), res, s.Hints)
		m := res.ByPath("/locks/l")
		if c := &m.Claims[1]; c.Proof() != want {
			t.Fatalf("after %q: %s, want %s", text, c.Proof(), want)
		}
		f := waits.FateOf(res, m, &m.Claims[0])
		if takes := map[model.Proof]model.Answer{model.Likely: model.NotKnown, model.Proven: model.Yes,
			model.Refuted: model.No}[want]; f.Takes != takes || (f.Wakes == nil) != (want == model.Likely) {
			t.Fatalf("after %q: %+v", text, f)
		}
	}
	look("", 0, model.Likely)
	if !waits.Unsettled(res) {
		t.Error("one more list would tell")
	}
	look("@now +5s\n@nowatches", -time.Second, model.Refuted)
	look("@now +5s\n@watch "+head+" B", -time.Second, model.Proven)
	look("@now +5s\n@nowatches", -time.Second, model.Likely)
	look("@now +5s\n@nowatches", -time.Second, model.Refuted)
}

// A picture that is kept while the servers' last list is older than its tree accuses nobody whom that list could not
// have had; one whose list is newer does.
func TestAKeptListRefutesNothingYounger(t *testing.T) {
	for asked, want := range map[time.Duration]model.Proof{-3 * time.Second: model.Likely, time.Second: model.Refuted} {
		s := script.New(t)
		s.Apply("@server s1:2181 yes\n@session A connected=yes\n@session B connected=yes\n@nowatches\n" +
			"/locks/l/00000000000000000000000000000001__lock__0000000000 owner=A\n/locks/l/00000000000000000000000000000002__lock__0000000001 owner=B")
		s.Snap.AskedAt = s.Snap.TakenAt.Add(asked)
		var file bytes.Buffer
		if err := files.WriteSnapshot(&file, s.Snapshot()); err != nil {
			t.Fatal(err)
		}
		rec, err := files.ReadFile(&file, "test")
		if err != nil {
			t.Fatal(err)
		}
		if got := inspect.Decode(rec.Last(), nil, model.Hints{}).ByPath("/locks/l").Claims[1].Proof(); got != want {
			t.Errorf("asked %v after the tree was taken: %s, want %s", asked, got, want)
		}
	}
}
