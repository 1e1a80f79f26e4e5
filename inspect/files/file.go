package files

import (
	"bufio"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/sorted"
	"github.com/zkscope/zkscope/inspect/znode"
)

// header is the first line of a file.
type header struct {
	Zkscope   int                  `json:"zkscope"`
	Kind      string               `json:"kind"`
	TakenAt   time.Time            `json:"takenAt"`
	Root      string               `json:"root"`
	RootBytes []byte               `json:"rootBytes,omitempty"`
	Complete  bool                 `json:"complete"`
	Partial   []string             `json:"partial,omitempty"`
	LostSince *time.Time           `json:"lostSince,omitempty"`
	Servers   *[]serverJSON        `json:"servers,omitempty"`
	Sessions  *[]sessionJSON       `json:"sessions,omitempty"`
	Watches   *map[string][]string `json:"watches,omitempty"`

	SessionsPartial bool `json:"sessionsPartial,omitempty"`
	WatchesPartial  bool `json:"watchesPartial,omitempty"`

	// AskedAt is written where the servers were asked before the tree was taken: what they did not list refutes no wait
	// that may be younger.
	AskedAt *time.Time `json:"askedAt,omitempty"`
}

type serverJSON struct {
	Addr     string `json:"addr"`
	Mode     string `json:"mode"`
	Tier     string `json:"tier"`
	Answered bool   `json:"answered"`
}

type sessionJSON struct {
	ID        string     `json:"id"`
	Addr      string     `json:"addr"`
	TimeoutMs int64      `json:"timeoutMs"`
	Server    string     `json:"server"`
	Connected *bool      `json:"connected"`
	ExpiresAt *time.Time `json:"expiresAt"`
}

// WriteSnapshot writes a snapshot as a file of kind snapshot: JSON lines, the header first, then the
// znodes, parents before children. ReadFile reads back an equal snapshot, but for znodes of names that no server
// accepts: these, and what lies below them, are left out.
func WriteSnapshot(w io.Writer, s *znode.Snapshot) error {
	buf := bufio.NewWriter(w)
	if err := writeLine(buf, headerOf(s, "snapshot")); err != nil {
		return err
	}
	if err := writeTree(buf, s.Base, s.Root); err != nil {
		return err
	}
	return buf.Flush()
}

func writeTree(w *bufio.Writer, path string, n *znode.Node) error {
	if err := writeLine(w, znode.ZnodeOf(path, n)); err != nil {
		return err
	}
	for _, c := range n.Children {
		if !Nameable(c.Name) {
			continue
		}
		if err := writeTree(w, znode.Join(path, c.Name), c); err != nil {
			return err
		}
	}
	return nil
}

func writeLine(w *bufio.Writer, v any) error {
	b, err := say.MarshalSafe(v)
	if err != nil {
		return err
	}
	w.Write(b)
	return w.WriteByte('\n') // a bufio.Writer keeps its first error
}

func headerOf(s *znode.Snapshot, kind string) header {
	h := header{Zkscope: 1, Kind: kind, TakenAt: s.TakenAt.UTC(), Root: say.Valid(s.Base),
		RootBytes: say.InvalidBytes(s.Base),
		Complete:  s.Complete, Partial: s.Partial, SessionsPartial: s.SessionsPartial, WatchesPartial: s.WatchesPartial}
	if !s.LostSince.IsZero() {
		lost := s.LostSince.UTC()
		h.LostSince = &lost
	}
	if !s.AskedAt.IsZero() && s.AskedAt.Before(s.TakenAt) {
		asked := s.AskedAt.UTC()
		h.AskedAt = &asked
	}
	if s.Servers != nil {
		list := make([]serverJSON, len(s.Servers))
		for i, sv := range s.Servers {
			list[i] = serverJSON(sv)
		}
		h.Servers = &list
	}
	if s.Sessions != nil {
		list := sessionsJSON(s.Sessions)
		h.Sessions = &list
	}
	if s.Watches != nil {
		m := watchesJSON(s.Watches)
		h.Watches = &m
	}
	return h
}

func watchesJSON(watches map[string][]znode.SessionID) map[string][]string {
	m := make(map[string][]string, len(watches))
	for path, ids := range watches {
		if !utf8.ValidString(path) {
			continue
		}
		m[path] = make([]string, len(ids))
		for i, id := range ids {
			m[path][i] = id.String()
		}
	}
	return m
}

func sessionsJSON(sessions map[znode.SessionID]znode.Session) []sessionJSON {
	list := make([]sessionJSON, 0, len(sessions))
	for id, s := range sessions {
		j := sessionJSON{ID: id.String(), Addr: s.Addr, TimeoutMs: s.Timeout.Milliseconds(), Server: s.Server,
			Connected: s.Connected}
		if !s.ExpiresAt.IsZero() {
			at := s.ExpiresAt.UTC()
			j.ExpiresAt = &at
		}
		list = append(list, j)
	}
	sorted.By(list, func(a, b sessionJSON) int { return strings.Compare(a.ID, b.ID) })
	return list
}
