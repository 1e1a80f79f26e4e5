package certs

import (
	"cmp"
	"crypto/tls"
	"fmt"
	"os"
	"sync"
	"time"
)

// renewing is our certificate for as long as a program runs: where others were put into its files, they are read again with
// the next connection. One that was revoked or has ended is replaced that way, and short-lived ones are all the time.
type renewing struct {
	files Files

	mu   sync.Mutex
	own  tls.Certificate
	seen []os.FileInfo
}

// newRenewing reads our certificate for the first time.
func newRenewing(f Files) (*renewing, error) {
	r := &renewing{files: f, seen: f.looks()}
	var err error
	r.own, err = f.own()
	return r, err
}

// looks are what tells one version of the files from the next; nil for one that is not there.
func (f Files) looks() (out []os.FileInfo) {
	for _, file := range []string{f.Cert, cmp.Or(f.Key, f.Cert)} {
		st, _ := os.Stat(file)
		out = append(out, st)
	}
	return out
}

// same reports whether two looks were at the same files.
func same(a, b []os.FileInfo) bool {
	for i := range a {
		if a[i] == nil || b[i] == nil || !os.SameFile(a[i], b[i]) || a[i].Size() != b[i].Size() || !a[i].ModTime().Equal(b[i].ModTime()) {
			return false
		}
	}
	return true
}

// present returns the certificate that is shown to a server that asks for one. Files that cannot be read, as while they are
// being written, are read again with the next connection: what was read before goes on until it ends.
func (r *renewing) present(asks *tls.CertificateRequestInfo) (*tls.Certificate, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now := r.files.looks(); !same(r.seen, now) {
		own, err := r.files.own()
		switch {
		case err == nil:
			r.own, r.seen = own, now
		case time.Now().After(r.own.Leaf.NotAfter):
			return nil, err
		}
	}
	if leaf := r.own.Leaf; time.Now().After(leaf.NotAfter) {
		return nil, fmt.Errorf("%w: put another into its place", ended(r.files.Cert, leaf))
	}
	own := r.own
	if asks.SupportsCertificate(&own) != nil {
		return new(tls.Certificate), nil // none: it may do without
	}
	return &own, nil
}
