package recipes

import (
	"errors"
	"fmt"
	"strings"

	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// ACL says who may do what with a znode: any entry that fits grants what it says. It is written when a znode is made,
// and never to one that is there. An ACL without entries stands for the default of where it is given.
//
// A znode is deleted, and made, by whoever may do that to its directory, so a line's directory decides who can stand in
// it. Claims that others may not read are waited for by their directory (see the package's notes on requests).
type ACL []Access

// Access is one entry of an ACL: what the clients of an identity may do.
type Access struct {
	Scheme string // world, auth, digest, ip, sasl, x509, or one of the server's own
	ID     string // anyone, nothing, user:hash, an address or network, ...
	May    Permission
}

// Permission is what an Access grants, as bits.
type Permission int32

// The permissions. Whether a znode exists, everybody may ask.
const (
	MayRead   = Permission(wire.PermRead)   // its data and the names of its children
	MayWrite  = Permission(wire.PermWrite)  // its data
	MayCreate = Permission(wire.PermCreate) // children
	MayDelete = Permission(wire.PermDelete) // children
	MayAdmin  = Permission(wire.PermAdmin)  // set its ACL
	MayAll    = Permission(wire.PermAll)
)

// WorldAll is the default: everybody may do everything, as Curator, kazoo and go-zookeeper have it. A line is shared by
// clients that need not have the same identity, and one whose directory only its maker may use would keep the others out.
func WorldAll() ACL { return ACL{{"world", "anyone", MayAll}} }

// CreatorAll grants everything to the identities of the session that makes the znode, and nothing to others. A session
// without credentials has none: what it makes with this is ErrACL.
func CreatorAll() ACL { return ACL{{"auth", "", MayAll}} }

// WorldReads is CreatorAll, and lets everybody read.
func WorldReads() ACL { return append(CreatorAll(), Access{"world", "anyone", MayRead}) }

// letters are those of the permissions, by bit.
const letters = "rwcda"

// ParseACL reads an ACL: world (WorldAll), creator (CreatorAll), read (WorldReads), or entries as zkCli takes them,
// scheme:id:permissions with the letters cdrwa, separated by commas. The empty text is the empty ACL.
func ParseACL(text string) (ACL, error) {
	switch text {
	case "":
		return nil, nil
	case "world":
		return WorldAll(), nil
	case "creator":
		return CreatorAll(), nil
	case "read":
		return WorldReads(), nil
	}
	var out ACL
	for entry := range strings.SplitSeq(text, ",") {
		a, err := parseAccess(entry)
		if err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, nil
}

func parseAccess(entry string) (a Access, err error) {
	first, last := strings.Index(entry, ":"), strings.LastIndex(entry, ":")
	if first < 1 || first == last {
		return a, fmt.Errorf("%q is not an entry of an ACL: it takes world, creator, read, or scheme:id:permissions as digest:user:hash:cdrwa", entry)
	}
	a.Scheme, a.ID = entry[:first], entry[first+1:last]
	for _, r := range entry[last+1:] {
		i := strings.IndexRune(letters, r)
		if i < 0 {
			return a, fmt.Errorf("%q is not a permission in %q: the letters are cdrwa", r, entry)
		}
		a.May |= 1 << i
	}
	if a.May == 0 {
		return a, fmt.Errorf("%q grants nothing: the letters of its permissions are cdrwa", entry)
	}
	return a, nil
}

// acl is what a znode is made with: the recipe's own, or else the session's. nil: open to everybody.
func (s *Session) acl(own ACL) []wire.ACL {
	if len(own) == 0 && s != nil {
		own = s.made
	}
	out := make([]wire.ACL, 0, len(own))
	for _, a := range own {
		out = append(out, wire.ACL{Perms: int32(a.May), Scheme: a.Scheme, ID: a.ID})
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// createOf is a create with an ACL, for a multi.
func createOf(path string, data []byte, flags int32, acl []wire.ACL) zkc.Change {
	c := zkc.CreateOf(path, data, flags)
	c.ACL = acl
	return c
}

// badACL tells ErrACL by the server's code.
func badACL(err error) bool {
	var e *zkc.Error
	return errors.As(err, &e) && e.Code == wire.ErrInvalidACL
}
