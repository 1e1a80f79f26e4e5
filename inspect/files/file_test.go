package files_test

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/script"

	"pgregory.net/rapid"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/inspect/znode"
)

func TestReadSnapshot(t *testing.T) {
	rec := script.ReadText(t, `{"zkscope":1,"kind":"snapshot","takenAt":"2026-11-27T22:00:00Z","root":"/","complete":true,`+
		`"servers":[{"addr":"127.0.0.1:2181","mode":"leader","tier":"admin","answered":true}],`+
		`"sessions":[{"id":"0x10000a1b2c30001","addr":"10.0.0.5:4711","timeoutMs":30000,"server":"127.0.0.1:2181","connected":true,"expiresAt":null}],`+
		`"watches":{"/l/x-lock-0000000001":["0x10000a1b2c30002"]},"unheard":"of"}
{"path":"/l/x-lock-0000000001","owner":"0x10000a1b2c30001","czxid":40,"mzxid":41,"pzxid":42,"ctime":1795817382876,"mtime":1795817382877,"version":3,"cversion":0,"aversion":4,"numChildren":0,"dataLength":8,"data":"MTAuMC4wLjc=","more":1}
{"path":"/l","text":"hand-written"}
{"path":"/l/b","owner":"0x0"}
{"path":"/k","owner":"0x8000000000000000"}
{"path":"/ttl","owner":"0xff00000000001388"}

`)
	s := rec.First()
	if rec.Len() != 1 || rec.Last() != s || len(rec.Warnings()) != 0 {
		t.Errorf("%d states, %q", rec.Len(), rec.Warnings())
	}
	want := &znode.Node{Name: "x-lock-0000000001", Data: []byte("10.0.0.7"), Owner: 0x10000a1b2c30001,
		Czxid: 40, Mzxid: 41, Pzxid: 42,
		Ctime: 1795817382876, Mtime: 1795817382877, Version: 3, Aversion: 4, DataLength: 8, HasCversion: true}
	if got := s.At("/l/x-lock-0000000001"); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if l := s.At("/l"); string(l.Data) != "hand-written" || l.DataLength != 12 || l.NumChildren != 2 ||
		l.Czxid != 3 || l.HasCversion {
		t.Errorf("defaults: %+v", l)
	}
	if s.Root.NumChildren != 3 || s.Root.Name != "" || s.Root.Czxid != 0 {
		t.Errorf("implied root: %+v", s.Root)
	}
	for _, path := range []string{"/l/b", "/k", "/ttl"} {
		if n := s.At(path); n.Ephemeral() {
			t.Errorf("%s is said to have session %s", path, n.Owner)
		}
	}
	yes := true
	if got := s.Sessions[0x10000a1b2c30001]; !reflect.DeepEqual(got,
		znode.Session{ID: 0x10000a1b2c30001, Addr: "10.0.0.5:4711",
			Timeout: 30 * time.Second, Server: "127.0.0.1:2181", Connected: &yes}) {
		t.Errorf("%+v", got)
	}
	if got := s.Watches["/l/x-lock-0000000001"]; len(got) != 1 || got[0] != 0x10000a1b2c30002 {
		t.Errorf("watches %v", got)
	}
}

func TestReadUnknownIsNotEmpty(t *testing.T) {
	s := script.ReadText(t, script.FileHead).First()
	if s.Servers != nil || s.Sessions != nil || s.Watches != nil {
		t.Error("absent is not unknown")
	}
	s = script.ReadText(t, `{"zkscope":1,"takenAt":"2026-11-27T22:00:00Z","servers":[],"sessions":[],"watches":{}}`+
		"\n").First()
	if s.Servers == nil || s.Sessions == nil || s.Watches == nil {
		t.Error("empty is unknown")
	}
}

func TestReadDamaged(t *testing.T) {
	for text, want := range map[string]string{
		"":                     "file:1: the file is empty: a snapshot begins with a header line",
		"\n\n":                 "file:2: the file is empty: a snapshot begins with a header line",
		"{\n":                  "file:1: damaged header: unexpected end of JSON input",
		`{"zkscope":2}` + "\n": `file:1: this is not a snapshot or recording that this version reads: the first line has no "zkscope":1`,
		`{"zkscope":1,"takenAt":"2026-11-27T22:00:00Z","root":"app"}` + "\n": `file:1: root "app" is not an absolute path`,
		`{"zkscope":1,"takenAt":"2026-11-27T22:00:00Z","root":"/a/"}` + "\n": `file:1: root "/a/" is not an absolute path`,
		script.FileHead + "{\"path\":\n{\"path\":\"/a\"}\n":                  "file:2: damaged line: unexpected end of JSON input",
		`{"zkscope":1}` + "\n": `file:1: the first line says no time: "takenAt" is missing`,
		`{"zkscope":1,"kind":"dump","takenAt":"2026-11-27T22:00:00Z"}` +
			"\n": `file:1: a file of kind "dump" is none that this version reads: it reads snapshots and recordings`,
		`{"zkscope":1,"kind":"snapshot","takenAt":"2026-11-27T22:00:00Z"}` + "\n" +
			`{"at":"2026-11-27T22:00:01Z","del":"/x"}` +
			"\n": `file:2: a change stands in a snapshot: in the first line, write "kind":"recording"`,
		script.FileHead + `{"path":"/a//b"}` +
			"\n": `file:2: "/a//b" is not a path of a znode: a name in it is empty, . or ..`,
		script.FileHead + `{"path":"/a/../b"}` +
			"\n": `file:2: "/a/../b" is not a path of a znode: a name in it is empty, . or ..`,
		script.FileHead + `{"at":"2026-11-27T22:00:01Z","del":"/a/."}` +
			"\n": `file:2: "/a/." is not a path of a znode: a name in it is empty, . or ..`,
		script.FileHead + `{"path":"/a"}` + "\n" + `{"path":"/a"}` +
			"\n": `file:3: "/a" is given twice`,
		script.FileHead + `{"path":"a"}` +
			"\n": `file:2: "a" is not an absolute path`,
		script.FileHead + `{"czxid":1}` +
			"\n": `file:2: "" is not an absolute path`,
		script.FileHead + `{"path":"/a","owner":"x"}` +
			"\n": `file:2: owner "x" is not a session id`,
		script.FileHead + `{"path":"/a","data":"MQ==","text":"1"}` +
			"\n": `file:2: both data and text are given`,
		script.FileHead + `{"path":"/a","data":"%"}` +
			"\n": `file:2: damaged line: illegal base64 data at input byte 0`,
		script.FileHead + `{"path":"/a\u001b[2J","owner":"x"}` +
			"\n": `file:2: owner "x" is not a session id`,
		script.FileHead + `{"path":"\u001b[2J"}` +
			"\n": `file:2: "\x1b[2J" is not an absolute path`,
		`{"zkscope":1,"takenAt":"2026-11-27T22:00:00Z","root":"/app"}` + "\n" + `{"path":"/b"}` +
			"\n": `file:2: "/b" does not lie below the root "/app"`,
		script.FileHead + `{"at":"2026-11-27T22:00:01Z","del":"x"}` +
			"\n": `file:2: "x" is not an absolute path`,
		script.FileHead + `{"at":"2026-11-27T22:00:01Z","put":{"path":"x"}}` +
			"\n": `file:2: "x" is not an absolute path`,
		script.FileHead + `{"at":"2026-11-27T22:00:01Z","sessions":[{"id":"?"}]}` +
			"\n": `file:2: "?" is not a session id`,
		script.FileHead + `{"at":"2026-11-27T22:00:01Z","watches":{"/a":["?"]}}` +
			"\n": `file:2: "?" is not a session id`,
		script.FileHead + `{"at":"2026-11-27T22:00:01Z","put":{"path":"/x"}}` + "\n" + `{"path":"/y"}` +
			"\n": `file:3: a znode without a time follows a change`,
	} {
		if _, err := files.ReadFile(strings.NewReader(text), "file"); err == nil || err.Error() != want {
			t.Errorf("%q:\n%v, want\n%s", text, err, want)
		}
	}
}

// Control characters that stand in a line as they are, which JSON forbids, are read like escaped ones.
func TestReadControls(t *testing.T) {
	rec := script.ReadText(t, script.FileHead+
		"{\"path\":\"/a\x1b[2J\x01\",\"text\":\"\t\"}\n{\"at\":\"2026-11-27T22:00:01Z\",\"put\":{\"path\":\"/b\x02\"}}\n")
	if n := rec.First().At("/a\x1b[2J\x01"); n == nil || string(n.Data) != "\t" || rec.Last().At("/b\x02") == nil {
		t.Errorf("%+v", rec.Last().Root)
	}
}

func TestReadTruncated(t *testing.T) {
	rec := script.ReadText(t, script.FileHead+`{"path":"/a"}`+"\n"+`{"path":"/b","te`)
	if len(rec.Warnings()) != 1 || rec.Warnings()[0] != "file:3: the last line is cut off and was left out" {
		t.Errorf("%q", rec.Warnings())
	}
	if s := rec.First(); s.At("/a") == nil || s.At("/b") != nil {
		t.Error("not what stands before the cut")
	}
	rec = script.ReadText(t, script.FileHead+`{"path":"/a"}`) // complete but for the newline
	if len(rec.Warnings()) != 0 || rec.First().At("/a") == nil {
		t.Errorf("%q", rec.Warnings())
	}
}

func TestReadRecording(t *testing.T) {
	rec := script.ReadText(t, script.FileHead+`{"path":"/l","version":7}
{"path":"/l/a-lock-0000000001","owner":"0x1"}
{"at":"2026-11-27T22:00:01.250Z","put":{"path":"/l/b-lock-0000000002","owner":"0x2"}}
{"at":"2026-11-27T22:00:02Z","del":"/l/a-lock-0000000001"}
{"at":"2026-11-27T22:00:03Z","sessions":[{"id":"0x2","connected":true}]}
{"at":"2026-11-27T22:00:04Z","watches":{"/l":["0x2"]}}
{"at":"2026-11-27T22:00:05Z","gap":"disconnected"}
{"at":"2026-11-27T22:00:06Z","put":{"path":"/new/deep/x","text":"y"}}
{"at":"2026-11-27T22:00:07Z","put":{"path":"/l","text":"z","version":8}}
{"at":"2026-11-27T22:00:08Z","del":"/nothing"}
{"at":"2026-11-27T22:00:09Z","later":"something new"}
`)
	if rec.Len() != 10 { // a change that is not known changes nothing
		t.Fatalf("%d states", rec.Len())
	}
	kids := func(i int) (out []string) {
		for _, c := range rec.At(i).At("/l").Children {
			out = append(out, c.Name)
		}
		return out
	}
	if fmt.Sprint(kids(0), kids(1),
		kids(2)) != "[a-lock-0000000001] [a-lock-0000000001 b-lock-0000000002] [b-lock-0000000002]" {
		t.Error(kids(0), kids(1), kids(2))
	}
	if s := rec.At(4); s.Sessions[2].ID != 2 || len(s.Watches["/l"]) != 1 || !s.LostSince.IsZero() {
		t.Errorf("%+v", s)
	}
	if s := rec.At(5); !s.LostSince.Equal(rec.TimeOf(5)) || !rec.At(6).LostSince.IsZero() {
		t.Error("gap")
	}
	if n := rec.At(6).At("/new/deep/x"); n == nil || string(n.Data) != "y" {
		t.Errorf("%+v", n)
	}
	if n := rec.At(7).At("/l"); n.Version != 8 || len(n.Children) != 1 || n.NumChildren != 1 {
		t.Errorf("a put of a parent: %+v", n)
	}
	if got := rec.TimeOf(1); !got.Equal(rec.At(1).TakenAt) || got.Nanosecond() != 250e6 {
		t.Error(got)
	}
	if rec.At(-1) == nil || rec.At(99).TakenAt != rec.Last().TakenAt {
		t.Error("an index outside")
	}
	if rec.First().At("/l").Version != 7 {
		t.Error("the first state was changed")
	}
}

// Every state of a recording is the same however it is reached.
func TestRecordingSeek(t *testing.T) {
	var b strings.Builder
	b.WriteString(script.FileHead)
	for i := range 2000 {
		fmt.Fprintf(&b, `{"at":"2026-11-27T22:%02d:%02dZ","put":{"path":"/n%d","text":"%d"}}`+"\n",
			i/60%60, i%60, i%97, i)
	}
	rec := script.ReadText(t, b.String())
	rapid.Check(t, func(t *rapid.T) {
		i := rapid.IntRange(1, 2000).Draw(t, "state")
		s := rec.At(i)
		for j := i; j > max(0, i-97); j-- {
			if n := s.At(fmt.Sprintf("/n%d", (j-1)%97)); n == nil || string(n.Data) != fmt.Sprint(j-1) {
				t.Fatalf("state %d: %+v after step %d", i, n, j)
			}
		}
	})
}

func TestSnapshotRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := script.AnySnapshot(t)
		var buf bytes.Buffer
		if err := files.WriteSnapshot(&buf, want); err != nil {
			t.Fatal(err)
		}
		first := buf.String()
		if strings.ContainsAny(first, "\x1b\u200b\x7f") {
			t.Fatalf("raw characters in the file: %q", first)
		}
		rec, err := files.ReadFile(&buf, "x")
		if err != nil {
			t.Fatal(err)
		}
		want.Root = script.Acceptable(want.Root)
		if got := rec.First(); !reflect.DeepEqual(got, want) {
			t.Fatalf("read back differently:\n%s\n%+v\n%+v", first, got, want)
		}
	})
}

// Whatever happens to a tree, its recording ends where the tree ended.
func TestRecorderRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := script.StartOfRun(t)
		var buf bytes.Buffer
		rec, err := files.NewRecorder(&buf, s)
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(0, 5).Draw(t, "steps") {
			s = script.Mutate(t, s)
			if rapid.IntRange(0, 3).Draw(t, "news") == 0 {
				yes := rapid.Bool().Draw(t, "connected")
				s.Sessions = map[znode.SessionID]znode.Session{1: {ID: 1, Connected: &yes}}
				s.Watches = map[string][]znode.SessionID{"/a": {1}}
			}
			if err := rec.Add(s); err != nil {
				t.Fatal(err)
			}
		}
		text := buf.String()
		back, err := files.ReadFile(&buf, "x")
		if err != nil {
			t.Fatal(err)
		}
		got := *back.Last()
		got.TakenAt = s.TakenAt
		want := *s
		want.Root = script.Acceptable(s.Root)
		if !reflect.DeepEqual(&got, &want) {
			t.Fatalf("recorded\n%s\nends in %s, want %s", text,
				script.ResultText(inspect.Decode(&got, nil, model.Hints{})),
				script.ResultText(inspect.Decode(s, nil, model.Hints{})))
		}
	})
}

func TestRecorderSaysNothingOfNothing(t *testing.T) {
	s := script.BigTree(2, 2)
	var buf bytes.Buffer
	rec, err := files.NewRecorder(&buf, s)
	if err != nil {
		t.Fatal(err)
	}
	n := buf.Len()
	if err := rec.Add(s); err != nil || buf.Len() != n {
		t.Error(err, buf.String()[n:])
	}
	lost := *s
	lost.LostSince = s.TakenAt
	if err := rec.Add(&lost); err != nil || !strings.HasSuffix(buf.String(), `"gap":"disconnected"}`+"\n") {
		t.Error(err, buf.String()[n:])
	}
}

func FuzzReadFile(f *testing.F) {
	f.Add([]byte(script.FileHead + `{"path":"/a/b","owner":"0x1","data":"MQ=="}` + "\n" +
		`{"at":"2026-11-27T22:00:01Z","put":{"path":"/x"}}` + "\n"))
	f.Add([]byte(script.FileHead + `{"at":"2026-11-27T22:00:01Z","del":"/"}` + "\n"))
	f.Add([]byte(script.FileHead + `{"path":"//"}` + "\n" + `{"at":"2026-11-27T22:00:01Z","put":{"path":"///"}}` +
		"\n" + `{"at":"2026-11-27T22:00:01Z","del":"//"}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		rec, err := files.ReadFile(bytes.NewReader(data), "f")
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Errorf("unsafe error %q", err)
			}
			return
		}
		var prev *model.Result
		for i := range min(rec.Len(), 20) {
			next := inspect.Decode(rec.At(i), prev, model.Hints{})
			story.Diff(prev, next)
			prev = next
		}
		if err := files.WriteSnapshot(&bytes.Buffer{}, rec.Last()); err != nil {
			t.Error(err)
		}
	})
}

// What is implied in a file is unknown in the snapshot, and stays so when that is written and read again.
func TestRewrittenFileInventsNothing(t *testing.T) {
	rec := script.ReadText(t, script.FileHead+`{"path":"/a/b","owner":"0x1","czxid":7}`+"\n"+`{"path":"/a/c"}`+"\n")
	var buf bytes.Buffer
	if err := files.WriteSnapshot(&buf, rec.First()); err != nil {
		t.Fatal(err)
	}
	again := script.ReadText(t, buf.String()).First()
	for path, want := range map[string]znode.Zxid{"/": 0, "/a": 0, "/a/b": 7, "/a/c": 3} {
		if n := again.At(path); n == nil || n.Czxid != want || n.HasCversion {
			t.Errorf("%s: %+v, want czxid %d", path, n, want)
		}
	}
}

// A change at a path that no server accepts is damage, and no crash: what stands before it can be shown.
func TestAChangeAtNoPath(t *testing.T) {
	for _, path := range []string{"///", "//a", "/a//b", "/a/", "/./a", "/a/.."} {
		text := script.FileHead + `{"path":"/x"}` + "\n" + `{"at":"2026-11-27T22:00:01Z","put":{"path":"` + path +
			`"}}` + "\n"
		if _, err := files.ReadFile(strings.NewReader(text), "test"); err == nil ||
			!strings.HasPrefix(err.Error(), "test:3: ") {
			t.Errorf("%s: %v", path, err)
		}
		rec, err := files.OpenFile(strings.NewReader(text), "test")
		if err != nil {
			t.Fatal(err)
		}
		if s := rec.At(1); s.Complete || s.At("/x") == nil || rec.Err() == nil {
			t.Errorf("%s: %+v, %v", path, s, rec.Err())
		}
	}
}

// Time that goes back is told, and does not go back in what is shown.
func TestTimeThatGoesBack(t *testing.T) {
	rec := script.ReadText(t, script.FileHead+`{"at":"2026-11-27T22:00:05Z","put":{"path":"/a"}}
{"at":"2026-11-27T22:00:02Z","put":{"path":"/b"}}
{"at":"2026-11-27T22:00:06Z","put":{"path":"/c"}}
`)
	if len(rec.Warnings()) != 1 ||
		rec.Warnings()[0] != "file:3: the time goes back, from 2026-11-27T22:00:05Z to 2026-11-27T22:00:02Z: it is taken for the former" {
		t.Errorf("%q", rec.Warnings())
	}
	if a, b := rec.TimeOf(1), rec.At(2).TakenAt; !a.Equal(b) || !rec.TimeOf(2).Equal(a) || rec.IndexAt(a) != 2 ||
		rec.IndexAt(a.Add(time.Second)) != 3 {
		t.Errorf("%v %v", a, b)
	}
}
