package zkserver_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
)

// script runs the commands of one case and writes down what the server answers. Zxids are shown relative to the start of
// the case, session ids by the name of their client, times by their order only.
type script struct {
	t       *testing.T
	dial    func() (net.Conn, error)
	clients []*raw
	base    int64
	ids     map[int64]string
	out     []string
}

// run executes "NAME> command" and returns the lines that it produced. Commands joined by " && " are settled together.
func (s *script) run(line string) []string {
	s.out = nil
	name, cmd, ok := strings.Cut(line, "> ")
	if !ok {
		s.t.Fatalf("no command: %q", line)
	}
	time.Sleep(2 * time.Millisecond) // so that the times of two writes differ
	for _, one := range strings.Split(cmd, " && ") {
		s.execute(s.client(name), fields(one))
	}
	s.settle()
	return s.out
}

func (s *script) client(name string) *raw {
	for _, c := range s.clients {
		if c.name == name {
			return c
		}
	}
	c := &raw{name: name, dial: s.dial}
	s.clients = append(s.clients, c)
	return c
}

// settle waits until every client has everything that the last command caused: a ping's reply comes after it.
func (s *script) settle() {
	for _, c := range s.clients {
		if c.nc == nil {
			continue
		}
		if _, err := c.call(wire.XidPing, wire.OpPing, nil, s.onEvent(c)); err != nil {
			s.lost(c, err)
		}
	}
}

func (s *script) lost(c *raw, err error) {
	if !errors.Is(err, errClosed) {
		s.t.Fatalf("client %s: %v", c.name, err)
	}
	c.nc.Close()
	c.nc = nil
	s.say("%s closed", c.name)
}

func (s *script) say(format string, args ...any) { s.out = append(s.out, fmt.Sprintf(format, args...)) }

func (s *script) onEvent(c *raw) func(wire.Event) {
	names := map[wire.EventType]string{1: "created", 2: "deleted", 3: "changed", 4: "children"}
	return func(e wire.Event) { s.say("%s event %s %s", c.name, names[e.Type], e.Path) }
}

// fields splits a command at spaces; double quotes hold a field together and are removed by text.
func fields(cmd string) []string {
	var out []string
	quoted := false
	for _, part := range strings.SplitAfter(cmd, " ") {
		if n := len(out); quoted {
			out[n-1] += part
		} else {
			out = append(out, part)
		}
		if strings.Count(strings.ReplaceAll(part, `\"`, ""), `"`)%2 == 1 {
			quoted = !quoted
		}
	}
	for i := range out {
		out[i] = strings.TrimSuffix(out[i], " ")
	}
	return slices.DeleteFunc(out, func(f string) bool { return f == "" })
}

func (s *script) text(f string) string {
	if !strings.HasPrefix(f, `"`) {
		return f
	}
	v, err := strconv.Unquote(f)
	if err != nil {
		s.t.Fatalf("%s: %v", f, err)
	}
	return v
}

func (s *script) data(f string) []byte {
	if f == "null" {
		return nil
	}
	return []byte(s.text(f))
}

func (s *script) int(f string) int64 {
	n, err := strconv.ParseInt(strings.TrimPrefix(f, "z"), 0, 64)
	if err != nil {
		s.t.Fatal(err)
	}
	if strings.HasPrefix(f, "z") {
		n += s.base
	}
	return n
}

// opt takes "key=value" out of args.
func opt(args *[]string, key, def string) string {
	for i, a := range *args {
		if v, ok := strings.CutPrefix(a, key+"="); ok {
			*args = slices.Delete(slices.Clone(*args), i, i+1)
			return v
		}
	}
	return def
}

func (s *script) acl(text string) (out []wire.ACL) {
	if text == "" {
		return nil
	}
	for _, part := range strings.Split(text, ",") {
		f := strings.SplitN(part, ":", 3)
		var perms int32
		for i, letter := range "rwcda" {
			if strings.ContainsRune(f[0], letter) {
				perms |= 1 << i
			}
		}
		out = append(out, wire.ACL{Perms: perms, Scheme: f[1], ID: f[2]})
	}
	return out
}

func showACL(list []wire.ACL) string {
	var out []string
	for _, a := range list {
		perms := ""
		for i, letter := range "rwcda" {
			if a.Perms&(1<<i) != 0 {
				perms += string(letter)
			}
		}
		out = append(out, perms+":"+a.Scheme+":"+a.ID)
	}
	return strings.Join(out, ",")
}

func (s *script) zxid(z int64) string {
	if z <= 0 {
		return fmt.Sprint(z)
	}
	if z < s.base {
		return "old"
	}
	return fmt.Sprintf("z%d", z-s.base)
}

func (s *script) stat(d *wire.Decoder) string {
	var st wire.Stat
	st.Decode(d)
	owner := "-"
	if st.EphemeralOwner != 0 {
		if owner = s.ids[st.EphemeralOwner]; owner == "" {
			owner = fmt.Sprintf("%#x", uint64(st.EphemeralOwner))
		}
	}
	times := "mt=ct"
	switch now := time.Now().UnixMilli(); {
	case st.Ctime == 0:
		times = "ct=0"
	case st.Mtime > st.Ctime:
		times = "mt>ct"
	case st.Ctime > now+1000 || st.Ctime < now-60000 || st.Mtime < st.Ctime:
		times = "bad"
	}
	return fmt.Sprintf("{c=%s m=%s p=%s %s v=%d cv=%d av=%d own=%s len=%d kids=%d}", s.zxid(st.Czxid), s.zxid(st.Mzxid),
		s.zxid(st.Pzxid), times, st.Version, st.Cversion, st.Aversion, owner, st.DataLength, st.NumChildren)
}

func showData(b []byte) string {
	if b == nil {
		return "null"
	}
	return strconv.Quote(string(b))
}

// showPath quotes what could not be read in a file.
func showPath(p string) string {
	if q := strconv.QuoteToASCII(p); q != `"`+p+`"` {
		return q
	}
	return p
}

func showList(list []string) string {
	slices.Sort(list)
	for i, p := range list {
		list[i] = showPath(p)
	}
	return "[" + strings.Join(list, " ") + "]"
}

func unhex(t *testing.T, f string) []byte {
	b, err := hex.DecodeString(f)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
