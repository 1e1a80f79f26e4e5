package zkc

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/recipes/sasl"
)

// proofLimit is how long whoever vouches for us, as a KDC, may take before a connection is tried: no server waits then.
const proofLimit = 10 * time.Second

// beginProof makes ready to prove who we are to a server; nil where that is not wanted. What is refused for good ends
// the Conn, so that no account is locked by tries that cannot succeed.
func (c *Conn) beginProof(addr string) (sasl.Exchange, error) {
	m := c.cfg.SASL
	if m == nil {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(c.ctx, proofLimit)
	defer cancel()
	x, err := m.Begin(ctx, hostOf(addr))
	if err == nil {
		return x, nil
	}
	if errors.Is(err, sasl.ErrRefused) {
		c.terminate(&Error{Op: "authenticate", Err: because(ErrAuth, err)})
	}
	if !errors.Is(err, sasl.ErrNotAsked) {
		err = vain{err}
	}
	return nil, fmt.Errorf("%s: %w", addr, err)
}

// refusedMost is how often a server that believed us before may refuse us until that is final. A ZooKeeper server keeps the
// name that a login is about in one place for all connections: where many log in at once, as after a restart, it holds one's
// proof against another's password.
const refusedMost = 3

// proofRounds is how many tokens a server may send: mechanisms end after three.
const proofRounds = 8

// prove talks with the server until both sides are content.
func (l *link) prove() error {
	if l.proof == nil {
		return nil
	}
	m := l.c.cfg.SASL
	var challenge []byte
	for range proofRounds {
		answer, done, err := l.proof.Next(challenge)
		if err != nil {
			return fmt.Errorf("%s: SASL %s: %w", l.addr, m.Name(), err)
		}
		if done {
			l.c.believed.Store(true)
			l.c.refused.Store(0)
			return nil
		}
		e := request(wire.OpSASL)
		e.Buffer(answer)
		code, body, err := l.exchange(lastXid, e)
		if err != nil {
			return l.handshakeError(err)
		}
		if code != wire.OK {
			return l.unproven(m, code)
		}
		d := wire.NewDecoder(body)
		if challenge = d.Buffer(); d.Err() != nil {
			return fmt.Errorf("%s: %w", l.addr, errBadReply)
		}
	}
	return fmt.Errorf("%s: SASL %s: the server does not come to an end", l.addr, m.Name())
}

// unproven ends the Conn: the server does not believe us, and would not a second time. What was believed before, or is
// kept from before, is tried again.
func (l *link) unproven(m sasl.Mechanism, code wire.Code) error {
	why := "it does not know the user, or the password or ticket is wrong, or it wants another mechanism"
	if code != wire.ErrAuthFailed && code != wire.ErrSASLRequired {
		why = CodeText(code)
	}
	err := because(ErrAuth, fmt.Errorf("SASL %s as %s by %s: %s", m.Name(), m.User(), l.addr, why))
	kept, ok := l.proof.(sasl.Keeper)
	stale := ok && kept.Refused()
	if n := l.c.refused.Add(1); (l.c.believed.Load() || stale) && n < refusedMost {
		l.c.log.Warn("refused once, tried again", "err", err)
		return err
	}
	l.c.terminate(&Error{Op: "authenticate", Code: code, Err: err})
	return err
}
