package waits_test

import (
	"testing"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/waits"
)

// A child that is not a claim of a line never takes it over, whatever it is taken for when it is alone.
func TestForeignChildrenTakeNothingOver(t *testing.T) {
	s := script.New(t)
	s.Apply("/locks/l/_c_00000001-1111-4222-8333-000000000001-lock-0000000000 owner=A\n/locks/l/task-0000000005 owner=B")
	res := inspect.Decode(s.Snapshot(), nil, s.Hints)
	m := res.ByPath("/locks/l")
	if len(m.Foreign) != 1 || len(m.Claims) != 1 {
		t.Fatalf("%+v", m)
	}
	if f := waits.FateOf(res, m, &m.Claims[0]); len(f.Next) != 0 || f.Takes != model.No ||
		f.Then(m.Kind) != "nobody will hold yet" {
		t.Errorf("%+v: %s", f, f.Then(m.Kind))
	}
}

// Of several whose turn comes together, those that are seen watching take over, and the others are not promised.
func TestFatesOfReaders(t *testing.T) {
	s := script.New(t)
	s.Apply("/rw/00000000000000000000000000000001__lock__0000000000 owner=A data=\"w\"\n" +
		"/rw/00000000000000000000000000000002__rlock__0000000001 owner=B data=\"r1\"\n" +
		"/rw/00000000000000000000000000000003__rlock__0000000002 owner=C data=\"r2\"\n" +
		"@server s1:2181 yes\n@session A connected=yes\n@session B connected=yes\n@session C connected=yes\n" +
		"@watch /rw/00000000000000000000000000000001__lock__0000000000 B")
	res := inspect.Decode(s.Snapshot(), nil, s.Hints)
	m := res.ByPath("/rw")
	f := waits.FateOf(res, m, &m.Claims[0])
	if f.Takes != model.Yes || len(f.Sure) != 1 || len(f.Lost) != 1 || f.Wakes == nil || *f.Wakes != 1 ||
		f.Then(m.Kind) != "r1 will hold" {
		t.Errorf("%+v: %s", f, f.Then(m.Kind))
	}
	if f := waits.FateOf(res, m, &m.Claims[2]); f.Then(m.Kind) != "w still holds" || f.Left != 1 || *f.Wakes != 0 {
		t.Errorf("%+v", f)
	}
}

// Clients that watch the directory's children do so unseen: nothing is known of whether they wake.
func TestFatesWhereWatchesAreHidden(t *testing.T) {
	s := script.New(t)
	s.Apply("/e/singleton_candidate_0000000000 owner=A data=\"a\"\n/e/singleton_candidate_0000000001 owner=B data=\"b\"\n" +
		"@server s1:2181 yes\n@session A connected=yes\n@session B connected=yes\n@nowatches")
	res := inspect.Decode(s.Snapshot(), nil, s.Hints)
	m := res.ByPath("/e")
	if f := waits.FateOf(res, m, &m.Claims[0]); f.Takes != model.NotKnown || f.Wakes != nil ||
		f.Woken() != "who is woken is not known" {
		t.Errorf("%+v", f)
	}
}
