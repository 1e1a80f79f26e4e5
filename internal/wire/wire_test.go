package wire

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
)

func TestRecordsRoundTrip(t *testing.T) {
	var e Encoder
	st := Stat{1, 2, 3, 4, 5, 6, 7, -8, 9, 10, 11}
	st.Encode(&e)
	if len(e.B) != 68 {
		t.Fatalf("a stat takes 68 bytes on the wire, not %d", len(e.B))
	}
	req := ConnectRequest{0, 1, 2, 3, make([]byte, 16), true, true}
	resp := ConnectResponse{0, 2, 3, make([]byte, 16), false, true}
	sw := SetWatches{7, []string{"/a"}, []string{}, []string{"/b", "/c"}, []string{}, []string{"/d"}}
	ev := Event{EventCreated, StateSyncConnected, "/x"}
	acls := OpenACL()
	req.Encode(&e)
	var st2 Stat
	var req2 ConnectRequest
	d := NewDecoder(e.B)
	st2.Decode(d)
	req2.Decode(d)
	if st2 != st || !reflect.DeepEqual(req, req2) || d.Err() != nil {
		t.Fatalf("stat %+v, connect %+v, %v", st2, req2, d.Err())
	}
	e = Encoder{}
	sw.Encode(&e, OpSetWatches2)
	ev.Encode(&e)
	EncodeACLs(&e, acls)
	resp.Encode(&e)
	d = NewDecoder(e.B)
	var sw2 SetWatches
	var ev2 Event
	var resp2 ConnectResponse
	sw2.Decode(d, OpSetWatches2)
	ev2.Decode(d)
	acls2 := DecodeACLs(d)
	resp2.Decode(d)
	if !reflect.DeepEqual(sw, sw2) || ev != ev2 || !reflect.DeepEqual(acls, acls2) || !reflect.DeepEqual(resp, resp2) || d.Err() != nil {
		t.Fatalf("%+v %+v %+v %+v %v", sw2, ev2, acls2, resp2, d.Err())
	}
}

func TestConnectRequestSizes(t *testing.T) {
	var short, long Encoder
	(&ConnectRequest{Passwd: make([]byte, 16)}).Encode(&short)
	(&ConnectRequest{Passwd: make([]byte, 16), HasReadOnly: true}).Encode(&long)
	if len(short.B) != 44 || len(long.B) != 45 {
		t.Fatalf("connect requests take 44 and 45 bytes, got %d and %d", len(short.B), len(long.B))
	}
}

func TestDecoderRefusesLengthsBeyondTheRecord(t *testing.T) {
	for _, b := range [][]byte{{0x7f, 0xff, 0xff, 0xff}, {0, 0, 0, 5, 1}, {1, 2}} {
		d := NewDecoder(b)
		if got := d.Strings(); len(got) != 0 || !errors.Is(d.Err(), ErrShort) {
			t.Errorf("% x: %q, %v", b, got, d.Err())
		}
	}
	d := NewDecoder([]byte{0xff, 0xff, 0xff, 0xff})
	if d.Buffer() != nil || d.Err() != nil {
		t.Error("a null buffer is nil and no error")
	}
}

func TestReadFrameLimits(t *testing.T) {
	if _, err := ReadFrame(bytes.NewReader([]byte{0xff, 0, 0, 0}), 100); err == nil {
		t.Error("a negative length is refused")
	}
	if _, err := ReadFrame(bytes.NewReader([]byte{0, 0, 1, 0}), 100); err == nil {
		t.Error("a length over the limit is refused")
	}
	b, err := ReadFrame(bytes.NewReader(AppendFrame(nil, []byte("abc"))), 100)
	if err != nil || string(b) != "abc" {
		t.Errorf("%q, %v", b, err)
	}
}

func FuzzDecoders(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 0, 0, 0, 2, 'a', 'b'})
	f.Fuzz(func(t *testing.T, b []byte) {
		d := NewDecoder(b)
		var sw SetWatches
		sw.Decode(d, OpSetWatches2)
		DecodeACLs(d)
		var r ConnectRequest
		r.Decode(d)
		var h MultiHeader
		h.Decode(d)
	})
}
