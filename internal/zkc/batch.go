package zkc

import (
	"context"
	"errors"
	"sync"

	"github.com/zkscope/zkscope/internal/wire"
)

// ReadKind is what to read of a znode.
type ReadKind uint8

// The kinds of reads.
const (
	ReadData     ReadKind = iota // data and stat
	ReadChildren                 // names of children; no stat in a batch
	ReadExists                   // stat only; no permission needed. It cannot be part of one batch request
)

// Read is one read of a batch. With Watch it also leaves a one-shot watch, whose event comes to
// Config.OnEvent only, and which is gone after a lost connection; such reads cannot be part of one batch
// request either. On the root of a recursive watch it must not be used: see WatchOnce.
type Read struct {
	Path  string
	Child string // Optional; not Path is meant, but its child of this name
	Kind  ReadKind
	Watch bool
}

// path is the full path.
func (r *Read) path() string {
	switch {
	case r.Child == "":
		return r.Path
	case r.Path == "/":
		return "/" + r.Child
	}
	return r.Path + "/" + r.Child
}

// Result is what a Read came to. Code is the server's: one read that fails does not fail the batch.
type Result struct {
	Code     wire.Code
	Data     []byte    // ReadData; nil for null data
	Stat     wire.Stat // ReadData, ReadExists
	Children []string  // ReadChildren; in no order
}

// Err returns nil when the read succeeded, else an *Error.
func (r *Result) Err() error { return CodeError(r.Code) }

// ErrNotRead says that a batch was given up before all of it was answered.
var ErrNotRead = errors.New("batch is not answered in full")

// Submit sends reads as one batch request, and those that cannot be part of one as requests of their own
// behind it, and returns without waiting for answers. For each answer it calls each with the index of the
// read; the Result, its Data included, is valid only during the call. In the end it calls done exactly
// once: with nil after all answers, else with the reason why some are missing. Both run on the pump, in
// wire order with events; only when there is no connection done is called before Submit returns.
//
// The caller keeps the request below the server's limit of 1 MB, and the reply within reason; MultiRead
// does both by itself.
func (c *Conn) Submit(reads []Read, each func(i int, r *Result), done func(error)) {
	l := c.livelink()
	if l == nil {
		done(ErrUnreachable)
		return
	}
	b := &batch{c: c, l: l, reads: reads, each: each, done: done}
	singles := b.split(c.lacks(l.addr, wire.OpMultiRead))
	b.left = len(singles)
	if len(b.multi) > 0 {
		b.left++
	}
	if b.left == 0 {
		done(nil)
		return
	}
	if len(b.multi) > 0 {
		b.sendMulti()
	}
	for _, i := range singles {
		b.sendSingle(i)
	}
}

// batch is a Submit on its way.
type batch struct {
	c     *Conn
	l     *link
	reads []Read
	multi []int32 // indices of the reads in the batch request
	each  func(int, *Result)
	done  func(error)

	mu   sync.Mutex // Submit and the pump both touch what follows when a link dies
	left int
	err  error
}

// split fills multi and returns the others.
func (b *batch) split(plain bool) (singles []int) {
	b.multi = make([]int32, 0, len(b.reads))
	for i := range b.reads {
		if r := &b.reads[i]; plain || r.Watch || r.Kind == ReadExists {
			singles = append(singles, i)
		} else {
			b.multi = append(b.multi, int32(i))
		}
	}
	return singles
}

// finish counts one answered request down.
func (b *batch) finish(err error) {
	b.mu.Lock()
	b.left--
	if err != nil && b.err == nil {
		b.err = err
	}
	over, first := b.left == 0, b.err
	b.mu.Unlock()
	if over {
		b.done(first)
	}
}

func (b *batch) sendMulti() {
	e := requestOf(wire.OpMultiRead, b.size())
	for _, i := range b.multi {
		r := &b.reads[i]
		op := wire.OpGetData
		if r.Kind == ReadChildren {
			op = wire.OpGetChildren
		}
		(&wire.MultiHeader{Type: op, Err: -1}).Encode(e)
		b.c.childPath(e, r.Path, r.Child)
		e.Bool(false)
	}
	(&wire.MultiHeader{Type: wire.OpError, Done: true, Err: -1}).Encode(e)
	if err := b.c.fits(e); err != nil {
		b.finish(&Error{Op: "batch read", Err: err})
		return
	}
	b.l.inject(nil, wire.OpMultiRead, e, func(r reply) {
		switch {
		case r.lost != nil:
			b.finish(because(ErrUnreachable, r.lost))
		case r.code != wire.OK:
			b.finish(&Error{Op: "batch read", Code: r.code})
		default:
			b.finish(b.decode(r.body))
		}
	})
}

// size is that of the batch request.
func (b *batch) size() int {
	size := 32
	for _, i := range b.multi {
		size += 15 + len(b.c.cfg.Chroot) + len(b.reads[i].Path) + len(b.reads[i].Child)
	}
	return size
}

// decode hands out the answers of a batch request.
func (b *batch) decode(body []byte) error {
	d := wire.NewDecoder(body)
	var r Result // one for all: it is valid only during each call
	var h wire.MultiHeader
	for n := 0; ; n++ {
		h.Decode(d)
		if d.Err() != nil || h.Done != (n == len(b.multi)) {
			b.l.malformed()
			return &Error{Op: "batch read", Err: errBadReply}
		}
		if h.Done {
			return nil
		}
		r = Result{}
		switch h.Type {
		case wire.OpGetData:
			r.Data = d.Buffer()
			r.Stat.Decode(d)
		case wire.OpGetChildren:
			r.Children = decodeNames(d)
		default:
			r.Code = wire.Code(d.Int32())
		}
		if d.Err() == nil {
			b.each(int(b.multi[n]), &r)
		}
	}
}

func (b *batch) sendSingle(i int) {
	r := &b.reads[i]
	op := [...]wire.Op{ReadData: wire.OpGetData, ReadChildren: wire.OpGetChildren2, ReadExists: wire.OpExists}[r.Kind]
	e := request(op)
	b.c.childPath(e, r.Path, r.Child)
	e.Bool(r.Watch)
	if err := b.c.fits(e); err != nil {
		b.finish(&Error{Op: "read", Err: err})
		return
	}
	b.l.inject(nil, op, e, func(rep reply) {
		if rep.lost != nil {
			b.finish(because(ErrUnreachable, rep.lost))
			return
		}
		res := Result{Code: rep.code}
		d := wire.NewDecoder(rep.body)
		if rep.code == wire.OK {
			res.decode(r.Kind, d)
		}
		if d.Err() != nil {
			b.l.malformed()
			b.finish(&Error{Op: "read", Path: r.path(), Err: errBadReply})
			return
		}
		if r.Watch && (rep.code == wire.OK || rep.code == wire.ErrNoNode && r.Kind == ReadExists) {
			b.c.leave(r)
		}
		b.each(i, &res)
		b.finish(nil)
	})
}

func (r *Result) decode(kind ReadKind, d *wire.Decoder) {
	switch kind {
	case ReadData:
		r.Data = d.Buffer()
	case ReadChildren:
		r.Children = decodeNames(d)
	}
	r.Stat.Decode(d)
}

// Limits of one batch request that MultiRead keeps.
const (
	batchReads = 500
	batchBytes = 512 << 10
	batchDepth = 4 // requests in flight
)

// MultiRead reads many znodes in few requests. The results stand in the order of the reads. An error means
// that the connection could not answer in full; failed reads are told by the results' codes. Several
// batches are no cut through one point in time.
func (c *Conn) MultiRead(ctx context.Context, reads []Read) ([]Result, error) {
	for i := range reads {
		if err := GoodPath("read", reads[i].path()); err != nil {
			return nil, err
		}
	}
	for {
		if _, err := c.awaitLink(ctx); err != nil {
			return nil, &Error{Op: "read", Err: err}
		}
		out, err := c.multiRead(ctx, reads)
		if err == nil {
			return out, nil
		}
		if ctx.Err() != nil || !errors.Is(err, ErrUnreachable) && !errors.Is(err, ErrNotOffered) {
			return nil, &Error{Op: "read", Err: err}
		}
	}
}

// multiRead is MultiRead on the connection there is.
func (c *Conn) multiRead(ctx context.Context, reads []Read) ([]Result, error) {
	out := make([]Result, len(reads))
	over := make(chan error, batchDepth)
	flying, base := 0, 0
	var first error
	for base < len(reads) || flying > 0 {
		if first != nil || base >= len(reads) || flying == batchDepth {
			if flying == 0 {
				break
			}
			select {
			case err := <-over:
				flying--
				if first == nil {
					first = err
				}
			case <-ctx.Done():
				return nil, because(ErrNotRead, ctx.Err())
			}
			continue
		}
		n := portion(reads[base:], len(c.cfg.Chroot))
		some, at := reads[base:base+n], base
		flying++
		base += n
		c.Submit(some, func(i int, r *Result) {
			if r.Data != nil {
				r.Data = append([]byte{}, r.Data...)
			}
			out[at+i] = *r
		}, func(err error) { over <- err })
	}
	return out, first
}

// portion returns how many of the reads fit into one request.
func portion(reads []Read, chroot int) int {
	size := 0
	for i := range reads {
		size += 15 + chroot + len(reads[i].Path) + len(reads[i].Child)
		if i == batchReads || size > batchBytes && i > 0 {
			return i
		}
	}
	return len(reads)
}
