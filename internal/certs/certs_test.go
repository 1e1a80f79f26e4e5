package certs_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/youmark/pkcs8"

	"github.com/zkscope/zkscope/internal/certs"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkc"
)

// stores are files as Java's keytool makes them, with the password "changed", in a directory of their own.
type stores struct {
	t   *testing.T
	dir string
}

func (s stores) at(name string) string { return filepath.Join(s.dir, name) }

func (s stores) keytool(args ...string) {
	s.t.Helper()
	if out, err := exec.Command("keytool", append(args, "-storepass", "changed", "-noprompt")...).CombinedOutput(); err != nil {
		s.t.Fatalf("keytool %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// made is done once for all tests: each step starts Java.
var made struct {
	sync.Once
	dir string
}

func TestMain(m *testing.M) {
	code := m.Run()
	if made.dir != "" {
		_ = os.RemoveAll(made.dir)
	}
	os.Exit(code)
}

// newStores makes the stores on its first call.
func newStores(t *testing.T) stores {
	t.Helper()
	peers.Require(t, peers.NeedJava)
	made.Do(func() {
		dir, err := os.MkdirTemp("", "stores")
		if err != nil {
			t.Fatal(err)
		}
		made.dir = dir
		stores{t, dir}.make()
	})
	return stores{t, made.dir}
}

// make makes an authority, a certificate of the server's and one of ours that it signed, each as JKS and as PKCS#12,
// and stores of what is trusted.
func (s stores) make() {
	s.t.Helper()
	s.keytool("-genkeypair", "-keystore", s.at("ca.jks"), "-storetype", "JKS", "-alias", "ca", "-keyalg", "EC", "-dname", "CN=authority", "-ext", "bc:c", "-validity", "9", "-keypass", "changed")
	s.keytool("-exportcert", "-keystore", s.at("ca.jks"), "-alias", "ca", "-file", s.at("ca.der"))
	s.keytool("-exportcert", "-keystore", s.at("ca.jks"), "-alias", "ca", "-file", s.at("ca.pem"), "-rfc")
	for form, kind := range map[string]string{"jks": "JKS", "p12": "PKCS12"} {
		s.keytool("-importcert", "-keystore", s.at("trust."+form), "-storetype", kind, "-alias", "ca", "-file", s.at("ca.der"))
	}
	for _, who := range []string{"server", "client"} {
		file := s.at(who + ".jks")
		s.keytool("-genkeypair", "-keystore", file, "-storetype", "JKS", "-alias", who, "-keyalg", "EC", "-dname", "CN="+who, "-validity", "9", "-keypass", "changed")
		s.keytool("-certreq", "-keystore", file, "-alias", who, "-file", s.at("req"))
		s.keytool("-gencert", "-keystore", s.at("ca.jks"), "-alias", "ca", "-infile", s.at("req"), "-outfile", s.at("signed"), "-ext", "san=ip:127.0.0.1,dns:zk.example", "-validity", "9", "-keypass", "changed")
		s.keytool("-importcert", "-keystore", file, "-alias", "ca", "-file", s.at("ca.der"))
		s.keytool("-importcert", "-keystore", file, "-alias", who, "-file", s.at("signed"))
	}
	s.keytool("-importkeystore", "-srckeystore", s.at("client.jks"), "-srcstorepass", "changed", "-destkeystore", s.at("client.p12"), "-deststoretype", "PKCS12")
}

// opens is a password that is asked for.
func opens(password string) func(string) (string, error) {
	return func(string) (string, error) { return password, nil }
}

// write makes a certificate for a time, with its key as PEM, in the form of a name.
func write(t *testing.T, file string, from, to time.Time, password string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "somebody"}, NotBefore: from, NotAfter: to}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	kind := "PRIVATE KEY"
	if password != "" {
		kind = "ENCRYPTED PRIVATE KEY"
	}
	secret, err := pkcs8.MarshalPrivateKey(key, []byte(password), nil)
	if err != nil {
		t.Fatal(err)
	}
	text := append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: secret})...)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestEveryFormIsToldByItsContent(t *testing.T) {
	s := newStores(t)
	now := time.Now()
	write(t, s.at("locked"), now.Add(-time.Hour), now.Add(time.Hour), "changed")
	write(t, s.at("plain"), now.Add(-time.Hour), now.Add(time.Hour), "")
	write(t, s.at("other"), now.Add(-time.Hour), now.Add(time.Hour), "")
	for _, trust := range []string{"ca.der", "ca.pem", "trust.jks", "trust.p12", "ca.jks", "client.p12"} {
		cfg, err := certs.Files{Trust: s.at(trust), Password: opens("changed")}.Config()
		//lint:ignore SA1019 it is no system pool
		if err != nil || len(cfg.RootCAs.Subjects()) == 0 {
			t.Errorf("%s: %v", trust, err)
		}
	}
	for file, links := range map[string]int{"client.jks": 2, "client.p12": 2, "locked": 1, "plain": 1} {
		cfg, err := certs.Files{Cert: s.at(file), Password: opens("changed")}.Config()
		if err != nil || len(cfg.Certificates) != 1 || len(cfg.Certificates[0].Certificate) != links {
			t.Errorf("%s: %v, %+v", file, err, cfg)
		}
	}
	if _, err := (certs.Files{Cert: s.at("plain"), Key: s.at("plain"), Least: "1.3", Name: "zk.example"}).Config(); err != nil {
		t.Error(err)
	}
}

func TestWhatIsWrongWithAFileIsSaid(t *testing.T) {
	s := newStores(t)
	now := time.Now()
	write(t, s.at("old"), now.Add(-2*time.Hour), now.Add(-time.Hour), "")
	write(t, s.at("young"), now.Add(time.Hour), now.Add(2*time.Hour), "")
	write(t, s.at("locked"), now.Add(-time.Hour), now.Add(time.Hour), "changed")
	write(t, s.at("other"), now.Add(-time.Hour), now.Add(time.Hour), "")
	if err := os.WriteFile(s.at("noise"), []byte("not a store"), 0o600); err != nil {
		t.Fatal(err)
	}
	guess := opens("guess")
	for _, c := range []struct {
		files certs.Files
		says  string
	}{
		{certs.Files{Trust: s.at("none")}, "none: no such file or directory"},
		{certs.Files{Trust: s.at("noise"), Password: guess}, "noise: it is neither PEM, nor PKCS#12, nor a Java key store"},
		{certs.Files{Cert: s.at("old")}, "old: the certificate of somebody ended at "},
		{certs.Files{Cert: s.at("young")}, "young: the certificate of somebody is valid from "},
		{certs.Files{Cert: s.at("ca.pem")}, "ca.pem: no private key is in it"},
		{certs.Files{Cert: s.at("other"), Key: s.at("old")}, "old: its key is not the one of the certificate in " + s.at("other")},
		{certs.Files{Key: s.at("old")}, "old: a key without its certificate"},
		{certs.Files{Cert: s.at("locked")}, "locked: it is locked by a password"},
		{certs.Files{Cert: s.at("locked"), Password: guess}, "locked: the password does not open it"},
		{certs.Files{Cert: s.at("client.jks"), Password: guess}, "client.jks: the password does not open it"},
		{certs.Files{Cert: s.at("client.p12"), Password: guess}, "client.p12: the password does not open it"},
		{certs.Files{Trust: s.at("trust.p12"), Password: guess}, "trust.p12: the password does not open it"},
		{certs.Files{Least: "1.0"}, "TLS 1.0 is not spoken: 1.2 or 1.3"},
	} {
		_, err := c.files.Config()
		if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "guess") {
			t.Errorf("%+v: %v, want %q", c.files, err, c.says)
		}
	}
}

// A real server with Java's stores takes us by each of the forms, and refuses whoever shows nothing.
func TestJavasStoresOnARealServer(t *testing.T) {
	s := newStores(t)
	var cfg strings.Builder
	cfg.WriteString("ssl.clientAuth=need\n")
	for kind, file := range map[string]string{"keyStore": "server.jks", "trustStore": "trust.jks"} {
		fmt.Fprintf(&cfg, "ssl.%s.location=%s\nssl.%[1]s.password=changed\n", kind, s.at(file))
	}
	server := peers.ZooKeeper(t, peers.Options{Secure: true, ExtraCfg: cfg.String()})
	dial := func(f certs.Files) error {
		f.Password = opens("changed")
		tls, err := f.Config()
		if err != nil {
			t.Fatal(err)
		}
		c, err := zkc.Dial(t.Context(), zkc.Config{Servers: []string{server.Secure}, TLS: tls, GiveUp: 1})
		if err == nil {
			_, _, err = c.Get(t.Context(), "/")
			c.Close()
		}
		return err
	}
	for _, f := range []certs.Files{{Trust: s.at("trust.jks"), Cert: s.at("client.jks")}, {Trust: s.at("ca.pem"), Cert: s.at("client.p12")},
		{Trust: s.at("trust.p12"), Cert: s.at("client.p12"), Name: "zk.example"}} {
		if err := dial(f); err != nil {
			t.Errorf("%+v: %v", f, err)
		}
	}
	for says, f := range map[string]certs.Files{
		"client's certificate":               {Trust: s.at("ca.pem")},
		"zk.example, 127.0.0.1, not zk9: if": {Trust: s.at("ca.pem"), Cert: s.at("client.jks"), Name: "zk9"},
		"a version of TLS as new":            {Trust: s.at("ca.pem"), Cert: s.at("client.p12"), Least: "1.3"},
		"name the authority":                 {Cert: s.at("client.jks")},
	} {
		if err := dial(f); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: %v, want %q", f, err, says)
		}
	}
}
