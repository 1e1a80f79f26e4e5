package txnlog

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
)

// Found is a record and where it stands.
type Found struct {
	Point
	Session int64
	Cxid    int32
	Kind    Kind
	File    string
	Offset  int64
}

// Comparison is how the logs of two members of an ensemble compare. Both were written by the same leaders: where each has
// a transaction, it is the same.
type Comparison struct {
	Same        int64  // transactions that both have
	First, Last *Point // of those; nil: there are none
	A, B        *Found // where they part: what each has first that differs; one of them is nil where it lacks what the other has
	OnlyA       int64  // transactions that only the one has, from there on
	OnlyB       int64
	Behind      bool // they do not part: one goes on where the other has ended, and A or B is where

	// MissingA and MissingB are transactions that the other has, and that are missing in the files of one although it must
	// have known of them: its logs have a hole there, or it took them in with a snapshot.
	MissingA, MissingB int64
}

// Diverged reports whether one of them holds a transaction that the other went past without it, or holds otherwise.
func (c *Comparison) Diverged() bool { return (c.A != nil || c.B != nil) && !c.Behind }

// Compare reads the logs of two members side by side, in the order of their zxids.
func Compare(a, b *Member) (*Comparison, error) {
	x, y := &side{s: a.Stream(math.MinInt64)}, &side{s: b.Stream(math.MinInt64)}
	defer x.s.Close()
	defer y.s.Close()
	out := &Comparison{Behind: true}
	for {
		if err := errors.Join(x.fill(), y.fill()); err != nil {
			return nil, err
		}
		switch {
		case !x.have && !y.have:
			return out, nil
		case !y.have || x.have && x.rec.Zxid < y.rec.Zxid:
			out.only(x, &out.A, &out.OnlyA, &out.MissingB, y)
		case !x.have || y.rec.Zxid < x.rec.Zxid:
			out.only(y, &out.B, &out.OnlyB, &out.MissingA, x)
		default:
			out.both(x, y)
		}
	}
}

// side is one member's logs while they are compared.
type side struct {
	s       *Stream
	rec     Record
	have    bool
	last    int64 // the highest zxid so far
	started bool
}

// fill reads on where nothing is at hand; what repeats is passed over.
func (s *side) fill() error {
	for !s.have {
		err := s.s.Next(&s.rec)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if s.have = !s.started || s.rec.Zxid > s.last; s.have {
			s.last, s.started = s.rec.Zxid, true
		}
	}
	return nil
}

// tookIn reports whether a snapshot holds a transaction that is not in the logs before the record at hand.
func (s *side) tookIn(zxid int64) bool {
	return slices.ContainsFunc(s.s.m.Snapshots, func(f File) bool { return f.Zxid >= zxid && f.Zxid < s.rec.Zxid })
}

func (s *side) found() *Found {
	r := &s.rec
	return &Found{Point{r.Zxid, r.Millis}, r.Session, r.Cxid, r.Kind, s.s.File(), r.Offset}
}

// only takes in a record that the other member lacks. Where the other goes on under a later leader, it never had it, unless
// it took a snapshot in between.
func (c *Comparison) only(s *side, first **Found, count, missing *int64, other *side) {
	if c.Same == 0 && other.have {
		s.have = false // the other's logs begin later
		return
	}
	if other.have && (other.rec.Epoch() == s.rec.Epoch() || other.tookIn(s.rec.Zxid)) {
		*missing++
		s.have = false
		return
	}
	if c.A == nil && c.B == nil {
		*first, c.Behind = s.found(), !other.have
	}
	*count++
	s.have = false
}

func (c *Comparison) both(x, y *side) {
	if !equal(&x.rec, &y.rec) {
		if c.A == nil && c.B == nil {
			c.A, c.B, c.Behind = x.found(), y.found(), false
		}
		c.OnlyA, c.OnlyB = c.OnlyA+1, c.OnlyB+1
	} else {
		p := Point{x.rec.Zxid, x.rec.Millis}
		if c.Same++; c.First == nil {
			c.First = &p
		}
		c.Last = &p
	}
	x.have, y.have = false, false
}

// equal reports whether two records say the same.
func equal(a, b *Record) bool {
	return a.Session == b.Session && a.Cxid == b.Cxid && a.Millis == b.Millis && a.Kind == b.Kind && a.Err == b.Err &&
		slices.EqualFunc(a.Ops, b.Ops, func(x, y Op) bool {
			return x.Kind == y.Kind && x.Ephemeral == y.Ephemeral && x.Version == y.Version && x.Cversion == y.Cversion && x.TTL == y.TTL && x.Timeout == y.Timeout &&
				bytes.Equal(x.Path, y.Path) && bytes.Equal(x.Data, y.Data) && bytes.Equal(x.acls, y.acls)
		})
}
