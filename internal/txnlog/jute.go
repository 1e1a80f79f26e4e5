package txnlog

import (
	"encoding/binary"
	"errors"
)

// errShort is what a record says that ends before all of it was there.
var errShort = errors.New("it ends in the middle")

// jute takes a record apart: big-endian numbers, and texts behind their lengths. After a fault everything is zero, and err
// stays set.
type jute struct {
	b   []byte
	err error
}

func (j *jute) take(n int) []byte {
	if n < 0 || n > len(j.b) {
		j.err, j.b = errShort, nil
		return nil
	}
	out := j.b[:n:n]
	j.b = j.b[n:]
	return out
}

func (j *jute) bool() bool {
	b := j.take(1)
	return b != nil && b[0] != 0
}

func (j *jute) int() int32 {
	if b := j.take(4); b != nil {
		return int32(binary.BigEndian.Uint32(b))
	}
	return 0
}

func (j *jute) long() int64 {
	if b := j.take(8); b != nil {
		return int64(binary.BigEndian.Uint64(b))
	}
	return 0
}

// buffer returns bytes that are part of the record; nil for null.
func (j *jute) buffer() []byte {
	n := j.int()
	if n == -1 || j.err != nil {
		return nil
	}
	return j.take(int(n))
}

// count reads how many elements follow that take so many bytes each at least.
func (j *jute) count(least int) int {
	n := j.int()
	if n < -1 || int(n) > len(j.b)/least {
		j.err, j.b = errShort, nil
		return 0
	}
	return max(0, int(n))
}
