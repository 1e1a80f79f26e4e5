package e2e

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// way is one way to say who we are.
type way struct {
	name   string
	server string // where it is understood
	scheme string // of an ACL of the creator's
	id     string // begins with
	as     *who
	// secret is what nobody may see.
	secret string
}

// written writes a file of settings or secrets, which lies at nobody's home.
func written(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	must(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// credentialServers starts a server that knows us by Kerberos and by certificates, and one that does by DIGEST-MD5; addauth is
// taken by both.
func credentialServers(t *testing.T, k *peers.KDC, p *papers) (krb, digest *peers.Server) {
	t.Helper()
	var wg sync.WaitGroup
	login := written(t, "server.jaas", "Server {\n org.apache.zookeeper.server.auth.DigestLoginModule required user_bob=\"open-sesame\";\n};\n")
	wg.Go(func() {
		digest = peers.ZooKeeper(t, peers.Options{JVMFlags: []string{"-Djava.security.auth.login.config=" + login}, ExtraCfg: peers.SASLConfig})
	})
	cfg := peers.SASLConfig + "authProvider.2=org.apache.zookeeper.server.auth.X509AuthenticationProvider\nssl.clientAuth=need\n"
	for kind, file := range map[string]string{"keyStore": "server", "trustStore": "ca"} {
		cfg += fmt.Sprintf("ssl.%s.location=%s\nssl.%[1]s.type=PEM\n", kind, p.file(file))
	}
	krb = peers.ZooKeeper(t, peers.Options{Secure: true, JVMFlags: k.ServerFlags(), ExtraCfg: cfg})
	wg.Wait()
	return krb, digest
}

// ways are all that there are.
func ways(t *testing.T, k *peers.KDC, p *papers, krb, digest *peers.Server) []way {
	t.Helper()
	with := func(args []string, env ...string) *who {
		w := newWho(t, env...)
		w.args = args
		return w
	}
	profile := func(server, text string) *who {
		return with([]string{"--profile", "p", "--config", written(t, "config.yaml", "profiles:\n  p:\n    servers: "+server+"\n"+text)})
	}
	conf, cache := "KRB5_CONFIG="+k.Conf, k.Tickets("alice", "wonderland", time.Hour)
	keytab := k.Keytab("ops")
	key, err := os.ReadFile(keytab)
	must(t, err)
	b, err := os.ReadFile(p.file("client"))
	must(t, err)
	_, rest := pem.Decode(b)
	line := strings.Split(string(rest), "\n")[1]
	command := written(t, "vault", "#!/bin/sh\necho digest:dan:by-command\n")
	must(t, os.Chmod(command, 0o700))
	return []way{
		{"env", krb.Addr, "digest", "ann:", with(nil, "ZKSCOPE_AUTH=digest:ann:by-environment"), "by-environment"},
		{"file", krb.Addr, "digest", "cid:", with([]string{"--auth-file", written(t, "creds", "# ours\ndigest:cid:by-file\n")}), "by-file"},
		{"command", krb.Addr, "digest", "dan:", profile("SERVER", "    auth-command: ["+command+"]\n"), "by-command"},
		{"md5", digest.Addr, "sasl", "bob", with(nil, "ZKSCOPE_AUTH=sasl:bob:open-sesame"), "open-sesame"},
		{"jaas", digest.Addr, "sasl", "bob", with([]string{"--jaas", written(t, "jaas.conf", "Client {\n org.apache.zookeeper.server.auth.DigestLoginModule required\n username=\"bob\" password=\"open-sesame\";\n};\n")}), "open-sesame"},
		{"keytab", krb.Addr, "sasl", "ops", with([]string{"--keytab", keytab, "--auth-file", written(t, "creds", "kerberos:ops\n")}, conf), string(key[len(key)-20:])},
		{"cache", krb.Addr, "sasl", "alice", with(nil, conf, "KRB5CCNAME="+cache, "ZKSCOPE_AUTH=kerberos:alice"), "wonderland"},
		{"tls", krb.Secure, "x509", "CN=client", with([]string{"--tls-ca", p.file("ca"), "--tls-cert", p.file("client")}), line},
	}
}

// Whoever we are to the servers, a claim below what is ours alone is taken, goes on through a connection that is cut, and is let
// go at the end; nobody else sees it, and no secret is written anywhere.
func TestTakingPartByEveryCredential(t *testing.T) {
	t.Parallel()
	k := peers.Kerberos(t)
	k.Principal("alice", "wonderland")
	p := newPapers(t, "server", "client")
	krb, digest := credentialServers(t, k, p)
	root, cons := map[string]*zkc.Conn{}, map[string]func() string{}
	for _, s := range []*peers.Server{krb, digest} {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		c, err := zkc.Dial(ctx, zkc.Config{Servers: []string{s.Addr}, Auth: []zkc.Auth{{Scheme: "digest", Token: []byte("super:admin")}}})
		cancel()
		must(t, err)
		t.Cleanup(c.Close)
		root[s.Addr], root[s.Secure] = c, c
		cons[s.Addr] = func() string { return s.FourLetter("cons") }
	}
	t.Run("wrong", func(t *testing.T) { // one try a command, ten commands
		t.Parallel()
		gate := peers.NewTurnstile(t, digest.Addr)
		w := newWho(t, "ZKSCOPE_AUTH=sasl:bob:guess-it")
		w.args = []string{"--admin", "off", "--4lw", "off"}
		if w.refused(gate.Addr, "zkscope: authenticate: credentials are refused: SASL DIGEST-MD5 as bob by "+gate.Addr); gate.Came() != 10 {
			t.Errorf("%d connections", gate.Came())
		}
		w.told("guess-it")
	})
	cons[krb.Secure] = func() string { return p.ask(t, krb.Secure, "cons") } // each port tells of its own
	for _, w := range ways(t, k, p, krb, digest) {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			w.as.t = t
			gate := peers.NewTurnstile(t, w.server)
			servers := []string{"--servers", gate.Addr}
			for i, a := range w.as.args { // a profile names them itself
				if a == "--config" {
					b, err := os.ReadFile(w.as.args[i+1])
					must(t, err)
					must(t, os.WriteFile(w.as.args[i+1], bytes.ReplaceAll(b, []byte("SERVER"), []byte(gate.Addr)), 0o600))
					servers = nil
				}
			}
			takesPart(t, w, cons[w.server], gate, servers, root[w.server])
			w.as.told(w.secret)
		})
	}
}

// ask sends a four-letter word by TLS.
func (p *papers) ask(t *testing.T, addr, word string) string {
	t.Helper()
	cert, err := tls.LoadX509KeyPair(p.file("client"), p.file("client"))
	must(t, err)
	pool := x509.NewCertPool()
	pool.AddCert(p.ca)
	c, err := tls.Dial("tcp", addr, &tls.Config{RootCAs: pool, Certificates: []tls.Certificate{cert}})
	if err != nil {
		return ""
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(5 * time.Second))
	_, _ = io.WriteString(c, word)
	b, _ := io.ReadAll(c)
	return string(b)
}

// claims are the claims below a path by their owners, with the ACL of one.
func claims(t *testing.T, c *zkc.Conn, path string) (owners []int64, acl []wire.ACL) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	below := []string{path}
	for len(below) > 0 {
		at := below[0]
		below = below[1:]
		names, stat, err := c.Children(ctx, at)
		if err != nil {
			continue
		}
		if stat.EphemeralOwner != 0 {
			owners = append(owners, stat.EphemeralOwner)
			acl, _, _ = c.ACL(ctx, at)
		}
		for _, n := range names {
			below = append(below, at+"/"+n)
		}
	}
	return owners, acl
}

func takesPart(t *testing.T, w way, cons func() string, gate *peers.Turnstile, servers []string, root *zkc.Conn) {
	kinds := map[string][]string{"lock": nil, "semaphore": {"--limit", "1"}, "election": nil}
	joins, owners := map[string]*peers.Proc{}, map[string]int64{}
	at := func(kind string) string { return "/of-" + w.name + "/" + kind }
	for kind, more := range kinds {
		line := append([]string{"join", kind, at(kind), "--acl", "creator", "--audit-log", filepath.Join(w.as.home, "audit.jsonl")}, more...)
		joins[kind] = w.as.start(append(line, servers...)...)
	}
	for kind, j := range joins {
		says(t, j, " "+at(kind)+" as ")
		have, acl := claims(t, root, at(kind))
		if len(have) != 1 || len(acl) != 1 || acl[0].Scheme != w.scheme || !strings.HasPrefix(acl[0].ID, w.id) {
			t.Errorf("%s, %s: owners %x, %v", w.name, kind, have, acl)
			return
		}
		owners[kind] = have[0]
	}
	if code, out, _ := run("ls", root.Servers()[0], "--admin", "off", "--4lw", "off"); code == 0 && strings.Contains(out, "/of-"+w.name+"/") {
		t.Errorf("%s: anybody sees %s", w.name, out)
	}
	came := gate.Came()
	gate.Cut()
	peers.WaitFor(t, time.Minute, w.name+": all to come again", func() bool { return gate.Came() >= came+len(joins) })
	for _, j := range joins {
		served(t, cons, j)
	}
	for kind := range kinds {
		if code, out, errs := w.as.once(append([]string{"show", at(kind)}, servers...)...); code != 0 {
			t.Errorf("%s, %s: exit %d: %s%s", w.name, kind, code, out, errs)
		}
		if have, _ := claims(t, root, at(kind)); len(have) != 1 || have[0] != owners[kind] {
			t.Errorf("%s, %s: owners %x after a cut, %x before", w.name, kind, have, owners[kind])
		}
	}
	for kind, j := range joins {
		j.Signal(syscall.SIGINT)
		if code := j.Code(); code != 0 || strings.Contains(j.Output(), "lost") {
			t.Errorf("%s, %s: exit %d: %s", w.name, kind, code, j.Output())
		}
		if have, _ := claims(t, root, at(kind)); len(have) > 0 {
			t.Errorf("%s, %s: %x stays", w.name, kind, have)
		}
	}
}
