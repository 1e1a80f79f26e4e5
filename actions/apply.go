package actions

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// Config says which ensemble an Actor acts on, and how.
type Config struct {
	Servers  []string // host:port
	Chroot   string   // Optional
	Name     string   // the ensemble as people call it, for the audit log
	Session  time.Duration
	TLS      *tls.Config
	Auth     []Credential
	ReadOnly bool                                                              // nothing is ever written, and no connection is made
	Dial     func(ctx context.Context, network, addr string) (net.Conn, error) // Optional; default TCP
	Log      *slog.Logger
	Audit    *Audit           // required unless ReadOnly
	Now      func() time.Time // Optional; default time.Now

	// Patience bounds a whole attempt, the search for an unknown outcome included. Optional; default 15 s.
	Patience time.Duration
	// Fresh bounds the time from the call to the write: an answer that comes later finds the operator elsewhere,
	// so nothing is written. Optional; default 3 s, or half of Patience where that is less.
	Fresh time.Duration
}

// Credential authenticates the Actor's connection.
type Credential struct {
	Scheme string
	Token  []byte
}

// Actor applies plans over a connection of its own, which it makes when it is first needed. End it with
// Close.
type Actor struct {
	cfg  Config
	mu   sync.Mutex
	conn *zkc.Conn
	kept map[inspect.ClaimID][]byte // what our revokes overwrote
}

// NewActor prepares an Actor. It does not connect yet.
func NewActor(cfg Config) (*Actor, error) {
	if cfg.Audit == nil && !cfg.ReadOnly {
		return nil, errors.New("acting needs an audit log")
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Patience == 0 {
		cfg.Patience = 15 * time.Second
	}
	if cfg.Fresh == 0 {
		cfg.Fresh = min(3*time.Second, cfg.Patience/2)
	}
	return &Actor{cfg: cfg, kept: map[inspect.ClaimID][]byte{}}, nil
}

// Close ends the Actor's connection.
func (a *Actor) Close() {
	a.mu.Lock()
	conn := a.conn
	a.conn = nil
	a.mu.Unlock()
	if conn != nil {
		conn.Close()
	}
}

// Kept returns the data that this Actor's revoke of a claim overwrote; nil when there is none.
func (a *Actor) Kept(id inspect.ClaimID) []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.kept[id]
}

func (a *Actor) connect(ctx context.Context) (*zkc.Conn, error) {
	a.mu.Lock()
	conn := a.conn
	a.mu.Unlock()
	if conn != nil {
		if p := conn.State().Phase; p != zkc.Closed && p != zkc.Failed {
			return conn, nil
		}
		conn.Close()
	}
	cfg := zkc.Config{Servers: a.cfg.Servers, Chroot: a.cfg.Chroot, Session: a.cfg.Session, TLS: a.cfg.TLS, Log: a.cfg.Log, Dial: a.cfg.Dial}
	for _, c := range a.cfg.Auth {
		cfg.Auth = append(cfg.Auth, zkc.Auth{Scheme: c.Scheme, Token: c.Token})
	}
	conn, err := zkc.Dial(ctx, cfg)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.conn = conn
	return conn, nil
}

// Apply carries out a confirmed plan: it syncs, reads the target again, and changes it only when it is still
// the znode that the plan pinned, at the version that it pinned. It tries once; a lost connection after
// the request was sent is resolved by reading. Everything is in the audit log before it is on the wire.
//
// A ctx that ends before the request is sent calls the plan off; after that it no longer matters. So does
// Config.Fresh: a server that hangs and comes back never surprises anybody with an old order.
func (a *Actor) Apply(ctx context.Context, p Plan, reason string) Result {
	if a.cfg.ReadOnly {
		return a.result(p, Refused, errors.New("read-only: nothing is ever written here"))
	}
	whole, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.cfg.Patience)
	defer cancel()
	session, r := "", Result{}
	conn, refusal := a.prepare(ctx, p)
	if refusal != nil {
		r = *refusal
	} else {
		session = inspect.SessionID(conn.State().Session).String()
		if err := a.log("intent", session, p, reason, ""); err != nil {
			return a.result(p, Refused, fmt.Errorf("%w; without the log nothing is done", err))
		}
		r = a.write(whole, conn, p)
	}
	if err := a.log(string(r.Outcome), session, p, reason, r.Text); err != nil {
		r.Text += "; but the outcome could not be logged: " + err.Error()
	}
	return r
}

// prepare connects and checks the guards, within the time that the operator's word is good for.
func (a *Actor) prepare(ctx context.Context, p Plan) (*zkc.Conn, *Result) {
	ctx, cancel := context.WithTimeout(ctx, a.cfg.Fresh)
	defer cancel()
	conn, err := a.connect(ctx)
	if err == nil {
		if r, ok := a.guard(ctx, conn, p); !ok && ctx.Err() == nil {
			return nil, &r
		}
	}
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		err = fmt.Errorf("no answer within %s, and an old order is not carried out: look again", inspect.Age(a.cfg.Fresh))
	case ctx.Err() != nil:
		err = fmt.Errorf("called off before anything was sent: %w", context.Cause(ctx))
	case err == nil:
		return conn, nil
	}
	r := a.result(p, Refused, err)
	return nil, &r
}

// log appends one record to the audit log.
func (a *Actor) log(stage, session string, p Plan, reason, text string) error {
	r := record(stage, a.cfg.Name, session, p, a.cfg.Now())
	r.Reason, r.Text = reason, text
	return a.cfg.Audit.Append(r)
}

// guard reads the target again and compares it with what the plan pinned.
func (a *Actor) guard(ctx context.Context, conn *zkc.Conn, p Plan) (Result, bool) {
	if err := conn.Sync(ctx, p.Target.Path); err != nil && !errors.Is(err, zkc.ErrNoNode) {
		return a.result(p, Refused, err), false
	}
	data, st, err := conn.Get(ctx, p.Target.Path)
	switch {
	case errors.Is(err, zkc.ErrNoNode):
		return a.result(p, Nothing, errors.New("the claim is already gone")), false
	case err != nil:
		return a.result(p, Refused, err), false
	}
	if why := p.differs(data, st); why != "" {
		return a.result(p, Nothing, errors.New(why)), false
	}
	return Result{}, true
}

// differs says in which way a znode is not the one that the plan pinned; empty when it is.
func (p Plan) differs(data []byte, st wire.Stat) string {
	t := p.Target
	switch {
	case inspect.Zxid(st.Czxid) != t.Czxid:
		return fmt.Sprintf("another znode stands there now (czxid %d, not %d)", st.Czxid, int64(t.Czxid))
	case inspect.SessionID(st.EphemeralOwner) != t.Owner:
		return fmt.Sprintf("it belongs to session %s now, not %s", inspect.SessionID(st.EphemeralOwner), t.Owner)
	case st.Version != t.Version:
		return fmt.Sprintf("its data was changed meanwhile (version %d, not %d)", st.Version, t.Version)
	case !bytes.Equal(data, p.OldData):
		return "its data is not what was shown"
	case p.Deletes() && st.NumChildren > 0:
		return fmt.Sprintf("it has %d children: only a single znode is ever deleted", st.NumChildren)
	}
	return ""
}

// write sends the one request of the plan.
func (a *Actor) write(ctx context.Context, conn *zkc.Conn, p Plan) Result {
	var err error
	if p.Deletes() {
		err = conn.Delete(ctx, p.Target.Path, p.Target.Version)
	} else {
		_, err = conn.Set(ctx, p.Target.Path, p.NewData, p.Target.Version)
	}
	switch {
	case err == nil:
		return a.done(p)
	case errors.Is(err, zkc.ErrUnknownOutcome):
		return a.resolve(ctx, conn, p, err)
	case errors.Is(err, zkc.ErrNoNode):
		return a.result(p, Nothing, errors.New("the claim went by itself a moment ago"))
	case errors.Is(err, zkc.ErrBadVersion):
		return a.result(p, Nothing, errors.New("its data was changed a moment ago"))
	case errors.Is(err, zkc.ErrNoAuth) && p.Deletes():
		dir, _ := inspect.Split(p.Target.Path)
		return a.result(p, Refused, fmt.Errorf("no permission: deleting it takes DELETE on its parent %s", inspect.Printable(dir)))
	case errors.Is(err, zkc.ErrNoAuth):
		return a.result(p, Refused, errors.New("no permission: writing it takes WRITE on the znode itself"))
	}
	return a.result(p, Refused, err)
}

// done remembers what was overwritten.
func (a *Actor) done(p Plan) Result {
	id := inspect.ClaimID{Path: p.Target.Path, Czxid: p.Target.Czxid}
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

// resolve finds out what became of a request whose reply was lost, by reading until there is an answer or
// the time is up.
func (a *Actor) resolve(ctx context.Context, conn *zkc.Conn, p Plan, lost error) Result {
	for ctx.Err() == nil {
		if err := conn.Sync(ctx, p.Target.Path); err != nil && !errors.Is(err, zkc.ErrNoNode) {
			if !pause(ctx) {
				break
			}
			continue
		}
		data, st, err := conn.Get(ctx, p.Target.Path)
		switch {
		case errors.Is(err, zkc.ErrNoNode), err == nil && inspect.Zxid(st.Czxid) != p.Target.Czxid:
			if p.Deletes() {
				return a.done(p) // gone, by our request or by itself: what was asked for holds
			}
			return a.result(p, Nothing, errors.New("the connection was lost, and the claim is gone now"))
		case err == nil && !p.Deletes() && st.Version == p.Target.Version+1 && bytes.Equal(data, p.NewData):
			return a.done(p)
		case err == nil && st.Version == p.Target.Version:
			return a.result(p, Nothing, errors.New("the connection was lost before it reached the server; try again"))
		case err == nil:
			return a.result(p, Nothing, errors.New("the connection was lost, and somebody else has written since"))
		}
		if !pause(ctx) {
			break
		}
	}
	return a.result(p, Unknown, lost)
}

// pause waits a moment between two reads; false when ctx ended.
func pause(ctx context.Context) bool {
	timer := time.NewTimer(100 * time.Millisecond)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// result puts an outcome into one line.
func (a *Actor) result(p Plan, o Outcome, why error) Result {
	r := Result{Plan: p, Outcome: o, At: a.cfg.Now(), Err: why}
	name := inspect.Printable(p.Name)
	switch o {
	case Done:
		r.Text = map[Verb]string{
			VerbRevoke:  "asked " + name + " to let go",
			VerbBreak:   "broke the claim of " + name,
			VerbRestore: "restored the data of " + name,
		}[p.Verb]
		return r
	case Nothing:
		r.Text = fmt.Sprintf("nothing done: %v", why)
	case Refused:
		r.Text = fmt.Sprintf("not done: %v", why)
	case Unknown:
		r.Text = fmt.Sprintf("it is not known whether %s was done: %v; look at %s before anything else", p.Verb, why, inspect.Printable(p.Target.Path))
	}
	return r
}
