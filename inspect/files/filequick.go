package files

import (
	"encoding/base64"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/zkscope/zkscope/inspect/znode"
)

// Quick takes lines apart that are written as a Recorder and WriteSnapshot write them, several times faster than
// encoding/json. Whatever is unusual in a line, it leaves the whole line to encoding/json, which alone judges what is
// right and how a fault is told.
type Quick struct {
	b   []byte
	i   int
	odd bool // this line is for encoding/json

	line FileLine
	put  znode.Znode
	held struct { // what the pointers of a line point to; overwritten by the next line
		at                                time.Time
		czxid                             znode.Zxid
		cversion, numChildren, dataLength int32
		data                              []byte
		path                              string
		sessions                          []sessionJSON
		ends                              []time.Time
	}
	stamp string // how the last time was written
	when  time.Time
}

// Read takes one line apart; nil where encoding/json has to. The result is good until the next call.
func (q *Quick) Read(raw []byte) *FileLine {
	q.b, q.i, q.odd = raw, 0, false
	q.line = FileLine{}
	var seen fieldSet
	for more := q.open('{'); more; more = q.more('}') {
		switch key := q.key(); string(key) {
		case "at":
			seen.once(q, 0)
			q.held.at = q.time()
			q.line.At = &q.held.at
		case "put":
			q.put = znode.Znode{}
			seen.once(q, 1)
			var inner fieldSet
			for m := q.open('{'); m; m = q.more('}') {
				q.znode(string(q.key()), &q.put, &inner)
			}
			q.line.Put = &q.put
		case "del":
			seen.once(q, 2)
			q.held.path = q.text()
			q.line.Del = &q.held.path
		case "sessions":
			seen.once(q, 3)
			q.line.Sessions = q.sessions()
		case "watches":
			seen.once(q, 4)
			q.line.Watches = q.watches()
		default:
			q.znode(string(key), &q.line.Znode, &seen)
		}
	}
	if q.odd || q.i != len(q.b) {
		return nil
	}
	return &q.line
}

// fieldSet tells which fields of an object were met: one that comes twice is for encoding/json.
type fieldSet uint32

func (s *fieldSet) once(q *Quick, field int) {
	if *s&(1<<field) != 0 {
		q.odd = true
	}
	*s |= 1 << field
}

// znode reads one field of a znode.
func (q *Quick) znode(key string, z *znode.Znode, seen *fieldSet) {
	switch key {
	case "path":
		seen.once(q, 8)
		z.Path = q.text()
	case "owner":
		seen.once(q, 9)
		z.Owner = q.text()
	case "czxid":
		seen.once(q, 10)
		q.held.czxid = znode.Zxid(q.number(63))
		z.Czxid = &q.held.czxid
	case "mzxid":
		seen.once(q, 11)
		z.Mzxid = znode.Zxid(q.number(63))
	case "pzxid":
		seen.once(q, 12)
		z.Pzxid = znode.Zxid(q.number(63))
	case "ctime":
		seen.once(q, 13)
		z.Ctime = znode.Millis(q.number(63))
	case "mtime":
		seen.once(q, 14)
		z.Mtime = znode.Millis(q.number(63))
	case "version":
		seen.once(q, 15)
		z.Version = int32(q.number(31))
	case "aversion":
		seen.once(q, 16)
		z.Aversion = int32(q.number(31))
	case "cversion":
		z.Cversion = q.count(seen, 17, &q.held.cversion)
	case "numChildren":
		z.NumChildren = q.count(seen, 18, &q.held.numChildren)
	case "dataLength":
		z.DataLength = q.count(seen, 19, &q.held.dataLength)
	case "data":
		seen.once(q, 20)
		z.Data = q.bytes()
	default:
		q.odd = true
	}
}

func (q *Quick) count(seen *fieldSet, field int, to *int32) *int32 {
	seen.once(q, field)
	*to = int32(q.number(31))
	return to
}

// sessions reads a list of sessions, which the next one that is read takes the place of.
func (q *Quick) sessions() *[]sessionJSON {
	was, ends, server := q.held.sessions, q.held.ends[:0], "" // most have the server of the one before
	out := slices.Grow(was[:0], 1)
	for more := q.open('['); more; more = q.more(']') {
		var j, before sessionJSON
		if len(out) < len(was) {
			before = was[len(out)]
		}
		var seen fieldSet
		for m := q.open('{'); m; m = q.more('}') {
			switch string(q.key()) {
			case "id":
				seen.once(q, 0)
				j.ID = q.again(before.ID)
			case "addr":
				seen.once(q, 1)
				j.Addr = q.again(before.Addr)
			case "timeoutMs":
				seen.once(q, 2)
				j.TimeoutMs = q.number(63)
			case "server":
				seen.once(q, 3)
				server = q.again(server)
				j.Server = server
			case "connected":
				seen.once(q, 4)
				j.Connected = q.truth()
			case "expiresAt":
				if seen.once(q, 5); q.null() {
					break
				}
				ends = append(ends, q.time())
				j.ExpiresAt = &ends[len(ends)-1]
			default:
				q.odd = true
			}
		}
		out = append(out, j)
	}
	q.held.sessions, q.held.ends = out, ends
	return &q.held.sessions
}

// watches reads who watches which paths.
func (q *Quick) watches() *map[string][]string {
	out := make(map[string][]string)
	for more := q.open('{'); more; more = q.more('}') {
		path := q.text()
		q.want(':')
		ids := []string{}
		for m := q.open('['); m; m = q.more(']') {
			ids = append(ids, q.text())
		}
		if _, twice := out[path]; twice {
			q.odd = true
		}
		out[path] = ids
	}
	return &out
}

// want steps over one byte.
func (q *Quick) want(c byte) bool {
	if q.odd || q.i >= len(q.b) || q.b[q.i] != c {
		q.odd = true
		return false
	}
	q.i++
	return true
}

// peek reports whether a byte is next, and steps over it.
func (q *Quick) peek(c byte) bool {
	if q.odd || q.i >= len(q.b) || q.b[q.i] != c {
		return false
	}
	q.i++
	return true
}

// open begins an object or a list, and reports whether there is something in it.
func (q *Quick) open(c byte) bool {
	return q.want(c) && !q.peek(c+2) // } stands two behind {, and ] two behind [
}

// more reports whether a list or object goes on after one of its parts.
func (q *Quick) more(end byte) bool {
	return !q.odd && !q.peek(end) && q.want(',')
}

// raw reads a string that is written without escapes.
func (q *Quick) raw() []byte {
	if !q.want('"') {
		return nil
	}
	ascii := true
	for i := q.i; i < len(q.b); i++ {
		switch c := q.b[i]; {
		case c == '"':
			s := q.b[q.i:i]
			q.i = i + 1
			q.odd = q.odd || !ascii && !utf8.Valid(s)
			return s
		case c == '\\' || c < ' ':
			q.odd = true
			return nil
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	q.odd = true
	return nil
}

func (q *Quick) text() string { return string(q.raw()) }

// again reads a string that most likely is one that was read before.
func (q *Quick) again(was string) string {
	if raw := q.raw(); string(raw) != was {
		return string(raw)
	}
	return was
}

// key reads the name of a field.
func (q *Quick) key() []byte {
	k := q.raw()
	q.want(':')
	return k
}

// number reads an integer of so many bits and a sign.
func (q *Quick) number(bits int) (n int64) {
	minus := q.peek('-')
	from := q.i
	for q.i < len(q.b) && q.b[q.i] >= '0' && q.b[q.i] <= '9' && q.i-from < 18 {
		n = n*10 + int64(q.b[q.i]-'0')
		q.i++
	}
	if q.i == from || q.b[from] == '0' && (q.i-from > 1 || minus) || uint64(n) >= 1<<bits {
		q.odd = true
	}
	if minus {
		n = -n
	}
	return n
}

func (q *Quick) word(w string) bool {
	if q.odd || len(q.b)-q.i < len(w) || string(q.b[q.i:q.i+len(w)]) != w {
		return false
	}
	q.i += len(w)
	return true
}

func (q *Quick) null() bool { return q.word("null") }

// yes and no are what sessions point to: nobody writes there.
var yes, no = true, false

// truth reads true, false or null.
func (q *Quick) truth() *bool {
	switch {
	case q.word("true"):
		return &yes
	case q.word("false"):
		return &no
	case !q.null():
		q.odd = true
	}
	return nil
}

// time reads a time.
func (q *Quick) time() time.Time {
	raw := q.raw()
	if q.stamp == "" || string(raw) != q.stamp {
		t, err := time.Parse(time.RFC3339Nano, string(raw))
		if err != nil || len(raw) < 20 || raw[10] != 'T' || raw[13] != ':' || raw[len(raw)-1] != 'Z' ||
			len(raw) > 20 && raw[19] != '.' {
			q.odd, q.stamp = true, ""
			return time.Time{}
		}
		q.stamp, q.when = string(raw), t
	}
	return q.when
}

// bytes reads a string of base64.
func (q *Quick) bytes() *[]byte {
	raw := q.raw()
	out := make([]byte, base64.StdEncoding.DecodedLen(len(raw)))
	n, err := base64.StdEncoding.Decode(out, raw)
	if err != nil {
		q.odd = true
	}
	q.held.data = out[:n]
	return &q.held.data
}
