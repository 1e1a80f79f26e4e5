package recipes

import (
	"context"
	"errors"
	"iter"

	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// AnyVersion in place of a version accepts whatever version there is.
const AnyVersion = zkc.AnyVersion

// Configuration is a value that many read and few change. All dialects spell it alike.
//
// Protocol: the recipe literature's configuration management: one persistent znode, watched by its readers. A
// change wakes every watcher, which is the point.
//
// Requests: one to get, one to set; a watcher makes one per change.
type Configuration struct {
	s    *Session
	path string
	acl  []wire.ACL
}

// Configuration returns the value at a path. It does no I/O. What is made has the ACL; default: the session's.
func (s *Session) Configuration(path string, acl ...Access) Configuration {
	return Configuration{s, path, s.acl(acl)}
}

// Value is a configuration's value at one version.
type Value struct {
	Data    []byte
	Version int32
	Exists  bool // false: there is none, not even an empty one
}

// Get reads the value. One that does not exist is no error.
func (c Configuration) Get(ctx context.Context) (Value, error) {
	data, stat, err := c.s.link().Get(ctx, c.path)
	if errors.Is(err, zkc.ErrNoNode) {
		return Value{}, nil
	}
	return Value{data, stat.Version, err == nil}, c.s.fail("get", c.path, err)
}

// Set writes the value and creates it where it is missing. With a version other than AnyVersion it fails with
// ErrChanged, and writes nothing, unless that is the value's version. When the reply is lost it looks at what
// is there: its own value at the next version counts as written.
func (c Configuration) Set(ctx context.Context, data []byte, version int32) error {
	for {
		_, err := c.s.link().Set(ctx, c.path, data, version)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, zkc.ErrNoNode) && version == AnyVersion:
			made, err := c.s.ensure(ctx, c.path, data, c.acl)
			if made || err != nil {
				return c.s.fail("set", c.path, err)
			}
			continue // somebody else made it, or we did and lost the reply
		case errors.Is(err, zkc.ErrUnknownOutcome) && ctx.Err() == nil && version == AnyVersion:
			continue // to write it twice is to write it once
		case errors.Is(err, zkc.ErrUnknownOutcome) && ctx.Err() == nil:
			if again, err := c.settle(ctx, data, version); !again {
				return c.s.fail("set", c.path, err)
			}
			continue
		}
		return c.s.fail("set", c.path, err)
	}
}

// Create writes the first value. ErrExists: there is one already, and nothing was written.
func (c Configuration) Create(ctx context.Context, data []byte) error {
	made, err := c.s.ensure(ctx, c.path, data, c.acl)
	if err == nil && !made {
		err = zkc.ErrNodeExists
	}
	return c.s.fail("create", c.path, err)
}

// settle finds out what became of a write with a version whose reply was lost.
func (c Configuration) settle(ctx context.Context, data []byte, version int32) (again bool, err error) {
	if err := c.s.link().Sync(ctx, c.path); err != nil {
		return false, err
	}
	got, stat, err := c.s.link().Get(ctx, c.path)
	switch {
	case err != nil:
		return false, err
	case stat.Version == version:
		return true, nil
	case stat.Version == version+1 && string(got) == string(data):
		return false, nil
	case stat.Version == version+1:
		return false, zkc.ErrBadVersion // the one change that there was is not ours
	}
	return false, zkc.ErrUnknownOutcome
}

// Watch yields the value, and again each time that it changes, until ctx ends or the caller stops. Values that
// stood for a short time may be skipped; the latest never is. An error is the last thing yielded.
func (c Configuration) Watch(ctx context.Context) iter.Seq2[Value, error] {
	return observe(c.s, ctx, c.path, func(ctx context.Context) (Value, *watch, error) {
		w, err := c.s.watchValue(ctx, c.path)
		if err != nil {
			return Value{}, nil, err
		}
		return Value{w.Data, w.Stat.Version, w.Exists}, w, nil
	})
}
