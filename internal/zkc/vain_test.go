package zkc

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkscope/zkscope/internal/zkserver"
	"github.com/zkscope/zkscope/recipes/sasl"
)

// mostVain is how often a minute a server, or a KDC, is asked at most by whom it refuses.
const mostVain = 20

// guarded takes connections by TLS before an in-process server, and counts them. It refuses every certificate for as long as
// refuses says so.
type guarded struct {
	s       *zkserver.Server
	conf    *tls.Config
	came    atomic.Int32
	refuses atomic.Bool
}

func newGuarded(t *testing.T, s *zkserver.Server, version uint16) *guarded {
	cert, _ := selfSigned(t, "zk1")
	g := &guarded{s: s}
	g.conf = &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: version, MaxVersion: version, ClientAuth: tls.RequireAnyClientCert,
		VerifyPeerCertificate: func([][]byte, [][]*x509.Certificate) error {
			if g.refuses.Load() {
				return errors.New("revoked")
			}
			return nil
		}}
	return g
}

func (g *guarded) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	g.came.Add(1)
	far, err := g.s.Dial(ctx)
	if err != nil {
		return nil, err
	}
	near, mid := net.Pipe()
	secure := tls.Server(mid, g.conf)
	go func() {
		if secure.HandshakeContext(context.Background()) != nil {
			far.Close()
		}
		go func() { pour(secure, far); mid.Close() }()
		pour(far, secure)
		far.Close()
		mid.Close()
	}()
	return near, nil
}

func pour(to, from net.Conn) {
	b := make([]byte, 4096)
	for {
		n, err := from.Read(b)
		if _, failed := to.Write(b[:n]); err != nil || failed != nil {
			return
		}
	}
}

// A server that refuses our certificate is asked ever more seldom, whichever version of TLS it says that in, and is served by
// as soon as it does not.
func TestARefusedCertificateMakesNoStorm(t *testing.T) {
	mine, _ := selfSigned(t, "me")
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		synctest.Test(t, func(t *testing.T) {
			s := zkserver.New(zkserver.Options{})
			defer s.Close()
			g := newGuarded(t, s, version)
			c := must[*Conn](t)(Dial(t.Context(), Config{Servers: []string{"zk1:2281"}, Dial: g.dial, Session: 2 * time.Minute,
				TLS: &tls.Config{InsecureSkipVerify: true, Certificates: []tls.Certificate{mine}}}))
			defer c.Close()
			time.Sleep(2 * time.Second)
			g.refuses.Store(true)
			s.DropConnections()
			before := g.came.Load()
			time.Sleep(time.Minute)
			if n := g.came.Load() - before; n < 5 || n > mostVain {
				t.Errorf("%d connections in a minute", n)
			}
			st := c.State()
			if want := "zk1:2281: TLS: the server does not accept our certificate (remote error: bad certificate): it may be revoked"; st.Phase != Disconnected || !strings.HasPrefix(fmt.Sprint(st.Err), want) {
				t.Errorf("%v: %v", st.Phase, st.Err)
			}
			g.refuses.Store(false)
			if _, _, err := c.Get(soon(t, vainPause+2*lastPause), "/"); err != nil {
				t.Error(err)
			}
		})
	}
}

// vouched is a mechanism that is told what Begin comes to, and counts how often it is called.
type vouched struct {
	plain
	asked atomic.Int32
	err   atomic.Pointer[error]
}

func (v *vouched) Begin(ctx context.Context, host string) (sasl.Exchange, error) {
	v.asked.Add(1)
	if err := v.err.Load(); err != nil {
		return nil, *err
	}
	return v.plain.Begin(ctx, host)
}

// A KDC that does not answer is asked ever more seldom; a ticket that has ended, which nobody has to be asked about, is looked
// for each second, so that a new one is found at once. Neither is a connection.
func TestWhoIsNotVouchedForMakesNoStorm(t *testing.T) {
	down, ended := errors.New("the KDC cannot be reached"), fmt.Errorf("the ticket ended%w", silent{sasl.ErrNotAsked})
	for _, x := range []struct {
		err         error
		least, most int32
		again       time.Duration
	}{{down, 5, mostVain, vainPause}, {ended, 50, 90, lastPause}} {
		v := &vouched{}
		dials := 0
		virtual(t, zkserver.Options{}, func(cfg *Config) {
			next := cfg.Dial
			cfg.SASL, cfg.Session = v, 2*time.Minute
			cfg.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
				dials++
				return next(ctx, network, addr)
			}
		}, func(t *testing.T, s *zkserver.Server, c *Conn) {
			time.Sleep(2 * time.Second)
			v.err.Store(&x.err)
			v.asked.Store(0)
			s.DropConnections()
			time.Sleep(time.Minute)
			if n := v.asked.Load(); n < x.least || n > x.most || dials != 1 {
				t.Errorf("%v: asked %d times in a minute, %d connections", x.err, n, dials)
			}
			v.err.Store(nil)
			if _, _, err := c.Get(soon(t, x.again+2*lastPause), "/"); err != nil {
				t.Error(err)
			}
		})
	}
}

// keeping is a mechanism that believes to have kept a ticket from before, as often as left says.
type keeping struct {
	plain
	left  atomic.Int32
	begun atomic.Int32
}

func (k *keeping) Begin(context.Context, string) (sasl.Exchange, error) {
	k.begun.Add(1)
	return &keptTalk{k: k}, nil
}

type keptTalk struct {
	plainTalk
	k *keeping
}

func (x *keptTalk) Refused() bool { return x.k.left.Add(-1) >= 0 }

// A ticket that was kept and is refused says nothing about us: another is tried, at the first connection too.
func TestAKeptTicketThatIsRefusedIsTriedAnew(t *testing.T) {
	for left, ok := range map[int32]bool{0: false, 1: true} {
		var refuse atomic.Int32
		refuse.Store(1)
		synctest.Test(t, func(t *testing.T) {
			s := zkserver.New(zkserver.Options{Fault: refusing(&refuse)})
			defer s.Close()
			k := &keeping{}
			k.left.Store(left)
			cfg := pipeTo(s)
			cfg.SASL = k
			c, err := Dial(t.Context(), cfg)
			if (err == nil) != ok || err != nil && !errors.Is(err, ErrAuth) || k.begun.Load() != 1+left {
				t.Errorf("%d kept: %v, begun %d times", left, err, k.begun.Load())
			}
			if err == nil {
				c.Close()
			}
		})
	}
}
