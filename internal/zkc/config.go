package zkc

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/recipes/sasl"
)

// DefaultPort is where ZooKeeper listens when a server is given without a port.
const DefaultPort = "2181"

// DefaultSession is the session timeout that is asked for when Config names none.
const DefaultSession = 10 * time.Second

// DefaultMaxRequest is the longest request in bytes that servers take unless their jute.maxbuffer says otherwise:
// path, data, ACL and some 30 bytes more. They cut the connection of whoever sends a longer one.
const DefaultMaxRequest = 1<<20 - 1

// defaultMaxFrame bounds a server's frames. Servers do not limit replies; a list of a million children
// takes about 60 MB.
const defaultMaxFrame = 256 << 20

// Auth is one credential of a scheme that is answered with a plain token: digest, or a server's own.
type Auth struct {
	Scheme string // digest
	Token  []byte // user:password for digest
}

// Credentials are the same as another package calls them.
func Credentials[C ~struct {
	Scheme string
	Token  []byte
}](list []C) (out []Auth) {
	for _, c := range list {
		out = append(out, Auth(c))
	}
	return out
}

// String names the scheme only, so that a credential never ends up in a log.
func (a Auth) String() string { return a.Scheme + ":(hidden)" }

// Config says where and how to connect. Dial copies it.
type Config struct {
	Servers []string // host or host:port; see ParseConnect
	Chroot  string   // Optional; an absolute path that must exist: it is never created
	// PreferObserver tries a server first that says that it is an observer, when connecting and after a connection that lasted.
	// Where none says so, any is taken.
	PreferObserver bool

	Session time.Duration // Optional; default DefaultSession. Servers grant what suits them, see State.Timeout

	// ReadOnly lets no write pass, whatever code sends it, and accepts servers that are read-only because
	// they have lost their quorum.
	ReadOnly bool

	SASL sasl.Mechanism // Optional; by which we prove who we are on every connection, before anything else
	Auth []Auth         // Optional; sent on every connection before the first request
	TLS  *tls.Config    // Optional; nil: plain text. An empty ServerName means the host of each server

	// Dial is optional; default: a net.Dialer. It returns the plain connection: TLS is put on top of it.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	Log  *slog.Logger // Optional; default: nothing is logged. Nothing is ever written to stderr

	// Watches are the roots of persistent recursive watches that are armed on every connection, before
	// OnState tells that it is there.
	Watches []string
	OnEvent func(wire.Event) // Optional; every watch event. See the package's notes on concurrency
	OnState func(State)      // Optional; every change of State. See the package's notes on concurrency

	NoWait       bool // Dial returns at once and the connection is tried for in the background
	GiveUp       int  // Optional; Dial fails after so many rounds over all servers. 0: only its context ends it
	EndOnExpiry  bool // an expired session ends the Conn, rather than being followed by a new one
	RenewRefused bool // a session that every server has refused several times is given up for a new one, as FreshSession does
	MaxRequest   int  // Optional; the servers' jute.maxbuffer: a larger request is ErrTooLarge and not sent. Default 1 MiB less 1
	MaxFrame     int  // Optional; the largest frame accepted from a server, in bytes. Default 256 MiB
}

// withDefaults checks and completes a copy.
func (c Config) withDefaults() (Config, error) {
	if len(c.Servers) == 0 {
		return c, errors.New("no server to connect to: give at least one host:port")
	}
	servers := make([]string, 0, len(c.Servers))
	for _, s := range c.Servers {
		addr, err := serverAddr(s)
		if err != nil {
			return c, err
		}
		servers = append(servers, addr)
	}
	c.Servers = servers
	chroot, err := cleanChroot(c.Chroot)
	if err != nil {
		return c, err
	}
	c.Chroot = chroot
	c.Auth = slices.Clone(c.Auth)
	c.Watches = slices.Clone(c.Watches)
	if c.Session <= 0 {
		c.Session = DefaultSession
	}
	if c.MaxRequest <= 0 {
		c.MaxRequest = DefaultMaxRequest
	}
	if c.MaxFrame <= 0 {
		c.MaxFrame = defaultMaxFrame
	}
	if c.Dial == nil {
		c.Dial = new(net.Dialer).DialContext
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c, nil
}

// ParseConnect reads a connect string as every ZooKeeper client takes it: servers with or without a port,
// separated by commas, and one optional chroot after the last, or the same after each, as in "zk1:2181,zk2:2181/prod/app". A
// leading "zk://" is allowed. The servers come back as host:port, the chroot absolute and without a slash
// at its end, or empty. "srv://NAME" comes back as it is, for [Resolve].
func ParseConnect(s string) (servers []string, chroot string, err error) {
	text := strings.TrimPrefix(strings.TrimSpace(s), "zk://")
	if strings.HasPrefix(text, srvScheme) {
		return parseSRV(text)
	}
	hosts, rest, found := strings.Cut(text, "/")
	if found {
		if strings.Contains(rest, ",") {
			if hosts, rest, found = eachChroot(text); !found {
				return nil, "", fmt.Errorf("connect string %q: the chroot stands once, after the last server, or the same after each", s)
			}
		}
		if chroot, err = cleanChroot("/" + rest); err != nil {
			return nil, "", fmt.Errorf("connect string %q: %w", s, err)
		}
	}
	for _, h := range strings.Split(hosts, ",") {
		addr, err := serverAddr(h)
		if err != nil {
			return nil, "", fmt.Errorf("connect string %q: %w", s, err)
		}
		servers = append(servers, addr)
	}
	return servers, chroot, nil
}

// eachChroot parts the servers from their chroot where the same one stands after each of them, as some systems write it.
func eachChroot(text string) (hosts, chroot string, ok bool) {
	var all []string
	for i, one := range strings.Split(text, ",") {
		host, path, found := strings.Cut(strings.TrimSpace(one), "/")
		if path = strings.TrimRight(path, "/"); !found || i > 0 && path != chroot {
			return "", "", false
		}
		all, chroot = append(all, host), path
	}
	return strings.Join(all, ","), chroot, true
}

// serverAddr completes one server to host:port.
func serverAddr(s string) (string, error) {
	s = strings.TrimSpace(s)
	host, port := s, DefaultPort
	switch {
	case strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]"):
		host = s[1 : len(s)-1]
	case strings.HasPrefix(s, "[") || strings.Count(s, ":") == 1:
		var err error
		if host, port, err = net.SplitHostPort(s); err != nil {
			return "", fmt.Errorf("server %q is not host:port", s)
		}
	}
	if host == "" || strings.ContainsAny(host, " \t/@") {
		return "", fmt.Errorf("server %q names no host", s)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
		return "", fmt.Errorf("server %q has no valid port", s)
	}
	return net.JoinHostPort(host, port), nil
}

// cleanChroot returns the chroot without a slash at its end; empty for none.
func cleanChroot(s string) (string, error) {
	s = strings.TrimRight(s, "/")
	if s == "" {
		return "", nil
	}
	if err := CheckPath(s); err != nil {
		return "", fmt.Errorf("chroot %q %w", s, err)
	}
	return s, nil
}

// CheckPath reports why a server would refuse the path, in words that follow the path.
func CheckPath(p string) error {
	switch {
	case !strings.HasPrefix(p, "/"):
		return errors.New("does not begin with a slash")
	case p == "/":
		return nil
	case strings.HasSuffix(p, "/"):
		return errors.New("ends with a slash")
	case strings.IndexByte(p, 0) >= 0:
		return errors.New("holds a NUL character")
	}
	for part := range strings.SplitSeq(p[1:], "/") {
		if part == "" || part == "." || part == ".." {
			return fmt.Errorf("holds the component %q", part)
		}
	}
	return nil
}
