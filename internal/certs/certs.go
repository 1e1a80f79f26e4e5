// Package certs reads what a TLS connection is made with from files as people have them: PEM, DER, PKCS#12 (.p12, .pfx) and
// Java's key stores (JKS). What a file is is told by its content, never by its name.
package certs

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// Files are the settings of TLS. All are optional: without any, servers are trusted that the system trusts, and we show no
// certificate.
type Files struct {
	Trust string // authorities, or certificates, that are trusted instead of the system's
	Cert  string // our certificate and those that signed it; with its key, where Key is empty
	Key   string // its key
	Name  string // the name that the servers' certificates must have, instead of the host that each is dialled by
	Least string // the oldest version that is spoken: 1.2 or 1.3; default 1.2

	// Password opens a file that is locked by one. It is asked only then: once a file, and again whenever there is another
	// certificate in it. It may be called from any goroutine.
	Password func(file string) (string, error)
}

// Config reads the files. Our certificate is read again where its files are others when a connection is made. Errors are one
// line that names the file, and never hold a password.
func (f Files) Config() (*tls.Config, error) {
	cfg := &tls.Config{ServerName: f.Name}
	switch f.Least {
	case "", "1.2":
		cfg.MinVersion = tls.VersionTLS12
	case "1.3":
		cfg.MinVersion = tls.VersionTLS13
	default:
		return nil, fmt.Errorf("TLS %s is not spoken: 1.2 or 1.3", f.Least)
	}
	if f.Trust != "" {
		s, err := f.open(f.Trust)
		if err != nil {
			return nil, err
		}
		if len(s.certs) == 0 {
			return nil, fmt.Errorf("%s: no certificate is in it", f.Trust)
		}
		cfg.RootCAs = x509.NewCertPool()
		for _, c := range s.certs {
			cfg.RootCAs.AddCert(c)
		}
	}
	if f.Cert == "" {
		if f.Key != "" {
			return nil, fmt.Errorf("%s: a key without its certificate", f.Key)
		}
		return cfg, nil
	}
	r, err := newRenewing(f)
	if err != nil {
		return nil, err
	}
	cfg.Certificates, cfg.GetClientCertificate = []tls.Certificate{r.own}, r.present
	return cfg, nil
}

// own is our certificate with its key and those that signed it.
func (f Files) own() (out tls.Certificate, err error) {
	s, err := f.open(f.Cert)
	if err != nil {
		return out, err
	}
	where := f.Cert
	if f.Key != "" {
		k, err := f.open(f.Key)
		if err != nil {
			return out, err
		}
		s.keys, where = k.keys, f.Key
	}
	switch {
	case len(s.keys) == 0:
		return out, fmt.Errorf("%s: no private key is in it", where)
	case len(s.certs) == 0:
		return out, fmt.Errorf("%s: no certificate is in it", f.Cert)
	}
	for _, key := range s.keys {
		for _, c := range s.certs {
			if key.fits(c) {
				return chain(c, s.certs, key, f.Cert)
			}
		}
	}
	return out, fmt.Errorf("%s: its key is not the one of the certificate in %s", where, f.Cert)
}

// chain puts a certificate in front of those that signed it.
func chain(leaf *x509.Certificate, all []*x509.Certificate, key privateKey, file string) (tls.Certificate, error) {
	out := tls.Certificate{PrivateKey: key.value, Leaf: leaf}
	switch now := time.Now(); {
	case now.After(leaf.NotAfter):
		return out, ended(file, leaf)
	case now.Before(leaf.NotBefore):
		return out, fmt.Errorf("%s: the certificate of %s is valid from %s on", file, subject(leaf), leaf.NotBefore.Local().Format(time.DateTime))
	}
	for c := leaf; c != nil; {
		out.Certificate = append(out.Certificate, c.Raw)
		var next *x509.Certificate
		for _, o := range all {
			if !o.Equal(c) && c.CheckSignatureFrom(o) == nil && len(out.Certificate) < 10 {
				next = o
				break
			}
		}
		c = next
	}
	return out, nil
}

func ended(file string, c *x509.Certificate) error {
	return fmt.Errorf("%s: the certificate of %s ended at %s", file, subject(c), c.NotAfter.Local().Format(time.DateTime))
}

func subject(c *x509.Certificate) string {
	if name := c.Subject.CommonName; name != "" {
		return name
	}
	return c.Subject.String()
}

// errLocked says that a file wants a password.
var errLocked = errors.New("it is locked by a password")

// open reads one file, with its password where it wants one.
func (f Files) open(file string) (*store, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "open "))
	}
	s, err := read(data, "")
	if errors.Is(err, errLocked) && f.Password != nil {
		var password string
		if password, err = f.Password(file); err != nil {
			return nil, fmt.Errorf("%s is locked: %w", file, err)
		}
		if s, err = read(data, password); errors.Is(err, errLocked) {
			err = errors.New("the password does not open it")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}
