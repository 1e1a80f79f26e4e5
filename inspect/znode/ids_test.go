package znode_test

import (
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
)

func TestSessionID(t *testing.T) {
	for id, want := range map[znode.SessionID]string{
		-8286445525200011260: "0x8d00a1b2c3d40004",
		144115218547277831:   "0x2000007183d0007",
		1:                    "0x1",
	} {
		if id.String() != want {
			t.Errorf("%d: %s, want %s", int64(id), id, want)
		}
		if got, ok := znode.ParseSessionID(want); !ok || got != id {
			t.Errorf("%s: %d %v", want, int64(got), ok)
		}
	}
	for text, want := range map[string]znode.SessionID{
		"0X8D00A1B2C3D40004":   -8286445525200011260,
		"8d00a1b2c3d40004":     -8286445525200011260,
		"-8286445525200011260": -8286445525200011260,
		" 0x1 ":                1,
	} {
		if got, ok := znode.ParseSessionID(text); !ok || got != want {
			t.Errorf("%q: %d %v, want %d", text, int64(got), ok, int64(want))
		}
	}
	for _, text := range []string{"", "0x", "zz", "0x10000000000000000", "1.5"} {
		if got, ok := znode.ParseSessionID(text); ok {
			t.Errorf("%q is %s", text, got)
		}
	}
}

func TestSpecialOwners(t *testing.T) {
	for _, tt := range []struct {
		raw  uint64
		what string
		ttl  time.Duration
	}{
		{0x8000000000000000, "container", 0},
		{0xff00000000001388, "ttl", 5 * time.Second},
		{0x8d00a1b2c3d40004, "", 0},
		{0x10000a1b2c30001, "", 0},
		{0, "", 0},
	} {
		what, ttl, ok := znode.SessionID(tt.raw).Special()
		if what != tt.what || ttl != tt.ttl || ok != (tt.what != "") {
			t.Errorf("%#x: %q %v %v", tt.raw, what, ttl, ok)
		}
	}
}

func TestMillis(t *testing.T) {
	if !znode.Millis(0).Time().IsZero() {
		t.Error("unknown is not the zero time")
	}
	if got := znode.Millis(1795817382876).Time(); got.UnixMilli() != 1795817382876 || got.Location() != time.UTC {
		t.Error(got)
	}
}
