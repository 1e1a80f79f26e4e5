package webgate

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// tls is the server's side of TLS; nil: the page is served in the clear.
func (f *file) tls() (*tls.Config, error) {
	if !f.encrypted() {
		return nil, nil
	}
	t := &f.TLS
	cert, err := f.certificate()
	if err != nil {
		return nil, err
	}
	cfg := &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12, MaxVersion: tls.VersionTLS13}
	if t.Least != "" {
		if cfg.MinVersion, err = spelled("min_version", t.Least, versions); err != nil {
			return nil, err
		}
	}
	if t.Most != "" {
		if cfg.MaxVersion, err = spelled("max_version", t.Most, versions); err != nil {
			return nil, err
		}
	}
	if cfg.CipherSuites, err = ciphers(t.Ciphers); err != nil {
		return nil, err
	}
	for _, word := range t.Curves {
		c, err := spelled("curve_preferences", word, curves)
		if err != nil {
			return nil, err
		}
		cfg.CurvePreferences = append(cfg.CurvePreferences, c)
	}
	return cfg, f.clients(cfg)
}

// certificate is the server's own.
func (f *file) certificate() (tls.Certificate, error) {
	t := &f.TLS
	if t.CertFile == "" && t.Cert == "" {
		return tls.Certificate{}, errors.New("tls_server_config names no certificate: give cert_file")
	}
	if t.KeyFile == "" && t.Key == "" {
		return tls.Certificate{}, errors.New("tls_server_config names no key: give key_file")
	}
	cert, err := orFile(t.CertFile, t.Cert)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("cert_file: %w", err)
	}
	key, err := orFile(t.KeyFile, t.Key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("key_file: %w", err)
	}
	return tls.X509KeyPair(cert, key)
}

// ciphers are suites by their names; those that are not safe any more are no suites.
func ciphers(words []string) (out []uint16, err error) {
	known := make(map[string]uint16)
	for _, s := range tls.CipherSuites() {
		known[s.Name] = s.ID
	}
	for _, word := range words {
		id, err := spelled("cipher_suites", word, known)
		if err != nil {
			return nil, err
		}
		out = append(out, id)
	}
	return out, nil
}

// clients says which clients are let in by their certificates.
func (f *file) clients(cfg *tls.Config) (err error) {
	t := &f.TLS
	if cfg.ClientAuth, err = spelled("client_auth_type", t.ClientAuth, clients); err != nil {
		return err
	}
	if t.ClientCA != "" || t.ClientCAFile != "" {
		if cfg.ClientAuth == tls.NoClientCert {
			return errors.New("client_ca_file says whom to trust, and client_auth_type asks nobody: write RequireAndVerifyClientCert")
		}
		text, err := orFile(t.ClientCAFile, t.ClientCA)
		if err != nil {
			return fmt.Errorf("client_ca_file: %w", err)
		}
		cfg.ClientCAs = x509.NewCertPool()
		if !cfg.ClientCAs.AppendCertsFromPEM(text) {
			return errors.New("client_ca_file: no certificate is in it")
		}
	}
	if t.ClientNames == nil {
		return nil
	}
	cfg.VerifyConnection = func(s tls.ConnectionState) error {
		if len(s.PeerCertificates) > 0 && slices.ContainsFunc(names(s.PeerCertificates[0]), func(n string) bool { return slices.Contains(t.ClientNames, n) }) {
			return nil
		}
		return fmt.Errorf("the client's certificate is for none of %s", strings.Join(t.ClientNames, ", "))
	}
	return nil
}

// names are whom a certificate is for.
func names(c *x509.Certificate) []string {
	out := slices.Concat(c.DNSNames, c.EmailAddresses)
	for _, ip := range c.IPAddresses {
		out = append(out, ip.String())
	}
	for _, u := range c.URIs {
		out = append(out, u.String())
	}
	return out
}
