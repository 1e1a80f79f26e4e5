// Package sasl is the client's part of the exchanges by which ZooKeeper's servers let a client prove who it is: DIGEST-MD5
// here, Kerberos in package krb5, which stands apart so that whoever needs none does not carry its libraries. What a login
// configuration of Java's clients (JAAS) says of either is read here too.
//
// An exchange goes over the connection before its first request, so that a server that serves nobody else
// (sessionRequireClientSASLAuth) is reached. Who proved itself is the scheme "sasl" in an ACL, which is another than
// "digest": that one is a credential added to a session (addauth), and its name and password are no SASL user's.
//
// Nothing here ever writes a secret: no error, no String.
package sasl

import (
	"context"
	"errors"
)

// ErrRefused is what errors of Begin match that another try cannot change, and that may lock an account where it is tried:
// a wrong password, a name that nobody knows.
var ErrRefused = errors.New("refused")

// ErrNotAsked is what errors of Begin match that were found on this machine, before anybody was asked: trying again soon costs
// nobody anything, and finds at once what somebody has done about it.
var ErrNotAsked = errors.New("not asked")

// Mechanism is a way to prove who one is. It may be used by many connections, also at once.
type Mechanism interface {
	// Name is what the mechanism is called by: DIGEST-MD5, GSSAPI.
	Name() string

	// User is who is going to prove itself, for messages: never with a secret.
	User() string

	// Begin begins an exchange with the server of a host name. It may ask others, as a KDC, and ends with ctx.
	Begin(ctx context.Context, host string) (Exchange, error)
}

// Exchange is one connection's talk of a mechanism. It is used by one goroutine.
type Exchange interface {
	// Next takes what the server sent last, nil at first, and returns what to answer. Done says that both sides are
	// content, and that nothing is to be sent any more. An error is final: the server is not who it should be, or
	// speaks otherwise.
	Next(challenge []byte) (answer []byte, done bool, err error)
}

// Keeper is an Exchange of a mechanism that keeps what it was given, as a ticket, for connections to come.
type Keeper interface {
	Exchange

	// Refused is called where the server did not believe us: what is kept for it is forgotten. It reports whether that was
	// kept from before, so that another try, with something new, may do better.
	Refused() (again bool)
}
