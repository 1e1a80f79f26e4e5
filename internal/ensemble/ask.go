package ensemble

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"
)

// The four-letter words that are ever sent. None of them changes anything: those that reset statistics or set a
// trace mask (srst, crst, stmk) are not here, and nothing else can be sent.
const (
	wordSrvr = "srvr"
	wordConf = "conf"
	wordCons = "cons"
	wordDump = "dump"
	wordWchs = "wchs"
	wordWchp = "wchp"
	wordMntr = "mntr"
)

var harmless = map[string]bool{wordSrvr: true, wordConf: true, wordCons: true, wordDump: true, wordWchs: true, wordWchp: true, wordMntr: true}

// Errors of a question. They are told apart because what opens an endpoint differs.
var (
	errRefused = errors.New("not in 4lw.commands.whitelist")
	errIdle    = errors.New("the server does not serve at the moment: it has no quorum or is starting")
	errCut     = errors.New("the reply was cut off")
	errEmpty   = errors.New("closed without an answer")
	errTooBig  = errors.New("the reply is larger than is read")
	errSilent  = errors.New("no answer in time")
)

// word sends a four-letter word and returns the reply, which is about as long as expected. It is bounded in time and in
// bytes.
func (e *Ensemble) word(ctx context.Context, addr, word string, expected int) (string, error) {
	text, err := e.say(ctx, addr, word, expected)
	var alert *net.OpError
	switch {
	case errors.As(err, &alert) && alert.Op == "remote error", errors.As(err, new(*tls.CertificateVerificationError)):
		e.refused.Add(1)
	case text != "":
		e.heard.Add(1)
	}
	if err != nil {
		err = tidy(err)
	}
	return text, err
}

// say is word, with errors as they come.
func (e *Ensemble) say(ctx context.Context, addr, word string, expected int) (string, error) {
	if !harmless[word] {
		return "", fmt.Errorf("%q is not sent to a server", word)
	}
	ctx, cancel := context.WithTimeout(ctx, e.cfg.Timeout)
	defer cancel()
	conn, err := e.connect(ctx, addr)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	if _, err := io.WriteString(conn, word); err != nil {
		return "", err
	}
	var reply strings.Builder
	reply.Grow(expected + expected/8)
	_, err = io.Copy(&reply, io.LimitReader(conn, int64(e.cfg.MaxBytes)+1))
	text := reply.String()
	refused, idle := refusal(text)
	switch {
	case len(text) > e.cfg.MaxBytes:
		return "", errTooBig
	case ctx.Err() != nil:
		return "", errSilent
	case refused:
		return "", errRefused
	case idle:
		return "", errIdle
	case err != nil && text != "":
		return text, errCut
	case err != nil:
		return "", err
	case text == "":
		return "", errEmpty
	}
	return text, nil
}

// connect opens a connection to a client port, with TLS where that is how clients connect.
func (e *Ensemble) connect(ctx context.Context, addr string) (net.Conn, error) {
	conn, err := e.cfg.Dial(ctx, "tcp", addr)
	if err != nil || e.cfg.TLS == nil {
		return conn, err
	}
	secure := tls.Client(conn, e.tlsFor(addr))
	if err := secure.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, fmt.Errorf("TLS: %w", err)
	}
	return secure, nil
}

// tlsFor is the TLS configuration for a host.
func (e *Ensemble) tlsFor(addr string) *tls.Config {
	if e.cfg.TLS == nil {
		return nil
	}
	c := e.cfg.TLS.Clone()
	if host, _, err := net.SplitHostPort(addr); err == nil && c.ServerName == "" {
		c.ServerName = host
	}
	return c
}

// tidy makes a short reason of a network error.
func tidy(err error) error {
	var op *net.OpError
	var sys *os.SyscallError
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return errSilent
	case errors.As(err, &sys):
		return sys.Err
	case errors.As(err, &op) && op.Err != nil:
		return op.Err
	case errors.Is(err, io.EOF):
		return errEmpty
	}
	return err
}

// question is what a member was asked, and when, by our clock.
type question struct{ sent, heard time.Time }

func (q question) middle() time.Time { return q.sent.Add(q.heard.Sub(q.sent) / 2) }

// oneLine keeps a reason on one line.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
