package recipes

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"

	"github.com/zkscope/zkscope/internal/zkc"
)

// Counter is a number that many add to. The dialects are decimal text (the default, and what kazoo's Counter
// reads and writes) and Curator, the 8 bytes of DistributedAtomicLong; its 4-byte forms are read and
// kept.
//
// Protocol: compare and set on the znode's version. Under contention it retries.
//
// Requests: a read and a set per attempt.
type Counter struct {
	s    *Session
	path string
	opts Options
}

// Counter returns the counter at a path. It does no I/O.
func (s *Session) Counter(path string, o Options) Counter { return Counter{s, path, o} }

// Value reads the counter. One that does not exist is 0.
func (c Counter) Value(ctx context.Context) (int64, error) {
	data, _, err := c.s.link().Get(ctx, c.path)
	if errors.Is(err, zkc.ErrNoNode) {
		return 0, nil
	}
	if err != nil {
		return 0, c.s.fail("read", c.path, err)
	}
	v, err := c.decode(data)
	return v, c.s.fail("read", c.path, err)
}

// Add adds and returns the new value. ErrUnknown: the reply was lost and the counter has changed since, so that
// it cannot be told whether this Add is in it.
func (c Counter) Add(ctx context.Context, delta int64) (int64, error) {
	v, err := c.add(ctx, delta)
	return v, c.s.fail("add", c.path, err)
}

func (c Counter) add(ctx context.Context, delta int64) (int64, error) {
	for {
		data, stat, err := c.s.link().Get(ctx, c.path)
		if errors.Is(err, zkc.ErrNoNode) {
			if _, err := c.s.ensure(ctx, c.path, c.encode(0, 8), c.s.acl(c.opts.ACL)); err != nil {
				return 0, err
			}
			continue
		}
		if err != nil {
			return 0, err
		}
		v, err := c.decode(data)
		if err != nil {
			return 0, err
		}
		if (v+delta > v) != (delta > 0) && delta != 0 {
			return 0, fmt.Errorf("%d and %d do not fit the 64 bits of a counter", v, delta)
		}
		v += delta
		if c.opts.Dialect == Curator && len(data) == 4 && v != int64(int32(v)) {
			return 0, fmt.Errorf("%d does not fit the 4 bytes of this counter", v)
		}
		next := c.encode(v, len(data))
		_, err = c.s.link().Set(ctx, c.path, next, stat.Version)
		switch {
		case err == nil:
			return v, nil
		case errors.Is(err, zkc.ErrBadVersion):
			continue
		case !errors.Is(err, zkc.ErrUnknownOutcome) || ctx.Err() != nil:
			return 0, err
		}
		if done, err := c.settle(ctx, next, stat.Version); done || err != nil {
			return v, err
		}
	}
}

// settle finds out whether a set whose reply was lost was applied. One change since that is not our value is
// somebody else's; our value may be that of another who added the same.
func (c Counter) settle(ctx context.Context, next []byte, version int32) (done bool, err error) {
	if err := c.s.link().Sync(ctx, c.path); err != nil {
		return false, err
	}
	data, stat, err := c.s.link().Get(ctx, c.path)
	switch {
	case err != nil:
		return false, err
	case stat.Version == version, stat.Version == version+1 && string(data) != string(next):
		return false, nil
	}
	return false, c.unknown(stat.Version == version+1)
}

func (c Counter) unknown(same bool) error {
	if same {
		return fmt.Errorf("%w: the value is as we would have made it, but somebody else may have", zkc.ErrUnknownOutcome)
	}
	return zkc.ErrUnknownOutcome
}

func (c Counter) decode(data []byte) (int64, error) {
	switch {
	case len(data) == 0:
		return 0, nil
	case c.opts.Dialect == Curator && len(data) == 8:
		return int64(binary.BigEndian.Uint64(data)), nil
	case c.opts.Dialect == Curator && len(data) == 4:
		return int64(int32(binary.BigEndian.Uint32(data))), nil
	case c.opts.Dialect == Curator:
		return 0, fmt.Errorf("%d bytes are not a number of Curator's", len(data))
	}
	v, err := strconv.ParseInt(string(data), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a whole number", data)
	}
	return v, nil
}

// encode keeps the width that a Curator counter has.
func (c Counter) encode(v int64, width int) []byte {
	switch {
	case c.opts.Dialect != Curator:
		return strconv.AppendInt(nil, v, 10)
	case width == 4:
		return binary.BigEndian.AppendUint32(nil, uint32(v))
	}
	return binary.BigEndian.AppendUint64(nil, uint64(v))
}
