package actions

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// Rights says which right a plan lacks, in one line; empty when it has what it takes, or when that cannot be
// told: servers before 3.7 do not say who we are. It reads the ACL that the server will look at: the parent's
// for a delete or a create, the znode's own for a write. It blocks until that is read or ctx ends.
func (a *Actor) Rights(ctx context.Context, p Plan) (string, error) {
	if a.cfg.ReadOnly {
		return "", nil
	}
	conn, err := a.connect(ctx)
	if err != nil {
		return "", err
	}
	path, need := p.right()
	acl, _, err := conn.ACL(ctx, path)
	switch {
	case errors.Is(err, zkc.ErrNoNode):
		return say.Printable(path) + " is not there", nil
	case errors.Is(err, zkc.ErrNoAuth):
		return fmt.Sprintf("no READ and no ADMIN on %s: its rights cannot be seen", say.Printable(path)), nil
	case err != nil:
		return "", err
	}
	ids, err := conn.WhoAmI(ctx)
	if errors.Is(err, zkc.ErrNotOffered) {
		return "", nil
	} else if err != nil {
		return "", err
	}
	have, sure := granted(acl, ids)
	if lack := need &^ have; lack != 0 && sure {
		return fmt.Sprintf("no %s on %s (have %s)", permWords(lack), say.Printable(path), permLetters(have)), nil
	}
	return "", nil
}

// right is the znode whose ACL decides about the plan, and what it takes.
func (p Plan) right() (path string, need int32) {
	dir, _ := znode.Split(p.Target.Path)
	switch p.Op {
	case Remove:
		return dir, wire.PermDelete
	case Make:
		return dir, wire.PermCreate
	case Move:
		return dir, wire.PermCreate | wire.PermDelete
	}
	return p.Target.Path, wire.PermWrite
}

// granted adds up what an ACL grants to identities; not sure where it names a scheme that only the server
// can judge.
func granted(acl []wire.ACL, ids []zkc.ID) (perms int32, sure bool) {
	sure = true
	for _, e := range acl {
		switch {
		case e.Scheme == "world" && e.ID == "anyone":
			perms |= e.Perms
		case matches(e, ids):
			perms |= e.Perms
		case e.Scheme != "digest" && e.Scheme != "ip" && e.Scheme != "world":
			sure = false
		}
	}
	for _, id := range ids {
		if id.Scheme == "super" {
			return wire.PermAll, true
		}
	}
	return perms, sure
}

func matches(e wire.ACL, ids []zkc.ID) bool {
	for _, id := range ids {
		if id.Scheme != e.Scheme {
			continue
		}
		if id.Name == e.ID || e.Scheme == "ip" && within(id.Name, e.ID) {
			return true
		}
		if user, _, ok := strings.Cut(e.ID, ":"); ok && e.Scheme == "digest" && user == id.Name {
			return true // the server tells the user only
		}
	}
	return false
}

// within reports whether an address lies in a network, written a.b.c.d/n.
func within(addr, network string) bool {
	ip, err := netip.ParseAddr(addr)
	if err != nil {
		return false
	}
	net, err := netip.ParsePrefix(network)
	return err == nil && net.Contains(ip)
}

var permNames = []struct {
	bit          int32
	word, letter string
}{{wire.PermCreate, "CREATE", "c"}, {wire.PermDelete, "DELETE", "d"}, {wire.PermRead, "READ", "r"}, {wire.PermWrite, "WRITE", "w"}, {wire.PermAdmin, "ADMIN", "a"}}

func permWords(p int32) string {
	var out []string
	for _, n := range permNames {
		if p&n.bit != 0 {
			out = append(out, n.word)
		}
	}
	return strings.Join(out, " and ")
}

// permLetters spells rights as ZooKeeper's own tools do.
func permLetters(p int32) string {
	out := ""
	for _, n := range permNames {
		if p&n.bit != 0 {
			out += n.letter
		}
	}
	if out == "" {
		return "none"
	}
	return out
}
