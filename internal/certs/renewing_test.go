package certs_test

import (
	"crypto/tls"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/internal/certs"
)

// What is shown to a server follows what is in the files: another certificate at once, what was there before while they
// cannot be read, and none that has ended.
func TestANewCertificateIsTakenFromItsFile(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(dir, "mine")
		put := func(name string, lasts time.Duration, password string) {
			write(t, filepath.Join(dir, name), time.Now().Add(-time.Hour), time.Now().Add(lasts), password)
			if err := os.Rename(filepath.Join(dir, name), file); err != nil {
				t.Fatal(err)
			}
		}
		put("first", time.Hour, "changed")
		asked := 0
		cfg, err := certs.Files{Cert: file, Password: func(string) (string, error) {
			if asked++; asked > 2 {
				return "", errors.New("asked too often")
			}
			return "changed", nil
		}}.Config()
		if err != nil {
			t.Fatal(err)
		}
		shown := func() (*tls.Certificate, error) {
			return cfg.GetClientCertificate(&tls.CertificateRequestInfo{Version: tls.VersionTLS13, SignatureSchemes: []tls.SignatureScheme{tls.ECDSAWithP256AndSHA256}})
		}
		is := func(ends time.Time) {
			t.Helper()
			if c, err := shown(); err != nil || c.Leaf == nil || !c.Leaf.NotAfter.Equal(ends.Truncate(time.Second)) {
				t.Fatalf("%v %+v", err, c)
			}
		}
		first := time.Now().Add(time.Hour)
		is(first)
		is(first)
		if asked != 1 {
			t.Errorf("the password was asked for %d times", asked)
		}
		second := time.Now().Add(2 * time.Hour)
		put("second", 2*time.Hour, "changed")
		is(second)
		if err := os.WriteFile(file, []byte("half of it"), 0o600); err != nil {
			t.Fatal(err)
		}
		is(second)
		time.Sleep(3 * time.Hour)
		if c, err := shown(); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%v %v", c, err)
		}
		put("third", time.Minute, "")
		is(time.Now().Add(time.Minute))
		time.Sleep(time.Hour)
		if c, err := shown(); err == nil || !strings.Contains(err.Error(), "mine: the certificate of somebody ended at ") || !strings.Contains(err.Error(), "put another into its place") {
			t.Errorf("%v %v", c, err)
		}
	})
}
