package zkc

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"

	"github.com/zkscope/zkscope/internal/wire"
)

// What can go wrong, for errors.Is. Every error of a Conn's methods is an *Error that matches at most one
// of the first group, and ErrUnknownOutcome or ErrUnreachable together with the reason why the wait ended.
var (
	ErrNoNode     = errors.New("znode does not exist")
	ErrNoAuth     = errors.New("no permission")
	ErrBadVersion = errors.New("version does not match: the znode was changed")
	ErrNodeExists = errors.New("znode exists already")
	ErrNotEmpty   = errors.New("znode has children")

	ErrReadOnly       = errors.New("read-only: nothing was written")
	ErrSessionExpired = errors.New("session has expired")
	ErrAuth           = errors.New("credentials are refused")
	ErrNoChroot       = errors.New("chroot does not exist")
	ErrNotOffered     = errors.New("the server does not offer this operation")
	ErrTooLarge       = errors.New("the request is too large for the servers")

	ErrClosed         = errors.New("connection is closed")
	ErrUnknownOutcome = errors.New("outcome unknown: read again before anything else")
	ErrSilent         = errors.New("no answer in time")
	ErrUnreachable    = errors.New("not connected to any server")
)

// sentinels maps the codes that callers tell apart.
var sentinels = map[wire.Code]error{
	wire.ErrNoNode:         ErrNoNode,
	wire.ErrNoAuth:         ErrNoAuth,
	wire.ErrBadVersion:     ErrBadVersion,
	wire.ErrNodeExists:     ErrNodeExists,
	wire.ErrNotEmpty:       ErrNotEmpty,
	wire.ErrNotReadOnly:    ErrReadOnly,
	wire.ErrSessionExpired: ErrSessionExpired,
	wire.ErrAuthFailed:     ErrAuth,
	wire.ErrSASLRequired:   ErrAuth,
	wire.ErrUnimplemented:  ErrNotOffered,
}

// texts says in plain language what the codes without a sentinel of their own mean.
var texts = map[wire.Code]string{
	wire.ErrSystem:               "server reports a system error",
	wire.ErrRuntimeInconsistency: "not tried, because another operation of the multi failed",
	wire.ErrDataInconsistency:    "server reports inconsistent data",
	wire.ErrConnectionLoss:       "server reports a lost connection",
	wire.ErrMarshalling:          "server could not read the request",
	wire.ErrOperationTimeout:     "server gave up on the operation in time",
	wire.ErrBadArguments:         "server does not accept the arguments",
	wire.ErrNoChildrenForEph:     "an ephemeral znode cannot have children",
	wire.ErrInvalidACL:           "ACL is not valid",
	wire.ErrSessionMoved:         "session has moved to another server: not applied",
	wire.ErrEphemeralOnLocal:     "a local session cannot own ephemeral znodes",
	wire.ErrNoWatcher:            "no such watch",
	wire.ErrSASLRequired:         "server requires SASL authentication",
	wire.ErrQuotaExceeded:        "quota exceeded: not applied",
	wire.ErrThrottled:            "server is overloaded and dropped the request: not applied",
}

// CodeText says what an error code means, in plain words; a code without words keeps its number.
func CodeText(code wire.Code) string {
	if w, ok := texts[code]; ok {
		return w
	}
	if s, ok := sentinels[code]; ok {
		return s.Error()
	}
	return fmt.Sprintf("server answered with error %d", code)
}

// CodeError returns the error for a code of a batch's item: nil for success, else an *Error without Op
// and Path.
func CodeError(code wire.Code) error {
	if code == wire.OK {
		return nil
	}
	return &Error{Code: code}
}

// Error says what failed (Op, in one word), on which path as the caller gave it, and why: the server's
// code, or Err when the failure is on our side of the wire.
type Error struct {
	Op, Path string
	Code     wire.Code
	Err      error
}

// Error is one line.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Op)
	if e.Path != "" {
		b.WriteString(" " + e.Path)
	}
	if b.Len() > 0 {
		b.WriteString(": ")
	}
	switch {
	case e.Err != nil:
		b.WriteString(e.Err.Error())
	default:
		b.WriteString(CodeText(e.Code))
	}
	return b.String()
}

// Unwrap gives errors.Is the sentinel of the code and the cause.
func (e *Error) Unwrap() []error {
	var out []error
	if s := sentinels[e.Code]; s != nil {
		out = append(out, s)
	}
	if e.Err != nil {
		out = append(out, e.Err)
	}
	return out
}

// reasoned is a sentinel with the reason behind it, in one line.
type reasoned struct{ what, why error }

// Error is one line.
func (r reasoned) Error() string { return r.what.Error() + ": " + r.why.Error() }

// Unwrap gives errors.Is both.
func (r reasoned) Unwrap() []error { return []error{r.what, r.why} }

// because joins a sentinel and a reason; the sentinel alone when there is none.
func because(what, why error) error {
	if why == nil || errors.Is(why, what) {
		return what
	}
	return reasoned{what, why}
}

// vain is an error that trying again soon does not cure: somebody who was asked at some cost does not take us for who we are.
type vain struct{ error }

// Unwrap returns what it is about.
func (v vain) Unwrap() error { return v.error }

// plainly strips the layers that the net package puts around a cause which operators know by heart.
func plainly(err error) error {
	var dns *net.DNSError
	var errno syscall.Errno
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return fmt.Errorf("host %s is unknown", dns.Name)
	case errors.As(err, &errno):
		return errno
	case errors.Is(err, os.ErrDeadlineExceeded):
		return ErrSilent
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed), errors.Is(err, io.ErrClosedPipe):
		return errHungUp
	}
	return err
}

var (
	errHungUp = errors.New("connection closed by the server")
)
