// Package krb5 is Kerberos for ZooKeeper's servers: the mechanism GSSAPI of package sasl, with tickets from a password, a
// keytab or a credential cache. The tickets' own protocol is github.com/jcmturner/gokrb5's; the talk with the server after
// RFC 4121 (tokens) and RFC 4752 (SASL) is here.
//
// A ticket that ends while a connection stands does not end it, since servers look at tickets only when a connection is made. A
// ticket for a server is kept until it ends, the server refuses it, or the credential cache is another one, so that connecting
// again does not mean asking the KDC again. After that the next connection takes what the cache or the keytab have by then.
// Nothing runs in between, and nothing is written: a cache's ticket is renewed by kinit.
package krb5

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/jcmturner/gokrb5/v8/config"
	"github.com/jcmturner/gokrb5/v8/credentials"
	"github.com/jcmturner/gokrb5/v8/keytab"

	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/recipes/sasl"
)

// Config says who we are and where tickets come from: a password, else a keytab, else a credential cache.
type Config struct {
	Principal string // NAME or NAME@REALM; Optional with a credential cache, which says it
	Password  string // Optional
	Keytab    string // Optional; a file
	Cache     string // Optional; a file. Default: KRB5CCNAME, else /tmp/krb5cc_ and the user's number
	Conf      string // Optional; a file. Default: KRB5_CONFIG, else /etc/krb5.conf
	Service   string // Optional; the first part of the servers' principal. Default zookeeper
	Host      string // Optional; the second part. Default: the host that each server is dialled by
}

// String names who we are alone.
func (c Config) String() string { return c.Principal }

// GoString names who we are alone.
func (c Config) GoString() string { return c.Principal }

// New returns the mechanism. It reads the configuration, and tells whether tickets can come from where they are to: that
// they do is seen with the first connection. It may be used by many connections at once.
func New(c Config) (sasl.Mechanism, error) {
	if c.Conf == "" {
		if c.Conf = os.Getenv("KRB5_CONFIG"); c.Conf == "" {
			c.Conf = "/etc/krb5.conf"
		}
	}
	if c.Service == "" {
		c.Service = sasl.Service
	}
	conf, err := config.Load(c.Conf)
	var unsupported config.UnsupportedDirective
	switch {
	case errors.As(err, &unsupported): // the rest was read
	case errors.Is(err, fs.ErrNotExist) || err != nil && strings.Contains(err.Error(), "no such file"):
		return nil, fmt.Errorf("kerberos: %s is not there: it says where the KDC is; name yours in KRB5_CONFIG", c.Conf)
	case err != nil:
		return nil, fmt.Errorf("kerberos: %s: %s", c.Conf, oneLine(err))
	}
	m := &mechanism{Config: c, conf: conf, kept: make(map[string]grant)}
	return m, m.identify()
}

type mechanism struct {
	Config
	conf        *config.Config
	name, realm string

	mu   sync.Mutex
	kept map[string]grant // by the server's principal
}

// identify completes who we are.
func (m *mechanism) identify() error {
	name, realm, _ := strings.Cut(m.Principal, "@")
	if realm == "" {
		realm = m.conf.LibDefaults.DefaultRealm
	}
	switch {
	case m.Password != "" || m.Keytab != "":
		if name == "" {
			return errors.New("kerberos: a password or keytab needs the principal that it is of: NAME@REALM")
		}
		if m.name, m.realm = name, realm; realm == "" {
			return fmt.Errorf("kerberos: %s names no realm, and %s no default_realm: write NAME@REALM", name, m.Conf)
		}
		m.Principal = name + "@" + realm
		if m.Keytab != "" && m.Password == "" {
			return m.holds()
		}
		return nil
	}
	if err := m.place(); err != nil {
		return err
	}
	m.Principal = ""
	if name != "" {
		m.Principal = name + "@" + realm
	}
	cache, err := m.cached()
	if err == nil {
		m.Principal, m.realm = principalOf(cache), cache.DefaultPrincipal.Realm
	}
	return err
}

// holds reports that the keytab has a key of ours.
func (m *mechanism) holds() error {
	kt, err := keytab.Load(m.Keytab)
	if err != nil {
		return fmt.Errorf("kerberos: keytab %s: %s", m.Keytab, oneLine(err))
	}
	for _, e := range kt.Entries {
		if e.Principal.Realm == m.realm && strings.Join(e.Principal.Components, "/") == m.name {
			return nil
		}
	}
	var has []string
	for _, e := range kt.Entries {
		if p := strings.Join(e.Principal.Components, "/") + "@" + e.Principal.Realm; len(has) == 0 || has[len(has)-1] != p {
			has = append(has, p)
		}
	}
	return fmt.Errorf("kerberos: keytab %s has no key of %s, only of %s", m.Keytab, m.Principal, strings.Join(has, ", "))
}

// place finds where the credential cache is.
func (m *mechanism) place() error {
	if m.Cache == "" {
		m.Cache = os.Getenv("KRB5CCNAME")
	}
	if m.Cache == "" {
		m.Cache = "/tmp/krb5cc_" + strconv.Itoa(os.Getuid())
	}
	path := strings.TrimPrefix(m.Cache, "FILE:")
	if kind, _, ok := strings.Cut(path, ":"); ok && kind == strings.ToUpper(kind) && !strings.Contains(kind, "/") {
		return fmt.Errorf("kerberos: the credential cache %s is not a file: run kinit -c FILE:/path and name that in KRB5CCNAME, or use a keytab", m.Cache)
	}
	m.Cache = path
	return nil
}

// cached reads the credential cache, which must be of who we are.
func (m *mechanism) cached() (*credentials.CCache, error) {
	c, err := loadCache(m.Cache)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, here("there are no tickets at %s: run kinit, or use a keytab", m.Cache)
	case err != nil:
		return nil, here("the credential cache %s: %s", m.Cache, oneLine(err))
	}
	if of := principalOf(c); m.Principal != "" && of != m.Principal {
		return nil, here("the credential cache %s is of %s, not of %s: run kinit %s", m.Cache, of, m.Principal, m.Principal)
	}
	return c, nil
}

func principalOf(c *credentials.CCache) string {
	return strings.Join(c.DefaultPrincipal.PrincipalName.NameString, "/") + "@" + c.DefaultPrincipal.Realm
}

// loadCache reads a credential cache. The library may panic on one that is cut off.
func loadCache(path string) (c *credentials.CCache, err error) {
	defer func() {
		if recover() != nil {
			c, err = nil, errors.New("it is not a credential cache, or is cut off")
		}
	}()
	return credentials.LoadCCache(path)
}

// Name is GSSAPI.
func (m *mechanism) Name() string { return "GSSAPI" }

// User is our principal.
func (m *mechanism) User() string { return m.Principal }

// Begin gets a ticket for the server. The KDC is waited for beside the caller, since nothing else ends that early.
func (m *mechanism) Begin(ctx context.Context, host string) (sasl.Exchange, error) {
	if m.Host != "" {
		host = m.Host
	}
	type out struct {
		x   *exchange
		err error
	}
	got := make(chan out, 1)
	guard.Go(func() {
		x, err := m.ticket(m.Service + "/" + host)
		got <- out{x, err}
	})
	select {
	case o := <-got:
		if o.err != nil {
			return nil, o.err
		}
		return o.x, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("kerberos: the KDC of %s does not answer in time", m.realmOf())
	}
}

func (m *mechanism) realmOf() string {
	_, realm, _ := strings.Cut(m.Principal, "@")
	return realm
}

// local is what was found on this machine, before anybody was asked.
type local struct{ text string }

// Error is one line.
func (l local) Error() string { return "kerberos: " + l.text }

// Is makes it a sasl.ErrNotAsked.
func (l local) Is(target error) bool { return target == sasl.ErrNotAsked }

func here(format string, args ...any) error { return local{fmt.Sprintf(format, args...)} }

// final is an answer of the KDC's that stays the same however often it is asked.
type final struct{ text string }

// Error is one line.
func (f final) Error() string { return "kerberos: " + f.text }

// Is makes it a sasl.ErrRefused.
func (f final) Is(target error) bool { return target == sasl.ErrRefused }

// plainly says what the KDC said, and what to do.
func (m *mechanism) plainly(err error, spn string) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	says := func(codes ...string) bool {
		return slices.ContainsFunc(codes, func(c string) bool { return strings.Contains(text, c) })
	}
	switch {
	case says("KDC_ERR_PREAUTH_FAILED", "KRB_AP_ERR_BAD_INTEGRITY", "ntegrity verification failed"):
		if m.Keytab != "" && m.Password == "" {
			return final{"the KDC refuses the key of " + m.Principal + ": the keytab " + m.Keytab + " is older than the password that was set last"}
		}
		return final{"wrong password of " + m.Principal}
	case says("KDC_ERR_C_PRINCIPAL_UNKNOWN"):
		return final{"the KDC of " + m.realmOf() + " does not know " + m.Principal}
	case says("KDC_ERR_KEY_EXPIRED"):
		return final{"the password of " + m.Principal + " has expired: change it with kpasswd"}
	case says("KDC_ERR_CLIENT_REVOKED"):
		return final{m.Principal + " is locked"}
	case says("KDC_ERR_S_PRINCIPAL_UNKNOWN"):
		return fmt.Errorf("kerberos: the KDC does not know %s: say as --sasl-host and --sasl-service what the servers are called", spn)
	case says("KRB_AP_ERR_SKEW"):
		return errors.New("kerberos: our clock is too far from the KDC's: set it right")
	case says("KDC_ERR_TGT_REVOKED", "KRB_AP_ERR_TKT_EXPIRED"):
		return fmt.Errorf("kerberos: the ticket of %s has ended or was withdrawn: run kinit", m.Principal)
	case says("Networking_Error", "connection refused", "no such host"):
		return fmt.Errorf("kerberos: the KDC of %s cannot be reached (see [realms] in %s)", m.realmOf(), m.Conf)
	case says("no KDC SRV records", "no KDCs"):
		return fmt.Errorf("kerberos: %s names no KDC of %s in [realms]", m.Conf, m.realmOf())
	}
	return fmt.Errorf("kerberos: %s", oneLine(err))
}

// oneLine is an error on one line.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
