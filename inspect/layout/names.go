package layout

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/zkscope/zkscope/inspect/sorted"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Guard says what stands before a recipe's word in the name of a child: how its creator finds its own
// node again.
type Guard uint8

const (
	NoGuard         Guard = 1 << iota // nothing: the name is the word and a number
	CuratorGuard                      // _c_, a dashed uuid and a dash
	GoGuard                           // _c_, 32 hexadecimal digits and a dash
	HexGuard                          // 32 hexadecimal digits
	TextGuard                         // any other text
	SessionGuard                      // a session id in signed decimal
	HexSessionGuard                   // a session id in 16 hexadecimal digits
	PriorityGuard                     // a priority, between the word and the number
)

// Name is the name of a child taken apart: guard, word, sequence number. ParseName makes one.
//
// A sequential znode's number is what the server appends with the format %010d of a signed counter, so
// it is ten digits, or a minus sign with nine or ten. Whether a dash is that sign or a separator is
// decided by the word before it.
type Name struct {
	Text    string // the whole name
	Guard   Guard
	GUID    string          // the guard's text, without marks and dashes
	Word    string          // the recipe's word with its separators, as in "lock-" or "__READ__"; empty: none known
	Session znode.SessionID // the session that the guard names; 0: none
	Seq     int32           // the number; 0 without one
	HasSeq  bool            // the name ends in a number

	seqAt     int  // where the number begins in Text
	Requeued  bool // an item of a queue that was put back under a name with its old number in it
	Ambiguous bool // the dash may be the number's sign, or stand before a number that no counter gives out
}

// SeqText returns the sequence number as it is spelled, sign included; empty when there is none.
func (n *Name) SeqText() string {
	if !n.HasSeq {
		return ""
	}
	if n.Requeued {
		return n.Text[n.seqAt : n.seqAt+10]
	}
	return n.Text[n.seqAt:]
}

// ParseName takes a child's name apart in one pass. It never fails: what is not understood stays in
// Text alone.
func ParseName(text string) Name {
	n := Name{Text: text, Guard: NoGuard}
	rest := n.cutGuard()
	n.cutSequence(rest)
	return n
}

const (
	uuidLen = 36
	HexLen  = 32
)

// cutGuard recognises the guards of fixed length and returns what follows them.
func (n *Name) cutGuard() (rest string) {
	if after, ok := strings.CutPrefix(n.Text, "_c_"); ok {
		switch {
		case len(after) > uuidLen && after[uuidLen] == '-' && IsUUID(after[:uuidLen]):
			n.Guard, n.GUID = CuratorGuard, after[:uuidLen]
			return after[uuidLen+1:]
		case len(after) > HexLen && after[HexLen] == '-' && isHex(after[:HexLen]):
			n.Guard, n.GUID = GoGuard, after[:HexLen]
			return after[HexLen+1:]
		}
	}
	if len(n.Text) >= HexLen && isHex(n.Text[:HexLen]) {
		n.Guard, n.GUID = HexGuard, n.Text[:HexLen]
		return n.Text[HexLen:]
	}
	return n.Text
}

// cutSequence splits the number from the end of rest. A number can have two readings; the one whose
// stem ends in a known word wins, and a stem with two dashes is zktools' before it is a minus sign.
func (n *Name) cutSequence(rest string) {
	plus, minus := readings(rest)
	switch {
	case plus.ok && n.Guard == HexGuard && strings.HasSuffix(plus.stem, "--") && n.cutWord(plus.stem):
		n.take(rest, plus)
	case minus.ok && n.cutWord(minus.stem):
		n.take(rest, minus)
	case plus.ok && n.cutWord(plus.stem):
		n.take(rest, plus)
	case plus.long && n.cutRequeued(rest, plus.stem):
	case plus.long: // longer than any number that a server appends
	case minus.ok && (!plus.ok || strings.HasSuffix(plus.stem, "--")):
		n.Ambiguous = !plus.ok && n.cutWord(minus.stem+"-")
		n.take(rest, minus)
	case plus.ok:
		n.take(rest, plus)
	}
}

// cutRequeued recognises an item that its queue put back, once or more often: each time the server appended another
// number to the whole name. The first one is the item's.
func (n *Name) cutRequeued(rest, stem string) bool {
	for {
		r, _ := readings(stem)
		if !r.ok {
			return false
		}
		if n.cutWord(r.stem) && n.ofQueue() {
			n.take(rest, r)
			n.Requeued = true
			return true
		}
		n.Word = ""
		if !r.long {
			return false
		}
		stem = r.stem
	}
}

// ofQueue reports whether a name's word is one of a queue's items.
func (n *Name) ofQueue() bool {
	for _, l := range shapes[n.Word] {
		if IsMarker(l) {
			return true
		}
	}
	return false
}

func (n *Name) take(rest string, r reading) {
	n.Seq, n.HasSeq = r.value, true
	n.seqAt = len(n.Text) - len(rest) + len(r.stem)
}

// reading is one way to split a name into a stem and a number.
type reading struct {
	stem  string
	value int32
	ok    bool
	long  bool // another digit stands before the ten
}

// readings returns the two ways in which a name can end in a sequence number: without a sign, and with
// the dash before the digits taken as one.
func readings(s string) (plus, minus reading) {
	digits := 0
	for digits < 10 && digits < len(s) && IsDigit(s[len(s)-1-digits]) {
		digits++
	}
	at := len(s) - digits
	dash := at > 0 && s[at-1] == '-'
	switch {
	case digits == 10:
		v, _ := strconv.ParseInt(s[at:], 10, 64)
		plus = reading{s[:at], int32(v), v <= math.MaxInt32, at > 0 && IsDigit(s[at-1])}
		if dash && (s[at] == '1' || s[at] == '2') && v <= -math.MinInt32 {
			minus = reading{s[:at-1], int32(-v), true, false}
		}
	case digits == 9 && dash:
		v, _ := strconv.ParseInt(s[at:], 10, 64)
		minus = reading{s[:at-1], int32(-v), v != 0, false}
	}
	return plus, minus
}

// cutWord finds a known word at the end of a stem and what guards it. It reports false, and changes
// nothing, when the stem ends in none.
func (n *Name) cutWord(stem string) bool {
	if n.cutInnerWord(stem) {
		return true
	}
	for _, at := range [2]int{wordStart(stem, false), wordStart(stem, true)} {
		word, left := stem[at:], stem[:at]
		rows, known := shapes[word]
		if !known || word == "" {
			continue
		}
		if guard, guid, session, ok := n.guardOf(word, left); ok && fits(rows, guard) {
			n.Word, n.Guard, n.GUID, n.Session = word, guard, guid, session
			return true
		}
	}
	return false
}

// wordStart returns where the last word of a stem begins: up to two closing separators, the letters
// before them, and the two underscores before those when two underscores close. With joined, single
// underscores between letters belong to the word.
func wordStart(stem string, joined bool) int {
	end := len(stem)
	for end > 0 && len(stem)-end < 2 && (stem[end-1] == '-' || stem[end-1] == '_') {
		end--
	}
	at := end
	for at > 0 && (isLetter(stem[at-1]) || joined && stem[at-1] == '_') {
		at--
	}
	if at >= 2 && stem[end:] == "__" && stem[at-2:at] == "__" {
		at -= 2
	}
	return at
}

// guardOf decides what the text between a fixed guard and the word is.
func (n *Name) guardOf(word, left string) (g Guard, guid string, s znode.SessionID, ok bool) {
	switch {
	case n.Guard == CuratorGuard || n.Guard == GoGuard:
		return n.Guard, n.GUID, 0, left == ""
	case n.Guard == HexGuard && (left == "" || left == "-"):
		return HexGuard, n.GUID, 0, true
	case left == "" && n.Guard != HexGuard:
		return NoGuard, "", 0, true
	case strings.HasPrefix(word, "__"):
		return TextGuard, n.Text[:len(n.GUID)] + left, 0, true
	case !strings.HasSuffix(left, "-") || strings.HasSuffix(word, "--"):
		return 0, "", 0, false
	}
	if n.Guard == HexGuard {
		left = n.GUID + left
	}
	left = left[:len(left)-1]
	if session, rest, ok := leadingSession(left); ok && word == "n_" {
		return SessionGuard, rest, session, true
	}
	return TextGuard, left, 0, true
}

// leadingSession reads "<session in decimal>-<rest>": how Solr names its candidates. Fewer than ten
// digits are no session id: those carry a server's start time in their high bytes.
func leadingSession(left string) (s znode.SessionID, rest string, ok bool) {
	i := 0
	if strings.HasPrefix(left, "-") {
		i = 1
	}
	end := strings.IndexByte(left[i:], '-')
	if end < 10 {
		return 0, "", false
	}
	v, err := strconv.ParseInt(left[:i+end], 10, 64)
	return znode.SessionID(v), left[i+end+1:], err == nil
}

// inner is a form whose guard stands between the word and the number, or a word that wordStart does not find.
type inner struct {
	word       string
	begin, end string
	mark       string // empty: the name is begin and a number
}

// inners lists them by the first byte: x-<session>- of ZooKeeper's own lock recipes, zlock#<id>#, entry-<priority>- and
// others.
var inners = indexInners()

func indexInners() (index [256][]inner) {
	for i := range layouts {
		l := &layouts[i]
		f := formOf(l.Form)
		in := inner{l.Word, f.begin, f.end, f.mark}
		switch plain := l.Guard&NoGuard != 0 && l.Word != ""; {
		case f.mark != "" && f.begin != "" && f.begin != "_c_":
		case plain && wordStart(l.Word, false) != 0 && wordStart(l.Word, true) != 0:
			in = inner{word: l.Word, begin: l.Word}
		default:
			continue
		}
		if at := &index[in.begin[0]]; !slices.Contains(*at, in) {
			*at = append(*at, in)
		}
	}
	for i := range index { // 16 digits may be a session in hexadecimal, and are no priority
		sorted.By(index[i], func(a, b inner) int { return cmp.Compare(rank(b), rank(a)) })
	}
	return index
}

func rank(in inner) int {
	if in.mark == "<16 hex>" {
		return 1
	}
	return 0
}

// cutInnerWord recognises the names whose word comes first and whose guard stands between it and the number.
func (n *Name) cutInnerWord(stem string) bool {
	if n.Guard != NoGuard || stem == "" {
		return false
	}
	for i := range inners[stem[0]] {
		in := &inners[stem[0]][i]
		id, ok := strings.CutPrefix(stem, in.begin)
		if !ok {
			continue
		}
		if id, ok = strings.CutSuffix(id, in.end); ok && n.takeInner(in, id) {
			return true
		}
	}
	return false
}

// takeInner takes what stands between for what its mark says, if it can be that.
func (n *Name) takeInner(in *inner, id string) bool {
	guard := TextGuard
	var session znode.SessionID
	switch in.mark {
	case "":
		if id != "" {
			return false
		}
		guard = NoGuard
	case "<session>":
		v, err := strconv.ParseInt(id, 10, 64)
		if err != nil || id[0] == '+' {
			return false
		}
		guard, session = SessionGuard, znode.SessionID(v)
	case "<16 hex>":
		u, err := strconv.ParseUint(id, 16, 64)
		if err != nil || len(id) != 16 || !isHex(id) {
			return false
		}
		guard, session = HexSessionGuard, znode.SessionID(u)
	case "<2 digits>", "<3 digits>":
		guard = PriorityGuard
		if len(id) > 3 || !IsDigits(id) {
			return false
		}
	case "<0 or 1><8 hex>":
		guard = PriorityGuard
		if len(id) != 9 || id[0] != '0' && id[0] != '1' || !IsUpperHex(id[1:]) {
			return false
		}
	default:
		if id == "" {
			return false
		}
	}
	n.Guard, n.GUID, n.Session, n.Word = guard, id, session, in.word
	return true
}

// Priority returns the priority in a name: lower ones are served first. ok is false when it has none.
func (n *Name) Priority() (v int64, ok bool) {
	if n.Guard != PriorityGuard {
		return 0, false
	}
	if n.Word == "queue-P" {
		u, err := strconv.ParseUint(n.GUID[1:], 16, 32)
		return int64(int32(uint32(u))), err == nil
	}
	v, err := strconv.ParseInt(n.GUID, 10, 64)
	return v, err == nil
}

// SequenceText spells a sequence number as a server appends it to a name: ten characters with the sign,
// eleven for the largest negative ones.
func SequenceText(seq int32) string { return fmt.Sprintf("%010d", seq) }

// NextSequence returns the number that the next sequential child will get. It follows from cversion,
// which counts creations and deletions in 32 bits: past 2^30 creations a counter that wrapped looks the
// same as one that did not, and certain is false unless a child proves it. known is false when the
// cversion was not read.
func NextSequence(n *znode.Node) (next int64, certain, known bool) {
	if !n.HasCversion {
		return 0, false, false
	}
	sum := uint32(n.Cversion) + uint32(n.NumChildren)
	next = int64(sum >> 1)
	certain = sum < 1<<31
	for i := len(n.Children) - 1; i >= 0 && !certain; i-- {
		name := ParseName(n.Children[i].Name)
		certain = name.HasSeq && int64(name.Seq) < next && int64(name.Seq) > next-1<<20
	}
	return next, certain, true
}
