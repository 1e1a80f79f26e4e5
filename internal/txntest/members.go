package txntest

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/zkscope/zkscope/internal/txnlog"
)

// firstMillis is when the first transaction of a member is; every next one is two milliseconds later.
const firstMillis = 1795816800000

// Member writes the log of a server, as that of a server of its own, to dir/log.1.
type Member struct {
	f    *os.File
	out  *bufio.Writer
	w    *Writer
	zxid int64
	now  int64
}

// NewMember begins the log in a directory that is there.
func NewMember(dir string) (*Member, error) {
	f, err := os.Create(filepath.Join(dir, "log.1"))
	if err != nil {
		return nil, err
	}
	out := bufio.NewWriterSize(f, 1<<20)
	return &Member{f: f, out: out, w: New(out, V36), now: firstMillis}, nil
}

// Write writes one change by a session, as the next transaction. Errors are told by Close.
func (m *Member) Write(session int64, op txnlog.Op) {
	m.zxid++
	m.now += 2
	m.w.Write(&txnlog.Record{Session: session, Cxid: int32(m.zxid), Zxid: m.zxid, Millis: m.now, Kind: op.Kind, Ops: []txnlog.Op{op}})
}

// Pause lets time pass before the next transaction.
func (m *Member) Pause(d time.Duration) { m.now += d.Milliseconds() }

// Zxid returns that of the last transaction; 0 before the first.
func (m *Member) Zxid() int64 { return m.zxid }

// Close ends the log, and returns the first error there was.
func (m *Member) Close() error {
	err := m.w.Err()
	for _, step := range []func() error{m.out.Flush, m.f.Close} {
		if e := step(); err == nil {
			err = e
		}
	}
	return err
}

// Crowd writes the log of a server on which so many locks in /locks change hands, in n transactions at least: of 300 sessions
// so many stand in each line, the first of them as holder.
func Crowd(dir string, n int64, locks, line int) error {
	m, err := NewMember(dir)
	if err != nil {
		return err
	}
	m.Write(1, txnlog.Op{Kind: txnlog.Create, Path: []byte("/locks"), Cversion: 1})
	for i := range locks {
		m.Write(1, txnlog.Op{Kind: txnlog.Create, Path: fmt.Appendf(nil, "/locks/job-%04d", i), Cversion: int32(i + 1)})
	}
	lines := make([][]claim, locks)
	made := make([]int32, locks)
	for i := 0; m.zxid < n; i++ {
		at := i * 7 % locks
		made[at]++
		c := claim{fmt.Appendf(nil, "/locks/job-%04d/_c_%08x-0000-4000-8000-%012x-lock-%010d", at, i, i, made[at]-1), int64(i%300 + 1)}
		m.Write(c.session, txnlog.Op{Kind: txnlog.Create, Path: c.path, Data: fmt.Appendf(nil, "worker-%d", i%300), Ephemeral: true, Cversion: made[at]})
		if lines[at] = append(lines[at], c); len(lines[at]) >= line {
			m.Write(lines[at][0].session, txnlog.Op{Kind: txnlog.Delete, Path: lines[at][0].path})
			lines[at] = lines[at][1:]
		}
	}
	return m.Close()
}

type claim struct {
	path    []byte
	session int64
}
