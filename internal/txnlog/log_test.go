package txnlog_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/zkscope/zkscope/internal/txnlog"
	"github.com/zkscope/zkscope/internal/txntest"
)

// lines prints the records of a log, a line each, and how it ended.
func lines(src io.ReaderAt, name string) (out []string, err error) {
	l, err := txnlog.OpenLog(src, name)
	if err != nil {
		return nil, err
	}
	var r txnlog.Record
	for {
		if err = l.Next(&r); err != nil {
			break
		}
		text := fmt.Sprintf("%x %x/%d %d %d", r.Zxid, uint64(r.Session), r.Cxid, r.Millis, r.Kind)
		for i := range r.Ops {
			o := &r.Ops[i]
			text += fmt.Sprintf(" [%d %s %q %v v%d c%d ttl%d to%d %v%q %v]", o.Kind, o.Path, o.Data, o.Ephemeral, o.Version, o.Cversion, o.TTL, o.Timeout, o.Told, o.Gone, o.ACLs())
		}
		if r.Err != 0 {
			text += fmt.Sprint(" refused ", r.Err)
		}
		out = append(out, text)
	}
	if err == io.EOF {
		return append(out, fmt.Sprintf("end %d at %d", l.End(), l.Offset())), nil
	}
	return out, err
}

// What real servers wrote, against what was read from the same files by hand.
func TestRealLogs(t *testing.T) {
	for file, want := range map[string][]string{
		"contention/log.1": {
			`6 1000006de230000/6 1795858214475 1 [1 /locks/orders/8a02be3eb2bd468d9e9f4389da701eb2__lock__0000000000 "web-1" true v0 c1 ttl0 to0 false[] [{31 world anyone}]]`,
			`9 1000006de230000/8 1795858215490 2 [2 /locks/orders/8a02be3eb2bd468d9e9f4389da701eb2__lock__0000000000 "" false v0 c0 ttl0 to0 false[] []]`,
			`10 1000006de230000/9 1795858216640 14 [1 /tx "x" false v0 c3 ttl0 to0 false[] [{31 world anyone}]] [1 /tx/s_1 "" false v0 c1 ttl0 to0 false[] [{31 world anyone}]] [5 /tx "y" false v1 c0 ttl0 to0 false[] []]`,
			`11 1000006de230000/10 1795858216648 14 refused -103`, `21 1000006de230000/44 1795858216813 -1 refused -101`,
			`27 1000006de230000/52 1795858216835 7 [7 /tx "" false v1 c0 ttl0 to0 false[] [{31 digest u:Jq7wMyA/w2Vd5WIDAKdu4OIIFEQ=}]]`,
			`29 1000006de230001/8 1795858217146 -11 [-11  "" false v0 c0 ttl0 to0 true["/el/n_0000000001"] []]`, "end 1 at 5251"},
		"expiry/log.1":  {`3 1000007d0520002/0 1795858277542 -10 [-10  "" false v0 c0 ttl0 to4000 false[] []]`, "end 1 at 2874"},
		"expiry/log.ab": {`ad 1000007d0520001/7 1795858282524 -11 [-11  "" false v0 c0 ttl0 to0 true[] []]`, "end 1 at 264"},
	} {
		f, err := os.Open(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		got, err := lines(f, file)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains("\n"+strings.Join(got, "\n")+"\n", "\n"+w+"\n") {
				t.Errorf("%s says\n%s\nand not\n%s", file, strings.Join(got, "\n"), w)
			}
		}
	}
}

// anyRecord draws a record as a server could have written it.
func anyRecord(t *rapid.T, v txntest.Version) *txnlog.Record {
	r := &txnlog.Record{Session: rapid.Int64().Draw(t, "session"), Cxid: rapid.Int32().Draw(t, "cxid"), Zxid: rapid.Int64().Draw(t, "zxid"),
		Millis: rapid.Int64().Draw(t, "millis")}
	kinds := []txnlog.Kind{txnlog.Create, txnlog.Delete, txnlog.SetData, txnlog.SetACL}
	if v >= txntest.V36 {
		kinds = append(kinds, txnlog.Create2, txnlog.CreateContainer, txnlog.CreateTTL, txnlog.DeleteContainer, txnlog.Reconfig)
	}
	r.Kind = rapid.SampledFrom(append([]txnlog.Kind{txnlog.CreateSession, txnlog.CloseSession, txnlog.Failed, txnlog.Multi}, kinds...)).Draw(t, "kind")
	n := 1
	switch r.Kind {
	case txnlog.Failed:
		r.Err = rapid.Int32Range(-200, -1).Draw(t, "err")
		return r
	case txnlog.Multi:
		n = rapid.IntRange(0, 4).Draw(t, "parts")
		r.Err = rapid.SampledFrom([]int32{0, 0, -103}).Draw(t, "err")
	}
	for range n {
		kind := r.Kind
		if r.Kind == txnlog.Multi {
			kind = rapid.SampledFrom(append(kinds, txnlog.Check)).Draw(t, "part")
		}
		r.Ops = append(r.Ops, anyOp(t, kind, v))
	}
	return r
}

func anyOp(t *rapid.T, kind txnlog.Kind, v txntest.Version) txnlog.Op {
	o := txnlog.Op{Kind: kind}
	path, data := rapid.StringMatching(`/[a-z\x00-\xff]{0,40}`), rapid.SampledFrom([][]byte{nil, {}, []byte("web-1"), {0xff, 0}})
	switch kind {
	case txnlog.CreateSession:
		o.Timeout = rapid.Int32().Draw(t, "timeout")
		return o
	case txnlog.CloseSession:
		if o.Told = v >= txntest.V36; o.Told {
			for _, p := range rapid.SliceOfN(path, 0, 3).Draw(t, "gone") {
				o.Gone = append(o.Gone, []byte(p))
			}
		}
		return o
	}
	o.Path = []byte(path.Draw(t, "path"))
	switch kind {
	case txnlog.SetData, txnlog.Reconfig:
		o.Data = data.Draw(t, "data")
		o.Version = rapid.Int32().Draw(t, "version")
	case txnlog.SetACL, txnlog.Check:
		o.Version = rapid.Int32().Draw(t, "version")
	case txnlog.Create, txnlog.Create2, txnlog.CreateContainer, txnlog.CreateTTL:
		o.Data = data.Draw(t, "data")
		o.Cversion = -1
		if v >= txntest.V34 {
			o.Cversion = rapid.Int32().Draw(t, "cversion")
		}
		o.Ephemeral = kind <= txnlog.Create2 && rapid.Bool().Draw(t, "ephemeral")
		if kind == txnlog.CreateTTL {
			o.TTL = rapid.Int64().Draw(t, "ttl")
		}
	}
	return o
}

// same compares what was written with what is read.
func same(want, got *txnlog.Record) bool {
	w := *want
	if w.Err != 0 {
		w.Ops = nil
	}
	if w.Session != got.Session || w.Cxid != got.Cxid || w.Zxid != got.Zxid || w.Millis != got.Millis || w.Kind != got.Kind || w.Err != got.Err || len(w.Ops) != len(got.Ops) {
		return false
	}
	for i := range w.Ops {
		a, b := w.Ops[i], got.Ops[i]
		if fmt.Sprintf("%v %q %q %v %v %v %v %v %v %q", a.Kind, a.Path, a.Data, a.Data == nil, a.Ephemeral, a.Version, a.Cversion, a.TTL, a.Timeout, a.Gone) !=
			fmt.Sprintf("%v %q %q %v %v %v %v %v %v %q", b.Kind, b.Path, b.Data, b.Data == nil, b.Ephemeral, b.Version, b.Cversion, b.TTL, b.Timeout, b.Gone) || a.Told != b.Told {
			return false
		}
	}
	return true
}

// Whatever a server of any version wrote is read as it was meant.
func TestEveryVersionIsRead(t *testing.T) {
	for _, v := range []txntest.Version{txntest.V33, txntest.V34, txntest.V36} {
		rapid.Check(t, func(t *rapid.T) {
			var file bytes.Buffer
			w := txntest.New(&file, v)
			var want []*txnlog.Record
			for range rapid.IntRange(0, 20).Draw(t, "records") {
				r := anyRecord(t, v)
				w.Write(r)
				want = append(want, r)
			}
			size := int64(file.Len())
			w.Pad(rapid.SampledFrom([]int{0, 5, 4096}).Draw(t, "padding"))
			l, err := txnlog.OpenLog(bytes.NewReader(file.Bytes()), "log.1")
			if err != nil {
				t.Fatal(err)
			}
			var r txnlog.Record
			for i, x := range want {
				if err := l.Next(&r); err != nil || !same(x, &r) {
					t.Fatalf("record %d: %v\n%+v, want\n%+v", i, err, r, x)
				}
			}
			if err := l.Next(&r); err != io.EOF || l.End() != txnlog.Clean || l.Offset() != size {
				t.Fatalf("%v, end %d at %d of %d", err, l.End(), l.Offset(), size)
			}
		})
	}
}

// real is a log of a real server.
func real(t testing.TB) []byte {
	b, err := os.ReadFile("testdata/contention/log.1")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A log that is cut at any byte tells what stands before the cut, and that it has no clean end, but at a record's boundary.
func TestCutAnywhere(t *testing.T) {
	b := real(t)
	whole, _ := lines(bytes.NewReader(b), "log.1")
	boundary := map[int]bool{} // and the upper half of a checksum, which looks like padding
	l, _ := txnlog.OpenLog(bytes.NewReader(b), "log.1")
	for r := (txnlog.Record{}); l.Next(&r) == nil; {
		for i := range 5 {
			boundary[int(r.Offset)+i] = true
		}
	}
	for n := 0; n < len(b); n += 1 + n/300 {
		got, err := lines(bytes.NewReader(b[:n]), "log.1")
		if err != nil {
			t.Fatalf("cut at %d: %v", n, err)
		}
		story, end := got[:len(got)-1], got[len(got)-1]
		if !slices.Equal(story, whole[:len(story)]) {
			t.Fatalf("cut at %d: another story", n)
		}
		clean := boundary[n] || n <= 16 || n >= 5251
		if strings.HasPrefix(end, "end 1") != clean {
			t.Errorf("cut at %d: %s", n, end)
		}
	}
}

// A bit that flipped is damage with its offset, or lies where nothing is told; never another story.
func TestFlippedBits(t *testing.T) {
	b := real(t)
	whole, _ := lines(bytes.NewReader(b), "log.1")
	for i := 0; i < 8*5251; i += 11 {
		x := bytes.Clone(b)
		x[i/8] ^= 1 << (i % 8)
		got, err := lines(bytes.NewReader(x), "log.1")
		var c *txnlog.Corrupt
		switch {
		case err == nil && i/8 >= 8 && i/8 < 16: // the dbid, which nobody reads
			continue
		case errors.As(err, &c):
			if c.File != "log.1" || c.Offset > int64(i/8) {
				t.Fatalf("bit %d: %v", i, err)
			}
		case err != nil:
			t.Fatalf("bit %d: %v", i, err)
		default:
			got = got[:len(got)-1] // an end that is not clean, or looks like padding
		}
		if len(got) >= len(whole)-1 || !slices.Equal(got, whole[:len(got)]) {
			t.Fatalf("bit %d of byte %d: another story, %v", i%8, i/8, err)
		}
	}
}

// A log that is being written is followed: what comes later is read where the end was.
func TestFollow(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log.1")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	l, err := txnlog.OpenLog(in, name)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	w := txntest.New(&file, txntest.V36)
	var r txnlog.Record
	for i := range 3 {
		w.Write(&txnlog.Record{Zxid: int64(i), Kind: txnlog.Delete, Ops: []txnlog.Op{{Kind: txnlog.Delete, Path: []byte("/a")}}})
		half := file.Len() - 7
		for _, n := range []int{half, file.Len()} {
			if err := l.Next(&r); err != io.EOF {
				t.Fatal(err)
			}
			if _, err := f.WriteAt(append(bytes.Clone(file.Bytes()[:n]), make([]byte, 100)...), 0); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.Next(&r); err != nil || r.Zxid != int64(i) {
			t.Fatalf("record %d: %v", i, err)
		}
	}
}

// A length is believed no further than the file goes.
func TestHugeLengths(t *testing.T) {
	b := real(t)[:16+12]
	binary.BigEndian.PutUint32(b[16+8:], 0x7fffffff)
	got, err := lines(bytes.NewReader(b), "log.1")
	if err != nil || len(got) != 1 || got[0] != "end 2 at 16" {
		t.Errorf("%q %v", got, err)
	}
	binary.BigEndian.PutUint32(b[16+8:], 0x80000000)
	if _, err = lines(bytes.NewReader(b), "log.1"); err == nil || !strings.Contains(err.Error(), "log.1: at offset 16: a record of -2147483648 bytes") {
		t.Error(err)
	}
	if _, err = txnlog.OpenLog(strings.NewReader("hello, this is no log"), "x"); err == nil {
		t.Error("anything is a log")
	}
}

func FuzzLog(f *testing.F) {
	b, _ := os.ReadFile("testdata/contention/log.1")
	f.Add(b)
	f.Add(b[:100])
	f.Fuzz(func(t *testing.T, b []byte) {
		lines(bytes.NewReader(b), "log.1")
	})
}

// BenchmarkLog reads a log of a million records.
func BenchmarkLog(b *testing.B) {
	var file bytes.Buffer
	w := txntest.New(&file, txntest.V36)
	const n = 1_000_000
	for i := range n {
		path := fmt.Appendf(nil, "/locks/job-%04d/_c_%032x-lock-%010d", i%1000, i, i/2000)
		r := txnlog.Record{Session: int64(i % 300), Cxid: int32(i), Zxid: int64(i + 1), Millis: int64(i), Kind: txnlog.Create}
		r.Ops = []txnlog.Op{{Kind: txnlog.Create, Path: path, Data: []byte("10.0.0.1"), Ephemeral: true, Cversion: int32(i)}}
		if i%2 == 1 {
			r.Kind, r.Ops = txnlog.Delete, []txnlog.Op{{Kind: txnlog.Delete, Path: path}}
		}
		w.Write(&r)
	}
	b.SetBytes(int64(file.Len()))
	for b.Loop() {
		l, err := txnlog.OpenLog(bytes.NewReader(file.Bytes()), "log.1")
		if err != nil {
			b.Fatal(err)
		}
		var r txnlog.Record
		count := 0
		for l.Next(&r) == nil {
			count++
		}
		if count != n {
			b.Fatal(count)
		}
	}
	b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "records/s")
}
