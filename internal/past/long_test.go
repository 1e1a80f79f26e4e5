package past

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/txnlog"
	"github.com/zkscope/zkscope/internal/txntest"
)

// Ten million transactions are read, looked over and rebuilt in memory that does not grow with their number, beside
// ZooKeeper's own tool, which prints the same file. The figures are logged.
func TestTenMillionRecords(t *testing.T) {
	if os.Getenv("ZKSCOPE_LONG") == "" {
		t.Skip("it writes a log of 1.5 GB; set ZKSCOPE_LONG=1")
	}
	const n = 10_000_000
	dir := t.TempDir()
	if err := txntest.Crowd(dir, n, 1000, 4); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "log.1")
	st, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	m, err := txnlog.FindMember(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	measure := func(what string, read func() int64) {
		debug.FreeOSMemory()
		_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // from here the peak counts
		began := time.Now()
		got := read()
		took := time.Since(began)
		if got < n {
			t.Errorf("%s: %d of %d records", what, got, n)
		}
		t.Logf("%s: %d records, %.2f GB, in %.2f s: %.0f records/s, %.0f MB/s, %s resident at most", what, got, float64(st.Size())/1e9, took.Seconds(), float64(got)/took.Seconds(),
			float64(st.Size())/1e6/took.Seconds(), peak())
	}
	measure("read", func() (count int64) {
		s := m.Stream(-1)
		defer s.Close()
		var r txnlog.Record
		for s.Next(&r) == nil {
			count++
		}
		return count
	})
	s, err := Open([]*txnlog.Member{m})
	if err != nil {
		t.Fatal(err)
	}
	measure("covered", func() int64 {
		c, err := s.Cover()
		if err != nil {
			t.Fatal(err)
		}
		return c.All.Records
	})
	measure("rebuilt", func() (count int64) {
		tape := s.tape()
		defer tape.Close()
		for tape.Next() != io.EOF {
			count++
		}
		return count
	})
	measure("ZooKeeper's TxnLogToolkit, printed", func() int64 { return printed(t, file) })
}

// printed counts the records that ZooKeeper's own tool prints of a log.
func printed(t *testing.T, file string) int64 {
	peers.Require(t, peers.NeedJava, peers.NeedZooKeeper)
	cmd := exec.Command("java", append(peers.JavaFlags(), "org.apache.zookeeper.server.persistence.TxnLogToolkit", file)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var count int64
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if bytes.Contains(lines.Bytes(), []byte(" cxid 0x")) {
			count++
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	return count
}

// peak is what the kernel says of this process: of a tool in another one it says nothing.
func peak() string {
	b, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(b), "VmHWM:")
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(line)
}
