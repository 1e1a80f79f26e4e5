package webgate

import (
	"bytes"
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
	"golang.org/x/crypto/bcrypt"
)

// file is what such a file may say; every part may be left out.
type file struct {
	TLS struct {
		Cert         string   `yaml:"cert"` // inline, as key and client_ca
		Key          string   `yaml:"key"`
		ClientCA     string   `yaml:"client_ca"`
		CertFile     string   `yaml:"cert_file"`
		KeyFile      string   `yaml:"key_file"`
		ClientCAFile string   `yaml:"client_ca_file"`
		ClientAuth   string   `yaml:"client_auth_type"`
		ClientNames  []string `yaml:"client_allowed_sans"`
		Ciphers      []string `yaml:"cipher_suites"`
		Curves       []string `yaml:"curve_preferences"`
		Least        string   `yaml:"min_version"`
		Most         string   `yaml:"max_version"`
		ServersOrder *bool    `yaml:"prefer_server_cipher_suites"` // Go decides itself, whatever it says
	} `yaml:"tls_server_config"`
	HTTP struct {
		HTTP2   *bool             `yaml:"http2"` // we speak HTTP/1.1, whatever it says
		Headers map[string]string `yaml:"headers"`
	} `yaml:"http_server_config"`
	Limit struct {
		Burst    int           `yaml:"burst"`
		Interval time.Duration `yaml:"interval"`
	} `yaml:"rate_limit"`
	Users map[string]string `yaml:"basic_auth_users"` // bcrypt's hashes
}

// read reads a file and finds what is wrong with it.
func read(path string) (*file, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f := new(file)
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(f); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %s", path, strings.ReplaceAll(strings.TrimPrefix(err.Error(), "yaml: "), "\n", " "))
	}
	for _, p := range []*string{&f.TLS.CertFile, &f.TLS.KeyFile, &f.TLS.ClientCAFile} {
		if *p != "" && !filepath.IsAbs(*p) {
			*p = filepath.Join(filepath.Dir(path), *p)
		}
	}
	for _, user := range slices.Sorted(maps.Keys(f.Users)) {
		if _, err := bcrypt.Cost([]byte(f.Users[user])); err != nil {
			return nil, fmt.Errorf("%s: the password of %s is not a bcrypt hash, as htpasswd -nBC 10 prints it: %w", path, user, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.HTTP.Headers)) {
		values, known := headers[name]
		if !known {
			return nil, fmt.Errorf("%s: header %s cannot be set here; %s can", path, name, strings.Join(slices.Sorted(maps.Keys(headers)), ", "))
		}
		if v := f.HTTP.Headers[name]; len(values) > 0 && !slices.Contains(values, v) {
			return nil, fmt.Errorf("%s: header %s is one of %s, not %q", path, name, strings.Join(values, ", "), v)
		}
	}
	if _, err := f.tls(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// headers are those that may be set, and to what where that is a list.
var headers = map[string][]string{
	"Strict-Transport-Security": nil,
	"X-Content-Type-Options":    {"nosniff"},
	"X-Frame-Options":           {"deny", "sameorigin"},
	"X-XSS-Protection":          nil,
	"Content-Security-Policy":   nil,
}

// versions, curves and clients are how a file spells what crypto/tls has constants for.
var (
	versions = map[string]uint16{"TLS10": tls.VersionTLS10, "TLS11": tls.VersionTLS11, "TLS12": tls.VersionTLS12, "TLS13": tls.VersionTLS13}
	curves   = map[string]tls.CurveID{"CurveP256": tls.CurveP256, "CurveP384": tls.CurveP384, "CurveP521": tls.CurveP521, "X25519": tls.X25519}
	clients  = map[string]tls.ClientAuthType{"": tls.NoClientCert, "NoClientCert": tls.NoClientCert, "RequestClientCert": tls.RequestClientCert,
		"RequireClientCert": tls.RequireAnyClientCert, "RequireAnyClientCert": tls.RequireAnyClientCert,
		"VerifyClientCertIfGiven": tls.VerifyClientCertIfGiven, "RequireAndVerifyClientCert": tls.RequireAndVerifyClientCert}
)

// spelled is what a word of the file stands for; an error names the words that there are.
func spelled[T any](key, word string, words map[string]T) (T, error) {
	v, ok := words[word]
	if !ok {
		return v, fmt.Errorf("%s: %q is not known; there are %s", key, word, strings.Join(slices.Sorted(maps.Keys(words)), ", "))
	}
	return v, nil
}

// orFile is a text that stands in the file, or in one that it names.
func orFile(path, text string) ([]byte, error) {
	if path == "" {
		return []byte(text), nil
	}
	return os.ReadFile(path)
}

// encrypted reports whether the page is served by TLS.
func (f *file) encrypted() bool {
	t := &f.TLS
	return cmp.Or(t.Cert, t.Key, t.CertFile, t.KeyFile, t.ClientCA, t.ClientCAFile, t.ClientAuth) != ""
}
