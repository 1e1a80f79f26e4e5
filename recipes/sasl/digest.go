package sasl

import (
	"context"
	"crypto/md5"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Service is what ZooKeeper's servers call themselves to DIGEST-MD5, and in Kerberos' names unless they are told otherwise.
const Service = "zookeeper"

// serverName is the host that servers name in DIGEST-MD5, wherever they run.
const serverName = "zk-sasl-md5"

// Digest returns the mechanism DIGEST-MD5 (RFC 2831, with qop "auth") for a user and password, as a server's
// DigestLoginModule knows them. The password is not sent.
func Digest(user, password string) Mechanism {
	return &digest{user: user, password: password}
}

type digest struct{ user, password string }

// String names the user alone.
func (d *digest) String() string { return d.Name() + " as " + d.user }

// GoString names the user alone.
func (d *digest) GoString() string { return d.String() }

// Name is DIGEST-MD5.
func (d *digest) Name() string { return "DIGEST-MD5" }

// User is the name that is going to be proven.
func (d *digest) User() string { return d.user }

// Begin asks nobody.
func (d *digest) Begin(context.Context, string) (Exchange, error) {
	var nonce [24]byte
	_, _ = rand.Read(nonce[:]) // never fails
	return &digestExchange{digest: d, cnonce: base64.StdEncoding.EncodeToString(nonce[:])}, nil
}

// digestExchange is one talk: nothing, the server's challenge and the answer to it, the server's own proof.
type digestExchange struct {
	*digest
	cnonce, nonce, realm string
	sent                 int
}

// Next answers by the number of what was sent.
func (x *digestExchange) Next(challenge []byte) (answer []byte, done bool, err error) {
	defer func() { x.sent++ }()
	switch x.sent {
	case 0:
		return []byte{}, false, nil
	case 1:
		if len(challenge) == 0 {
			return nil, false, errors.New("the server offers no DIGEST-MD5: it has no login configuration for it")
		}
		answer, err = x.respond(challenge)
		return answer, false, err
	}
	return nil, true, x.check(challenge)
}

// respond reads the challenge and proves the password.
func (x *digestExchange) respond(challenge []byte) ([]byte, error) {
	said, err := directives(string(challenge))
	if err != nil {
		return nil, err
	}
	if x.nonce = said["nonce"]; x.nonce == "" {
		return nil, errors.New("the server's challenge is no DIGEST-MD5's: it names no nonce")
	}
	if qop := said["qop"]; qop != "" && !slices.Contains(strings.Split(strings.ReplaceAll(qop, " ", ""), ","), "auth") {
		return nil, fmt.Errorf("the server wants a protection of every message (qop %q), which its clients do not speak", qop)
	}
	x.realm = said["realm"]
	fields := []string{
		"charset=utf-8", "username=" + quoted(x.user), "realm=" + quoted(x.realm), "nonce=" + quoted(x.nonce), "nc=00000001",
		"cnonce=" + quoted(x.cnonce), "digest-uri=" + quoted(x.uri()), "maxbuf=65536", "response=" + x.proof("AUTHENTICATE"), "qop=auth",
	}
	return []byte(strings.Join(fields, ",")), nil
}

func (x *digestExchange) uri() string { return Service + "/" + serverName }

// proof is what only who knows the password can say; the server's begins with no word.
func (x *digestExchange) proof(word string) string {
	secret := md5.Sum([]byte(narrow(x.user) + ":" + narrow(x.realm) + ":" + narrow(x.password)))
	a1 := md5.Sum([]byte(string(secret[:]) + ":" + x.nonce + ":" + x.cnonce))
	a2 := md5.Sum([]byte(word + ":" + x.uri()))
	all := md5.Sum([]byte(strings.Join([]string{hex.EncodeToString(a1[:]), x.nonce, "00000001", x.cnonce, "auth", hex.EncodeToString(a2[:])}, ":")))
	return hex.EncodeToString(all[:])
}

// check holds the server to its own proof.
func (x *digestExchange) check(last []byte) error {
	said, err := directives(string(last))
	if err != nil {
		return err
	}
	if subtle.ConstantTimeCompare([]byte(said["rspauth"]), []byte(x.proof(""))) != 1 {
		return errors.New("the server does not prove that it knows the password: it may not be the one that it should be")
	}
	return nil
}

// narrow writes text of ISO 8859-1 in that, as RFC 2831 has it hashed; other text stays UTF-8.
func narrow(s string) string {
	out := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 0xff {
			return s
		}
		out = append(out, byte(r))
	}
	return string(out)
}

// quoted is a string between quotation marks.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// directives reads name=value pairs between commas, whose values may be quoted.
func directives(s string) (map[string]string, error) {
	out := map[string]string{}
	for {
		s = strings.TrimLeft(s, ", \t\r\n\x00")
		if s == "" {
			return out, nil
		}
		name, rest, ok := strings.Cut(s, "=")
		if !ok {
			return nil, errors.New("the server's token is no DIGEST-MD5's")
		}
		var value string
		if value, s, ok = directive(strings.TrimLeft(rest, " \t")); !ok {
			return nil, errors.New("the server's token is no DIGEST-MD5's: a quotation mark is not closed")
		}
		out[strings.ToLower(strings.TrimSpace(name))] = value
	}
}

// directive cuts a value off.
func directive(s string) (value, rest string, ok bool) {
	if !strings.HasPrefix(s, `"`) {
		value, rest, _ = strings.Cut(s, ",")
		return strings.TrimSpace(value), rest, true
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '"':
			return b.String(), s[i+1:], true
		case '\\':
			if i++; i == len(s) {
				return "", "", false
			}
		}
		b.WriteByte(s[i])
	}
	return "", "", false
}
