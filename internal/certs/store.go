package certs

import (
	"bytes"
	"crypto"
	"crypto/x509"
	"encoding/binary"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"

	"github.com/pavlo-v-chernykh/keystore-go/v4"
	"github.com/youmark/pkcs8"
	"software.sslmate.com/src/go-pkcs12"
)

// store is what a file holds.
type store struct {
	certs []*x509.Certificate
	keys  []privateKey
}

// privateKey is a key that a certificate may be of.
type privateKey struct{ value crypto.PrivateKey }

// fits reports whether a certificate is of the key.
func (k privateKey) fits(c *x509.Certificate) bool {
	signer, ok := k.value.(crypto.Signer)
	if !ok {
		return false
	}
	public, ok := signer.Public().(interface{ Equal(crypto.PublicKey) bool })
	return ok && public.Equal(c.PublicKey)
}

// Java's key stores begin with one of these.
const (
	magicJKS   = 0xfeedfeed
	magicJCEKS = 0xcececece
)

// read tells what a file is and reads it.
func read(data []byte, password string) (*store, error) {
	switch {
	case len(data) > 4 && binary.BigEndian.Uint32(data) == magicJKS:
		return readJKS(data, password)
	case len(data) > 4 && binary.BigEndian.Uint32(data) == magicJCEKS:
		return nil, errors.New("it is a JCEKS store: convert it with keytool -importkeystore -deststoretype PKCS12")
	case bytes.Contains(data, []byte("-----BEGIN ")):
		return readPEM(data, password)
	}
	if certs, err := x509.ParseCertificates(data); err == nil && len(certs) > 0 {
		return &store{certs: certs}, nil
	}
	return readPKCS12(data, password)
}

// readPEM reads blocks of text.
func readPEM(data []byte, password string) (*store, error) {
	out := &store{}
	for block, rest := pem.Decode(data); block != nil; block, rest = pem.Decode(rest) {
		switch {
		case block.Type == "CERTIFICATE" || block.Type == "TRUSTED CERTIFICATE" || block.Type == "X509 CERTIFICATE":
			c, err := x509.ParseCertificate(block.Bytes)
			if err != nil {
				return nil, fmt.Errorf("certificate %d cannot be read: %w", len(out.certs)+1, err)
			}
			out.certs = append(out.certs, c)
		case strings.HasSuffix(block.Type, "PRIVATE KEY"):
			key, err := pemKey(block, password)
			if err != nil {
				return nil, err
			}
			out.keys = append(out.keys, privateKey{key})
		}
	}
	return out, nil
}

// pemKey reads a key in one of the forms that there are.
func pemKey(block *pem.Block, password string) (crypto.PrivateKey, error) {
	switch {
	case block.Headers["DEK-Info"] != "":
		return nil, errors.New("its key is locked in OpenSSL's old form: convert it with openssl pkcs8 -topk8")
	case block.Type == "ENCRYPTED PRIVATE KEY" && password == "":
		return nil, errLocked
	case block.Type == "ENCRYPTED PRIVATE KEY":
		key, err := pkcs8.ParsePKCS8PrivateKey(block.Bytes, []byte(password))
		if err != nil {
			return nil, errLocked
		}
		return key, nil
	case block.Type == "RSA PRIVATE KEY":
		return x509.ParsePKCS1PrivateKey(block.Bytes)
	case block.Type == "EC PRIVATE KEY":
		return x509.ParseECPrivateKey(block.Bytes)
	}
	return x509.ParsePKCS8PrivateKey(block.Bytes)
}

// readPKCS12 reads .p12 and .pfx: one key with its certificates, or certificates alone.
func readPKCS12(data []byte, password string) (*store, error) {
	key, cert, more, err := pkcs12.DecodeChain(data, password)
	if err == nil {
		return &store{certs: append([]*x509.Certificate{cert}, more...), keys: []privateKey{{key}}}, nil
	}
	if errors.Is(err, pkcs12.ErrIncorrectPassword) {
		return nil, errLocked
	}
	certs, alone := pkcs12.DecodeTrustStore(data, password)
	switch {
	case alone == nil:
		return &store{certs: certs}, nil
	case errors.Is(alone, pkcs12.ErrIncorrectPassword):
		return nil, errLocked
	case strings.Contains(err.Error(), "asn1"), strings.Contains(err.Error(), "reading P12 data"):
		return nil, errors.New("it is neither PEM, nor PKCS#12, nor a Java key store")
	}
	return nil, fmt.Errorf("PKCS#12: %s", strings.TrimPrefix(err.Error(), "pkcs12: "))
}

// usual is the password that Java's tools give to stores of which nothing is secret.
const usual = "changeit"

// readJKS reads Java's own stores.
func readJKS(data []byte, password string) (*store, error) {
	if password == "" {
		password = usual
	}
	ks := keystore.New()
	if err := ks.Load(bytes.NewReader(data), []byte(password)); err != nil {
		if strings.Contains(err.Error(), "digest") {
			return nil, errLocked
		}
		return nil, fmt.Errorf("Java key store: %w", err) //lint:ignore ST1005 Java is a name
	}
	out := &store{}
	for _, alias := range ks.Aliases() {
		if ks.IsTrustedCertificateEntry(alias) {
			e, err := ks.GetTrustedCertificateEntry(alias)
			if err != nil {
				return nil, err
			}
			if err := out.add(e.Certificate.Content); err != nil {
				return nil, err
			}
			continue
		}
		if !ks.IsPrivateKeyEntry(alias) {
			continue
		}
		e, err := ks.GetPrivateKeyEntry(alias, []byte(password))
		if err != nil {
			return nil, fmt.Errorf("the key %q has a password of its own: give it that of the store, with keytool -keypasswd", alias)
		}
		key, err := x509.ParsePKCS8PrivateKey(e.PrivateKey)
		if err != nil {
			return nil, err
		}
		out.keys = append(out.keys, privateKey{key})
		for _, c := range e.CertificateChain {
			if err := out.add(c.Content); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

func (s *store) add(der []byte) error {
	c, err := x509.ParseCertificate(der)
	if err == nil {
		s.certs = append(s.certs, c)
	}
	return err
}
