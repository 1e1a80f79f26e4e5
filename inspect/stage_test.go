package inspect_test

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

// stage builds snapshots from the lines of fixtures:
//
//	PATH key=value…      puts a znode; a path with spaces is quoted. Keys: owner, data (quoted, or nil), z
//	                     (czxid; default: counted up), age (of ctime), v, cv, p (pzxid), kids, flags (u d l s)
//	- PATH               deletes one
//	@now TIME|+DURATION  @partial WHY  @loading  @complete  @lost  @back (what changes at that moment was not seen)  @own SESSION
//	@server ADDR yes|no  @session ID addr= connected= expires= timeout=   @nosession ID   @nosessions
//	@watch PATH ID…      @nowatches      @hint GLOB kind= dialect= limit= standby=
type stage struct {
	t     *testing.T
	snap  *znode.Snapshot
	hints model.Hints
	czxid znode.Zxid
}

func newStage(t *testing.T) *stage {
	now := time.Date(2026, 11, 27, 22, 0, 0, 0, time.UTC)
	return &stage{t: t, snap: &znode.Snapshot{Root: &znode.Node{}, Base: "/", TakenAt: now, Complete: true}}
}

func (s *stage) snapshot() *znode.Snapshot { c := *s.snap; return &c }

func (s *stage) apply(text string) {
	s.t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '@':
			s.directive(fields(s.t, line[1:]))
		case strings.HasPrefix(line, "- "):
			f := fields(s.t, line[2:])
			s.snap = s.snap.Without(f[0], znode.CountChildren)
		default:
			s.put(fields(s.t, line))
		}
	}
}

// fields splits a line at spaces outside quotes and unquotes its first field.
func fields(t *testing.T, line string) []string {
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
	out[0] = unquoted(t, out[0])
	return out
}

func unquoted(t *testing.T, s string) string {
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

func (s *stage) put(f []string) {
	s.t.Helper()
	s.czxid++
	n := &znode.Node{Czxid: s.czxid}
	_, n.Name = znode.Split(f[0])
	kids := int32(-1)
	for _, kv := range f[1:] {
		key, value, _ := strings.Cut(kv, "=")
		switch key {
		case "owner":
			n.Owner = sessionNamed(s.t, value)
		case "data":
			if value != "nil" {
				n.Data = []byte(unquoted(s.t, value))
			}
		case "z":
			n.Czxid = znode.Zxid(s.number(value))
		case "age":
			n.Ctime = znode.Millis(s.snap.TakenAt.Add(-s.duration(value)).UnixMilli())
		case "changed":
			n.Mtime = znode.Millis(s.snap.TakenAt.Add(-s.duration(value)).UnixMilli())
		case "v":
			n.Version = int32(s.number(value))
		case "cv":
			n.Cversion, n.HasCversion = int32(s.number(value)), true
		case "p":
			n.Pzxid = znode.Zxid(s.number(value))
		case "kids":
			kids = int32(s.number(value))
		case "flags":
			for letter, flag := range map[string]znode.Flag{"u": znode.Unreadable, "d": znode.DataOmitted, "l": znode.NotListed, "s": znode.NoStat, "b": znode.OverBudget} {
				if strings.Contains(value, letter) {
					n.Flags |= flag
				}
			}
		default:
			s.t.Fatalf("unknown key %q", kv)
		}
	}
	n.DataLength = int32(len(n.Data))
	if old := s.snap.At(f[0]); old != nil {
		n.NumChildren = int32(len(old.Children))
	}
	var e znode.Editor
	e.Begin(s.snap.Base, s.snap.Root)
	e.Put(f[0], n)
	next := *s.snap
	next.Root = e.Tree()
	s.snap = &next
	if kids >= 0 && f[0] != "/" {
		s.snap = s.snap.Edited(f[0], func(n *znode.Node) { n.NumChildren = kids })
	}
}

func (s *stage) number(text string) int64 {
	s.t.Helper()
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		s.t.Fatal(err)
	}
	return v
}

func (s *stage) duration(text string) time.Duration {
	s.t.Helper()
	d, err := time.ParseDuration(text)
	if err != nil {
		s.t.Fatal(err)
	}
	return d
}

func (s *stage) directive(f []string) {
	s.t.Helper()
	c := *s.snap
	s.snap = &c
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
		s.hints.Own = append(s.hints.Own, sessionNamed(s.t, f[1]))
	case "server":
		c.Servers = append(c.Servers[:len(c.Servers):len(c.Servers)], znode.Server{Addr: f[1], Tier: "4lw", Answered: f[2] == "yes"})
	case "session", "nosession", "nosessions":
		s.session(f)
	case "watch":
		c.Watches = cloned(c.Watches)
		c.Watches[unquoted(s.t, f[1])] = s.ids(f[2:])
	case "nowatches":
		c.Watches = map[string][]znode.SessionID{}
	case "hint":
		s.hint(f[1:])
	default:
		s.t.Fatalf("unknown directive %q", f)
	}
}

func cloned[K comparable, V any](m map[K]V) map[K]V {
	if m == nil {
		return make(map[K]V)
	}
	return maps.Clone(m)
}

func (s *stage) ids(names []string) (out []znode.SessionID) {
	for _, n := range names {
		out = append(out, sessionNamed(s.t, n))
	}
	return out
}

func (s *stage) session(f []string) {
	s.t.Helper()
	s.snap.Sessions = cloned(s.snap.Sessions)
	if f[0] == "nosessions" {
		return
	}
	id := sessionNamed(s.t, f[1])
	if f[0] == "nosession" {
		delete(s.snap.Sessions, id)
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
			v.ExpiresAt = s.snap.TakenAt.Add(s.duration(value))
		case "timeout":
			v.Timeout = s.duration(value)
		default:
			s.t.Fatalf("unknown key %q", kv)
		}
	}
	s.snap.Sessions[id] = v
}

func (s *stage) hint(f []string) {
	s.t.Helper()
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
			s.t.Fatalf("unknown key %q", kv)
		}
	}
	s.hints.Rules = append(s.hints.Rules, h)
}
