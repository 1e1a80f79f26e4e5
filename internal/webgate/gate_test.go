package webgate_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/exporter-toolkit/web"
	"go.uber.org/goleak"
	"golang.org/x/crypto/bcrypt"

	"github.com/zkscope/zkscope/internal/webgate"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// pair writes a certificate of 127.0.0.1 that is signed by itself, and its key.
func pair(t *testing.T, dir, name string) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	k, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	cert, secret := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: k})
	write(t, filepath.Join(dir, name+".pem"), string(cert))
	write(t, filepath.Join(dir, name+".key"), string(secret))
	out, err := tls.X509KeyPair(cert, secret)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func hash(t *testing.T, password string) string {
	t.Helper()
	h, err := bcrypt.GenerateFromPassword([]byte(password), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	return string(h)
}

// Of every file the verdict is that of the library which exporters read it with.
func TestFilesAreTakenAsByExporters(t *testing.T) {
	dir := t.TempDir()
	pair(t, dir, "server")
	const server = "tls_server_config:\n  cert_file: server.pem\n  key_file: server.key\n"
	for name, text := range map[string]string{
		"empty":                  "",
		"a comment":              "# nothing\n",
		"a password":             "basic_auth_users:\n  me: " + hash(t, "x") + "\n",
		"no hash":                "basic_auth_users:\n  me: secret\n",
		"an unknown key":         "basic_auth_user: {}\n",
		"no YAML":                "basic_auth_users: [\n",
		"TLS":                    server,
		"TLS by text":            "tls_server_config:\n  cert: nonsense\n  key: nonsense\n",
		"no key":                 "tls_server_config:\n  cert_file: server.pem\n",
		"no certificate":         "tls_server_config:\n  key_file: server.key\n",
		"a file that is missing": "tls_server_config:\n  cert_file: no.pem\n  key_file: server.key\n",
		"versions":               server + "  min_version: TLS12\n  max_version: TLS13\n",
		"no version":             server + "  min_version: TLS14\n",
		"a cipher":               server + "  cipher_suites: [TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256]\n",
		"no cipher":              server + "  cipher_suites: [TLS_OF_MY_OWN]\n",
		"curves":                 server + "  curve_preferences: [CurveP256, X25519]\n",
		"no curve":               server + "  curve_preferences: [CurveP257]\n",
		"the servers' order":     server + "  prefer_server_cipher_suites: false\n",
		"clients":                server + "  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: server.pem\n  client_allowed_sans: [a, b]\n",
		"clients of old":         server + "  client_auth_type: RequireClientCert\n",
		"no way for clients":     server + "  client_auth_type: Perhaps\n",
		"clients without a way":  server + "  client_ca_file: server.pem\n",
		"clients and no TLS":     "tls_server_config:\n  client_auth_type: NoClientCert\n",
		"headers":                "http_server_config:\n  http2: false\n  headers:\n    X-Frame-Options: deny\n    Content-Security-Policy: default-src 'none'\n",
		"another header":         "http_server_config:\n  headers:\n    Server: mine\n",
		"a wrong header":         "http_server_config:\n  headers:\n    X-Frame-Options: allow\n",
		"a limit":                "rate_limit:\n  burst: 3\n  interval: 1s\n",
		"no limit":               "rate_limit:\n  interval: soon\n",
	} {
		path := write(t, filepath.Join(dir, "web.yml"), text)
		_, got := webgate.Open(path)
		if want := web.Validate(path); (got == nil) != (want == nil) {
			t.Errorf("%s: %v; the library says %v", name, got, want)
		}
		if got != nil && (!strings.HasPrefix(got.Error(), path+": ") || strings.Contains(got.Error(), "\n")) {
			t.Errorf("%s: %q does not name the file, in one line", name, got)
		}
	}
}

// serve answers "in" behind the gate of a file until the test ends.
func serve(t *testing.T, path string) (addr string) {
	t.Helper()
	g, err := webgate.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "in") })}
	ended := make(chan error, 1)
	go func() { ended <- g.Serve(l, srv) }()
	t.Cleanup(func() {
		srv.Close()
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

// ask asks for the page, and returns the status and what was answered; 0: there was no answer.
func ask(t *testing.T, url, user, password string, c *tls.Config) (int, string) {
	t.Helper()
	tr := &http.Transport{TLSClientConfig: c, ForceAttemptHTTP2: true}
	defer tr.CloseIdleConnections()
	r, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if user != "" {
		r.SetBasicAuth(user, password)
	}
	got, err := (&http.Client{Transport: tr, Timeout: 10 * time.Second}).Do(r)
	if err != nil {
		return 0, err.Error()
	}
	defer got.Body.Close()
	b, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return got.StatusCode, got.Proto + " " + got.Header.Get("X-Frame-Options") + " " + string(b)
}

func TestPasswords(t *testing.T) {
	path := write(t, filepath.Join(t.TempDir(), "web.yml"), "basic_auth_users:\n  me: "+hash(t, "right")+"\nhttp_server_config:\n  headers: {X-Frame-Options: deny}\n")
	url := "http://" + serve(t, path)
	for _, c := range []struct {
		user, password string
		code           int
	}{{"", "", 401}, {"me", "wrong", 401}, {"me", "right", 200}, {"me", "right", 200}, {"me", "wrong", 401}, {"you", "right", 401}, {"you", "nobody knows", 401}, {"me", "", 401}} {
		if code, said := ask(t, url, c.user, c.password, nil); code != c.code || !strings.Contains(said, " deny ") || (code == 200) != strings.HasSuffix(said, " in") {
			t.Errorf("%s:%s: %d %s", c.user, c.password, code, said)
		}
	}
	write(t, path, "basic_auth_users:\n  me: "+hash(t, "renewed")+"\n")
	if code, _ := ask(t, url, "me", "right", nil); code != 401 {
		t.Errorf("the old password is still taken: %d", code)
	}
	if code, _ := ask(t, url, "me", "renewed", nil); code != 200 {
		t.Errorf("the new password is not taken: %d", code)
	}
	write(t, path, "nonsense: 1\n")
	if code, said := ask(t, url, "me", "renewed", nil); code != 500 || strings.Contains(said, path) {
		t.Errorf("with a file that cannot be read: %d %s", code, said)
	}
}

func TestTLSAndClientsCertificates(t *testing.T) {
	dir := t.TempDir()
	server, friend, stranger := pair(t, dir, "server"), pair(t, dir, "friend"), pair(t, dir, "stranger")
	write(t, filepath.Join(dir, "both.pem"), string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: friend.Certificate[0]}))+
		string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: stranger.Certificate[0]})))
	const head = "tls_server_config:\n  cert_file: server.pem\n  key_file: server.key\n"
	url := "https://" + serve(t, write(t, filepath.Join(dir, "web.yml"), head+
		"  client_auth_type: RequireAndVerifyClientCert\n  client_ca_file: both.pem\n  client_allowed_sans: [friend]\n"))
	pool := x509.NewCertPool()
	pool.AddCert(server.Leaf)
	as := func(c ...tls.Certificate) *tls.Config { return &tls.Config{RootCAs: pool, Certificates: c} }
	if code, said := ask(t, url, "", "", as(friend)); code != 200 || !strings.HasPrefix(said, "HTTP/1.1") {
		t.Errorf("a friend: %d %s", code, said)
	}
	if code, said := ask(t, url, "", "", as(stranger)); code != 0 {
		t.Errorf("whom the file does not name: %d %s", code, said)
	}
	if code, said := ask(t, url, "", "", as()); code != 0 {
		t.Errorf("without a certificate: %d %s", code, said)
	}
	write(t, filepath.Join(dir, "web.yml"), head)
	if code, said := ask(t, url, "", "", as()); code != 200 {
		t.Errorf("after the file asks for none: %d %s", code, said)
	}
	old := write(t, filepath.Join(dir, "old.yml"), head+"  max_version: TLS12\nhttp_server_config: {http2: false}\n")
	least := as()
	least.MinVersion = tls.VersionTLS13
	oldURL := "https://" + serve(t, old)
	if code, said := ask(t, oldURL, "", "", least); code != 0 {
		t.Errorf("a version that is not spoken: %d %s", code, said)
	}
	if code, said := ask(t, oldURL, "", "", as()); code != 200 || !strings.HasPrefix(said, "HTTP/1.1") {
		t.Errorf("without HTTP/2: %d %s", code, said)
	}
}

func TestALimit(t *testing.T) {
	url := "http://" + serve(t, write(t, filepath.Join(t.TempDir(), "web.yml"), "rate_limit:\n  burst: 2\n  interval: 1h\n"))
	got := []int{}
	for range 3 {
		code, _ := ask(t, url, "", "", nil)
		got = append(got, code)
	}
	if got[0] != 200 || got[1] != 200 || got[2] != 429 {
		t.Errorf("%v", got)
	}
}

func TestAnOpenGate(t *testing.T) {
	if code, said := ask(t, "http://"+serve(t, ""), "", "", nil); code != 200 || !strings.HasSuffix(said, " in") {
		t.Errorf("%d %s", code, said)
	}
}
