package txnlog_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/txnlog"
	"github.com/zkscope/zkscope/internal/txntest"
)

const toolkit = `
public class Toolkit {
    public static void main(String[] files) throws Exception {
        for (String file : files) {
            try (var t = new org.apache.zookeeper.server.persistence.TxnLogToolkit(false, true, file, true)) { t.dump(new java.util.Scanner(System.in)); }
            System.out.println("DONE " + file);
        }
    }
}
`

// What our writer writes, as servers of three generations would, ZooKeeper's own tool reads record by record, with the same
// numbers and without complaint.
func TestZooKeepersOwnToolReadsWhatWeWrite(t *testing.T) {
	dir := t.TempDir()
	var files, want []string
	for _, v := range []txntest.Version{txntest.V34, txntest.V36} {
		name := filepath.Join(dir, fmt.Sprint("log.", int(v)))
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		w := txntest.New(f, v)
		for i, op := range everyOp(v) {
			r := txnlog.Record{Session: 0x10000000000 + int64(i), Cxid: int32(i + 1), Zxid: int64(v)<<8 + int64(i), Millis: 1795858214381, Kind: op.Kind, Ops: []txnlog.Op{op}}
			if i%3 == 2 && op.Path != nil {
				r.Kind, r.Ops = txnlog.Multi, []txnlog.Op{op, {Kind: txnlog.Check, Path: []byte("/a"), Version: 3}}
			}
			w.Write(&r)
			want = append(want, fmt.Sprintf("session 0x%x cxid 0x%x zxid 0x%x", r.Session, r.Cxid, r.Zxid))
		}
		w.Pad(4096)
		if f.Close(); w.Err() != nil {
			t.Fatal(w.Err())
		}
		files = append(files, name)
	}
	p := peers.Java(t, "Toolkit", toolkit, files...)
	p.Expect("DONE "+files[1], time.Minute)
	out := p.Output()
	at := 0
	for _, w := range want {
		i := strings.Index(out[at:], w)
		if i < 0 {
			t.Fatalf("it does not read %q:\n%s", w, out)
		}
		at += i
	}
	if n := strings.Count(out, " cxid 0x"); n != len(want) || strings.Contains(out, "CRC") && !strings.Contains(out, "0 CRC") {
		t.Errorf("%d records, want %d:\n%s", n, len(want), out)
	}
}

// everyOp is one change of every kind that a version knows.
func everyOp(v txntest.Version) []txnlog.Op {
	path, data := []byte("/a/b"), []byte("web-1")
	out := []txnlog.Op{{Kind: txnlog.CreateSession, Timeout: 6000}, {Kind: txnlog.Create, Path: path, Data: data, Ephemeral: true, Cversion: 7},
		{Kind: txnlog.Create, Path: path, Cversion: 1}, {Kind: txnlog.Delete, Path: path}, {Kind: txnlog.SetData, Path: path, Data: data, Version: 4},
		{Kind: txnlog.SetACL, Path: path, Version: 2}, {Kind: txnlog.CloseSession}}
	if v >= txntest.V36 {
		out[6] = txnlog.Op{Kind: txnlog.CloseSession, Gone: [][]byte{path}}
		out = append(out, txnlog.Op{Kind: txnlog.Create2, Path: path, Data: data, Cversion: 9}, txnlog.Op{Kind: txnlog.CreateContainer, Path: path, Cversion: 2},
			txnlog.Op{Kind: txnlog.CreateTTL, Path: path, Cversion: 3, TTL: 60000}, txnlog.Op{Kind: txnlog.DeleteContainer, Path: path}, txnlog.Op{Kind: txnlog.Reconfig, Path: path, Data: data, Version: 1})
	}
	return out
}
