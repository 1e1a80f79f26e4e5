package e2e

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/recipes"
)

// papers are the certificates of a small authority, as PEM files: ca.pem, and for each name NAME.pem with certificate
// and key.
type papers struct {
	dir string
	ca  *x509.Certificate
	key *ecdsa.PrivateKey
}

func newPapers(t *testing.T, names ...string) *papers {
	t.Helper()
	p := &papers{dir: t.TempDir()}
	p.ca, p.key = p.issue(t, "ca", nil, nil)
	for _, name := range names {
		p.issue(t, name, p.ca, p.key)
	}
	return p
}

func (p *papers) file(name string) string { return filepath.Join(p.dir, name+".pem") }

// issue makes a certificate for 127.0.0.1, signed by another or by itself, and writes it down. Edits change what is signed.
func (p *papers) issue(t *testing.T, name string, by *x509.Certificate, byKey *ecdsa.PrivateKey, edits ...func(*x509.Certificate)) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	cert := &x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		BasicConstraintsValid: true, IsCA: by == nil, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}}
	if by == nil {
		by, byKey = cert, key
	}
	for _, edit := range edits {
		edit(cert)
	}
	der, err := x509.CreateCertificate(rand.Reader, cert, by, &key.PublicKey, byKey)
	must(t, err)
	signed, err := x509.ParseCertificate(der)
	must(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	must(t, err)
	var b bytes.Buffer
	must(t, pem.Encode(&b, &pem.Block{Type: "CERTIFICATE", Bytes: der}))
	if by != cert {
		must(t, pem.Encode(&b, &pem.Block{Type: "PRIVATE KEY", Bytes: secret}))
	}
	must(t, os.WriteFile(p.file(name), b.Bytes(), 0o600))
	return signed, key
}

// secured is a server with a plain and a TLS port that both take clients; the latter asks for their certificates. Its
// AdminServer speaks HTTPS as well.
func secured(t *testing.T, p *papers, more ...string) (s *peers.Server, secure string) {
	t.Helper()
	var cfg strings.Builder
	cfg.WriteString("admin.portUnification=true\n" + strings.Join(append(more, ""), "\n"))
	for _, prefix := range []string{"ssl.", "ssl.quorum."} {
		fmt.Fprintf(&cfg, "%skeyStore.location=%s\n%skeyStore.type=PEM\n%strustStore.location=%s\n%strustStore.type=PEM\n%sclientAuth=need\n",
			prefix, p.file("server"), prefix, prefix, p.file("ca"), prefix, prefix)
	}
	s = peers.ZooKeeper(t, peers.Options{Admin: true, Secure: true, ExtraCfg: cfg.String()})
	return s, s.Secure
}

func TestOverTLS(t *testing.T) {
	t.Parallel()
	p := newPapers(t, "server", "client")
	s, secure := secured(t, p)
	file := filepath.Join(t.TempDir(), "config.yaml")
	must(t, os.WriteFile(file, fmt.Appendf(nil, "profiles:\n  safe:\n    servers: %s\n    tls: true\n    tls-ca: %s\n    tls-cert: %s\n    tls-key: %s\n    admin: [\"https://127.0.0.1:%d\"]\n",
		secure, p.file("ca"), p.file("client"), p.file("client"), s.AdminPort), 0o600))
	holder := holdOverTLS(t, p, secure)
	for tier, more := range map[string][]string{"admin": nil, "4lw": {"--admin", "off"}} {
		for command, says := range map[string]string{"ls": "job-7", "sessions": holder, "doctor": " " + tier + " "} {
			var last string
			said := func() bool { // who answers depends on how soon: a busy AdminServer is passed by
				code, out, errs := run(append([]string{command, "--config", file, "--profile", "safe"}, more...)...)
				last = fmt.Sprintf("exit %d: %s %s", code, errs, out)
				return code == 0 && errs == "" && strings.Contains(out, says)
			}
			for end := time.Now().Add(time.Minute); !said(); {
				if time.Now().After(end) {
					t.Fatalf("%s by %s: %s", command, tier, last)
				}
			}
		}
	}
}

// holdOverTLS holds a lock through the TLS port, and returns the session.
func holdOverTLS(t *testing.T, p *papers, addr string) string {
	t.Helper()
	pool := x509.NewCertPool()
	pool.AddCert(p.ca)
	cert, err := tls.LoadX509KeyPair(p.file("client"), p.file("client"))
	must(t, err)
	s, err := recipes.Dial(context.Background(), recipes.Config{Servers: []string{addr}, Timeout: 10 * time.Second,
		TLS: &tls.Config{RootCAs: pool, Certificates: []tls.Certificate{cert}}})
	must(t, err)
	t.Cleanup(s.Close)
	_, err = s.Lock("/locks/safe", recipes.Options{Name: "job-7"}).Acquire(context.Background())
	must(t, err)
	return s.ID().String()
}

// TestTLSAndPlainTextThatMeet has clients of either kind at the other's port, and clients with papers that do not do.
func TestTLSAndPlainTextThatMeet(t *testing.T) {
	t.Parallel()
	p := newPapers(t, "server", "client")
	s, secure := secured(t, p)
	stranger := newPapers(t, "client")
	var asked sync.WaitGroup        // several at the same time: most take as long as they may
	room := make(chan struct{}, 10) // a server that greets 25 at once greets none in time
	defer asked.Wait()
	for says, args := range map[string][]string{
		"or a TLS port?":     {secure},
		"is it a plain port": {s.Addr, "--tls", "--tls-ca", p.file("ca")},
		"the server refuses us (remote error: bad certificate): it may want a client's certificate": {secure, "--tls", "--tls-ca", p.file("ca")},
		"the server does not accept our certificate":                                                {secure, "--tls-ca", p.file("ca"), "--tls-cert", stranger.file("client"), "--tls-key", stranger.file("client")},
		"name the authority that signed the server's certificate":                                   {secure, "--tls"},
	} {
		for _, command := range []string{"ls", "sessions", "doctor", "show", "break"} {
			line := append([]string{command, "--timeout", "5s"}, args...)
			if command == "show" || command == "break" {
				line = append(line, "/locks/safe")
			}
			asked.Go(func() {
				room <- struct{}{}
				defer func() { <-room }()
				code, out, errs := run(line...)
				if code != 6 || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, says) || out != "" {
					t.Errorf("%q: exit %d: %q %q", line, code, errs, out)
				}
			})
		}
	}
}
