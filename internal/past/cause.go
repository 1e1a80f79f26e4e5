package past

import (
	"bytes"
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/chronicle"
	"github.com/zkscope/zkscope/internal/txnlog"
)

// Cause tells of the transaction that led to the state.
func (t *Tape) Cause() chronicle.Cause { return t.cause }

// causeOf tells what a transaction is the cause of.
func (t *Tape) causeOf(r *txnlog.Record) chronicle.Cause {
	_, file := t.in.From()
	out := chronicle.Cause{Session: znode.SessionID(r.Session), Ended: r.Kind == txnlog.CloseSession, Server: byServer(r),
		Zxid: znode.Zxid(r.Zxid), File: file, Offset: r.Offset}
	out.Makes = slices.ContainsFunc(r.Ops, func(o txnlog.Op) bool {
		switch o.Kind {
		case txnlog.Create, txnlog.Create2, txnlog.CreateContainer, txnlog.CreateTTL:
			return !o.Ephemeral
		}
		return false
	})
	if out.Server {
		out.Silent = t.silent(r)
	}
	return out
}

// hear notes who wrote.
func (t *Tape) hear(r *txnlog.Record) {
	id := znode.SessionID(r.Session)
	if r.Kind == txnlog.CloseSession {
		delete(t.heard, id)
		return
	}
	t.heard[id] = r.Millis
}

// silent tells when the client of a session that the server ended was heard last. A server ends a session at the first of
// its ticks after the timeout; a tick is at most half of the shortest timeout that it grants. One that began to lead
// meanwhile waited for the timeout anew. What the session wrote was heard.
func (t *Tape) silent(r *txnlog.Record) (out chronicle.Span) {
	id := znode.SessionID(r.Session)
	timeout := int64(t.tree.sessions[id])
	if timeout <= 0 {
		return out
	}
	from, to := r.Millis-timeout-timeout/2, r.Millis-timeout
	if n := len(t.cover.Epochs); n > 1 && t.cover.Epochs[n-1].First.Millis > to-timeout {
		from -= timeout
	}
	if last := t.heard[id]; last > from {
		from = min(last, to)
	}
	return chronicle.Span{From: time.UnixMilli(from).UTC(), To: time.UnixMilli(to).UTC()}
}

// NextIn goes on to the next state in which something at or below one of the directories may have changed, as it may over a
// hole; io.EOF where there is none.
func (t *Tape) NextIn(dirs ...string) error {
	for {
		if t.peek(); t.ahead == nil {
			return t.over
		}
		touches := slices.ContainsFunc(dirs, func(dir string) bool { return t.touches(t.ahead, dir) })
		gap := t.gap
		if err := t.Next(); err != nil || touches || t.gap != gap {
			return err
		}
	}
}

// touches reports whether a transaction changes something at or below a directory.
func (t *Tape) touches(r *txnlog.Record, dir string) bool {
	for i := range r.Ops {
		o := &r.Ops[i]
		if o.Kind != txnlog.CloseSession {
			if within(dir, o.Path) {
				return true
			}
			continue
		}
		for _, path := range o.Gone {
			if within(dir, path) {
				return true
			}
		}
		for path := range t.tree.owned[znode.SessionID(r.Session)] {
			if within(dir, []byte(path)) {
				return true
			}
		}
	}
	return false
}

// within reports whether a path lies at or below a directory.
func within(dir string, path []byte) bool {
	if dir == "/" {
		return true
	}
	rest, ok := bytes.CutPrefix(path, []byte(dir))
	return ok && (len(rest) == 0 || rest[0] == '/')
}
