package txnlog

import "time"

// Kind is what a transaction does. The values are ZooKeeper's.
type Kind int32

// What can stand in a log.
const (
	CreateSession   Kind = -10
	CloseSession    Kind = -11
	Failed          Kind = -1 // a write that the server refused: it changes nothing
	Create          Kind = 1
	Delete          Kind = 2
	SetData         Kind = 5
	SetACL          Kind = 7
	Check           Kind = 13 // in a Multi only
	Multi           Kind = 14
	Create2         Kind = 15
	Reconfig        Kind = 16
	CreateContainer Kind = 19
	DeleteContainer Kind = 20
	CreateTTL       Kind = 21
)

// unknownCversion stands for a number that logs from before 3.4 do not have.
const unknownCversion = -1

// ACL is one entry of an access control list.
type ACL struct {
	Perms      int32
	Scheme, ID string
}

// Op is one change. Paths and data are part of the record's bytes, which the next call to Log.Next overwrites.
type Op struct {
	Kind      Kind
	Path      []byte
	Data      []byte // nil: null
	Ephemeral bool   // a create's: the session of the record owns it
	Version   int32  // of the data, or of the ACL, after the write
	Cversion  int32  // a create's: the parent's after it; -1: not told
	TTL       int64  // milliseconds
	Timeout   int32  // a new session's, in milliseconds
	Err       int32  // a refusal's

	// Gone are the ephemeral znodes that end with their session, where Told: else all that it owns do.
	Gone [][]byte
	Told bool

	acls []byte
}

// ACLs returns the list that comes with a create or a change of it.
func (o *Op) ACLs() []ACL {
	j := jute{b: o.acls}
	return j.acls()
}

func (j *jute) acls() (out []ACL) {
	for range j.count(12) {
		out = append(out, ACL{j.int(), string(j.buffer()), string(j.buffer())})
	}
	return out
}

// skipACLs steps over a list and returns its bytes.
func (j *jute) skipACLs() []byte {
	from := j.b
	for range j.count(12) {
		j.int()
		j.buffer()
		j.buffer()
	}
	if j.err != nil {
		return nil
	}
	return from[:len(from)-len(j.b)]
}

// Record is one transaction. What it points to is overwritten by the next call to Log.Next.
type Record struct {
	Session int64
	Cxid    int32 // 0: the server acted by itself
	Zxid    int64
	Millis  int64 // since 1970, by the clock of the server that led
	Kind    Kind
	Ops     []Op  // what was applied, one for all but a Multi; none for what was refused
	Err     int32 // why it was refused; 0: it was not
	Offset  int64 // in its file
	Size    int   // in bytes, with checksum and end mark
}

// Time returns when the transaction was prepared, in UTC.
func (r *Record) Time() time.Time { return time.UnixMilli(r.Millis).UTC() }

// Epoch returns which leader's reign the transaction is of.
func (r *Record) Epoch() int64 { return r.Zxid >> 32 }

// digestSize is what is behind a body from 3.6 on: int 2, and a long.
const digestSize = 12

// parse takes a record's bytes apart.
func (r *Record) parse(b []byte) error {
	j := jute{b: b}
	r.Session, r.Cxid, r.Zxid, r.Millis, r.Kind = j.long(), j.int(), j.long(), j.long(), Kind(j.int())
	r.Ops, r.Err = r.Ops[:0], 0
	if j.err != nil {
		return j.err
	}
	switch r.Kind {
	case Failed:
		r.Err = j.int()
	case Multi:
		r.multi(&j)
	default:
		r.op(&j, r.Kind)
	}
	return j.err
}

// multi reads the parts of a transaction. Where one was refused, nothing of it was applied.
func (r *Record) multi(j *jute) {
	refused := false
	for range j.count(8) {
		kind := Kind(j.int())
		op := jute{b: j.buffer(), err: j.err}
		if kind == Failed {
			if code := op.int(); !refused || r.Err == 0 || r.Err == runtimeInconsistency {
				r.Err = code
			}
			refused = true
			continue
		}
		r.op(&op, kind)
		if op.err != nil {
			j.err = op.err
		}
	}
	if refused {
		r.Ops = r.Ops[:0]
	}
}

// runtimeInconsistency is what the parts after the refused one say.
const runtimeInconsistency = -2

// op reads the body of one change.
func (r *Record) op(j *jute, kind Kind) {
	if len(r.Ops) < cap(r.Ops) {
		r.Ops = r.Ops[:len(r.Ops)+1]
	} else {
		r.Ops = append(r.Ops, Op{})
	}
	o := &r.Ops[len(r.Ops)-1]
	*o = Op{Kind: kind, Gone: o.Gone[:0]}
	switch kind {
	case CreateSession:
		o.Timeout = j.int()
	case CloseSession:
		o.closed(j)
	case Create, Create2, CreateContainer, CreateTTL:
		o.create(j)
	case Delete, DeleteContainer:
		o.Path = j.buffer()
	case SetData, Reconfig:
		o.Path, o.Data, o.Version = j.buffer(), j.buffer(), j.int()
	case SetACL:
		o.Path, o.acls, o.Version = j.buffer(), j.skipACLs(), j.int()
	case Check:
		o.Path, o.Version = j.buffer(), j.int()
	}
}

func (o *Op) create(j *jute) {
	o.Path, o.Data, o.acls = j.buffer(), j.buffer(), j.skipACLs()
	if o.Kind == Create || o.Kind == Create2 {
		o.Ephemeral = j.bool()
	}
	o.Cversion = unknownCversion
	if len(j.b) >= 4 && len(j.b) != digestSize || o.Kind != Create {
		o.Cversion = j.int()
	}
	if o.Kind == CreateTTL {
		o.TTL = j.long()
	}
}

// closed reads which znodes ended with their session: logs from before 3.6 do not tell, and later ones need not.
func (o *Op) closed(j *jute) {
	if len(j.b) == 0 || len(j.b) == digestSize && (&jute{b: j.b}).int() == 2 {
		return
	}
	o.Told = true
	for range j.count(4) {
		o.Gone = append(o.Gone, j.buffer())
	}
}
