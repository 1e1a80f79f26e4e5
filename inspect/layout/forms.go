package layout

import (
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A form spells a name in full: text, one mark for what differs from name to name, and <seq> at the end where the
// server appends a number. These are the marks:
//
//	<uuid>, <32 hex>                                        an id that whoever made the znode finds it by
//	<session>, <16 hex>                                     its session, in signed decimal or in hexadecimal
//	<id>                                                    any text
//	<2 digits>, <3 digits>, <0 or 1><8 hex>                 an item's priority
//	<hex milliseconds>                                      when an item is due, since the epoch
type form struct {
	begin, mark, end string
	numbered         bool
}

const seqMark = "<seq>"

func formOf(text string) (f form) {
	text, f.numbered = strings.CutSuffix(text, seqMark)
	from, to := strings.IndexByte(text, '<'), strings.LastIndexByte(text, '>')
	if from < 0 {
		f.begin = text
		return f
	}
	f.begin, f.mark, f.end = text[:from], text[from:to+1], text[to+1:]
	return f
}

// Numbered reports whether a server appends a number to the names of the row.
func (l *Layout) Numbered() bool { return strings.HasSuffix(l.Form, seqMark) }

// NameOf spells a new claim of a row that is written: the whole name, or what stands before its number. The id is its
// maker's alone.
func (l *Layout) NameOf(id [16]byte) string {
	f := formOf(l.Form)
	switch f.mark {
	case "<uuid>":
		return f.begin + Dashed(id) + f.end
	case "<32 hex>":
		return f.begin + hex.EncodeToString(id[:]) + f.end
	}
	return f.begin
}

// Dashed spells an id as a uuid is.
func Dashed(id [16]byte) string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

// keyForm is how a mark spells an item's priority, or the moment when it is due.
type keyForm struct {
	low, high int64
	spell     func(key int64) string
	width     int // of a text that is read; 0: any
	base      int
}

var keyForms = map[string]keyForm{
	"<2 digits>":         {0, 99, func(key int64) string { return fmt.Sprintf("%02d", key) }, 2, 10},
	"<3 digits>":         {0, 999, func(key int64) string { return fmt.Sprintf("%03d", key) }, 3, 10},
	"<0 or 1><8 hex>":    {math.MinInt32, math.MaxInt32, signAndBits, 9, 16},
	"<hex milliseconds>": {0, math.MaxInt64, func(key int64) string { return fmt.Sprintf("%08X", key) }, 0, 16},
}

// signAndBits is 1 or, for negative ones, 0, and the 32 bits in hexadecimal: texts are in the order of numbers then.
func signAndBits(key int64) string {
	if key < 0 {
		return fmt.Sprintf("0%08X", uint32(key))
	}
	return fmt.Sprintf("1%08X", uint32(key))
}

// ItemOf spells what stands before the number of a new item of a row that is written, with its priority or, in
// milliseconds since the epoch, when it is due; 0 where the row has neither. A key that cannot be spelled is an error.
func (l *Layout) ItemOf(key int64) (string, error) {
	f := formOf(l.Form)
	k, keyed := keyForms[f.mark]
	switch {
	case !keyed:
		return f.begin, nil
	case key < k.low || key > k.high:
		return "", fmt.Errorf("priority %d is not between %d and %d, which this dialect can write", key, k.low, k.high)
	}
	return f.begin + k.spell(key) + f.end, nil
}

// KeyOf reads an item's priority, or the milliseconds since the epoch when it is due, as the row spells it; 0 where it
// has neither. ok is false of what is no item of the row.
func (l *Layout) KeyOf(n *Name) (key int64, ok bool) {
	k, keyed := keyForms[formOf(l.Form).mark]
	switch {
	case !l.spells(n):
		return 0, false
	case !keyed:
		return 0, true
	case k.width != 0 && len(n.GUID) != k.width:
		return 0, false
	case n.Guard == PriorityGuard:
		return n.Priority()
	}
	key, err := strconv.ParseInt(n.GUID, k.base, 64)
	return key, err == nil
}

// spells reports whether a name is spelled as those of the row, whatever its data and place.
func (l *Layout) spells(n *Name) bool { return n.HasSeq && n.Word == l.Word && l.Guard&n.Guard != 0 }

// Spells reports whether a child's name is one of the row's, as far as names tell.
func (l *Layout) Spells(name string) bool {
	if l.Open {
		return true
	}
	if l.Numbered() {
		n := ParseName(name)
		return l.spells(&n)
	}
	f := formOf(l.Form)
	id, ok := strings.CutPrefix(name, f.begin)
	if !ok || len(id) < len(f.end) || id[len(id)-len(f.end):] != f.end {
		return false
	}
	id = id[:len(id)-len(f.end)]
	return f.mark == "<uuid>" && IsUUID(id) || f.mark == "<32 hex>" && IsBareHex(id)
}

// WrittenAs returns the row by which clients of ours write claims or items of a kind in a dialect, which is not to be
// modified; nil: they do not. A dialect whose readers have a word of their own and whose writers have none spells those
// as its locks, and one without a plain queue puts items into its queue by priority.
func WrittenAs(k Kind, m Mode, d Dialect) *Layout {
	row, instead := writtenAs(k, m, d), k.row().instead
	if row == nil && instead != "" && (!k.Modes() || m == Write && writtenAs(k, Read, d) != nil) {
		row = writtenAs(instead, Exclusive, d)
	}
	return row
}

// AlsoWriters reports whether a row that is written spells writers of its dialect's locks with readers, too.
func (l *Layout) AlsoWriters() bool {
	return slices.ContainsFunc(kindsModes, func(k Kind) bool { return l.Kind != k && WrittenAs(k, Write, l.Dialect) == l })
}

// writtenAs returns the row of which the kind is said itself, or else one that is spelled exactly so.
func writtenAs(k Kind, m Mode, d Dialect) (row *Layout) {
	for _, table := range [][]Layout{layouts, idLayouts} {
		for i := range table {
			switch l := &table[i]; {
			case !l.Written || l.Dialect != d || l.Mode != m && (l.Mode != "" || m != Exclusive):
			case l.Kind == k:
				return l
			case l.Also == k && row == nil:
				row = l
			}
		}
	}
	return row
}

// ItemsOf returns the rows of the items that clients of a dialect take from queues of a kind, which are not to be
// modified; none where ours do not write them.
func ItemsOf(k Kind, d Dialect) (rows []*Layout) {
	written := WrittenAs(k, Exclusive, d)
	if written == nil {
		return nil
	}
	for i := range layouts {
		if l := &layouts[i]; l.Dialect == d && l.Kind == written.Kind {
			rows = append(rows, l)
		}
	}
	return rows
}

// WrittenDialects returns the dialects in which clients of ours write claims or items of a kind, in alphabetical order;
// of no kind, those in which they write any.
func WrittenDialects(k Kind) (out []Dialect) {
	mode := Exclusive
	if k.Modes() {
		mode = Read
	}
	for _, l := range Layouts() {
		if l.Written && (k == "" || WrittenAs(k, mode, l.Dialect) != nil) {
			out = append(out, l.Dialect)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
