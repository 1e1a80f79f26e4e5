package znode

import (
	"errors"
	"fmt"

	"github.com/zkscope/zkscope/inspect/say"
)

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

// ZnodeOf describes a node for a file.
func ZnodeOf(path string, n *Node) *Znode {
	z := &Znode{Path: say.Valid(path), PathBytes: say.InvalidBytes(path), Czxid: &n.Czxid, Mzxid: n.Mzxid,
		Pzxid: n.Pzxid,
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

// fill sets a node's owner and data.
func (z *Znode) fill(n *Node) error {
	if z.Owner != "" {
		id, ok := ParseSessionID(z.Owner)
		if !ok {
			return fmt.Errorf("owner %q is not a session id", z.Owner)
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

// Node makes the node that a line describes, without children. line is its number, which stands in for
// an unknown czxid.
func (z *Znode) Node(line int) (*Node, error) {
	n := &Node{Mzxid: z.Mzxid, Pzxid: z.Pzxid, Ctime: z.Ctime, Mtime: z.Mtime,
		Version: z.Version, Aversion: z.Aversion}
	_, n.Name = Split(z.Full())
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

// Full returns the path as it was read, also where JSON could not carry it.
func (z *Znode) Full() string {
	if z.PathBytes != nil {
		return string(z.PathBytes)
	}
	return z.Path
}
