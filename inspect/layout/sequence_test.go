package layout_test

import (
	"testing"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/znode"
)

func TestNextSequence(t *testing.T) {
	for _, tt := range []struct {
		cversion, kids int32
		child          string
		next           int64
		certain        bool
	}{
		{0, 0, "", 0, true},
		{6, 2, "", 4, true},
		{11, 5, "", 8, true},
		{120, 0, "", 60, true},
		{-100, 2, "n_2147483598", 2147483599, true},
		{-100, 2, "", 2147483599, false},
		{-2147483648, 0, "", 1073741824, false},
		{-1, 1, "", 0, true}, // 2^32 changes: wrapped around completely
	} {
		n := &znode.Node{Cversion: tt.cversion, HasCversion: true, NumChildren: tt.kids}
		if tt.child != "" {
			n.Children = []*znode.Node{{Name: tt.child}}
		}
		if next, certain, known := layout.NextSequence(n); next != tt.next || certain != tt.certain || !known {
			t.Errorf("%+v: %d %v %v", tt, next, certain, known)
		}
	}
	if _, _, known := layout.NextSequence((&znode.Node{})); known {
		t.Error("known without a cversion")
	}
}
