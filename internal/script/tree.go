package script

import (
	"maps"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Tree builds snapshots from the lines of fixtures:
//
//	PATH key=value…      puts a znode; a path with spaces is quoted. Keys: owner, data (quoted, or nil), z
//	                     (czxid; default: counted up), age (of ctime), v, cv, p (pzxid), kids, flags (u d l s)
//	- PATH               deletes one
//	@now TIME|+DURATION  @partial WHY  @loading  @complete  @lost  @back (what changes at that moment was not seen)  @own SESSION
//	@server ADDR yes|no  @session ID addr= connected= expires= timeout=   @nosession ID   @nosessions
//	@watch PATH ID…      @nowatches      @hint GLOB kind= dialect= limit= standby=
type Tree struct {
	T     *testing.T
	Snap  *znode.Snapshot
	Hints model.Hints
	Czxid znode.Zxid
}

// New begins with an empty, complete tree.
func New(t *testing.T) *Tree {
	now := time.Date(2026, 11, 27, 22, 0, 0, 0, time.UTC)
	return &Tree{T: t, Snap: &znode.Snapshot{Root: &znode.Node{}, Base: "/", TakenAt: now, Complete: true}}
}

// Snapshot is the tree as it is now.
func (s *Tree) Snapshot() *znode.Snapshot { c := *s.Snap; return &c }

// Apply carries out the lines of a text.
func (s *Tree) Apply(text string) {
	s.T.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '@':
			s.directive(Fields(s.T, line[1:]))
		case strings.HasPrefix(line, "- "):
			f := Fields(s.T, line[2:])
			s.Snap = s.Snap.Without(f[0], znode.CountChildren)
		default:
			s.put(Fields(s.T, line))
		}
	}
}

// Fields splits a line at spaces outside quotes and unquotes its first field.
func Fields(t *testing.T, line string) []string {
	t.Helper()
	var out []string
	for line != "" {
		end, quoted := 0, false
		for end < len(line) && (quoted || line[end] != ' ') {
			if line[end] == '\\' && quoted {
				end++
			} else if line[end] == '"' {
				quoted = !quoted
			}
			end++
		}
		out = append(out, line[:end])
		line = strings.TrimLeft(line[end:], " ")
	}
	out[0] = Unquoted(t, out[0])
	return out
}

// Unquoted takes the quotes off a text that has some.
func Unquoted(t *testing.T, s string) string {
	t.Helper()
	if s == "" || s[0] != '"' {
		return s
	}
	u, err := strconv.Unquote(s)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return u
}

func (s *Tree) put(f []string) {
	s.T.Helper()
	s.Czxid++
	n := &znode.Node{Czxid: s.Czxid}
	_, n.Name = znode.Split(f[0])
	kids := int32(-1)
	for _, kv := range f[1:] {
		key, value, _ := strings.Cut(kv, "=")
		switch key {
		case "owner":
			n.Owner = SessionNamed(s.T, value)
		case "data":
			if value != "nil" {
				n.Data = []byte(Unquoted(s.T, value))
			}
		case "z":
			n.Czxid = znode.Zxid(s.number(value))
		case "age":
			n.Ctime = znode.Millis(s.Snap.TakenAt.Add(-s.duration(value)).UnixMilli())
		case "changed":
			n.Mtime = znode.Millis(s.Snap.TakenAt.Add(-s.duration(value)).UnixMilli())
		case "v":
			n.Version = int32(s.number(value))
		case "cv":
			n.Cversion, n.HasCversion = int32(s.number(value)), true
		case "p":
			n.Pzxid = znode.Zxid(s.number(value))
		case "kids":
			kids = int32(s.number(value))
		case "flags":
			for letter, flag := range map[string]znode.Flag{"u": znode.Unreadable, "d": znode.DataOmitted,
				"l": znode.NotListed, "s": znode.NoStat, "b": znode.OverBudget} {
				if strings.Contains(value, letter) {
					n.Flags |= flag
				}
			}
		default:
			s.T.Fatalf("unknown key %q", kv)
		}
	}
	n.DataLength = int32(len(n.Data))
	if old := s.Snap.At(f[0]); old != nil {
		n.NumChildren = int32(len(old.Children))
	}
	var e znode.Editor
	e.Begin(s.Snap.Base, s.Snap.Root)
	e.Put(f[0], n)
	next := *s.Snap
	next.Root = e.Tree()
	s.Snap = &next
	if kids >= 0 && f[0] != "/" {
		s.Snap = s.Snap.Edited(f[0], func(n *znode.Node) { n.NumChildren = kids })
	}
}

func (s *Tree) number(text string) int64 {
	s.T.Helper()
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		s.T.Fatal(err)
	}
	return v
}

func (s *Tree) duration(text string) time.Duration {
	s.T.Helper()
	d, err := time.ParseDuration(text)
	if err != nil {
		s.T.Fatal(err)
	}
	return d
}

func (s *Tree) directive(f []string) {
	s.T.Helper()
	c := *s.Snap
	s.Snap = &c
	switch f[0] {
	case "now":
		if d, ok := strings.CutPrefix(f[1], "+"); ok {
			c.TakenAt = c.TakenAt.Add(s.duration(d))
		} else if at, err := time.Parse(time.RFC3339, f[1]); err == nil {
			c.TakenAt = at
		}
	case "partial":
		c.Complete, c.Partial = false, []string{strings.Join(f[1:], " ")}
	case "loading":
		c.Complete = false
	case "complete":
		c.Complete, c.Partial = true, nil
	case "lost":
		c.LostSince = c.TakenAt
	case "back":
		c.Gap, c.LostSince = znode.Gap{From: c.LostSince, To: c.TakenAt}, time.Time{}
	case "own":
		s.Hints.Own = append(s.Hints.Own, SessionNamed(s.T, f[1]))
	case "server":
		c.Servers = append(c.Servers[:len(c.Servers):len(c.Servers)],
			znode.Server{Addr: f[1], Tier: "4lw", Answered: f[2] == "yes"})
	case "session", "nosession", "nosessions":
		s.session(f)
	case "watch":
		c.Watches = cloned(c.Watches)
		c.Watches[Unquoted(s.T, f[1])] = s.ids(f[2:])
	case "nowatches":
		c.Watches = map[string][]znode.SessionID{}
	case "hint":
		s.hint(f[1:])
	default:
		s.T.Fatalf("unknown directive %q", f)
	}
}

func cloned[K comparable, V any](m map[K]V) map[K]V {
	if m == nil {
		return make(map[K]V)
	}
	return maps.Clone(m)
}

func (s *Tree) ids(names []string) (out []znode.SessionID) {
	for _, n := range names {
		out = append(out, SessionNamed(s.T, n))
	}
	return out
}

func (s *Tree) session(f []string) {
	s.T.Helper()
	s.Snap.Sessions = cloned(s.Snap.Sessions)
	if f[0] == "nosessions" {
		return
	}
	id := SessionNamed(s.T, f[1])
	if f[0] == "nosession" {
		delete(s.Snap.Sessions, id)
		return
	}
	v := znode.Session{ID: id}
	for _, kv := range f[2:] {
		key, value, _ := strings.Cut(kv, "=")
		switch key {
		case "addr":
			v.Addr = value
		case "connected":
			yes := value == "yes"
			v.Connected = &yes
		case "expires":
			v.ExpiresAt = s.Snap.TakenAt.Add(s.duration(value))
		case "timeout":
			v.Timeout = s.duration(value)
		default:
			s.T.Fatalf("unknown key %q", kv)
		}
	}
	s.Snap.Sessions[id] = v
}

func (s *Tree) hint(f []string) {
	s.T.Helper()
	h := model.Hint{Path: f[0]}
	for _, kv := range f[1:] {
		key, value, _ := strings.Cut(kv, "=")
		switch key {
		case "kind":
			h.Kind = layout.Kind(value)
		case "dialect":
			h.Dialect = layout.Dialect(value)
		case "limit":
			h.Limit = int(s.number(value))
		case "needed":
			h.Needed = int(s.number(value))
		case "members":
			h.Members = strings.Split(value, ",")
		case "standby":
			h.Standby = int(s.number(value))
		default:
			s.T.Fatalf("unknown key %q", kv)
		}
	}
	s.Hints.Rules = append(s.Hints.Rules, h)
}
