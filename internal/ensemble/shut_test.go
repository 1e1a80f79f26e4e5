package ensemble

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
)

// Members that refuse our certificate are left alone for twice as long each time, in either version of TLS, and asked at once
// where somebody says that it may be otherwise now.
func TestMembersThatRefuseUsAreAskedEverMoreSeldom(t *testing.T) {
	pair := httptest.NewUnstartedServer(nil)
	pair.StartTLS()
	cert, pool := pair.TLS.Certificates[0], pair.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	pair.Close()
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		var mu sync.Mutex
		var came []time.Time
		refuses := true
		m := newMember(t, "127.0.0.1:0", replies(t, ""), &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: version, MaxVersion: version,
			ClientAuth: tls.RequireAnyClientCert, VerifyPeerCertificate: func([][]byte, [][]*x509.Certificate) error {
				mu.Lock()
				defer mu.Unlock()
				if came = append(came, time.Now()); refuses {
					return errors.New("revoked")
				}
				return nil
			}})
		const interval, rounds = 10 * time.Millisecond, 7
		w := Watch(open(t, Config{Servers: []string{m.addr}, Admin: []string{"off"}, TLS: &tls.Config{RootCAs: pool, Certificates: []tls.Certificate{cert}}}), interval)
		defer w.Close()
		<-w.Changed()
		mu.Lock()
		each := len(came) // words in a round
		mu.Unlock()
		peers.WaitFor(t, 20*time.Second, "further rounds", func() bool { mu.Lock(); defer mu.Unlock(); return len(came) >= rounds*each })
		mu.Lock()
		if took, least := came[rounds*each-1].Sub(came[0]), interval*(1<<rounds-2); each > 3 || took < least {
			t.Errorf("TLS %x: %d words a round, %d rounds within %v, want %v at least", version, each, rounds, took, least)
		}
		refuses = false
		mu.Unlock()
		w.Refresh()
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		for up := false; !up; up = len(w.Status().Members) > 0 && w.Status().Members[0].Up {
			select {
			case <-w.Changed():
			case <-ctx.Done():
				t.Fatalf("not answered: %+v", w.Status().Members)
			}
		}
		cancel()
	}
}
