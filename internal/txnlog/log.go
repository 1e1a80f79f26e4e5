package txnlog

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/adler32"
	"io"
)

const (
	logMagic    = "ZKLG"
	headerSize  = 16
	frameSize   = 8 + 4 + 1 // checksum, length, and the end mark
	endMark     = 0x42
	leastRecord = 32 // the header of a transaction
	readAtOnce  = 256 << 10
)

// Corrupt is damage: what a server would refuse to start with.
type Corrupt struct {
	File   string
	Offset int64
	What   string
}

// Error says what is damaged, and where.
func (c *Corrupt) Error() string {
	return fmt.Sprintf("%s: at offset %d: %s", c.File, c.Offset, c.What)
}

// End is how a log ends.
type End int

// The ends of a log. One that is still being written has not ended: asked again, Next goes on.
const (
	Open    End = iota // not reached
	Clean              // at its padding, or with the file
	Unclean            // in the middle of a record: its server died, or is writing it
)

// Log reads one transaction log, record by record.
type Log struct {
	name string
	src  io.ReaderAt
	off  int64 // of the next record
	buf  []byte
	at   int64 // where buf stands in the file
	end  End
}

// OpenLog begins to read a log; name is for messages. The header must be a log's, of the one version there is.
func OpenLog(src io.ReaderAt, name string) (*Log, error) {
	var head [headerSize]byte
	n, err := src.ReadAt(head[:], 0)
	switch {
	case n < headerSize && (err == nil || errors.Is(err, io.EOF)):
		if n == 0 || string(head[:min(n, 4)]) == logMagic[:min(n, 4)] {
			return &Log{name: name, src: src, off: headerSize}, nil // made a moment ago, or by a server that died then
		}
		fallthrough
	case n == headerSize && string(head[:4]) != logMagic:
		return nil, &Corrupt{name, 0, "this is not a transaction log: it does not begin with " + logMagic}
	case n < headerSize:
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if v := binary.BigEndian.Uint32(head[4:]); v != 2 {
		return nil, &Corrupt{name, 4, fmt.Sprintf("a transaction log of version %d, not 2", v)}
	}
	return &Log{name: name, src: src, off: headerSize}, nil
}

// Offset returns where the next record begins.
func (l *Log) Offset() int64 { return l.off }

// Goto goes to a record, by the offset that Offset or Record.Offset told.
func (l *Log) Goto(off int64) { l.off, l.end = off, Open }

// End returns how the log ended; Open before its end was met.
func (l *Log) End() End { return l.end }

// Next reads one record into rec, whose memory it uses again. At the end it returns io.EOF, and End tells how the log ended;
// what was written since is read by calling it again. A *Corrupt tells of damage.
func (l *Log) Next(rec *Record) error {
	frame, err := l.bytes(l.off, 12)
	if err != nil {
		return err
	}
	if len(frame) < 12 {
		return l.ended(len(frame) == 0 || zero(frame))
	}
	sum, n := binary.BigEndian.Uint64(frame), int32(binary.BigEndian.Uint32(frame[8:]))
	if n == 0 {
		return l.ended(true)
	}
	if n < 0 {
		return &Corrupt{l.name, l.off, fmt.Sprintf("a record of %d bytes", n)}
	}
	frame, err = l.bytes(l.off, frameSize+int(n))
	switch {
	case err != nil:
		return err
	case len(frame) < frameSize+int(n), frame[frameSize+n-1] != endMark && unwritten(frame):
		return l.ended(false)
	}
	body := frame[12 : 12+n]
	if uint64(adler32.Checksum(body)) != sum {
		return &Corrupt{l.name, l.off, "a record does not match its checksum"}
	}
	if frame[frameSize+n-1] != endMark {
		return l.ended(false)
	}
	if n < leastRecord {
		return &Corrupt{l.name, l.off, fmt.Sprintf("a record of %d bytes", n)}
	}
	if err := rec.parse(body); err != nil {
		return &Corrupt{l.name, l.off, fmt.Sprintf("a record of kind %d: %v", rec.Kind, err)}
	}
	rec.Offset, rec.Size = l.off, len(frame)
	l.off, l.end = l.off+int64(len(frame)), Open
	return nil
}

func (l *Log) ended(clean bool) error {
	l.end = Unclean
	if clean {
		l.end = Clean
	}
	l.buf = l.buf[:0] // what is written later stands there
	return io.EOF
}

func zero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// unwritten reports whether a record ends in padding: it was not written to its end.
func unwritten(frame []byte) bool { return frame[len(frame)-1] == 0 }

// bytes returns so many bytes from an offset on, fewer at the end of the file.
func (l *Log) bytes(off int64, n int) ([]byte, error) {
	if lo := off - l.at; lo >= 0 && lo+int64(n) <= int64(len(l.buf)) {
		return l.buf[lo : lo+int64(n)], nil
	}
	want := max(n, readAtOnce)
	if n > readAtOnce { // a length is believed no further than the file goes
		var probe [1]byte
		if m, err := l.src.ReadAt(probe[:], off+int64(n)-1); m == 0 {
			if err == nil || errors.Is(err, io.EOF) {
				return nil, nil
			}
			return nil, fmt.Errorf("%s: %w", l.name, err)
		}
	}
	if cap(l.buf) < want {
		l.buf = make([]byte, want)
	}
	l.buf = l.buf[:cap(l.buf)]
	m, err := l.src.ReadAt(l.buf, off)
	l.buf, l.at = l.buf[:m], off
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", l.name, err)
	}
	return l.buf[:min(n, m)], nil
}
