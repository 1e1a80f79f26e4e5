package live

import (
	"context"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/ensemble"
	"github.com/zkscope/zkscope/internal/mirror"
	"github.com/zkscope/zkscope/internal/zkc"
)

// Config says which ensemble is looked at, what of it, and how.
type Config struct {
	Conn              zkc.Config
	Tree              mirror.Options
	Admin, FourLetter []string // where AdminServers and four-letter words are asked: see ensemble.Config. Optional
	Hints             model.Hints
	Timeout           time.Duration // of connecting and looking together; Open does not use it
	Now               func() time.Time

	Names Names                             // what clients' hosts are called. Optional
	Judge func(*model.Result) *model.Result // weighs what is followed by what somebody allows: pure. Optional

	Limits  bool // also ask for what seldom changes
	Patient bool // look for as long as it takes to see whether a deadlock stands still
}

// Names are what hosts are called by somebody's own list. Its methods may be called from any goroutine.
type Names interface {
	Of(addr string) string // of the host of an address; empty: it is not known
	Version() uint64       // another number whenever names may be others
}

// AddressError says that an address is none where a member could be asked.
type AddressError struct{ Err error }

// Error says which address, and what is wrong with it.
func (e AddressError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e AddressError) Unwrap() error { return e.Err }

// members begins to ask the members. The caller closes the result.
func (c Config) members(configuration func(context.Context) ([]byte, error), self func() (session int64, since, heard time.Time), home func() string) (*ensemble.Ensemble, error) {
	e := ensemble.Config{Servers: c.Conn.Servers, Chroot: c.Conn.Chroot, TLS: c.Conn.TLS, Dial: c.Conn.Dial, Now: c.Now,
		Admin: c.Admin, FourLetter: c.FourLetter, Members: configuration, Self: self, Home: home}
	ens, err := ensemble.Open(e)
	if err != nil {
		return nil, AddressError{err}
	}
	return ens, nil
}

// selfOf tells the members about a connection.
func selfOf(conn *zkc.Conn) func() (int64, time.Time, time.Time) {
	return func() (int64, time.Time, time.Time) {
		st := conn.State()
		return st.Session, st.Since, conn.Heard()
	}
}

// homeOf tells the members which server a connection is to.
func homeOf(conn *zkc.Conn) func() string { return func() string { return conn.State().Server } }

// Probe makes sure that the ensemble can be connected to, within Timeout.
func Probe(ctx context.Context, c Config) error {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	conn, err := zkc.Dial(ctx, c.Conn)
	if err != nil {
		return err
	}
	conn.Close()
	return nil
}

// onto returns the snapshot with what servers told.
func onto(st *ensemble.Status, snap *znode.Snapshot) *znode.Snapshot {
	out := *st.Onto(snap)
	out.Ephemerals = st.Ephemerals
	return &out
}
