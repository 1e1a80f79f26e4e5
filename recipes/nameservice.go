package recipes

import (
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// NameService maps names to data, such as addresses. All dialects spell it alike.
//
// Protocol: the recipe documents' name service: one znode per name. A name that is bound persists; one that is
// claimed goes with its session.
//
// Requests: one to bind, to claim (and a watch), to look up, to list.
type NameService struct {
	s    *Session
	path string
	acl  ACL
}

// NameService returns the names below a path. It does no I/O. What is made has the ACL; default: the session's.
func (s *Session) NameService(path string, acl ...Access) NameService {
	return NameService{s, path, acl}
}

// Bind gives a name its data, for good. ErrExists: the name has data already. Once a reply was lost, a name
// that has this very data counts as bound.
func (n NameService) Bind(ctx context.Context, name string, data []byte) error {
	path := join(n.path, name)
	for unsure := false; ; {
		_, err := n.s.link().Create(ctx, path, data, wire.FlagPersistent, n.s.acl(n.acl))
		switch {
		case errors.Is(err, zkc.ErrNoNode):
			if _, err := n.s.makeParents(ctx, path, false, n.s.acl(n.acl)); err != nil {
				return n.s.fail("bind", path, err)
			}
			continue
		case errors.Is(err, zkc.ErrUnknownOutcome) && ctx.Err() == nil:
			unsure = true
			continue
		case errors.Is(err, zkc.ErrNodeExists) && unsure:
			if got, _, e := n.s.link().Get(ctx, path); e == nil && string(got) == string(data) {
				return nil
			}
		}
		return n.s.fail("bind", path, err)
	}
}

// Claim gives a name its data for as long as the claim lasts. ErrExists: the name has data already.
func (n NameService) Claim(ctx context.Context, name string, data []byte) (*Claim, error) {
	o := Options{Data: data, ACL: n.acl}
	return n.s.obtain(ctx, "claim", n.s.fixedTicket(join(n.path, name), o), o, "", nil)
}

// Unbind removes a name. It returns nil when there was none.
func (n NameService) Unbind(ctx context.Context, name string) error {
	path := join(n.path, name)
	return n.s.fail("unbind", path, n.s.remove(ctx, path))
}

// Lookup returns a name's data. ErrNotFound: there is no such name.
func (n NameService) Lookup(ctx context.Context, name string) ([]byte, error) {
	path := join(n.path, name)
	data, _, err := n.s.link().Get(ctx, path)
	return data, n.s.fail("look up", path, err)
}

// Names lists all names, sorted.
func (n NameService) Names(ctx context.Context) ([]string, error) {
	names, err := n.s.children(ctx, n.path)
	slices.Sort(names)
	return names, n.s.fail("list", n.path, err)
}

// Watch yields a name's data, and again each time that it changes; see Configuration.Watch.
func (n NameService) Watch(ctx context.Context, name string) iter.Seq2[Value, error] {
	return n.s.Configuration(join(n.path, name)).Watch(ctx)
}
