package zkc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
	"github.com/zkscope/zkscope/recipes/sasl"
	"github.com/zkscope/zkscope/recipes/sasl/krb5"
)

const saslProvider = "authProvider.1=org.apache.zookeeper.server.auth.SASLAuthenticationProvider\n"

// saslServer starts a real server with a login configuration.
func saslServer(t *testing.T, login, extra string, flags ...string) *peers.Server {
	t.Helper()
	file := filepath.Join(t.TempDir(), "jaas.conf")
	if err := os.WriteFile(file, []byte("Server {\n"+login+";\n};\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return peers.ZooKeeper(t, peers.Options{ExtraCfg: saslProvider + extra,
		JVMFlags: append([]string{"-Djava.security.auth.login.config=" + file, "-Dfile.encoding=UTF-8"}, flags...)})
}

const digestLogin = `org.apache.zookeeper.server.auth.DigestLoginModule required
 user_super="s" user_bob="bob\"s secret" user_jörg="schlüssel" user_иван="пароль"`

// ours is readable by one SASL user only.
func ours(user string) []wire.ACL {
	return []wire.ACL{{Perms: wire.PermAll, Scheme: "sasl", ID: user}}
}

func TestDigestMD5OnARealServer(t *testing.T) {
	s := saslServer(t, digestLogin, "")
	for user, password := range map[string]string{"bob": `bob"s secret`, "jörg": "schlüssel", "иван": "пароль"} {
		cfg := Config{Servers: []string{s.Addr}, SASL: sasl.Digest(user, password)}
		c := must[*Conn](t)(Dial(soon(t, 20*time.Second), cfg))
		defer c.Close()
		path := "/of-" + fmt.Sprint(len(user), len(password))
		must[Created](t)(c.Create(t.Context(), path, []byte("x"), 0, ours(user)))
		if _, _, err := c.Get(soon(t, 20*time.Second), path); err != nil {
			t.Fatal(user, err)
		}
		nobody := must[*Conn](t)(Dial(soon(t, 20*time.Second), Config{Servers: []string{s.Addr}}))
		if _, _, err := nobody.Get(t.Context(), path); !errors.Is(err, ErrNoAuth) {
			t.Fatal(err)
		}
		nobody.Close()
		if user != "bob" {
			continue
		}
		before := c.State().Session
		s.Kill()
		s.Restart()
		if _, _, err := c.Get(soon(t, 20*time.Second), path); err != nil || c.State().Session != before {
			t.Fatalf("%v, session %x, then %x", err, before, c.State().Session)
		}
	}
}

func TestWrongSASLCredentialsAreFinal(t *testing.T) {
	s := saslServer(t, digestLogin, "")
	for who, m := range map[string]sasl.Mechanism{"a wrong password": sasl.Digest("bob", "guess"), "nobody": sasl.Digest("eve", "guess")} {
		_, err := Dial(soon(t, 20*time.Second), Config{Servers: []string{s.Addr}, SASL: m})
		if !errors.Is(err, ErrAuth) || strings.Contains(err.Error(), "guess") || !strings.Contains(err.Error(), "SASL DIGEST-MD5 as "+m.User()+" by "+s.Addr) {
			t.Errorf("%s: %v", who, err)
		}
	}
}

// A server that serves nobody who has not proven who they are is reached, and says so to others.
func TestAServerThatWantsSASL(t *testing.T) {
	s := saslServer(t, digestLogin, "", "-Dzookeeper.sessionRequireClientSASLAuth=true")
	c := must[*Conn](t)(Dial(soon(t, 20*time.Second), Config{Servers: []string{s.Addr}, SASL: sasl.Digest("bob", `bob"s secret`)}))
	defer c.Close()
	if _, _, err := c.Get(soon(t, 20*time.Second), "/"); err != nil {
		t.Fatal(err)
	}
	d, err := Dial(soon(t, 20*time.Second), Config{Servers: []string{s.Addr}})
	if err == nil {
		defer d.Close()
		_, _, err = d.Get(soon(t, 20*time.Second), "/")
	}
	if !errors.Is(err, ErrAuth) || !strings.Contains(err.Error(), "SASL") {
		t.Fatal(err)
	}
}

func TestAServerWithoutSASL(t *testing.T) {
	virtual(t, zkserver.Options{}, nil, func(t *testing.T, s *zkserver.Server, _ *Conn) {
		cfg := pipeTo(s)
		cfg.SASL, cfg.GiveUp = sasl.Digest("bob", "x"), 1
		if _, err := Dial(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "offers no DIGEST-MD5") {
			t.Fatal(err)
		}
	})
}

// plain is a mechanism that says one word.
type plain struct{}

func (plain) Name() string                                         { return "PLAIN" }
func (plain) User() string                                         { return "bob" }
func (plain) Begin(context.Context, string) (sasl.Exchange, error) { return new(plainTalk), nil }

type plainTalk struct{ said bool }

func (p *plainTalk) Next([]byte) (answer []byte, done bool, err error) {
	done, p.said = p.said, true
	return []byte("bob"), done, nil
}

// refusing is a server that does not believe so many proofs.
func refusing(left *atomic.Int32) func(zkserver.Request) zkserver.Action {
	return func(r zkserver.Request) zkserver.Action {
		if r.Op == wire.OpSASL && left.Add(-1) >= 0 {
			return zkserver.Action{Err: wire.ErrAuthFailed}
		}
		return zkserver.Action{}
	}
}

// A server that believed us and refuses us once or twice, as one does that takes two logins for one, is asked again: only
// the third refusal in a row is final. At the first connection the first one is.
func TestARefusalAfterABeliefIsTriedAgain(t *testing.T) {
	for refusals, final := range map[int32]bool{1: false, 2: false, 3: true} {
		var left atomic.Int32
		virtual(t, zkserver.Options{Fault: refusing(&left)}, func(c *Config) { c.SASL = plain{} }, func(t *testing.T, s *zkserver.Server, c *Conn) {
			left.Store(refusals)
			s.DropConnections()
			_, _, err := c.Get(t.Context(), "/")
			if errors.Is(err, ErrAuth) != final || !final && err != nil {
				t.Errorf("%d refusals: %v", refusals, err)
			}
			left.Store(1)
			cfg := pipeTo(s)
			cfg.SASL = plain{}
			if _, err := Dial(t.Context(), cfg); !errors.Is(err, ErrAuth) {
				t.Errorf("refused at first: %v", err)
			}
		})
	}
}

func TestKerberosOnARealServer(t *testing.T) {
	k := peers.Kerberos(t)
	k.Principal("alice", "wonderland")
	login := fmt.Sprintf("com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true storeKey=true useTicketCache=false keyTab=%q principal=%q",
		k.Keytab("zookeeper/127.0.0.1"), "zookeeper/127.0.0.1@"+k.Realm)
	s := saslServer(t, login, "kerberos.removeHostFromPrincipal=true\nkerberos.removeRealmFromPrincipal=true\n", "-Djava.security.krb5.conf="+k.Conf)
	batch := k.Keytab("batch")
	mechanism := func(c krb5.Config) sasl.Mechanism {
		c.Conf = k.Conf
		return must[sasl.Mechanism](t)(krb5.New(c))
	}
	logins := map[string]sasl.Mechanism{
		"alice":           mechanism(krb5.Config{Principal: "alice", Password: "wonderland"}),
		"batch":           mechanism(krb5.Config{Principal: "batch@" + k.Realm, Keytab: batch}),
		"alice, by kinit": mechanism(krb5.Config{Cache: k.Tickets("alice", "wonderland", time.Hour)}),
	}
	for who, m := range logins {
		c := must[*Conn](t)(Dial(soon(t, 20*time.Second), Config{Servers: []string{s.Addr}, SASL: m}))
		user, _, _ := strings.Cut(who, ",")
		path := "/k-" + strings.ReplaceAll(who, " ", "-")
		must[Created](t)(c.Create(soon(t, 20*time.Second), path, []byte("x"), 0, ours(user)))
		if _, _, err := c.Get(soon(t, 20*time.Second), path); err != nil {
			t.Fatal(who, err)
		}
		if who == "alice" {
			s.Kill()
			s.Restart()
			if _, _, err := c.Get(soon(t, 20*time.Second), path); err != nil {
				t.Fatal("after a restart:", err)
			}
		}
		c.Close()
	}
	fails := func(m sasl.Mechanism, final bool, want string) {
		t.Helper()
		_, err := Dial(soon(t, 20*time.Second), Config{Servers: []string{s.Addr}, SASL: m, GiveUp: 1})
		if err == nil || errors.Is(err, ErrAuth) != final || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "guess") {
			t.Errorf("want %q: %v", want, err)
		}
	}
	fails(mechanism(krb5.Config{Principal: "alice", Password: "guess"}), true, "wrong password of alice@"+k.Realm)
	fails(mechanism(krb5.Config{Principal: "eve", Password: "guess"}), true, "does not know eve@"+k.Realm)
	fails(mechanism(krb5.Config{Principal: "alice", Password: "wonderland", Host: "zk9"}), false, "does not know zookeeper/zk9: say as --sasl-host")
	ends := mechanism(krb5.Config{Cache: k.Tickets("alice", "wonderland", 2*time.Second)})
	peers.WaitFor(t, 20*time.Second, "the ticket ends", func() bool {
		_, err := ends.Begin(t.Context(), "127.0.0.1")
		return err != nil && strings.Contains(err.Error(), "run kinit")
	})
	fails(ends, false, "run kinit")
	fails(sasl.Digest("bob", "guess"), true, "or it wants another mechanism")
	k.Stop()
	fails(mechanism(krb5.Config{Principal: "alice", Password: "wonderland"}), false, "the KDC of "+k.Realm+" cannot be reached")
}
