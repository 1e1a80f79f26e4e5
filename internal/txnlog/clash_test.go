package txnlog_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/txnlog"
)

func none(int) bool { return false }

// What two members hold under one number is one transaction: else they are of different ensembles.
func TestMembersOfTwoEnsemblesAreRefused(t *testing.T) {
	other := slices.Clone(story())
	other[40].Session = 7
	for _, order := range [][2]int{{0, 1}, {1, 0}} {
		members := []*txnlog.Member{member(t, story(), 30, none), member(t, other, 50, none)}
		m := txnlog.Merge([]*txnlog.Member{members[order[0]], members[order[1]]}, 0)
		defer m.Close()
		n, err := 0, error(nil)
		for ; err == nil; n++ {
			_, err = m.Next()
		}
		var clash *txnlog.ClashError
		if !errors.As(err, &clash) || clash.Zxid != other[40].Zxid || n != 41 || !strings.Contains(err.Error(), "not of one ensemble") {
			t.Errorf("after %d: %v", n-1, err)
		}
	}
}

// A leader that dies leaves proposals behind that no majority logged: where most others went on under another leader
// without them, they were never committed. Where too few can tell they stay.
func TestWhatTheEnsembleDroppedIsPassedOver(t *testing.T) {
	all := story()
	tail := slices.Insert(slices.Clone(all[:100]), 100, all[99], all[99])
	for i := range 2 {
		tail[100+i].Zxid += int64(i) + 1
		tail[100+i].Cxid += int32(i) + 1
	}
	dead, one, two := member(t, tail, 200, none), member(t, all, 70, none), member(t, all, 40, none)
	m := txnlog.Merge([]*txnlog.Member{dead, one, two}, 0)
	defer m.Close()
	got := 0
	for r, err := m.Next(); err == nil; r, err = m.Next() {
		if r.Zxid == tail[100].Zxid || r.Zxid == tail[101].Zxid {
			t.Errorf("0x%x is told as having happened", r.Zxid)
		}
		got++
	}
	if d := m.Dropped(); got != len(all) || len(d) != 2 || d[0].Zxid != tail[100].Zxid || d[0].Member != 0 {
		t.Errorf("%d records, dropped %+v", got, d)
	}
	if got, _, _ := zxids(t, 0, dead, one); len(got) != len(all)+2 {
		t.Errorf("of two members none can tell: %d records", len(got))
	}
	if got, _, _ := zxids(t, 0, dead, two, one); len(got) != len(all) {
		t.Errorf("%d records", len(got))
	}
}
