package recipes

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
)

// Dialect names whose clients we write like: one word. The zero value is the recipe's own default. More are decoded than
// can be written; see Detect and DialectOf.
type Dialect string

// The dialects that many clients write. Dialects lists all.
const (
	ZooKeeper   = Dialect(layout.ZooKeeper) // ZooKeeper's recipe documents
	Curator     = Dialect(layout.Curator)
	Kazoo       = Dialect(layout.Kazoo)
	GoZooKeeper = Dialect(layout.GoZooKeeper)
)

// Dialects returns the dialects in which recipes of a kind can be written; of the empty kind, those in which any can.
func Dialects(k layout.Kind) []Dialect {
	var out []Dialect
	for _, d := range layout.WrittenDialects(k) {
		out = append(out, Dialect(d))
	}
	return out
}

// DialectOf returns the dialect to take part in where a library or system is found (Found.Dialect); an error where
// nothing can be written as it writes.
func DialectOf(d layout.Dialect) (Dialect, error) {
	if all := Dialects(""); !slices.Contains(all, Dialect(d)) {
		return "", fmt.Errorf("nothing can be written in the dialect %s, only in %s", d, oneOf(all))
	}
	return Dialect(d), nil
}

// or is the dialect, or the default in place of none.
func (d Dialect) or(def Dialect) Dialect {
	if d == "" {
		return def
	}
	return d
}

// rowOf returns the row by which claims are written: how names are spelled stands in package layout alone, which
// reads them by the same rows.
func rowOf(k layout.Kind, m layout.Mode, d Dialect) (*layout.Layout, error) {
	if row := layout.WrittenAs(k, m, layout.Dialect(d.or(ZooKeeper))); row != nil {
		return row, nil
	}
	return nil, fmt.Errorf("%s cannot be written in the dialect %s, only in %s", k.OneOf(), d.or(ZooKeeper), oneOf(Dialects(k)))
}

func oneOf(all []Dialect) string {
	names := make([]string, len(all))
	for i, d := range all {
		names[i] = string(d)
	}
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

func newID() (id [16]byte) {
	_, _ = rand.Read(id[:]) // never fails
	return id
}

// hexID is an id of its own as many clients spell theirs.
func hexID() string {
	id := newID()
	return hex.EncodeToString(id[:])
}
