package txnlog_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/snappy"

	"github.com/zkscope/zkscope/internal/txnlog"
)

// znodes reads a snapshot: a line for every znode, and what it says besides.
func znodes(b []byte, name string) (out []string, s *txnlog.Snapshot, err error) {
	s, err = txnlog.ReadSnapshot(bytes.NewReader(b), name, func(z *txnlog.Znode) error {
		out = append(out, fmt.Sprintf("%s %q %d %+v", z.Path, z.Data, z.ACL, z.Stat))
		return nil
	})
	return out, s, err
}

// unzipped is a snapshot of a real server.
func unzipped(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/expiry/" + name)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

// packed packs as snappy-java does, in blocks of a size.
func packed(b []byte, size int) []byte {
	out := append([]byte{0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0}, 0, 0, 0, 1, 0, 0, 0, 1)
	for part := range slices.Chunk(b, size) {
		raw := snappy.Encode(nil, part)
		out = append(binary.BigEndian.AppendUint32(out, uint32(len(raw))), raw...)
	}
	return out
}

func TestRealSnapshots(t *testing.T) {
	zipped, err := os.ReadFile("testdata/expiry/snapshot.19.gz")
	if err != nil {
		t.Fatal(err)
	}
	plain := unzipped(t, "snapshot.19.gz")
	for name, b := range map[string][]byte{"snapshot.19.gz": zipped, "snapshot.19": plain, "snapshot.19.snappy": packed(plain, 500)} {
		got, s, err := znodes(b, name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := `/locks/nightly/68cfce625151400b9290a6fa8910ad04__lock__0000000000 "batch-1" 2 {Czxid:6 Mzxid:6 Ctime:1795858277586 Mtime:1795858277586 Version:0 Cversion:0 Aversion:0 Owner:72057627597733890 Pzxid:6}`
		if len(got) != 26 || !strings.HasPrefix(got[0], `/ "" `) || !slices.Contains(got, want) {
			t.Errorf("%s:\n%s", name, strings.Join(got, "\n"))
		}
		if s.Last != 0x1a || fmt.Sprint(s.Sessions) != "map[72057627597733888:6000 72057627597733889:6000 72057627597733890:4000]" ||
			fmt.Sprint(s.ACLs) != "map[1:[{1 world anyone}] 2:[{31 world anyone}]]" {
			t.Errorf("%s: %+v", name, s)
		}
	}
	if _, s, err := znodes(unzipped(t, "snapshot.8f.gz"), "snapshot.8f"); err != nil || s.Last != 0x91 {
		t.Errorf("%+v %v", s, err)
	}
}

// A snapshot is whole or damaged: cut at any byte but between its parts it is no story, and no bit of it can flip unseen.
func TestDamagedSnapshots(t *testing.T) {
	b := unzipped(t, "snapshot.aa.gz")
	if _, _, err := znodes(b, "snapshot.aa"); err != nil {
		t.Fatal(err)
	}
	var c *txnlog.Corrupt
	whole := 0
	for n := range b {
		_, _, err := znodes(b[:n], "snapshot.aa")
		if err == nil {
			whole++ // behind the first checksum, where servers before 3.6 end
		} else if !errors.As(err, &c) || c.File != "snapshot.aa" || c.Offset > int64(n) {
			t.Fatalf("cut at %d: %v", n, err)
		}
	}
	if whole > 1 {
		t.Errorf("cut at %d places it is taken for whole", whole)
	}
	for i := 0; i < 8*len(b); i += 5 {
		x := bytes.Clone(b)
		x[i/8] ^= 1 << (i % 8)
		if _, _, err := znodes(x, "snapshot.aa"); !errors.As(err, &c) {
			t.Fatalf("bit %d of byte %d flips unseen: %v", i%8, i/8, err)
		}
	}
	stop := errors.New("enough")
	if _, err := txnlog.ReadSnapshot(bytes.NewReader(b), "x", func(*txnlog.Znode) error { return stop }); !errors.Is(err, stop) {
		t.Error(err)
	}
}

func FuzzSnapshot(f *testing.F) {
	b := unzipped(f, "snapshot.aa.gz")
	f.Add(b, "")
	f.Add(packed(b, 100), ".snappy")
	f.Fuzz(func(t *testing.T, b []byte, ending string) { znodes(b, "snapshot.1"+ending) })
}
