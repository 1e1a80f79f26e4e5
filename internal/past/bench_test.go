package past

import (
	"io"
	"testing"

	"github.com/zkscope/zkscope/internal/txnlog"
	"github.com/zkscope/zkscope/internal/txntest"
)

// busyMember writes the directory of a server on which 1,000 locks change hands: so many transactions.
func busyMember(tb testing.TB, n int) string {
	tb.Helper()
	dir := tb.TempDir()
	if err := txntest.Crowd(dir, int64(n), 1000, 4); err != nil {
		tb.Fatal(err)
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
