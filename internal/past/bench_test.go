package past

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/zkscope/zkscope/internal/txnlog"
	"github.com/zkscope/zkscope/internal/txntest"
)

// busyMember writes the directory of a server on which 1,000 locks change hands: so many transactions.
func busyMember(tb testing.TB, n int) string {
	dir := tb.TempDir()
	f, err := os.Create(filepath.Join(dir, "log.1"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var file bytes.Buffer
	w := txntest.New(&file, txntest.V36)
	z := int64(0)
	write := func(op txnlog.Op, session int64) {
		z++
		w.Write(&txnlog.Record{Session: session, Cxid: int32(z), Zxid: z, Millis: 1795816800000 + z*2, Kind: op.Kind, Ops: []txnlog.Op{op}})
		if file.Len() > 1<<20 {
			_, _ = f.Write(file.Bytes())
			file.Reset()
		}
	}
	write(txnlog.Op{Kind: txnlog.Create, Path: []byte("/locks"), Cversion: 1}, 1)
	lines := make([][][]byte, 1000)
	made := make([]int32, 1000)
	for i := range lines {
		write(txnlog.Op{Kind: txnlog.Create, Path: fmt.Appendf(nil, "/locks/job-%04d", i), Cversion: int32(i + 1)}, 1)
	}
	for i := 0; z < int64(n); i++ {
		at := i * 7 % 1000
		made[at]++
		path := fmt.Appendf(nil, "/locks/job-%04d/_c_%08x-0000-4000-8000-%012x-lock-%010d", at, i, i, made[at]-1)
		write(txnlog.Op{Kind: txnlog.Create, Path: path, Data: fmt.Appendf(nil, "worker-%d", i%300), Ephemeral: true, Cversion: made[at]}, int64(i%300+1))
		if lines[at] = append(lines[at], path); len(lines[at]) > 3 {
			write(txnlog.Op{Kind: txnlog.Delete, Path: lines[at][0]}, int64(i%300+1))
			lines[at] = lines[at][1:]
		}
	}
	if _, err := f.Write(file.Bytes()); err != nil || w.Err() != nil {
		tb.Fatal(err, w.Err())
	}
	return dir
}

// BenchmarkStory reads a million transactions, and rebuilds the tree of each.
func BenchmarkStory(b *testing.B) {
	const n = 1_000_000
	m, err := txnlog.FindMember(busyMember(b, n), "")
	if err != nil {
		b.Fatal(err)
	}
	s, err := Open([]*txnlog.Member{m})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("cover", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Cover(); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "records/s")
	})
	b.Run("rebuild", func(b *testing.B) {
		for b.Loop() {
			t := s.tape()
			for t.Next() != io.EOF {
			}
			t.Close()
		}
		b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "records/s")
	})
}
