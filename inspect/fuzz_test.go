package inspect_test

import (
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/znode"
)

// contents are the data that fuzzed trees are made of.
var contents = []string{"", "10.0.0.1", "web-1", "10.0.0.1:80", "2", "0", "commit", "abort\n", "COMMIT", "unlock",
	"__REVOKE__", "ACQUIRED",
	"\x00\x01\x00\x01\x02", "\x00\x00\x00*", "\x00\x00\x00\x00\x00\x00\x00\x07", "\x124", "\x0c\"",
	"hostName = web\nprocessId = 1",
	"b'sem'", "web-1-4711", `{"holder":"h","end":"1970-01-01T02:00:00"}`,
	`{"serviceType":"DYNAMIC","address":"a","port":1}`,
	`{"serviceEndpoint":{"host":"a","port":1}}`, `{"simpleFields":{"OWNER":"a","TIMEOUT":"1"}}`,
	`{"Action":"x","HostName":"v"}`,
	"\xff\x00\x00\x00\x01xPBUF\n\x0e\n\x02m1\x10\x80}\x18\x80\xd0\x95\xff\xbc1", "\n\x03ns1\x12\x03nn1\x1a\x02h1 \xd4>",
	"\xac\xed\x00\x05w\x22\x00 akka.tcp://flink@10.0.0.1:6123/d", "bookieId: \"b:1\"", "q:1:IMPLICIT:x:10.0.0.1",
	"\x9b31m", "<unknown>"}

// fuzzed builds snapshots from a program of bytes: each step makes a znode in the directory where the program stands,
// or takes one away, or moves on.
type fuzzed struct {
	program []byte
	snap    *znode.Snapshot
	at      string
	czxid   znode.Zxid
}

func (f *fuzzed) next() int {
	if len(f.program) == 0 {
		return 0
	}
	b := f.program[0]
	f.program = f.program[1:]
	return int(b)
}

// run runs the program up to its end, or to a step that says that a picture is taken.
func (f *fuzzed) run() *znode.Snapshot {
	for len(f.program) > 0 {
		op := f.next()
		switch op % 8 {
		case 0:
			f.at, _ = znode.Split(f.at)
		case 1:
			path := znode.Join(f.at, f.name())
			f.snap = f.snap.WithDeleted(path)
		case 2:
			s := *f.snap
			s.TakenAt = s.TakenAt.Add(time.Duration(1+op/8) * time.Second)
			f.snap = &s
			return f.snap
		case 3:
			f.sessions(op)
		default:
			f.create(op)
		}
	}
	return f.snap
}

func (f *fuzzed) name() string {
	n := f.next()
	if n < len(script.Vocabulary) {
		return script.Vocabulary[n]
	}
	size := min(f.next()%24, len(f.program))
	name := string(f.program[:size])
	f.program = f.program[size:]
	return name
}

func (f *fuzzed) create(op int) {
	f.czxid++
	path := znode.Join(f.at, f.name())
	n := znode.Node{Czxid: f.czxid, Ctime: znode.Millis(f.czxid) * 1000, Owner: znode.SessionID(op / 8 % 4),
		Flags: znode.Flag(op/128) << (op / 32 % 4)}
	n.Data = []byte(contents[f.next()%len(contents)])
	n.HasCversion = op&32 == 0
	before := f.snap
	if f.snap = f.snap.WithCreated(path, n); f.snap == before {
		f.snap = f.snap.WithData(path, n.Data)
	}
	if op%8 > 5 && f.snap.At(path) != nil {
		f.at = path
	}
}

func (f *fuzzed) sessions(op int) {
	s := *f.snap
	yes, no := true, false
	s.Servers = []znode.Server{{Answered: op&8 == 0}}
	s.Sessions = map[znode.SessionID]znode.Session{1: {ID: 1, Addr: "10.0.0.1:1", Connected: &yes},
		2: {ID: 2, Connected: &no}}
	if op&16 == 0 {
		s.Watches = map[string][]znode.SessionID{f.at: {1, 2, 3}}
	}
	f.snap = &s
}

// FuzzDecodeTree decodes trees of everything that is known, picture after picture: it never panics, what it says is
// complete, and decoding step by step finds what decoding at once finds.
func FuzzDecodeTree(f *testing.F) {
	for i := range script.Vocabulary {
		f.Add([]byte{7, byte(i), 1, 12, byte(i + 1), 2, 2, 20, byte(i + 2), 3, 1, byte(i)})
	}
	f.Fuzz(func(t *testing.T, program []byte) {
		if len(program) > 200 {
			return
		}
		p := &fuzzed{program: program, at: "/", snap: &znode.Snapshot{Root: &znode.Node{}, Base: "/",
			TakenAt: time.Unix(1000, 0).UTC(), Complete: true}}
		var prev *model.Result
		for first := true; first || len(p.program) > 0; first = false {
			r := inspect.Decode(p.run(), prev, model.Hints{})
			checkResult(t, r)
			story.Diff(prev, r)
			prev = r
		}
	})
}
