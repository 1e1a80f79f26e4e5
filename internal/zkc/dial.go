package zkc

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/zkscope/zkscope/internal/wait"
)

// maxHandshake bounds a handshake where a third of a long session timeout would be too patient.
const maxHandshake = 5 * time.Second

// dial is the library's dialer.
func (c *Conn) dial(addr string) (net.Conn, error) {
	l, err := c.attempt(addr)
	if err == nil {
		return l, nil
	}
	if c.ctx.Err() != nil { // see leaveQuietly
		select {
		case c.arrived <- struct{}{}:
		default:
		}
		<-c.goOn
	}
	return nil, err
}

// attempt paces the attempts, connects, and starts a link.
func (c *Conn) attempt(addr string) (*link, error) {
	if prev := c.current(); prev != nil {
		<-prev.gone // what it had to report is reported
	}
	if !wait.For(c.ctx, c.hosts.pause()) {
		return nil, c.ctx.Err()
	}
	addr = c.choose(addr)
	proof, err := c.beginProof(addr)
	if err != nil {
		c.failed(addr, err)
		return nil, err
	}
	due := time.Now().Add(c.handshakeLimit())
	ctx, cancel := context.WithDeadline(c.ctx, due)
	defer cancel()
	fresh := c.wantsFresh(ctx, addr)
	raw, err := c.connect(ctx, addr)
	if err != nil {
		err = fmt.Errorf("%s: %w", addr, err)
		c.failed(addr, err)
		return nil, err
	}
	l := newLink(c, addr, raw, due)
	l.fresh, l.proof = fresh, proof
	if !c.adopt(l) {
		_ = raw.Close()
		return nil, ErrClosed
	}
	return l, nil
}

// handshakeLimit is a third of the session timeout, so that three hung servers in a row cost no session.
func (c *Conn) handshakeLimit() time.Duration {
	timeout := c.State().Timeout
	if timeout == 0 {
		timeout = c.cfg.Session
	}
	return min(timeout/3, maxHandshake)
}

// connect opens the raw connection, with TLS on it where wanted.
func (c *Conn) connect(ctx context.Context, addr string) (net.Conn, error) {
	raw, err := c.cfg.Dial(ctx, "tcp", addr)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ErrSilent
		}
		return nil, plainly(err)
	}
	if c.cfg.TLS == nil {
		return raw, nil
	}
	conf := c.cfg.TLS.Clone()
	if conf.ServerName == "" {
		conf.ServerName = hostOf(addr)
	}
	t := tls.Client(raw, conf)
	if err := t.HandshakeContext(ctx); err != nil {
		_ = raw.Close()
		return nil, c.tlsError(err)
	}
	return tlsConn{t, raw}, nil
}

// tlsError says why a TLS handshake failed, and what is missing. Only what a server that is starting up may do as well is
// worth another try soon.
func (c *Conn) tlsError(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) {
		if c.hosts.everUp() {
			return errors.New("TLS: the server closed the connection: is it starting up?")
		}
		return errors.New("TLS: the server closed the connection: is it a plain port?")
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("TLS: %w", ErrSilent)
	}
	said := tlsRefusal(err, c.cfg.TLS != nil && len(c.cfg.TLS.Certificates) > 0)
	if errors.Is(err, context.Canceled) {
		return said
	}
	return vain{said}
}

// refusedByTLS reports that the other side has ended a TLS connection, and said why: that it does not want our certificate,
// most likely, which TLS 1.3 has it say after our handshake is over.
func refusedByTLS(err error) bool {
	var alert *net.OpError
	return errors.As(err, &alert) && alert.Op == "remote error"
}

// tlsRefusal puts the error of a TLS handshake into words.
func tlsRefusal(err error, papers bool) error {
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	text := strings.ReplaceAll(err.Error(), "tls: ", "")
	switch {
	case errors.As(err, &unknown):
		return fmt.Errorf("TLS: %s: name the authority that signed the server's certificate", text)
	case errors.As(err, &host):
		return fmt.Errorf("TLS: the server's certificate is for %s, not %s: if this is the right server, name it with --tls-name", namesOf(host.Certificate), host.Host)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return fmt.Errorf("TLS: the server's certificate is valid from %s to %s", invalid.Cert.NotBefore.Local().Format(time.DateTime), invalid.Cert.NotAfter.Local().Format(time.DateTime))
	case refusedByTLS(err) && strings.Contains(text, "protocol version"):
		return errors.New("TLS: the server does not speak a version of TLS as new as we want")
	case refusedByTLS(err) && papers && strings.Contains(text, "revoked"):
		return fmt.Errorf("TLS: the server does not accept our certificate (%s): get another", text)
	case refusedByTLS(err) && papers:
		return fmt.Errorf("TLS: the server does not accept our certificate (%s): it may be revoked, or of nobody whom the server trusts", text)
	case refusedByTLS(err):
		return fmt.Errorf("TLS: the server refuses us (%s): it may want a client's certificate", text)
	}
	return fmt.Errorf("TLS: %w", err)
}

// namesOf lists whom a certificate is of.
func namesOf(c *x509.Certificate) string {
	names := slices.Clone(c.DNSNames)
	for _, ip := range c.IPAddresses {
		names = append(names, ip.String())
	}
	if len(names) == 0 {
		return "nobody by name (" + c.Subject.String() + ")"
	}
	return strings.Join(names, ", ")
}

// tlsConn closes the raw connection: a TLS close may wait for seconds on a server that does not read.
type tlsConn struct {
	*tls.Conn
	raw net.Conn
}

// Close closes the raw connection.
func (t tlsConn) Close() error { return t.raw.Close() }
