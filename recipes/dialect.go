package recipes

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"

	"github.com/zkscope/zkscope/inspect/layout"
)

// rowOf returns the row by which claims are written: how names are spelled stands in package layout alone, which
// reads them by the same rows.
func rowOf(k layout.Kind, m layout.Mode, d layout.Dialect) (*layout.Layout, error) {
	if d == "" {
		d = layout.ZooKeeper
	}
	if row := layout.WrittenAs(k, m, d); row != nil {
		return row, nil
	}
	return nil, unwritable(k, d)
}

func unwritable(k layout.Kind, d layout.Dialect) error {
	return fmt.Errorf("a %s cannot be written in the dialect %s", k, d)
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
