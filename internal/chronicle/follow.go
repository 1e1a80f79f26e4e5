package chronicle

import (
	"errors"
	"io"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Of follows a recipe over a history, between two moments; zero: from its first, or to its last.
func Of(reel files.Reel, path string, since, until time.Time, h model.Hints) (*Chronicle, error) {
	all, err := Several(reel, []string{path}, since, until, h)
	return all[0], err
}

// Several is Of for several recipes, which are read at once.
func Several(reel files.Reel, paths []string, since, until time.Time, h model.Hints) ([]*Chronicle, error) {
	var fs followers
	for _, path := range paths {
		fs = append(fs, &follower{out: &Chronicle{Path: path}, path: path, dir: layout.Around(path), hints: h, here: map[model.ClaimID]*Stay{}, found: map[string]*Found{},
			makes: map[znode.Zxid]znode.SessionID{}, names: map[string]string{}})
	}
	tape := reel.Tape()
	caused, _ := tape.(Caused)
	if c, ok := tape.(io.Closer); ok {
		defer c.Close()
	}
	for first := true; ; first = false {
		if !first {
			if err := fs.next(tape, caused); errors.Is(err, io.EOF) {
				fs.flush()
				fs.unknown(tape.Snapshot())
				return fs.end(tape.Now()), nil
			} else if err != nil {
				fs.flush()
				return fs.told(), err
			}
		}
		if !until.IsZero() && tape.Now().After(until) {
			fs.flush()
			fs.unknown(tape.Snapshot())
			return fs.end(until), nil
		}
		fs.reach(tape.Now())
		var cause *Cause
		if caused != nil && !first {
			c := caused.Cause()
			cause = &c
		}
		for _, f := range fs {
			f.remember(cause)
		}
		if ahead := tape.Ahead(); !ahead.IsZero() && (ahead.Before(since) || caused == nil && ahead.Equal(tape.Now())) {
			continue // what only leads to the beginning, or was seen as one with what comes next
		}
		for _, f := range fs {
			f.state(tape.Snapshot(), cause)
		}
	}
}

// followers follow recipes over one tape.
type followers []*follower

func (fs followers) next(tape files.Tape, caused Caused) error {
	if caused == nil {
		return tape.Next()
	}
	dirs := make([]string, len(fs))
	for i, f := range fs {
		dirs[i] = f.watched()
	}
	return caused.NextIn(dirs...)
}

func (fs followers) flush() {
	for _, f := range fs {
		f.flush()
	}
}

func (fs followers) reach(at time.Time) {
	for _, f := range fs {
		f.out.End = at
	}
}

// unknown says of recipes that were never seen why that need not mean that there was none.
func (fs followers) unknown(s *znode.Snapshot) {
	for _, f := range fs {
		f.unknown(s)
	}
}

func (f *follower) unknown(s *znode.Snapshot) {
	if f.out.Kind != "" || f.out.Unknown != "" {
		return
	}
	if _, f.out.Unknown = s.Known(f.path); f.out.Unknown == "" {
		f.out.Unknown = s.Unclear(f.path)
	}
}

func (fs followers) end(at time.Time) []*Chronicle {
	fs.reach(at)
	for _, f := range fs {
		f.nobody(false, at)
	}
	return fs.told()
}

func (fs followers) told() (out []*Chronicle) {
	for _, f := range fs {
		out = append(out, f.out)
	}
	return out
}

// follower follows one recipe.
type follower struct {
	out     *Chronicle
	path    string
	dir     string
	hints   model.Hints
	begun   bool
	gap     znode.Gap   // the last one that was taken in
	crowded bool        // what stands beside the recipe has a say in what it is
	alone   bool        // it has none
	seen    *znode.Node // what stood where it is watched in the last state
	res     *model.Result
	here    map[model.ClaimID]*Stay
	kinds   kindsSeen
	found   map[string]*Found
	names   map[string]string
	makes   map[znode.Zxid]znode.SessionID // who made something with which transaction
	free    time.Time                      // since when nobody holds; zero: somebody does, or there is no recipe

	stretch  []seenState  // what was not decoded yet
	model    *model.Model // how the recipe stood when it was decoded last, and
	line     *znode.Node  // the znode there, and
	lookedAt time.Time    // when that was
	plain    bool         // what plain says of it
	work     int          // how many claims were decoded
}

// remember keeps who made something: it may be known for a claim only later.
func (f *follower) remember(cause *Cause) {
	if cause != nil && cause.Makes && cause.Session != 0 {
		f.makes[cause.Zxid] = cause.Session
	}
}

// watched is where a change can mean something for the recipe.
func (f *follower) watched() string {
	if f.crowded {
		return f.dir
	}
	return f.path
}

// state takes one state in.
func (f *follower) state(s *znode.Snapshot, cause *Cause) {
	n := s.At(f.watched())
	missed := !s.Gap.To.IsZero() && !s.Gap.To.Equal(f.gap.To)
	if f.gap = s.Gap; missed {
		cause = nil // what was done in it, nobody logged
	}
	if f.begun && n == f.seen && !missed {
		return
	}
	first := !f.begun
	if f.begun = true; first {
		f.out.Begin = s.TakenAt
	}
	at := Moment{At: s.TakenAt, Cause: cause}
	if missed && !first {
		f.flush()
		at.From = s.Gap.From
		f.out.Gaps = append(f.out.Gaps, Span{s.Gap.From, s.TakenAt})
		f.nobody(false, at.From)
	}
	f.out.States++
	if f.gathers(s, n, at) {
		return
	}
	f.flush()
	f.take(s, at, first)
}

// take decodes one state.
func (f *follower) take(s *znode.Snapshot, at Moment, first bool) {
	m := f.decode(s)
	if m == nil {
		f.unknown(s)
	}
	f.claims(s, m, at, first)
	f.seen = s.At(f.watched())
	f.looked(m, s.At(f.path), at)
}

// decode tells how the recipe stands. What stands beside it may be a thousand other recipes, which it does not decode once
// it has seen that they have no say in what this one is.
func (f *follower) decode(s *znode.Snapshot) *model.Model {
	if s.At(f.path) == nil {
		return nil
	}
	if f.alone {
		return f.below(s, only(s, f.dir, f.path), f.res)
	}
	m := f.below(s, s.At(f.dir), f.res)
	if m == nil || f.crowded {
		return m
	}
	all := f.res
	own := f.below(s, only(s, f.dir, f.path), nil)
	lined := m.Kind.Pool() && m.Dialect == layout.Kazoo // who waits for it stands beside it, if not yet
	if own != nil && own.Kind == m.Kind && len(own.Claims) == len(m.Claims) && !lined {
		f.alone = true
		return own
	}
	f.crowded, f.res = true, all
	return m
}

func (f *follower) below(s *znode.Snapshot, root *znode.Node, before *model.Result) *model.Model {
	narrow := *s
	narrow.Root, narrow.Base = root, f.dir
	f.res = inspect.Decode(&narrow, before, f.hints)
	return f.res.ByPath(f.path)
}

// only is the subtree at a directory with nothing in it but what lies at a path.
func only(s *znode.Snapshot, dir, path string) *znode.Node { return around(s, dir, path, s.At(path)) }

// around is only, with another znode at the path.
func around(s *znode.Snapshot, dir, path string, n *znode.Node) *znode.Node {
	for path != dir && path != "/" {
		path, _ = znode.Split(path)
		up := *s.At(path)
		up.Children, up.NumChildren = []*znode.Node{n}, 1
		n = &up
	}
	return n
}
