package actions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/wait"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// Apply carries out a confirmed plan: it syncs, reads the target again, and changes it only when it is still
// the znode that the plan pinned, at the version that it pinned. It tries once; a lost connection after
// the request was sent is resolved by reading. Everything is in the audit log before it is on the wire.
//
// A ctx that ends before the request is sent calls the plan off; after that it no longer matters. So does
// Config.Fresh: a server that hangs and comes back never surprises anybody with an old order.
func (a *Actor) Apply(ctx context.Context, p Plan) Result {
	if a.cfg.ReadOnly {
		return a.result(p, Refused, errors.New("read-only: nothing is ever written here"))
	}
	if why := Reserved(a.cfg.Conn.Chroot, p.Target.Path); why != "" {
		return a.result(p, Refused, errors.New(why))
	}
	whole, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.cfg.Patience)
	defer cancel()
	session, r := "", Result{}
	conn, parent, refusal := a.prepare(ctx, &p)
	if refusal != nil {
		r = *refusal
	} else {
		session = znode.SessionID(conn.State().Session).String()
		if err := a.log("intent", session, p, ""); err != nil {
			return a.result(p, Refused, fmt.Errorf("%w; without the log nothing is done", err))
		}
		r = a.write(whole, conn, p)
		if r.Outcome == Done {
			r.Text += p.doubt(whole, conn, parent)
		}
	}
	if a.cfg.Audit.Moved() {
		r.Text += "; the audit log was removed, replaced or cut short since it was written last: what it held is not in " + say.Printable(a.cfg.Audit.Path()) + " any more"
	}
	if err := a.log(string(r.Outcome), session, p, r.Text); err != nil {
		r.Unlogged = err
		r.Text += "; but the outcome could not be logged: " + err.Error()
	}
	return r
}

// prepare connects and checks the guards, within the time that the operator's word is good for. It returns the parent as it
// was before the last of them; see before.
func (a *Actor) prepare(ctx context.Context, p *Plan) (*zkc.Conn, *wire.Stat, *Result) {
	ctx, cancel := context.WithTimeout(ctx, a.cfg.Fresh)
	defer cancel()
	conn, err := a.connect(ctx)
	switch {
	case err == nil && conn.State().ReadOnlyServer:
		err = errNoQuorum
	case err == nil:
		r, parent, ok := a.guard(ctx, conn, p)
		if ctx.Err() == nil && ok {
			return conn, parent, nil
		}
		if ctx.Err() == nil {
			return nil, nil, &r
		}
		err = conn.State().Err
	}
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		err = fmt.Errorf("no answer within %s%s, and a plan this old is not carried out: look again", say.Age(a.cfg.Fresh), because(err))
	case ctx.Err() != nil:
		err = fmt.Errorf("called off before anything was sent: %w", context.Cause(ctx))
	}
	r := a.result(*p, Refused, err)
	return nil, nil, &r
}

// errNoQuorum says why a server takes no writes.
var errNoQuorum = errors.New("the server has lost its quorum: it is read-only and takes no writes")

// because puts a cause into brackets; nothing for none, or for one that only says that the time is up.
func because(err error) string {
	if err == nil || err == context.DeadlineExceeded {
		return ""
	}
	text := strings.TrimSuffix(err.Error(), ": "+context.DeadlineExceeded.Error())
	return " (" + strings.TrimPrefix(text, zkc.ErrUnreachable.Error()+": ") + ")"
}

// log appends one record to the audit log.
func (a *Actor) log(stage, session string, p Plan, text string) error {
	r := record(stage, a.cfg.Name, session, p, a.cfg.Now())
	r.Text = text
	return a.cfg.Audit.Append(r)
}

// guard reads the target again and compares it with what the plan pinned.
func (a *Actor) guard(ctx context.Context, conn *zkc.Conn, p *Plan) (Result, *wire.Stat, bool) {
	switch err := conn.Sync(ctx, p.Target.Path); {
	case errors.Is(err, zkc.ErrReadOnly):
		return a.result(*p, Refused, errNoQuorum), nil, false
	case err != nil && !errors.Is(err, zkc.ErrNoNode):
		return a.result(*p, Refused, err), nil, false
	}
	parent := p.before(ctx, conn)
	r, ok := a.look(ctx, conn, p)
	return r, parent, ok
}

// look is the last look at the target before the change.
func (a *Actor) look(ctx context.Context, conn *zkc.Conn, p *Plan) (Result, bool) {
	data, st, err := conn.Get(ctx, p.Target.Path)
	switch {
	case errors.Is(err, zkc.ErrNoNode) && p.Op == Make:
		return Result{}, true
	case err == nil && p.Op == Make:
		return a.result(*p, Nothing, errors.New("it is there already")), false
	case errors.Is(err, zkc.ErrNoNode):
		return a.result(*p, Nothing, errors.New("the znode is already gone")), false
	case err != nil:
		return a.result(*p, Refused, err), false
	}
	if p.Unread {
		p.OldData = data
	}
	if why := p.differs(data, st); why != "" {
		return a.result(*p, Nothing, errors.New(why)), false
	}
	return Result{}, true
}

// differs says in which way a znode is not the one that the plan pinned; empty when it is.
func (p Plan) differs(data []byte, st wire.Stat) string {
	t := p.Target
	switch {
	case znode.Zxid(st.Czxid) != t.Czxid:
		return fmt.Sprintf("another znode is there now, %s (czxid %d, not %d)",
			anewOf(st), st.Czxid, int64(t.Czxid))
	case znode.SessionID(st.EphemeralOwner) != t.Owner:
		return fmt.Sprintf("it belongs to session %s now, not %s", znode.SessionID(st.EphemeralOwner), t.Owner)
	case st.Version != t.Version:
		return fmt.Sprintf("its data was changed meanwhile (version %d, not %d)", st.Version, t.Version)
	case !bytes.Equal(data, p.OldData):
		return "its data is not what was shown"
	case p.Deletes() && st.NumChildren > 0:
		return fmt.Sprintf("it has %d children: only a single znode is ever deleted", st.NumChildren)
	}
	return ""
}

// anewOf says when and by whom a znode was made that is not the one that was pinned.
func anewOf(st wire.Stat) string {
	return anew(znode.Millis(st.Ctime), znode.SessionID(st.EphemeralOwner))
}

// write sends the one request of the plan.
func (a *Actor) write(ctx context.Context, conn *zkc.Conn, p Plan) Result {
	err := a.send(ctx, conn, p)
	var other wroteOther
	switch {
	case err == nil:
		return a.done(p)
	case errors.As(err, &other):
		r := a.result(p, Unknown, err)
		r.Text = err.Error()
		return r
	case errors.Is(err, zkc.ErrUnknownOutcome):
		return a.resolve(ctx, conn, p, err)
	case errors.Is(err, zkc.ErrNoNode) && p.Op == Make:
		dir, _ := znode.Split(p.Target.Path)
		return a.result(p, Nothing, fmt.Errorf("its parent %s is not there", say.Printable(dir)))
	case errors.Is(err, zkc.ErrNoNode):
		return a.result(p, Nothing, errors.New("the znode went by itself a moment ago"))
	case errors.Is(err, zkc.ErrNodeExists):
		return a.result(p, Nothing, errors.New("somebody made it a moment ago"))
	case errors.Is(err, zkc.ErrNotEmpty):
		return a.result(p, Nothing, errors.New("it got children a moment ago: only a single znode is ever deleted"))
	case errors.Is(err, zkc.ErrBadVersion):
		return a.result(p, Nothing, errors.New("its data was changed a moment ago"))
	case errors.Is(err, zkc.ErrNoAuth):
		return a.result(p, Refused, errors.New("no permission: "+p.needs()))
	case errors.Is(err, zkc.ErrReadOnly):
		return a.result(p, Refused, errNoQuorum)
	}
	return a.result(p, Refused, err)
}

// send makes the change. Each operation is one request to the server.
func (a *Actor) send(ctx context.Context, conn *zkc.Conn, p Plan) error {
	switch p.Op {
	case Remove:
		return conn.Delete(ctx, p.Target.Path, p.Target.Version)
	case Make:
		acl, err := a.rights(ctx, conn, p.Target.Path)
		if err == nil {
			_, err = conn.Create(ctx, p.Target.Path, p.NewData, wire.FlagPersistent, acl)
		}
		return err
	case Move:
		acl, _, err := conn.ACL(ctx, p.Target.Path)
		if err != nil {
			return err
		}
		again := zkc.CreateOf(p.Prefix, p.OldData, wire.FlagSequence)
		again.ACL = acl
		_, err = conn.Multi(ctx, again, zkc.DeleteOf(p.Target.Path, p.Target.Version))
		return err
	}
	st, err := conn.Set(ctx, p.Target.Path, p.NewData, p.Target.Version)
	if err == nil && znode.Zxid(st.Czxid) != p.Target.Czxid {
		return wroteOther{st, p.Target}
	}
	return err
}

// rights is the ACL of a znode that is made.
func (a *Actor) rights(ctx context.Context, conn *zkc.Conn, path string) (acl []wire.ACL, err error) {
	for _, e := range a.cfg.Conn.ACL {
		acl = append(acl, wire.ACL{Perms: int32(e.May), Scheme: e.Scheme, ID: e.ID})
	}
	if acl == nil {
		dir, _ := znode.Split(path)
		acl, _, err = conn.ACL(ctx, dir)
	}
	return acl, err
}

// needs says which right the plan takes, and on what.
func (p Plan) needs() string {
	dir, _ := znode.Split(p.Target.Path)
	dir = say.Printable(dir)
	switch p.Op {
	case Remove:
		return "deleting it takes DELETE on its parent " + dir
	case Make:
		return "making it takes CREATE on its parent " + dir
	case Move:
		return "it takes CREATE and DELETE on " + dir
	}
	return "writing it takes WRITE on the znode itself"
}

// done remembers what was overwritten.
func (a *Actor) done(p Plan) Result {
	id := model.ClaimID{Path: p.Target.Path, Czxid: p.Target.Czxid}
	a.mu.Lock()
	defer a.mu.Unlock()
	switch p.Verb {
	case VerbRevoke:
		a.kept[id] = append([]byte{}, p.OldData...)
	default:
		delete(a.kept, id)
	}
	return a.result(p, Done, nil)
}

// lookAgain is how long after a read that brought nothing the next one follows.
const lookAgain = 100 * time.Millisecond

// resolve finds out what became of a request whose reply was lost, by reading until there is an answer or
// the time is up.
func (a *Actor) resolve(ctx context.Context, conn *zkc.Conn, p Plan, lost error) Result {
	for ctx.Err() == nil {
		err := conn.Sync(ctx, p.Target.Path)
		if err == nil || errors.Is(err, zkc.ErrNoNode) {
			data, st, err := conn.Get(ctx, p.Target.Path)
			if missing := errors.Is(err, zkc.ErrNoNode); missing || err == nil {
				return a.outcome(p, missing, data, st)
			}
		}
		if !wait.For(ctx, lookAgain) {
			break
		}
	}
	return a.result(p, Unknown, lost)
}

// outcome judges by what is there after a lost reply. That nothing was done is proven by one thing alone: the znode of the
// plan, at the version of the plan. Whatever else is there may have come after our write.
func (a *Actor) outcome(p Plan, missing bool, data []byte, st wire.Stat) Result {
	other := !missing && p.Op != Make && znode.Zxid(st.Czxid) != p.Target.Czxid
	unknown := func(format string, args ...any) Result {
		return a.result(p, Unknown, fmt.Errorf("the connection was lost, and "+format, args...))
	}
	switch {
	case p.Op == Make && missing, !missing && !other && p.Op != Make && st.Version == p.Target.Version:
		return a.result(p, Nothing, errors.New("the connection was lost, and it was not done; try again"))
	case p.Op == Make && bytes.Equal(data, p.NewData):
		return a.done(p) // made, by our request or by another: what was asked for holds
	case p.Op == Make:
		return unknown("it stands there as somebody else made it, or has changed it since")
	case missing && p.Verb == VerbSkip:
		return unknown("the item is gone: it was deleted, or a consumer took it")
	case missing && p.Op == Remove:
		r := a.done(p) // gone: what was asked for holds
		r.Text += "; the connection was lost meanwhile, so it may have gone by itself, or by somebody else"
		return r
	case other && p.Op == Remove:
		r := a.done(p)
		r.Text += "; another znode is there now, " + anewOf(st)
		return r
	case (missing || other) && p.Op == Move:
		return unknown("the item is not where it was: it was put back, or somebody took it")
	case missing && p.Verb == VerbRevoke:
		return unknown("the znode is gone now: its holder was asked and let go, or it went before")
	case other:
		return unknown("another znode is there now, %s", anewOf(st))
	case missing:
		return unknown("the znode is gone now")
	case st.Version == p.Target.Version+1 && bytes.Equal(data, p.NewData):
		return a.done(p)
	}
	return unknown("somebody else has written since, after our write or instead of it")
}

// result puts an outcome into one line.
func (a *Actor) result(p Plan, o Outcome, why error) Result {
	r := Result{Plan: p, Outcome: o, At: a.cfg.Now(), Err: why}
	switch o {
	case Done:
		r.Text = p.did()
	case Nothing:
		r.Text = fmt.Sprintf("nothing done: %v", why)
	case Refused:
		r.Text = fmt.Sprintf("not done: %v", why)
	case Unknown:
		r.Text = fmt.Sprintf("it is not known whether %s was done: %v; look at %s before anything else", p.Verb, why, say.Printable(p.Target.Path))
	}
	return r
}
