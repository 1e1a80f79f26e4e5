package zkc

import (
	"errors"
	"fmt"
)

// Happening is what a change of State was, for a person.
type Happening struct {
	What  string // a stable word: connected, reconnected, new-session, disconnected, expired, zxid-back, cannot-connect, given-up
	Text  string // one line
	Grave bool   // somebody on call should know
}

// Narrator puts the changes of a Conn's State into words, each once: a server that refuses every second is told of once.
// Give it every State, in order. The zero value is ready; it is for one goroutine at a time.
type Narrator struct {
	last    State
	session int64 // the last that there was
	told    map[string]bool
}

// mostCauses bounds what is remembered of an outage.
const mostCauses = 50

// Tell returns what a State adds to those before it, which may be several things, or nothing.
func (n *Narrator) Tell(s State) (out []Happening) {
	was := n.last
	n.last = s
	add := func(grave bool, what, format string, args ...any) {
		out = append(out, Happening{what, fmt.Sprintf(format, args...), grave})
	}
	switch {
	case s.Phase == Connected && s.Connects > was.Connects:
		out = append(out, n.connected(was, s))
		n.session, n.told = s.Session, nil
	case s.Phase == Failed && was.Phase != Failed:
		add(true, "given-up", "given up: %v", s.Err)
	case s.Expirations > was.Expirations:
		add(true, "expired", "session 0x%x has ended: it expired, or its server does not know it", uint64(n.session))
	case s.Phase == Disconnected && was.Phase == Connected:
		add(true, "disconnected", "the connection to %s is lost: %v", s.Server, s.Err)
		n.note(fmt.Sprint(s.Err))
	case s.Attempts > was.Attempts && s.Err != nil && !errors.Is(s.Err, ErrSessionExpired) && n.note(s.Err.Error()):
		add(false, "cannot-connect", "cannot connect: %v; trying on", s.Err)
	}
	if s.Setbacks > was.Setbacks {
		add(true, "zxid-back", "%s is at zxid 0x%x, and 0x%x was told before: it lags behind, or its data was replaced", s.Server, s.BackTo, s.BackFrom)
	}
	return out
}

// connected is a connection that has come about.
func (n *Narrator) connected(was, s State) Happening {
	what, text := "reconnected", "connected again to "+s.Server
	switch {
	case was.Connects == 0:
		what, text = "connected", "connected to "+s.Server
	case was.Server != "" && was.Server != s.Server:
		text = "connected to " + s.Server + ", no longer to " + was.Server
	}
	switch id := uint64(s.Session); {
	case was.Connects > 0 && s.Session != n.session:
		what, text = "new-session", fmt.Sprintf("%s, as the new session 0x%x: 0x%x is over", text, id, uint64(n.session))
	default:
		text = fmt.Sprintf("%s, as session 0x%x", text, id)
	}
	return Happening{What: what, Text: text, Grave: what == "new-session"}
}

// note reports whether a cause is told for the first time since the last connection.
func (n *Narrator) note(cause string) bool {
	if n.told[cause] || len(n.told) >= mostCauses {
		return false
	}
	if n.told == nil {
		n.told = make(map[string]bool)
	}
	n.told[cause] = true
	return true
}
