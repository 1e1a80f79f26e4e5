package files

import (
	"bytes"
	"fmt"
	"io"
)

const (
	lineChunk = 256 << 10 // so much is read at once
	lineMost  = 64 << 20  // a longer line is no line of ours: the largest znode that servers take is far smaller
)

// lines reads a file line by line from an offset on.
type lines struct {
	src  io.ReaderAt
	off  int64  // of what follows buf
	no   int    // how many lines were read
	buf  []byte // what was read and not taken yet is buf[lo:]
	lo   int
	done bool // there is no more in src
}

// at is the offset of the next line.
func (l *lines) at() int64 { return l.off - int64(len(l.buf)-l.lo) }

// next returns the next line, which is good until the next call, without its end; cut says that it has none. After the
// last line comes io.EOF.
func (l *lines) next() (raw []byte, cut bool, err error) {
	for from := l.lo; ; {
		if i := bytes.IndexByte(l.buf[from:], '\n'); i >= 0 {
			raw = l.buf[l.lo : from+i]
			l.lo = from + i + 1
			l.no++
			return raw, false, nil
		}
		if l.done {
			break
		}
		have := len(l.buf) - l.lo
		if have > lineMost {
			return nil, false, fmt.Errorf("line %d is longer than %d MiB: this is not a snapshot", l.no+1, lineMost>>20)
		}
		if err := l.fill(); err != nil {
			return nil, false, err
		}
		from = l.lo + have
	}
	if raw = l.buf[l.lo:]; len(raw) == 0 {
		return nil, false, io.EOF
	}
	l.lo = len(l.buf)
	l.no++
	return raw, true, nil
}

// fill reads on, and forgets what was taken.
func (l *lines) fill() error {
	kept := copy(l.buf, l.buf[l.lo:])
	if want := max(lineChunk, 2*kept); cap(l.buf) < want {
		grown := make([]byte, kept, want)
		copy(grown, l.buf[:kept])
		l.buf = grown
	}
	l.buf, l.lo = l.buf[:cap(l.buf)], 0
	n, err := l.src.ReadAt(l.buf[kept:], l.off)
	l.buf, l.off = l.buf[:kept+n], l.off+int64(n)
	if err == io.EOF {
		l.done, err = true, nil
	}
	return err
}

// seek goes to a line that begins at an offset, after so many others.
func (l *lines) seek(off int64, no int) {
	l.off, l.no, l.buf, l.lo, l.done = off, no, l.buf[:0], 0, false
}
