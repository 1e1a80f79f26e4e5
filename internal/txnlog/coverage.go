package txnlog

import "time"

// Point is a place in the history of an ensemble.
type Point struct {
	Zxid   int64
	Millis int64
}

// Time returns the moment, in UTC.
func (p Point) Time() time.Time { return time.UnixMilli(p.Millis).UTC() }

// Hole is a stretch of an epoch of which nothing was found: from behind one point to before another.
type Hole struct{ After, Before Point }

// Lost returns how many transactions are missing.
func (h Hole) Lost() int64 { return h.Before.Zxid - h.After.Zxid - 1 }

// Epoch is the reign of one leader, as far as it was seen.
type Epoch struct {
	Number      int64
	First, Last Point
}

// Step is where the clock of what was written went back.
type Step struct{ From, To Point }

// Coverage is what the records that were read tell of: what is not covered cannot be found.
type Coverage struct {
	Records     int64
	First, Last Point
	Epochs      []Epoch
	Holes       []Hole
	Back        []Step // steps of a clock; between epochs two clocks meet
	Repeats     int64  // zxids that repeat or fall, which servers only warn of

	since *Point
}

// Since says behind what the records begin: what lies between that and the first of them is a hole, too. It may be called
// before the first record is added, or after.
func (c *Coverage) Since(p Point) {
	c.since = &p
	if c.Records > 0 {
		c.Holes = append(between(p, c.First), c.Holes...)
	}
}

// between is the hole between a point and the record that follows it; none where nothing is missing. How much the reign of
// an earlier leader had left is not known.
func between(p, next Point) []Hole {
	if epoch := next.Zxid >> 32; epoch != p.Zxid>>32 {
		p.Zxid = epoch << 32
	}
	if next.Zxid > p.Zxid+1 {
		return []Hole{{p, next}}
	}
	return nil
}

// Lost is how many transactions are missing between a point and the record that follows it.
func Lost(p, next Point) (n int64) {
	for _, h := range between(p, next) {
		n += h.Lost()
	}
	return n
}

// Add takes a record in, in its order.
func (c *Coverage) Add(r *Record) {
	p := Point{r.Zxid, r.Millis}
	c.Records++
	if c.Records == 1 {
		c.First = p
		if c.since != nil {
			c.Holes = between(*c.since, p)
		}
		c.begin(p)
		c.Last = p
		return
	}
	e := &c.Epochs[len(c.Epochs)-1]
	switch epoch := r.Epoch(); {
	case r.Zxid <= c.Last.Zxid:
		c.Repeats++
		return
	case epoch != e.Number:
		c.Holes = append(c.Holes, between(c.Last, p)...)
		c.begin(p)
	default:
		c.Holes = append(c.Holes, between(c.Last, p)...)
	}
	if p.Millis < c.Last.Millis {
		c.Back = append(c.Back, Step{c.Last, p})
	}
	c.Epochs[len(c.Epochs)-1].Last = p
	c.Last = p
}

func (c *Coverage) begin(p Point) {
	c.Epochs = append(c.Epochs, Epoch{Number: p.Zxid >> 32, First: p, Last: p})
}
