package past

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/zkscope/zkscope/internal/txnlog"
)

// Cover is what the files of an ensemble's members cover: what is not covered cannot be found.
type Cover struct {
	Members []MemberCover
	All     txnlog.Coverage  // of all of them together, from where the story begins
	Dropped []txnlog.Dropped // what one of them logged and the ensemble never committed: it is left out
}

// MemberCover is what the files of one member cover.
type MemberCover struct {
	Name string
	txnlog.Coverage
	Ends    []txnlog.LogEnd // of its logs that did not end cleanly, or hold nothing
	Damaged []error         // its snapshots that cannot be read, each with its file

	dropped []txnlog.Dropped // of all members together
}

// Cover reads all logs once.
func (s *Story) Cover() (*Cover, error) {
	out := &Cover{}
	for _, m := range s.members {
		c, err := coverOf([]*txnlog.Member{m}, -1)
		if err != nil {
			return nil, err
		}
		c.Name = m.Name
		for _, f := range m.Snapshots {
			if err := s.damaged[f.Path]; err != nil {
				c.Damaged = append(c.Damaged, err)
			}
		}
		out.Members = append(out.Members, *c)
	}
	if len(s.members) == 1 && s.base.zxid == 0 {
		out.All = out.Members[0].Coverage
		out.All.Since(s.from())
		return out, nil
	}
	all, err := coverOf(s.members, s.base.zxid)
	if err == nil {
		out.All, out.Dropped = all.Coverage, all.dropped
		out.All.Since(s.from())
	}
	return out, err
}

func coverOf(members []*txnlog.Member, after int64) (*MemberCover, error) {
	in := txnlog.Merge(members, after)
	defer in.Close()
	out := &MemberCover{}
	for {
		r, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		out.Add(r)
	}
	out.dropped = in.Dropped()
	for _, s := range in.Streams() {
		for _, e := range s.Ends {
			if e.Err != nil || e.End == txnlog.Unclean || e.Blank {
				out.Ends = append(out.Ends, e)
			}
		}
	}
	return out, nil
}

// Lines says what is covered, a line for each thing to know.
func (c *Cover) Lines() (out []string) {
	for i := range c.Members {
		m := &c.Members[i]
		out = append(out, m.Name+": "+span(&m.Coverage))
		out = append(out, m.ends()...)
	}
	if len(c.Members) > 1 {
		out = append(out, "together: "+span(&c.All))
	}
	return append(out, c.lacks()...)
}

// Notes says what the files lack, a line for each thing to know: Lines without what they reach over.
func (c *Cover) Notes() (out []string) {
	for i := range c.Members {
		out = append(out, c.Members[i].ends()...)
	}
	return append(out, c.lacks()...)
}

func (m *MemberCover) ends() (out []string) {
	for _, e := range m.Ends {
		out = append(out, m.Name+": "+ending(e))
	}
	for _, err := range m.Damaged {
		out = append(out, m.Name+": "+err.Error()+"; that snapshot is left out")
	}
	return out
}

func (c *Cover) lacks() (out []string) {
	for i := 0; i < len(c.Dropped); {
		first, n := c.Dropped[i], int64(0)
		for ; i < len(c.Dropped) && c.Dropped[i].Member == first.Member && c.Dropped[i].Zxid == first.Zxid+n; i++ {
			n++
		}
		out = append(out, fmt.Sprintf("left out: %s from 0x%x on, in %s alone: the others went on without %s, so the ensemble never committed %s",
			transactions(n, "", ""), first.Zxid, first.File, it(n), it(n)))
	}
	for _, h := range c.All.Holes {
		out = append(out, fmt.Sprintf("nothing is known from 0x%x (%s) to 0x%x (%s): %s missing", h.After.Zxid, clock(h.After), h.Before.Zxid, clock(h.Before),
			transactions(h.Lost(), "is", "are")))
	}
	for _, b := range c.All.Back {
		out = append(out, fmt.Sprintf("the clock goes back by %s at 0x%x (%s)", time.Duration(b.From.Millis-b.To.Millis)*time.Millisecond, b.To.Zxid, clock(b.To)))
	}
	return out
}

// span is what a coverage reaches over.
func span(c *txnlog.Coverage) string {
	if c.Records == 0 {
		return "no transactions"
	}
	text := fmt.Sprintf("%s, 0x%x to 0x%x, %s to %s", transactions(c.Records, "", ""), c.First.Zxid, c.Last.Zxid, clock(c.First), clock(c.Last))
	if n := len(c.Epochs); n > 1 {
		text += fmt.Sprintf(", %d epochs", n)
	}
	if n := len(c.Holes); n > 0 {
		text += fmt.Sprintf(", with %d hole%s", n, plural(int64(n)))
	}
	if c.Repeats > 0 {
		text += fmt.Sprintf(", %d of them repeated", c.Repeats)
	}
	return text
}

func clock(p txnlog.Point) string { return p.Time().Format("2006-01-02T15:04:05.000Z") }

func transactions(n int64, one, many string) string {
	verb := many
	if n == 1 {
		verb = one
	}
	text := fmt.Sprintf("%d transaction%s", n, plural(n))
	if verb != "" {
		text += " " + verb
	}
	return text
}

func it(n int64) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

func plural(n int64) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// ending says how a log ended that has no clean end, or holds nothing.
func ending(e txnlog.LogEnd) string {
	switch {
	case e.Err != nil:
		return e.Err.Error() + "; what follows in that file is not read"
	case e.Blank && e.Size == 0:
		return e.File + " is empty (0 bytes)"
	case e.Blank && e.End == txnlog.Clean:
		return e.File + " holds no transaction"
	}
	return fmt.Sprintf("%s ends in the middle of a record, at offset %d", e.File, e.Offset)
}
