package history_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/adler32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/history"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/txnlog"
	"github.com/zkscope/zkscope/internal/txntest"
)

// logDir writes a server's directory with a log of changes, each by a session and with the number that follows.
func logDir(t *testing.T, first int64, ops ...func(r *txnlog.Record)) string {
	t.Helper()
	var file bytes.Buffer
	w := txntest.New(&file, txntest.V36)
	for i, op := range ops {
		r := txnlog.Record{Cxid: int32(i + 1), Zxid: first + int64(i), Millis: 1795816800000 + int64(i)*1000}
		op(&r)
		w.Write(&r)
	}
	if w.Err() != nil {
		t.Fatal(w.Err())
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "log.1"), file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func makes(session int64, path, text string, ephemeral bool) func(*txnlog.Record) {
	return does(session, txnlog.Op{Kind: txnlog.Create, Path: []byte(path), Data: []byte(text), Ephemeral: ephemeral, Cversion: -1})
}

func removes(session int64, path string) func(*txnlog.Record) {
	return does(session, txnlog.Op{Kind: txnlog.Delete, Path: []byte(path)})
}

func does(session int64, op txnlog.Op) func(*txnlog.Record) {
	return func(r *txnlog.Record) { r.Session, r.Kind, r.Ops = session, op.Kind, []txnlog.Op{op} }
}

// snapshotInto writes a snapshot of persistent znodes, parents first, that were made by the transactions 1, 2, ...
func snapshotInto(t *testing.T, dir string, paths ...string) {
	t.Helper()
	text := func(b []byte, s string) []byte {
		return append(binary.BigEndian.AppendUint32(b, uint32(len(s))), s...)
	}
	b := binary.BigEndian.AppendUint32([]byte("ZKSN"), 2)
	b = append(b, make([]byte, 8+4+4)...) // of the database, no session, no list of rights
	for i, path := range append([]string{""}, paths...) {
		b = binary.BigEndian.AppendUint64(text(text(b, path), "one"), 1<<64-1)
		for range 2 {
			b = binary.BigEndian.AppendUint64(b, uint64(i)) // czxid, mzxid
		}
		for range 2 {
			b = binary.BigEndian.AppendUint64(b, uint64(1795816000000+i))
		}
		b = binary.BigEndian.AppendUint64(append(b, make([]byte, 3*4+8)...), uint64(i)) // versions, owner, pzxid
	}
	b = text(b, "/")
	b = text(binary.BigEndian.AppendUint64(b, uint64(adler32.Checksum(b))), "/")
	if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("snapshot.%x", len(paths))), b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Where the logs do not reach back to when a claim was made, who made it is not known.
func TestWhoMadeAClaimBeforeTheLogsIsNotKnown(t *testing.T) {
	const claim = "/locks/a/_c_00000000-0000-4000-8000-000000000001-lock-0000000001"
	dir := logDir(t, 4, removes(0xc, claim))
	snapshotInto(t, dir, "/locks", "/locks/a", claim)
	s := &clitest.Shell{T: t, Does: cli.Run}
	code, out, errs := s.Run("", "history", "--from", dir, "/locks/a")
	if code != world.ExitOK || !strings.Contains(out, "deleted by 0xc; who made it is not known") || strings.Contains(errs, "missing") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	if _, out, _ = s.Run("", "history", "--from", dir, "/locks/a", "-o", "json"); !strings.Contains(out, `"how": "deleted"`) || !strings.Contains(out, `"madeBy": null`) {
		t.Error(out)
	}
}

// Who deletes a claim that no session owns has released it only where it is the session that made it.
func TestAClaimWithoutAnOwnerIsReleasedByItsMakerAlone(t *testing.T) {
	claim := func(n string) string {
		return "/locks/a/_c_00000000-0000-4000-8000-00000000000" + n + "-lock-000000000" + n
	}
	dir := logDir(t, 1, makes(0xa, "/locks", "", false), makes(0xa, "/locks/a", "", false),
		makes(0xa, claim("1"), "one", false), makes(0xa, claim("2"), "two", false), makes(0xb, claim("3"), "three", true), makes(0xb, claim("4"), "four", true),
		removes(0xc, claim("1")), removes(0xa, claim("2")), removes(0xb, claim("3")), removes(0xc, claim("4")))
	s := &clitest.Shell{T: t, Does: cli.Run}
	code, out, errs := s.Run("", "history", "--from", dir, "/locks/a", "-o", "json")
	var h history.HistoryReport
	if err := json.Unmarshal([]byte(out), &h); code != world.ExitOK || err != nil || len(h.Claims) != 4 {
		t.Fatalf("exit %d: %v\n%s%s", code, err, out, errs)
	}
	for i, want := range []struct{ how, by, made string }{{"deleted", "0xc", "0xa"}, {"released", "0xa", "0xa"}, {"released", "0xb", "0xb"}, {"broken", "0xc", "0xb"}} {
		if c := h.Claims[i]; c.How != want.how || *c.By != want.by || i < 2 && *c.MadeBy != want.made {
			t.Errorf("%s: %s by %s", c.Owner, c.How, *c.By)
		}
	}
	if _, out, _ := s.Run("", "history", "--from", dir, "/locks/a"); !strings.Contains(out, "deleted by 0xc, made by 0xa") || strings.Count(out, "released") != 2 {
		t.Error(out)
	}
	if _, out, _ := s.Run("", "history", "--from", dir, "/locks/a", "-o", "csv"); !strings.Contains(out, ",deleted,0xc,0x7,false,0xa\n") || !strings.HasPrefix(out, "node,owner,session,") {
		t.Error(out)
	}
	since := "2026-11-27T22:00:04Z" // all of them are there by then: who made them stands before
	if _, out, _ := s.Run("", "history", "--from", dir, "/locks/a", "--since", since); !strings.Contains(out, "deleted by 0xc, made by 0xa") || strings.Count(out, "released") != 2 {
		t.Error(out)
	}
}
