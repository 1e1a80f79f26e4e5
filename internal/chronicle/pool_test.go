package chronicle_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/chronicle"
	"github.com/zkscope/zkscope/internal/txnlog"
	"github.com/zkscope/zkscope/internal/txntest"
)

// Who gets a lease of kazoo's semaphore makes a znode for it, and deletes the one that stood in line a moment later: that
// is one stay, which waited and held, also where somebody joins in between. Who leaves without a lease has waited alone.
// The line may be empty when the history begins.
func TestALeaseGoesOnWithTheStayThatWaited(t *testing.T) {
	dir := t.TempDir()
	m, err := txntest.NewMember(dir)
	if err != nil {
		t.Fatal(err)
	}
	children := map[string]int32{}
	create := func(session int64, parent, name, data string) {
		children[parent]++
		m.Write(session, txnlog.Op{Kind: txnlog.Create, Path: []byte(parent + "/" + name), Data: []byte(data),
			Ephemeral: parent != "", Cversion: children[parent]})
	}
	place := func(session int64, n int) string { return fmt.Sprintf("%032x__lock__%010d", session, n) }
	lease := func(session int64) string { return fmt.Sprintf("%032x", 100+session) }
	join := func(session int64, n int) {
		create(session, "/sem-__lock__", place(session, n), fmt.Sprintf("b'w%d'", session))
	}
	acquire := func(session int64) { create(session, "/sem", lease(session), fmt.Sprintf("w%d", session)) }
	leave := func(session int64, path string) {
		m.Write(session, txnlog.Op{Kind: txnlog.Delete, Path: []byte(path)})
	}
	create(9, "", "sem", "1")
	create(9, "", "sem-__lock__", "")
	acquire(1)
	m.Pause(time.Second)
	join(2, 0)
	join(3, 1)
	m.Pause(14 * time.Second)
	leave(1, "/sem/"+lease(1))
	acquire(2)
	join(4, 2)
	leave(2, "/sem-__lock__/"+place(2, 0))
	m.Pause(time.Minute)
	leave(3, "/sem-__lock__/"+place(3, 1))
	leave(2, "/sem/"+lease(2))
	acquire(4)
	leave(4, "/sem-__lock__/"+place(4, 2))
	m.Pause(time.Second)
	leave(4, "/sem/"+lease(4))
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	var got []string
	c := follow(t, story(t, dir), "/sem")
	for _, s := range c.Stays {
		got = append(got, fmt.Sprintf("%s waited %s, held %s, %s", s.Owner, s.Waited(c.End).Round(time.Second),
			s.HeldFor(c.End).Round(time.Second), s.How))
	}
	want := []string{"w1 waited 0s, held 15s, " + string(chronicle.Released), "w2 waited 14s, held 1m0s, released",
		"w3 waited 1m14s, held 0s, released", "w4 waited 1m0s, held 1s, released"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%q\nnot %q", got, want)
	}
}
