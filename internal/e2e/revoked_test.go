package e2e

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkc"
)

// revoker is the place where an authority's list of revoked certificates lies, as HTTP on loopback.
type revoker struct {
	p    *papers
	url  string
	list atomic.Pointer[[]byte]

	asked atomic.Int32
}

func newRevoker(t *testing.T, p *papers) *revoker {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	r := &revoker{p: p, url: "http://" + l.Addr().String() + "/ca.crl"}
	r.revoke(t)
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		r.asked.Add(1)
		_, _ = w.Write(*r.list.Load())
	})}
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

// put makes another certificate the one that lies in a file, at once.
func (p *papers) put(t *testing.T, name, file string) {
	t.Helper()
	b, err := os.ReadFile(p.file(name))
	must(t, err)
	must(t, os.WriteFile(file+".new", b, 0o600))
	must(t, os.Rename(file+".new", file))
}

// A certificate that is revoked while we run is told in one line, tried ever more seldom, and replaced by the one that somebody
// puts into its place. Commands ask once.
func TestARevokedCertificate(t *testing.T) {
	for version, more := range map[string]string{"TLSv1.2": "", "TLSv1.3": "ssl.ciphersuites=TLS_AES_128_GCM_SHA256"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			p := newPapers(t, "server")
			r := newRevoker(t, p)
			bad := r.issue(t, "client")
			r.issue(t, "other")
			s, secure := secured(t, p, "ssl.crl=true", "ssl.protocol="+version, "ssl.enabledProtocols="+version, more)
			mine := filepath.Join(t.TempDir(), "me.pem")
			p.put(t, "client", mine)
			w := newWho(t)
			w.args = []string{"--tls-ca", p.file("ca"), "--tls-cert", mine, "--audit-log", filepath.Join(w.home, "audit.jsonl")}
			gates := map[string]*peers.Turnstile{}
			for _, of := range []string{"watch", "console", "commands"} {
				gates[of] = peers.NewTurnstile(t, secure)
			}
			watch := w.start("watch", "/vault/lock", gates["watch"].Addr)
			says(t, watch, "it does not exist")
			console := openTerminal(t, 220, 30, w.env, w.line([]string{gates["console"].Addr})...)
			console.see("● " + gates["console"].Addr)

			r.revoke(t, bad)
			s.Kill()
			s.Restart()
			since := map[string]int{}
			for of, gate := range gates {
				since[of] = gate.Came()
			}
			const why = "TLS: the server does not accept our certificate (remote error: unknown certificate): it may be revoked, or of nobody whom the server trusts"
			says(t, watch, "zkscope: cannot connect to "+gates["watch"].Addr+": "+why+"; trying on")
			console.see("data as of")
			console.see(why[:60])
			w.refused(gates["commands"].Addr, why)
			if n := gates["commands"].Came() - since["commands"]; n > 40 { // ten commands, of which two have a second for it
				t.Errorf("%d connections of commands", n)
			}
			since["commands"] = gates["commands"].Came()
			_, _, _ = w.once("ls", gates["commands"].Addr)
			if n := gates["commands"].Came() - since["commands"]; n != 1 {
				t.Errorf("ls: %d connections", n)
			}
			for _, of := range []string{"watch", "console"} { // as long as a minute may have gone by
				if n := gates[of].Came() - since[of]; n > 30 {
					t.Errorf("%s: %d connections", of, n)
				}
			}
			p.put(t, "other", mine)
			says(t, watch, "zkscope: connected again")
			peers.WaitFor(t, time.Minute, "the console to be connected again", func() bool { return strings.Contains(console.text(), "● "+gates["console"].Addr) })
			if n := strings.Count(watch.Output(), why); n != 1 {
				t.Errorf("told %d times:\n%s", n, watch.Output())
			}
		})
	}
}

// Certificates that have ended, on either side, and one of another name: one line that says which, and what to do.
func TestCertificatesThatHaveEnded(t *testing.T) {
	t.Parallel()
	p := newPapers(t)
	from, to := time.Now().Add(-2*time.Hour), time.Now().Add(-time.Hour)
	past := func(c *x509.Certificate) { c.NotBefore, c.NotAfter = from, to }
	p.issue(t, "server", p.ca, p.key, past)
	p.issue(t, "client", p.ca, p.key)
	p.issue(t, "old", p.ca, p.key, past)
	_, secure := secured(t, p)
	w := newWho(t)
	one := func(want int, says string, args ...string) {
		t.Helper()
		gate := peers.NewTurnstile(t, secure)
		code, out, errs := w.once(append([]string{"ls", gate.Addr, "--tls-ca", p.file("ca")}, args...)...)
		for tries := 0; strings.Contains(errs, "no answer in time") && tries < 10; tries++ { // the machine is busy
			gate = peers.NewTurnstile(t, secure)
			code, out, errs = w.once(append([]string{"ls", gate.Addr, "--tls-ca", p.file("ca")}, args...)...)
		}
		if code != want || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, says) || out != "" || gate.Came() > 1 {
			t.Errorf("exit %d, %d connections: %q, want %q", code, gate.Came(), errs, says)
		}
	}
	one(6, "TLS: the server's certificate is valid from "+from.Format(time.DateTime)+" to "+to.Format(time.DateTime), "--tls-cert", p.file("client"))
	one(2, p.file("old")+": the certificate of old ended at "+to.Format(time.DateTime), "--tls-cert", p.file("old"))

	r := newRevoker(t, p)
	revoked, _ := p.issue(t, "server", p.ca, p.key, func(c *x509.Certificate) {
		c.DNSNames, c.CRLDistributionPoints = []string{"zk1.example"}, []string{r.url}
	})
	r.revoke(t, revoked)
	_, secure = secured(t, p)
	peers.WaitFor(t, time.Minute, "a server to serve whose certificate is revoked, as docs/connecting.md says", func() bool {
		code, _, _ := w.once("ls", secure, "--tls-ca", p.file("ca"), "--tls-cert", p.file("client"))
		return code == 0
	})
	if n := r.asked.Load(); n > 0 {
		t.Errorf("the list was asked for %d times", n)
	}
	one(6, "TLS: the server's certificate is for zk1.example, 127.0.0.1, not zk9: if this is the right server, name it with --tls-name", "--tls-name", "zk9", "--tls-cert", p.file("client"))
	expired, err := tls.LoadX509KeyPair(p.file("old"), p.file("old"))
	must(t, err)
	pool := x509.NewCertPool()
	pool.AddCert(p.ca)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	_, err = zkc.Dial(ctx, zkc.Config{Servers: []string{secure}, GiveUp: 1, Session: time.Minute, TLS: &tls.Config{RootCAs: pool, Certificates: []tls.Certificate{expired}}})
	if err == nil || !strings.Contains(err.Error(), "TLS: the server does not accept our certificate (remote error: ") {
		t.Errorf("whose clock is behind: %v", err)
	}
}
