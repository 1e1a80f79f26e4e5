package zkc

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/binary"
	"errors"
	"io"
	"math/big"
	"net"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// private is readable with bob's password only.
func private() []wire.ACL {
	return []wire.ACL{{Perms: wire.PermAll, Scheme: "digest", ID: zkserver.DigestID("bob:secret")}}
}

func TestDigestIsSentAgainBeforeAnythingElse(t *testing.T) {
	bob := func(cfg *Config) { cfg.Auth = []Auth{{"digest", []byte("bob:secret")}} }
	virtual(t, zkserver.Options{Record: true}, bob, func(t *testing.T, s *zkserver.Server, c *Conn) {
		must[Created](t)(c.Create(t.Context(), "/p", []byte("x"), 0, private()))
		for range 3 {
			s.ForgetRequests()
			s.DropConnections()
			if _, _, err := c.Get(t.Context(), "/p"); err != nil {
				t.Fatal(err)
			}
			log := s.Requests()
			if log[0].Op != wire.OpCreateSession || log[1].Op != wire.OpAuth {
				t.Fatalf("%+v", log)
			}
		}
		nobody := must[*Conn](t)(Dial(t.Context(), pipeTo(s)))
		defer nobody.Close()
		if _, _, err := nobody.Get(t.Context(), "/p"); !errors.Is(err, ErrNoAuth) {
			t.Fatal(err)
		}
	})
}

func TestRefusedCredentialsAreFinal(t *testing.T) {
	s := peers.ZooKeeper(t, peers.Options{})
	cfg := Config{Servers: []string{s.Addr}, Auth: []Auth{{"sesame", []byte("open:hidden")}}}
	start := time.Now()
	_, err := Dial(soon(t, 20*time.Second), cfg)
	if !errors.Is(err, ErrAuth) || strings.Contains(err.Error(), "hidden") || !strings.HasPrefix(err.Error(), "authenticate: credentials are refused: sesame by ") {
		t.Fatal(err)
	}
	t.Logf("refused after %v: %v", time.Since(start), err)
	cfg.NoWait = true
	j := &journal{}
	j.on(&cfg)
	c := must[*Conn](t)(Dial(t.Context(), cfg))
	defer c.Close()
	if _, _, err := c.Get(soon(t, 20*time.Second), "/"); !errors.Is(err, ErrAuth) {
		t.Fatal(err)
	}
	peers.WaitFor(t, 5*time.Second, "the phase Failed", func() bool { return c.State().Phase == Failed })
	if n := c.State().Attempts; n > 1 {
		t.Errorf("%d attempts", n)
	}
}

func TestMissingChroot(t *testing.T) {
	virtual(t, zkserver.Options{}, nil, func(t *testing.T, s *zkserver.Server, c *Conn) {
		cfg := pipeTo(s)
		cfg.Chroot = "/prod/app"
		start := time.Now()
		_, err := Dial(t.Context(), cfg)
		if !errors.Is(err, ErrNoChroot) || !strings.Contains(err.Error(), "chroot /prod/app does not exist on zk1:2181") || time.Since(start) > 2*time.Second {
			t.Fatal(err, time.Since(start))
		}
		if _, there := s.Node("/prod"); there {
			t.Fatal("it was created")
		}
	})
}

func TestWhyThereIsNoConnection(t *testing.T) {
	closed := peers.FreePort(t)
	for name, x := range map[string]struct {
		cfg  Config
		want string
	}{
		"refused":  {Config{Servers: []string{net.JoinHostPort("127.0.0.1", itoa(closed))}}, ": connection refused"},
		"given up": {Config{Servers: []string{net.JoinHostPort("127.0.0.1", itoa(closed))}, GiveUp: 2}, ": connection refused"},
		"of several": {Config{Servers: []string{"zk1", "zk2", "zk9"}, GiveUp: 1, Dial: func(_ context.Context, _, addr string) (net.Conn, error) {
			if addr == "zk9:2181" {
				return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "zk9", IsNotFound: true}}
			}
			return nil, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
		}}, "cannot connect to zk1:2181,zk2:2181: connection refused; zk9:2181: host zk9 is unknown"},
		"hangs up": {Config{Servers: []string{"zk1"}, Dial: scripted(func(c net.Conn) { _, _ = wire.ReadFrame(c, 1<<20) })}, "zk1:2181: it closed the connection in the handshake: is it starting up"},
		"does not serve": {Config{Servers: []string{"zk1"}, GiveUp: 1, Dial: scripted(func(c net.Conn) {
			word := make([]byte, 4)
			if _, _ = io.ReadFull(c, word); string(word) == "srvr" {
				_, _ = io.WriteString(c, "This ZooKeeper instance is not currently serving requests\n")
			} else {
				_, _ = io.CopyN(io.Discard, c, int64(binary.BigEndian.Uint32(word)))
			}
		})}, "zk1:2181: it answers and does not serve: it has no quorum, or is starting up"},
		"says nothing": {Config{Servers: []string{"zk1"}, Session: time.Second, Dial: scripted(func(c net.Conn) { hold(c); hold(c) })}, "zk1:2181: no answer in time in the handshake"},
		"unknown host": {Config{Servers: []string{"zk1"}, Dial: func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "zk1", IsNotFound: true}}
		}}, "cannot connect to zk1:2181: host zk1 is unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			_, err := Dial(ctx, x.cfg)
			if !errors.Is(err, ErrUnreachable) || !strings.HasPrefix(err.Error(), "cannot connect to ") || !strings.Contains(err.Error(), x.want) || strings.Contains(err.Error(), "\n") {
				t.Fatal(err)
			}
			if gaveUp := ctx.Err() == nil; gaveUp != (x.cfg.GiveUp > 0) || errors.Is(err, context.DeadlineExceeded) == gaveUp {
				t.Fatal(err, ctx.Err())
			}
		})
	}
	if _, err := Dial(t.Context(), Config{}); err == nil || !strings.Contains(err.Error(), "no server") {
		t.Fatal(err)
	}
}

func itoa(n int) string { return big.NewInt(int64(n)).String() }

// TestResumingDoesNotGoBackInTime looks at the zxid and the read-only byte of connect requests.
func TestResumingDoesNotGoBackInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := make(chan wire.ConnectRequest, 10)
		cfg := Config{Servers: []string{"zk1"}, ReadOnly: true, Dial: scripted(func(conn net.Conn) {
			req, err := greet(conn, 7)
			if err != nil {
				return
			}
			asked <- req
			n := 0
			answering(conn, func(xid int32, op wire.Op) []byte {
				if n++; n == 2 || op == wire.OpClose {
					_ = conn.Close()
				}
				return replyFrame(xid, 4711, -101, nil)
			})
		})}
		c := must[*Conn](t)(Dial(t.Context(), cfg))
		defer c.Close()
		for range 2 {
			if _, ok, err := c.Exists(t.Context(), "/"); ok || err != nil {
				t.Fatal(ok, err)
			}
		}
		first, second := <-asked, <-asked
		if first.LastZxid != 0 || first.SessionID != 0 || !first.HasReadOnly || !first.ReadOnly {
			t.Errorf("%+v", first)
		}
		if second.LastZxid != 4711 || second.SessionID != 7 || !second.ReadOnly {
			t.Errorf("%+v", second)
		}
	})
}

// selfSigned makes a certificate for a host name.
func selfSigned(t *testing.T, host string) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key := must[*ecdsa.PrivateKey](t)(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	tmpl := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: host}, DNSNames: []string{host},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	der := must[[]byte](t)(x509.CreateCertificate(rand.Reader, tmpl, tmpl, &key.PublicKey, key))
	pool := x509.NewCertPool()
	pool.AddCert(must[*x509.Certificate](t)(x509.ParseCertificate(der)))
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

func TestTLSVerifiesTheNameThatWasGiven(t *testing.T) {
	cert, pool := selfSigned(t, "zk1.example")
	s := zkserver.New(zkserver.Options{})
	defer s.Close()
	l := must[net.Listener](t)(tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{cert}}))
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			s.ServeConn(conn)
		}
	}()
	to := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", l.Addr().String())
	}
	cfg := Config{Servers: []string{"zk1.example"}, Dial: to, TLS: &tls.Config{RootCAs: pool}}
	c := must[*Conn](t)(Dial(soon(t, 10*time.Second), cfg))
	mustCreate(t, c, "/a", "x", 0)
	c.Close()
	cfg.Servers, cfg.GiveUp = []string{"zk2.example"}, 1
	if _, err := Dial(soon(t, 10*time.Second), cfg); err == nil || !strings.Contains(err.Error(), "zk1.example, not zk2.example") {
		t.Error(err)
	}
	cfg.Servers, cfg.TLS, cfg.Session = []string{"zk1.example"}, nil, time.Second
	if _, err := Dial(soon(t, 10*time.Second), cfg); err == nil {
		t.Error("plain text to a TLS port connects")
	} else {
		t.Log(err)
	}
	plain := must[net.Addr](t)(s.Listen("127.0.0.1:0"))
	cfg = Config{Servers: []string{plain.String()}, TLS: &tls.Config{RootCAs: pool}, Session: time.Second, GiveUp: 1}
	if _, err := Dial(soon(t, 10*time.Second), cfg); err == nil || !strings.Contains(err.Error(), "TLS") {
		t.Error(err)
	} else {
		t.Log(err)
	}
}
