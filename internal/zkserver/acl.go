package zkserver

import (
	"crypto/sha1"
	"encoding/base64"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/zkscope/zkscope/internal/wire"
)

var (
	openACL = wire.OpenACL()
	readACL = []wire.ACL{{Perms: wire.PermRead, Scheme: "world", ID: "anyone"}}
)

// DigestID returns the digest scheme's id of a user and password given as "user:password".
func DigestID(userPassword string) string {
	user, _, _ := strings.Cut(userPassword, ":")
	sum := sha1.Sum([]byte(userPassword))
	return user + ":" + base64.StdEncoding.EncodeToString(sum[:])
}

// allowed reports whether one of perms is granted to a client. A nil client is the server itself.
func allowed(c *conn, acl []wire.ACL, perms int32) bool {
	if c == nil || len(acl) == 0 {
		return true
	}
	for _, a := range acl {
		if a.Perms&perms != 0 && a.Scheme == "world" && a.ID == "anyone" {
			return true
		}
	}
	for _, id := range c.auth {
		if id.scheme == "super" {
			return true
		}
		for _, a := range acl {
			if a.Perms&perms != 0 && a.Scheme == id.scheme && matches(id, a.ID) {
				return true
			}
		}
	}
	return false
}

func matches(id identity, want string) bool {
	if id.scheme != "ip" {
		return id.id == want
	}
	net, ok := ipNet(want)
	addr, err := netip.ParseAddr(id.id)
	return ok && err == nil && net.Contains(addr)
}

// ipNet reads an ip ACL's id: an address with or without a number of bits. Real servers know the older kind of addresses
// only, and read its numbers more freely than others do.
func ipNet(id string) (netip.Prefix, bool) {
	host, bits, has := strings.Cut(id, "/")
	parts := strings.Split(host, ".")
	var addr [4]byte
	if len(parts) != len(addr) {
		return netip.Prefix{}, false
	}
	for i, p := range parts {
		n, err := strconv.Atoi(p)
		if err != nil || n < 0 || n > 255 {
			return netip.Prefix{}, false
		}
		addr[i] = byte(n)
	}
	n := 32
	if has {
		var err error
		if n, err = strconv.Atoi(bits); err != nil {
			return netip.Prefix{}, false
		}
	}
	net, err := netip.AddrFrom4(addr).Prefix(n)
	return net, err == nil
}

// fixACL checks an ACL that a client sent and replaces the auth scheme by the client's identities.
func fixACL(c *conn, in []wire.ACL) ([]wire.ACL, wire.Code) {
	if slices.Equal(in, openACL) {
		return openACL, wire.OK
	}
	var out []wire.ACL
	seen := map[wire.ACL]bool{}
	for _, a := range in {
		if seen[a] {
			continue
		}
		seen[a] = true
		switch {
		case a.Scheme == "world" && a.ID == "anyone", a.Scheme == "digest" && strings.Count(a.ID, ":") == 1:
			out = append(out, a)
		case a.Scheme == "ip":
			if _, ok := ipNet(a.ID); !ok {
				return nil, wire.ErrInvalidACL
			}
			out = append(out, a)
		case a.Scheme == "auth" && c.authenticated():
			out = append(out, c.creator(a.Perms)...)
		default:
			return nil, wire.ErrInvalidACL
		}
	}
	if len(out) == 0 {
		return nil, wire.ErrInvalidACL
	}
	return out, wire.OK
}

func (c *conn) authenticated() bool { return len(c.creator(0)) > 0 }

// creator lists the identities that the auth scheme stands for.
func (c *conn) creator(perms int32) (out []wire.ACL) {
	for _, id := range c.auth {
		if id.scheme == "digest" {
			out = append(out, wire.ACL{Perms: perms, Scheme: id.scheme, ID: id.id})
		}
	}
	return out
}

// authenticate serves an auth request; false when the scheme is unknown.
func (s *Server) authenticate(c *conn, scheme string, token []byte) bool {
	switch scheme {
	case "ip":
		return true
	case "digest":
		id := DigestID(string(token))
		if id == s.opts.SuperDigest {
			c.addAuth(identity{"super", ""})
		}
		c.addAuth(identity{"digest", id})
		return true
	}
	return false
}

func (c *conn) addAuth(id identity) {
	if !slices.Contains(c.auth, id) {
		c.auth = append(c.auth, id)
	}
}

// masked hides the hashes of digest ids from those who may not administer the znode.
func masked(acl []wire.ACL) []wire.ACL {
	out := slices.Clone(acl)
	for i, a := range out {
		if user, _, ok := strings.Cut(a.ID, ":"); ok && a.Scheme == "digest" {
			out[i].ID = user + ":x"
		}
	}
	return out
}
