package command

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/certs"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/config"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/recipes/sasl"
	"github.com/zkscope/zkscope/recipes/sasl/krb5"
)

// Access is how servers are reached, and who we are to them, as the command line says it; a profile fills what it leaves
// open.
type Access struct {
	auth     []string // refused: other users of the machine see it
	authFile string
	Creds    []string // one a line, as credential reads them
	jaas     string   // FILE or FILE#SECTION
	keytab   string
	service  string
	host     string
	observer bool // one is preferred
	ask      bool // for passwords that are missing
	tls      bool
	certs    certs.Files
	secret   string            // a file with the password of the certificates' files
	Routes   map[string]string // servers' addresses, and where they are reached
	used     sync.Map          // those of them that were needed, in lower case
	typed    sync.Map          // passwords of files, as they were typed
}

// declare declares the flags.
func (a *Access) declare(fs *pflag.FlagSet) {
	fs.StringArrayVar(&a.auth, "auth", nil, "not taken: give credentials in $ZKSCOPE_AUTH, --auth-file or a profile, where nobody else sees them")
	_ = fs.MarkHidden("auth") // it is there to say what to do instead
	fs.StringVar(&a.authFile, "auth-file", "", "credentials, one a line: digest:USER:PASSWORD (addauth), sasl:USER:PASSWORD (DIGEST-MD5) or kerberos:PRINCIPAL; readable by you alone")
	fs.BoolVar(&a.ask, "ask-password", false, "ask at the terminal for the password of a credential without one, digest:USER, sasl:USER or kerberos:PRINCIPAL")
	fs.StringVar(&a.jaas, "jaas", "", "a login configuration of Java's clients, FILE or FILE#SECTION (default section Client)")
	fs.StringVar(&a.keytab, "keytab", "", "with kerberos: the file with the principal's key, instead of the tickets of kinit")
	fs.StringVar(&a.service, "sasl-service", "", "with kerberos: what the servers' principal begins with (default zookeeper)")
	fs.StringVar(&a.host, "sasl-host", "", "with kerberos: the host in the servers' principal (default the name that each is reached by)")
	fs.BoolVar(&a.observer, "prefer-observer", false, "connect to a server first that says that it is an observer; where none does, to any")
	fs.BoolVar(&a.tls, "tls", false, "connect with TLS")
	fs.StringVar(&a.certs.Trust, "tls-ca", "", "whom to trust: a PEM, DER, PKCS#12 or JKS file with the authority that signed the servers' certificates")
	fs.StringVar(&a.certs.Cert, "tls-cert", "", "our certificate: a PEM, PKCS#12 or JKS file")
	fs.StringVar(&a.certs.Key, "tls-key", "", "its key, where that is in a file of its own")
	fs.StringVar(&a.certs.Name, "tls-name", "", "the name in the servers' certificates, if it differs from the address")
	fs.StringVar(&a.certs.Least, "tls-min", "", "the oldest TLS version to accept, 1.2 or 1.3 (default 1.2)")
	fs.StringVar(&a.secret, "tls-password-file", "", "the password of these files (default $ZKSCOPE_TLS_PASSWORD, else it is asked for)")
	fs.StringToStringVar(&a.Routes, "map", nil, "reach a server by another address, as zk-0.zk:2181=127.0.0.1:12181, for forwarded ports")
}

// take fills what the command line left open from a profile.
func (a *Access) take(p config.Profile, getenv func(string) string, aside bool) error {
	a.tls, a.observer = a.tls || p.TLS, a.observer || p.PreferObserver
	for at, from := range map[*string]string{&a.certs.Trust: p.TLSCA, &a.certs.Cert: p.TLSCert, &a.certs.Key: p.TLSKey, &a.certs.Name: p.TLSName,
		&a.certs.Least: p.TLSMin, &a.secret: p.TLSPasswordFile, &a.jaas: p.JAAS, &a.keytab: p.Keytab, &a.service: p.SASLService, &a.host: p.SASLHost} {
		*at = cmp.Or(*at, from)
	}
	if len(a.Routes) == 0 {
		a.Routes = p.Map
	}
	if a.authFile != "" {
		return nil
	}
	if err := world.NoPipe(map[string]string{"auth-file": p.AuthFile}); err != nil {
		return err
	}
	creds, err := world.WhileReading(func() ([]string, error) { return p.Credentials(getenv, aside) })
	a.Creds = creds
	return err
}

// Check finds what must not be on a command line.
func (a *Access) Check() error {
	if len(a.auth) > 0 {
		return world.Fail(world.ExitUsage, "--auth: a credential on the command line is seen by every user of this machine: put it into $ZKSCOPE_AUTH, or into a file that only you can read, with --auth-file")
	}
	for from, to := range a.Routes {
		for _, addr := range []string{from, to} {
			if host, port, err := net.SplitHostPort(addr); err != nil || host == "" || port == "" {
				return world.Fail(world.ExitUsage, "--map %s=%s: write host:port=host:port", say.Printable(from), say.Printable(to))
			}
		}
	}
	return nil
}

// into completes how to connect.
func (a *Access) into(cfg *zkc.Config, w world.World) error {
	jaas, _, _ := strings.Cut(a.jaas, "#")
	if err := world.NoPipe(map[string]string{"--auth-file": a.authFile, "--jaas": jaas, "--keytab": a.keytab,
		"--tls-ca": a.certs.Trust, "--tls-cert": a.certs.Cert, "--tls-key": a.certs.Key, "--tls-password-file": a.secret}); err != nil {
		return err
	}
	creds := a.Creds
	if a.authFile != "" {
		var err error
		if creds, err = world.WhileReading(func() ([]string, error) { return config.Profile{AuthFile: a.authFile}.Credentials(w.Getenv, false) }); err != nil {
			return world.Failure{Code: world.ExitUsage, Err: err}
		}
		if len(creds) == 0 {
			return world.Fail(world.ExitUsage, "--auth-file %s: no credential is in it", say.Printable(a.authFile))
		}
		a.Creds = creds
	} else if env := w.Getenv(AuthVar); len(creds) == 0 {
		creds = strings.FieldsFunc(env, func(r rune) bool { return r == '\n' })
	}
	if len(creds) > 0 || cmp.Or(a.jaas, a.keytab, a.certs.Cert, a.certs.Key) != "" {
		world.KeepOutOfCores()
	}
	for _, cred := range creds {
		if err := a.credential(cfg, strings.TrimSpace(cred), w); err != nil {
			return world.Failure{Code: world.ExitUsage, Err: err}
		}
	}
	if a.ask && len(creds) == 0 {
		return world.Fail(world.ExitUsage, "--ask-password: whose is not said: name who you are in $%s, as sasl:USER, or in --auth-file", AuthVar)
	}
	if a.jaas != "" {
		if err := a.login(cfg); err != nil {
			return world.Failure{Code: world.ExitUsage, Err: err}
		}
	}
	if len(a.Routes) > 0 {
		cfg.Dial = a.routed(w.Dial)
	}
	if f := a.certs; !a.tls && cmp.Or(f.Trust, f.Cert, f.Key, f.Name, f.Least) == "" {
		return nil
	}
	var err error
	cfg.TLS, err = world.WhileReading(func() (*tls.Config, error) {
		files := a.certs
		var begun atomic.Bool
		files.Password = func(file string) (string, error) { return a.password(file, w, begun.Load()) }
		defer begun.Store(true)
		return files.Config()
	})
	if err != nil {
		return world.Fail(world.ExitUsage, "TLS: %w", err)
	}
	return nil
}

// credential takes one line. No error repeats it.
func (a *Access) credential(cfg *zkc.Config, line string, w world.World) error {
	if a.ask {
		whole, err := a.complete(line, w)
		if err != nil {
			return err
		}
		line = whole
	}
	scheme, token, ok := strings.Cut(line, ":")
	user, password, both := strings.Cut(token, ":")
	switch {
	case strings.Contains(line, "\x00"):
		return errNUL
	case !ok || scheme == "" || token == "", (scheme == "digest" || scheme == "sasl") && (!both || user == ""):
		return errors.New("a credential is written digest:USER:PASSWORD (addauth), sasl:USER:PASSWORD (DIGEST-MD5) or kerberos:PRINCIPAL; --ask-password asks for a password that is left out")
	case scheme == "sasl":
		return prove(cfg, sasl.Digest(user, password))
	case scheme == "kerberos":
		m, err := krb5.New(krb5.Config{Principal: user, Password: password, Keytab: a.keytab, Service: a.service, Host: a.host})
		if err != nil {
			return err
		}
		return prove(cfg, m)
	}
	cfg.Auth = append(cfg.Auth, zkc.Auth{Scheme: scheme, Token: []byte(token)})
	return nil
}

// errNUL is met in files that are no text, or text in UTF-16.
var errNUL = errors.New("there is a NUL character in a credential, which no user name and no password can have: is the file saved as UTF-16, or is it not text?")

// prove sets by what we prove who we are: by one mechanism, since servers take one.
func prove(cfg *zkc.Config, m sasl.Mechanism) error {
	if cfg.SASL != nil {
		return fmt.Errorf("two SASL users are given, %s and %s: a connection is one of them", cfg.SASL.User(), m.User())
	}
	cfg.SASL = m
	return nil
}

// login takes what a file of Java's says.
func (a *Access) login(cfg *zkc.Config) error {
	file, section, named := strings.Cut(a.jaas, "#")
	if !named {
		section = "Client"
	}
	l, err := world.WhileReading(func() (sasl.Login, error) { return sasl.ReadLogin(file, section) })
	if err != nil {
		return err
	}
	o := l.Options
	for _, v := range o {
		if strings.Contains(v, "\x00") {
			return fmt.Errorf("%s: section %s: %w", file, section, errNUL)
		}
	}
	if o["password"] != "" {
		if err := config.Private(file); err != nil {
			return fmt.Errorf("--jaas %w", err)
		}
	}
	switch l.Module {
	case "DigestLoginModule", "PlainLoginModule":
		if o["username"] == "" {
			return fmt.Errorf("%s: section %s names no username", file, section)
		}
		return prove(cfg, sasl.Digest(o["username"], o["password"]))
	case "Krb5LoginModule":
		k := krb5.Config{Principal: o["principal"], Cache: o["ticketCache"], Service: cmp.Or(a.service, o["serviceName"]), Host: a.host}
		if o["useKeyTab"] == "true" {
			k.Keytab = cmp.Or(a.keytab, o["keyTab"])
		}
		m, err := krb5.New(k)
		if err != nil {
			return err
		}
		return prove(cfg, m)
	}
	return fmt.Errorf("%s: section %s names the module %s; DigestLoginModule and Krb5LoginModule are known", file, section, say.Printable(l.Module))
}

// TLSVar holds the password of certificates' files.
const TLSVar = "ZKSCOPE_TLS_PASSWORD"

// password is that of a file: from a file, the environment, or whoever sits at the terminal, who is asked at the beginning
// alone: later the screen is in use.
func (a *Access) password(file string, w world.World, begun bool) (string, error) {
	if a.secret != "" {
		if err := config.Private(a.secret); err != nil {
			return "", fmt.Errorf("--tls-password-file %w", err)
		}
		b, err := os.ReadFile(a.secret)
		if err != nil {
			return "", fmt.Errorf("--tls-password-file: %w", err)
		}
		return strings.TrimRight(string(b), "\r\n"), nil
	}
	if p := w.Getenv(TLSVar); p != "" {
		return p, nil
	}
	return a.asked(w, file, begun, "give its password in $"+TLSVar+" or --tls-password-file")
}

// routed is how to reach servers by other addresses than their own; dial is nil for TCP.
func (a *Access) routed(dial func(context.Context, string, string) (net.Conn, error)) func(context.Context, string, string) (net.Conn, error) {
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	to := make(map[string]string, len(a.Routes))
	for from, there := range a.Routes {
		to[strings.ToLower(from)] = there
	}
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		from := strings.ToLower(addr)
		a.used.Store(from, true)
		return dial(ctx, network, cmp.Or(to[from], addr))
	}
}

// Idle are the entries of the map that nothing was reached by so far, in order: most likely they are misspelled.
func (a *Access) Idle() (out []string) {
	for _, from := range slices.Sorted(maps.Keys(a.Routes)) {
		if _, used := a.used.Load(strings.ToLower(from)); !used {
			out = append(out, from+"="+a.Routes[from])
		}
	}
	return out
}

// AuthVar is the environment variable that holds a credential.
const AuthVar = "ZKSCOPE_AUTH"
