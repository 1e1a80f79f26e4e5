package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// ErrShort reports a record that ends before its fields do, or a length that exceeds what is left.
var ErrShort = errors.New("wire: record is shorter than its fields")

// Encoder appends fields to B. The zero value is ready for use.
type Encoder struct{ B []byte }

// Int32 appends a 4-byte integer.
func (e *Encoder) Int32(v int32) { e.B = binary.BigEndian.AppendUint32(e.B, uint32(v)) }

// Int64 appends an 8-byte integer.
func (e *Encoder) Int64(v int64) { e.B = binary.BigEndian.AppendUint64(e.B, uint64(v)) }

// Bool appends one byte.
func (e *Encoder) Bool(v bool) {
	b := byte(0)
	if v {
		b = 1
	}
	e.B = append(e.B, b)
}

// String appends a length and the bytes of s.
func (e *Encoder) String(s string) {
	e.Int32(int32(len(s)))
	e.B = append(e.B, s...)
}

// Buffer appends a length and b; null (length -1) when b is nil.
func (e *Encoder) Buffer(b []byte) {
	if b == nil {
		e.Int32(-1)
		return
	}
	e.Int32(int32(len(b)))
	e.B = append(e.B, b...)
}

// Strings appends a vector of strings.
func (e *Encoder) Strings(list []string) {
	e.Int32(int32(len(list)))
	for _, s := range list {
		e.String(s)
	}
}

// Decoder reads fields from a record. The first failure sticks: later reads return zero values and Err
// keeps the cause, so a caller checks once at the end. It never reads past the record and never
// allocates more than the record holds.
type Decoder struct {
	b   []byte
	err error
}

// NewDecoder reads from b, which it does not copy: buffers that Buffer returns alias it.
func NewDecoder(b []byte) *Decoder { return &Decoder{b: b} }

// Err returns the first failure.
func (d *Decoder) Err() error { return d.err }

// Rest returns what has not been read.
func (d *Decoder) Rest() []byte { return d.b }

// Len returns the number of bytes not yet read.
func (d *Decoder) Len() int { return len(d.b) }

func (d *Decoder) take(n int) []byte {
	if d.err != nil {
		return nil
	}
	if n < 0 || n > len(d.b) {
		d.err = ErrShort
		d.b = nil
		return nil
	}
	out := d.b[:n:n]
	d.b = d.b[n:]
	return out
}

// Int32 reads a 4-byte integer.
func (d *Decoder) Int32() int32 {
	if b := d.take(4); b != nil {
		return int32(binary.BigEndian.Uint32(b))
	}
	return 0
}

// Int64 reads an 8-byte integer.
func (d *Decoder) Int64() int64 {
	if b := d.take(8); b != nil {
		return int64(binary.BigEndian.Uint64(b))
	}
	return 0
}

// Bool reads one byte.
func (d *Decoder) Bool() bool {
	b := d.take(1)
	return b != nil && b[0] != 0
}

// Buffer reads a length and bytes; nil for null. The result aliases the record.
func (d *Decoder) Buffer() []byte {
	n := d.Int32()
	if n < 0 {
		return nil
	}
	return d.take(int(n))
}

// String reads a string; empty for null.
func (d *Decoder) String() string { return string(d.Buffer()) }

// Count reads the length of a vector whose items take at least min bytes each. It fails when the record
// cannot hold that many; null counts as empty.
func (d *Decoder) Count(min int) int {
	n := int(d.Int32())
	if n <= 0 || d.err != nil {
		return 0
	}
	if n > len(d.b)/min {
		d.err = ErrShort
		d.b = nil
		return 0
	}
	return n
}

// Strings reads a vector of strings.
func (d *Decoder) Strings() []string {
	n := d.Count(4)
	out := make([]string, 0, n)
	for range n {
		out = append(out, d.String())
	}
	return out
}

// ReadFrame reads one length-prefixed frame of at most max bytes into a new slice.
func ReadFrame(r io.Reader, max int) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := int32(binary.BigEndian.Uint32(head[:]))
	if n < 0 || int(n) > max {
		return nil, fmt.Errorf("wire: frame of %d bytes exceeds the limit of %d", uint32(n), max)
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(r, b); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return b, nil
}

// AppendFrame appends the length of payload and payload itself to dst.
func AppendFrame(dst, payload []byte) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(payload)))
	return append(dst, payload...)
}
