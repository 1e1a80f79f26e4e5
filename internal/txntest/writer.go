// Package txntest writes transaction logs as a ZooKeeper server does, for tests and benches: ZooKeeper's own tools read
// them without complaint.
//
// # Concurrency
//
// A Writer is for one goroutine.
package txntest

import (
	"encoding/binary"
	"hash/adler32"
	"io"

	"github.com/zkscope/zkscope/internal/txnlog"
)

// Version says as which server a Writer writes.
type Version int

// The layouts that differ.
const (
	V33 Version = 33 // no number of the parent's children behind a create
	V34 Version = 34 // and 3.5: no digest, a closed session without its paths
	V36 Version = 36 // and later
)

// Writer writes one log.
type Writer struct {
	w   io.Writer
	v   Version
	buf []byte
	err error
}

// New writes the header of a log.
func New(w io.Writer, v Version) *Writer {
	head := make([]byte, 16)
	copy(head, "ZKLG")
	binary.BigEndian.PutUint32(head[4:], 2)
	x := &Writer{w: w, v: v}
	_, x.err = w.Write(head)
	return x
}

// Err returns the first error of the writer below.
func (x *Writer) Err() error { return x.err }

// Write writes a record. Of its ops a Multi writes all, whole; with an Err it writes them as refused. Their ACL is open.
func (x *Writer) Write(r *txnlog.Record) {
	b := x.buf[:0]
	b = append(b, make([]byte, 12)...)
	b = long(b, r.Session)
	b = num(b, r.Cxid)
	b = long(b, r.Zxid)
	b = long(b, r.Millis)
	b = num(b, int32(r.Kind))
	switch {
	case r.Kind == txnlog.Failed:
		b = num(b, r.Err)
	case r.Kind == txnlog.Multi:
		b = x.multi(b, r)
	default:
		b = x.body(b, &r.Ops[0])
	}
	if x.v >= V36 && r.Kind != txnlog.Failed {
		b = num(b, 2)
		b = long(b, 0x5eed)
	}
	binary.BigEndian.PutUint64(b, uint64(adler32.Checksum(b[12:])))
	binary.BigEndian.PutUint32(b[8:], uint32(len(b)-12))
	b = append(b, 0x42)
	x.buf = b
	if x.err == nil {
		_, x.err = x.w.Write(b)
	}
}

// Pad writes the beginning of a log's padding.
func (x *Writer) Pad(n int) {
	if x.err == nil {
		_, x.err = x.w.Write(make([]byte, n))
	}
}

func (x *Writer) multi(b []byte, r *txnlog.Record) []byte {
	n := len(r.Ops)
	if r.Err != 0 {
		n++
	}
	b = num(b, int32(n))
	for i := range r.Ops {
		b = num(b, int32(r.Ops[i].Kind))
		at := len(b)
		b = x.body(num(b, 0), &r.Ops[i])
		binary.BigEndian.PutUint32(b[at:], uint32(len(b)-at-4))
	}
	if r.Err != 0 {
		b = num(num(num(b, int32(txnlog.Failed)), 4), r.Err)
	}
	return b
}

func (x *Writer) body(b []byte, o *txnlog.Op) []byte {
	switch o.Kind {
	case txnlog.CreateSession:
		return num(b, o.Timeout)
	case txnlog.CloseSession:
		if x.v < V36 {
			return b
		}
		b = num(b, int32(len(o.Gone)))
		for _, path := range o.Gone {
			b = text(b, path)
		}
		return b
	case txnlog.Delete, txnlog.DeleteContainer:
		return text(b, o.Path)
	case txnlog.SetData, txnlog.Reconfig:
		return num(text(text(b, o.Path), o.Data), o.Version)
	case txnlog.SetACL:
		return num(open(text(b, o.Path)), o.Version)
	case txnlog.Check:
		return num(text(b, o.Path), o.Version)
	}
	return x.create(b, o)
}

func (x *Writer) create(b []byte, o *txnlog.Op) []byte {
	b = open(text(text(b, o.Path), o.Data))
	if o.Kind == txnlog.Create || o.Kind == txnlog.Create2 {
		if o.Ephemeral {
			b = append(b, 1)
		} else {
			b = append(b, 0)
		}
	}
	if x.v >= V34 {
		b = num(b, o.Cversion)
	}
	if o.Kind == txnlog.CreateTTL {
		b = long(b, o.TTL)
	}
	return b
}

// open is the ACL that lets everybody do everything.
func open(b []byte) []byte {
	return text(text(num(num(b, 1), 31), []byte("world")), []byte("anyone"))
}

func num(b []byte, n int32) []byte { return binary.BigEndian.AppendUint32(b, uint32(n)) }

func long(b []byte, n int64) []byte { return binary.BigEndian.AppendUint64(b, uint64(n)) }

// text is a string, or data: nil is null.
func text(b, s []byte) []byte {
	if s == nil {
		return num(b, -1)
	}
	return append(num(b, int32(len(s))), s...)
}
