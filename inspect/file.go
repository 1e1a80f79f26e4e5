package inspect

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Znode is one znode as a line of a snapshot file, and as the JSON of a bare znode. Absent fields are
// unknown.
type Znode struct {
	Path      string `json:"path"`
	PathBytes []byte `json:"pathBytes,omitempty"` // the raw path, where it is not valid UTF-8

	Owner string `json:"owner,omitempty"`
	Czxid *Zxid  `json:"czxid,omitempty"` // 0: unknown; absent: the line's number stands in
	Mzxid Zxid   `json:"mzxid,omitempty"`
	Pzxid Zxid   `json:"pzxid,omitempty"`
	Ctime Millis `json:"ctime,omitempty"`
	Mtime Millis `json:"mtime,omitempty"`

	Version     int32  `json:"version"`
	Cversion    *int32 `json:"cversion,omitempty"`
	Aversion    int32  `json:"aversion,omitempty"`
	NumChildren *int32 `json:"numChildren,omitempty"`
	DataLength  *int32 `json:"dataLength,omitempty"`

	Data  *[]byte  `json:"data,omitempty"`
	Text  *string  `json:"text,omitempty"` // instead of data, in files written by hand
	Flags []string `json:"flags,omitempty"`
}

// flagNames are the words for flags in files.
var flagNames = []struct {
	flag Flag
	name string
}{
	{Unreadable, "unreadable"},
	{DataOmitted, "dataOmitted"},
	{NotListed, "notListed"},
	{NoStat, "noStat"},
	{NameOnly, "nameOnly"},
	{NamesRead, "namesRead"},
	{OverBudget, "overBudget"},
}

// znodeOf describes a node for a file.
func znodeOf(path string, n *Node) *Znode {
	z := &Znode{Path: valid(path), PathBytes: invalid(path), Czxid: &n.Czxid, Mzxid: n.Mzxid, Pzxid: n.Pzxid,
		Ctime: n.Ctime, Mtime: n.Mtime, Version: n.Version, Aversion: n.Aversion,
		NumChildren: &n.NumChildren, DataLength: &n.DataLength}
	if n.Owner != 0 {
		z.Owner = n.Owner.String()
	}
	if n.HasCversion {
		z.Cversion = &n.Cversion
	}
	if n.Data != nil {
		z.Data = &n.Data
	}
	for _, f := range flagNames {
		if n.Has(f.flag) {
			z.Flags = append(z.Flags, f.name)
		}
	}
	return z
}

// node makes the node that a line describes, without children. line is its number, which stands in for
// an unknown czxid.
func (z *Znode) node(line int) (*Node, error) {
	n := &Node{Mzxid: z.Mzxid, Pzxid: z.Pzxid, Ctime: z.Ctime, Mtime: z.Mtime,
		Version: z.Version, Aversion: z.Aversion}
	_, n.Name = Split(z.path())
	for _, word := range z.Flags {
		for _, f := range flagNames {
			if f.name == word {
				n.Flags |= f.flag
			}
		}
	}
	switch {
	case z.Czxid != nil:
		n.Czxid = *z.Czxid
	case !n.Has(NoStat):
		n.Czxid = Zxid(line)
		n.Flags |= Numbered
	}
	if z.Cversion != nil {
		n.Cversion, n.HasCversion = *z.Cversion, true
	}
	if err := z.fill(n); err != nil {
		return nil, err
	}
	return n, nil
}

// fill sets a node's owner and data.
func (z *Znode) fill(n *Node) error {
	if z.Owner != "" {
		id, ok := ParseSessionID(z.Owner)
		if !ok {
			return fmt.Errorf("owner %q is no session id", z.Owner)
		}
		if _, _, special := id.Special(); !special {
			n.Owner = id
		}
	}
	switch {
	case z.Data != nil && z.Text != nil:
		return errors.New("both data and text are given")
	case z.Data != nil:
		n.Data = *z.Data
	case z.Text != nil:
		n.Data = []byte(*z.Text)
	}
	n.DataLength = int32(len(n.Data))
	if z.DataLength != nil {
		n.DataLength = *z.DataLength
	}
	return nil
}

func (z *Znode) path() string {
	if z.PathBytes != nil {
		return string(z.PathBytes)
	}
	return z.Path
}

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
// znodes, parents before children. ReadFile reads back an equal snapshot, but for znodes of names that no server accepts:
// these, and what lies below them, are left out.
func WriteSnapshot(w io.Writer, s *Snapshot) error {
	buf := bufio.NewWriter(w)
	if err := writeLine(buf, headerOf(s, "snapshot")); err != nil {
		return err
	}
	if err := writeTree(buf, s.Base, s.Root); err != nil {
		return err
	}
	return buf.Flush()
}

func writeTree(w *bufio.Writer, path string, n *Node) error {
	if err := writeLine(w, znodeOf(path, n)); err != nil {
		return err
	}
	for _, c := range n.Children {
		if !nameable(c.Name) {
			continue
		}
		if err := writeTree(w, Join(path, c.Name), c); err != nil {
			return err
		}
	}
	return nil
}

func writeLine(w *bufio.Writer, v any) error {
	b, err := marshalSafe(v)
	if err != nil {
		return err
	}
	w.Write(b)
	return w.WriteByte('\n') // a bufio.Writer keeps its first error
}

func headerOf(s *Snapshot, kind string) header {
	h := header{Zkscope: 1, Kind: kind, TakenAt: s.TakenAt.UTC(), Root: valid(s.Base), RootBytes: invalid(s.Base),
		Complete: s.Complete, Partial: s.Partial, SessionsPartial: s.SessionsPartial, WatchesPartial: s.WatchesPartial}
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

func watchesJSON(watches map[string][]SessionID) map[string][]string {
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

func sessionsJSON(sessions map[SessionID]Session) []sessionJSON {
	list := make([]sessionJSON, 0, len(sessions))
	for id, s := range sessions {
		j := sessionJSON{ID: id.String(), Addr: s.Addr, TimeoutMs: s.Timeout.Milliseconds(), Server: s.Server, Connected: s.Connected}
		if !s.ExpiresAt.IsZero() {
			at := s.ExpiresAt.UTC()
			j.ExpiresAt = &at
		}
		list = append(list, j)
	}
	slices.SortFunc(list, func(a, b sessionJSON) int { return strings.Compare(a.ID, b.ID) })
	return list
}
