package zkserver_test

import (
	"flag"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

var update = flag.Bool("update", false, "rewrite testdata/conformance from a real ZooKeeper's answers")

// The id of the password "admin" for the super user, as the real servers of these tests are started with.
const superDigest = "super:xQJmxLMiHGwaqBvst5y6rkB6HQs="

// TestConformance runs the scripts in testdata/conformance. What they expect was answered by a real ZooKeeper 3.8 and
// is what both servers must answer.
func TestConformance(t *testing.T) {
	t.Run("embedded", func(t *testing.T) {
		t.Parallel()
		s := zkserver.New(zkserver.Options{
			MinTimeout: 3 * time.Second, MaxTimeout: 20 * time.Second, ReapInterval: 100 * time.Millisecond, SuperDigest: superDigest})
		defer s.Close()
		addr, err := s.Listen("127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		runFiles(t, addr.String(), false)
	})
	t.Run("real", func(t *testing.T) {
		t.Parallel()
		runFiles(t, peers.ZooKeeper(t, peers.Options{ExtraCfg: "minSessionTimeout=3000\nmaxSessionTimeout=20000"}).Addr, *update)
	})
}

func runFiles(t *testing.T, addr string, rewrite bool) {
	files, err := filepath.Glob("testdata/conformance/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	dial := func() (net.Conn, error) { return net.Dial("tcp", addr) }
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var all strings.Builder
		for _, part := range splitCases(string(text)) {
			name, _, _ := strings.Cut(part, "\n")
			got := ""
			t.Run(filepath.Base(file)+"/"+strings.TrimPrefix(name, "== "), func(t *testing.T) { got = runCase(t, dial, part) })
			all.WriteString(got)
			if got != part && !rewrite {
				t.Errorf("%s: %s\n%s", file, name, difference(part, got))
			}
		}
		if rewrite {
			if err := os.WriteFile(file, []byte(all.String()), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// splitCases cuts a file before each line that begins with "== ".
func splitCases(text string) (out []string) {
	for i, part := range strings.SplitAfter(text, "\n") {
		if i == 0 || strings.HasPrefix(part, "== ") {
			out = append(out, "")
		}
		out[len(out)-1] += part
	}
	return out
}

// runCase runs the commands of a case and returns it with the answers that it got.
func runCase(t *testing.T, dial func() (net.Conn, error), text string) string {
	control := &raw{name: "control", dial: dial}
	if _, _, err := control.connect(wire.ConnectRequest{Timeout: 9000, Passwd: make([]byte, 16), HasReadOnly: true}); err != nil {
		t.Fatal(err)
	}
	r, err := control.ask(wire.OpSync, encode(func(e *wire.Encoder) { e.String("/") }), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &script{t: t, dial: dial, base: r.Zxid, ids: map[int64]string{}}
	var out strings.Builder
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		switch {
		case strings.Contains(line, "> "):
			out.WriteString(line + "\n")
			for _, l := range s.run(line) {
				out.WriteString("  " + l + "\n")
			}
		case !strings.HasPrefix(line, "  "):
			out.WriteString(line + "\n")
		}
	}
	for _, c := range append(s.clients, control) {
		c.finish()
	}
	sweep(t, dial)
	return out.String()
}

// finish closes the client's session, also one whose connection was lost: it would expire in the middle of a later case.
func (c *raw) finish() {
	if c.nc == nil && c.id != 0 {
		_, _, _ = c.connect(wire.ConnectRequest{Timeout: 9000, SessionID: c.id, Passwd: c.passwd})
	}
	if c.nc != nil {
		_, _ = c.ask(wire.OpClose, nil, func(wire.Event) {})
		c.nc.Close()
	}
}

// sweep deletes what a case left behind.
func sweep(t *testing.T, dial func() (net.Conn, error)) {
	c := &raw{name: "sweep", dial: dial}
	if _, _, err := c.connect(wire.ConnectRequest{Timeout: 9000, Passwd: make([]byte, 16), HasReadOnly: true}); err != nil {
		t.Fatal(err)
	}
	ignore := func(wire.Event) {}
	_, _ = c.call(wire.XidAuth, wire.OpAuth, encode(func(e *wire.Encoder) {
		e.Int32(0)
		e.String("digest")
		e.Buffer([]byte("super:admin"))
	}), ignore)
	var remove func(path string)
	remove = func(path string) {
		r, err := c.ask(wire.OpGetChildren, encode(func(e *wire.Encoder) { e.String(path); e.Bool(false) }), ignore)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range r.body.Strings() {
			if child := strings.TrimSuffix(path, "/") + "/" + name; child != "/zookeeper" {
				remove(child)
			}
		}
		if path != "/" {
			_, _ = c.ask(wire.OpDelete, encode(func(e *wire.Encoder) { e.String(path); e.Int32(-1) }), ignore)
		}
	}
	remove("/")
	_, _ = c.ask(wire.OpClose, nil, ignore)
	c.nc.Close()
}

// difference shows the first lines that differ.
func difference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range w {
		if i >= len(g) || w[i] != g[i] {
			have := "(nothing)"
			if i < len(g) {
				have = g[i]
			}
			return strings.Join(w[max(0, i-3):i], "\n") + "\nwant " + w[i] + "\ngot  " + have
		}
	}
	return "got more: " + strings.Join(g[len(w):], "\n")
}
