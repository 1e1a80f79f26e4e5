// Package krb5 is Kerberos for ZooKeeper's servers: the mechanism GSSAPI of package sasl, with tickets from a password, a
// keytab or a credential cache. The tickets' own protocol is github.com/jcmturner/gokrb5's; the talk with the server after
// RFC 4121 (tokens) and RFC 4752 (SASL) is here.
//
// Each connection asks for its ticket anew: one that ends while a connection stands does not end it, since servers look at
// tickets only when a connection is made, and the next connection takes what the cache or the keytab have by then. Nothing
// runs in between.
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
	"time"

	"github.com/jcmturner/gokrb5/v8/client"
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
	m := &mechanism{Config: c, conf: conf}
	return m, m.identify()
}

type mechanism struct {
	Config
	conf        *config.Config
	name, realm string
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
	cache, err := m.cached()
	if err != nil {
		return err
	}
	of := strings.Join(cache.DefaultPrincipal.PrincipalName.NameString, "/") + "@" + cache.DefaultPrincipal.Realm
	if want := name + "@" + realm; name != "" && want != of {
		return fmt.Errorf("kerberos: the credential cache %s is of %s, not of %s: run kinit %s", m.Cache, of, want, want)
	}
	m.Principal = of
	return nil
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

// cached reads the credential cache.
func (m *mechanism) cached() (*credentials.CCache, error) {
	if m.Cache == "" {
		m.Cache = os.Getenv("KRB5CCNAME")
	}
	if m.Cache == "" {
		m.Cache = "/tmp/krb5cc_" + strconv.Itoa(os.Getuid())
	}
	path := strings.TrimPrefix(m.Cache, "FILE:")
	if kind, _, ok := strings.Cut(path, ":"); ok && kind == strings.ToUpper(kind) && !strings.Contains(kind, "/") {
		return nil, fmt.Errorf("kerberos: the credential cache %s is not a file: run kinit -c FILE:/path and name that in KRB5CCNAME, or use a keytab", m.Cache)
	}
	m.Cache = path
	c, err := loadCache(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("kerberos: there are no tickets at %s: run kinit, or use a keytab", path)
	}
	if err != nil {
		return nil, fmt.Errorf("kerberos: the credential cache %s: %s", path, oneLine(err))
	}
	return c, nil
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

// ticket asks the KDC for a ticket to a server's principal.
func (m *mechanism) ticket(spn string) (*exchange, error) {
	cl, err := m.client()
	if err != nil {
		return nil, err
	}
	defer cl.Destroy()
	if err := cl.AffirmLogin(); err != nil {
		return nil, m.plainly(err, spn)
	}
	t, key, err := cl.GetServiceTicket(spn)
	if err != nil {
		return nil, m.plainly(err, spn)
	}
	return newExchange(cl.Credentials, t, key)
}

// client has our credentials.
func (m *mechanism) client() (*client.Client, error) {
	plain := client.DisablePAFXFAST(true) // which Active Directory and older KDCs do not take
	switch {
	case m.Password != "":
		return client.NewWithPassword(m.name, m.realm, m.Password, m.conf, plain), nil
	case m.Keytab != "":
		kt, err := keytab.Load(m.Keytab)
		if err != nil {
			return nil, fmt.Errorf("kerberos: keytab %s: %s", m.Keytab, oneLine(err))
		}
		return client.NewWithKeytab(m.name, m.realm, kt, m.conf, plain), nil
	}
	c, err := m.cached()
	if err != nil {
		return nil, err
	}
	for _, e := range c.GetEntries() {
		if s := e.Server.PrincipalName.NameString; len(s) > 0 && s[0] == "krbtgt" && time.Now().After(e.EndTime) {
			return nil, fmt.Errorf("kerberos: the ticket of %s in %s ended at %s: run kinit", m.Principal, m.Cache,
				e.EndTime.Local().Format("2006-01-02 15:04:05"))
		}
	}
	cl, err := client.NewFromCCache(c, m.conf, plain)
	if err != nil {
		return nil, fmt.Errorf("kerberos: the credential cache %s: %s", m.Cache, oneLine(err))
	}
	return cl, nil
}

// final is an answer of the KDC's that stays the same however often it is asked.
type final struct{ text string }

// Error is one line.
func (f final) Error() string { return "kerberos: " + f.text }

// Is makes it a sasl.ErrRefused.
func (f final) Is(target error) bool { return target == sasl.ErrRefused }

// plainly says what the KDC said, and what to do.
func (m *mechanism) plainly(err error, spn string) error {
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
