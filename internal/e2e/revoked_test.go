package e2e

import (
	"crypto/rand"
	"crypto/x509"
	"math/big"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"
)

// revoker is the place where an authority's list of revoked certificates lies, as HTTP on loopback.
type revoker struct {
	p    *papers
	url  string
	list atomic.Pointer[[]byte]
}

func newRevoker(t *testing.T, p *papers) *revoker {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	r := &revoker{p: p, url: "http://" + l.Addr().String() + "/ca.crl"}
	r.revoke(t)
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(*r.list.Load()) })}
	done := make(chan struct{})
	go func() { defer close(done); _ = srv.Serve(l) }()
	t.Cleanup(func() { srv.Close(); <-done })
	return r
}

// issue makes a certificate that says where the list is.
func (r *revoker) issue(t *testing.T, name string) *x509.Certificate {
	t.Helper()
	c, _ := r.p.issue(t, name, r.p.ca, r.p.key, func(c *x509.Certificate) { c.CRLDistributionPoints = []string{r.url} })
	return c
}

// revoke puts these certificates, and no others, on the list. A server that has read it looks again when it starts.
func (r *revoker) revoke(t *testing.T, certs ...*x509.Certificate) {
	t.Helper()
	list := &x509.RevocationList{Number: big.NewInt(time.Now().UnixNano()), ThisUpdate: time.Now().Add(-time.Minute), NextUpdate: time.Now().Add(time.Hour)}
	for _, c := range certs {
		list.RevokedCertificateEntries = append(list.RevokedCertificateEntries, x509.RevocationListEntry{SerialNumber: c.SerialNumber, RevocationTime: time.Now().Add(-time.Minute)})
	}
	der, err := x509.CreateRevocationList(rand.Reader, list, r.p.ca, r.p.key)
	must(t, err)
	r.list.Store(&der)
}
