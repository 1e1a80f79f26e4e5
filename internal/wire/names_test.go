package wire

import "testing"

func TestOpNames(t *testing.T) {
	for op, want := range map[Op]string{OpCreate2: "create2", OpGetAllChildrenNum: "getAllChildrenNumber", OpClose: "closeSession", 99: "op99"} {
		if op.String() != want {
			t.Errorf("%d is %q, want %q", int32(op), op, want)
		}
	}
	for _, op := range []Op{OpCreate, OpDelete, OpSetData, OpSetACL, OpMulti, OpCreate2, OpReconfig, OpCreateContainer, OpDeleteContainer, OpCreateTTL} {
		if !op.Writes() {
			t.Errorf("%v writes", op)
		}
	}
	for _, op := range []Op{OpExists, OpGetData, OpMultiRead, OpAddWatch, OpSync, OpPing, OpAuth, OpClose} {
		if op.Writes() {
			t.Errorf("%v does not write", op)
		}
	}
}
