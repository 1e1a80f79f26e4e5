package recipes

import (
	"context"
	"errors"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// Zero values of this package's types have no session. They behave as those of one that is lost.

var errNoSession = errors.New("it is of no session: Dial and FromConn make sessions, and they everything else")

// never is a lifetime that is over.
var never = func() context.Context {
	ctx, end := context.WithCancelCause(context.Background())
	end(errNoSession)
	return ctx
}()

// link returns the session's connection.
func (s *Session) link() connection {
	if s == nil || s.conn == nil {
		return nobody{}
	}
	return s.conn
}

// lifetime ends with the session.
func (s *Session) lifetime() context.Context {
	if s == nil || s.life == nil {
		return never
	}
	return s.life
}

// nobody is the connection of no session.
type nobody struct{}

func (nobody) enter(context.Context, string, []byte, int32, []wire.ACL, bool) (zkc.Entered, error) {
	return zkc.Entered{}, errNoSession
}

func (nobody) watches(_ context.Context, paths []string) ([]*watch, []error) {
	errs := make([]error, len(paths))
	for i := range errs {
		errs[i] = errNoSession
	}
	return make([]*watch, len(paths)), errs
}

func (nobody) Create(context.Context, string, []byte, int32, []wire.ACL) (zkc.Created, error) {
	return zkc.Created{}, errNoSession
}

func (nobody) Set(context.Context, string, []byte, int32) (wire.Stat, error) {
	return wire.Stat{}, errNoSession
}

func (nobody) withdraw(context.Context, string) (int64, error) { return 0, errNoSession }
func (nobody) Delete(context.Context, string, int32) error     { return errNoSession }

func (nobody) Multi(context.Context, ...zkc.Change) ([]zkc.Done, error) { return nil, errNoSession }

func (nobody) Get(context.Context, string) ([]byte, wire.Stat, error) {
	return nil, wire.Stat{}, errNoSession
}

func (nobody) Exists(context.Context, string) (wire.Stat, bool, error) {
	return wire.Stat{}, false, errNoSession
}

func (nobody) Children(context.Context, string) ([]string, wire.Stat, error) {
	return nil, wire.Stat{}, errNoSession
}

func (nobody) Sync(context.Context, string) error { return errNoSession }

func (nobody) stand(context.Context, []string) ([]bool, error) { return nil, errNoSession }

func (nobody) values(context.Context, []string) ([]zkc.Result, error) { return nil, errNoSession }

func (nobody) watch(context.Context, zkc.WatchKind, string) (*watch, error) { return nil, errNoSession }

func (nobody) session() (int64, time.Duration) { return 0, 0 }
func (nobody) alive() time.Time                { return time.Time{} }
func (nobody) Close()                          {}
