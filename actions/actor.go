package actions

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/recipes"
)

// Config says which ensemble an Actor acts on, and how.
type Config struct {
	// Conn is how to connect. Its ACL is of what is made; default: of a join recipes.WorldAll, of a barrier that of its
	// parent.
	Conn     recipes.Config
	Name     string           // the ensemble as people call it, for the audit log
	ReadOnly bool             // nothing is ever written, and no connection is made
	Audit    *Audit           // required unless ReadOnly
	Now      func() time.Time // Optional; default time.Now

	// Patience bounds a whole attempt, the search for an unknown outcome included. Optional; default 15 s.
	Patience time.Duration
	// Fresh bounds the time from the call to the write: an answer that comes later finds the operator elsewhere,
	// so nothing is written. Optional; default 3 s, or half of Patience where that is less.
	Fresh time.Duration
}

// Actor applies plans over a connection of its own, which it makes when it is first needed. End it with
// Close.
type Actor struct {
	cfg  Config
	mu   sync.Mutex
	conn *zkc.Conn
	kept map[model.ClaimID][]byte // what our revokes overwrote
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
	return &Actor{cfg: cfg, kept: map[model.ClaimID][]byte{}}, nil
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
func (a *Actor) Kept(id model.ClaimID) []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.kept[id]
}

// Reserved says that a path is ZooKeeper's own, in one line; empty when it is not. Below a chroot none is.
func Reserved(chroot, path string) string {
	if chroot != "" && chroot != "/" || path != "/zookeeper" && !strings.HasPrefix(path, "/zookeeper/") {
		return ""
	}
	return say.Printable(path) + " belongs to ZooKeeper itself: no recipe stands there"
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
	c := a.cfg.Conn
	conn, err := zkc.Dial(ctx, zkc.Config{Servers: c.Servers, Chroot: c.Chroot, Session: c.Timeout, TLS: c.TLS, Log: c.Log, Dial: c.Dial,
		SASL: c.SASL, Auth: zkc.Credentials(c.Auth)})
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.conn = conn
	return conn, nil
}
