package recipes

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"

	"github.com/zkscope/zkscope/inspect/layout"
)

// spelling is how a dialect writes one kind of claim: the guard in front of the word, which holds an id that
// is ours alone, then the word, then the sequence number that the server appends.
type spelling struct {
	guard  func(id [16]byte) string
	word   string
	revoke string // the word that a holder listens for; empty: none
}

// spellings lists what this package can write: by kind and mode, then by dialect. The layouts are those of
// package inspect. Members of double barriers and groups have no number.
var spellings = map[layout.Kind]map[layout.Mode]map[layout.Dialect]spelling{
	layout.Lock: {layout.Exclusive: {
		layout.ZooKeeper:   {dashed, "-lock-", layout.RevokeUnlock},
		layout.Curator:     {protected, "-lock-", layout.RevokeCurator},
		layout.Kazoo:       {bare, "__lock__", ""},
		layout.GoZooKeeper: {protectedBare, "-lock-", ""},
	}},
	layout.SharedLock: {
		layout.Read: {
			layout.ZooKeeper: {dashed, "-read-", layout.RevokeUnlock},
			layout.Curator:   {protected, "-__READ__", layout.RevokeCurator},
			layout.Kazoo:     {bare, "__rlock__", ""},
		},
		layout.Write: {
			layout.ZooKeeper: {dashed, "-write-", layout.RevokeUnlock},
			layout.Curator:   {protected, "-__WRIT__", layout.RevokeCurator},
			layout.Kazoo:     {bare, "__lock__", ""},
		},
	},
	layout.Semaphore: {layout.Exclusive: {
		layout.Curator: {protected, "-lease-", ""},
		layout.Kazoo:   {bare, "", ""},
	}},
	layout.Election: {layout.Exclusive: {
		layout.ZooKeeper: {dashed, "-n_", ""},
		layout.Curator:   {protected, "-latch-", ""},
		layout.Kazoo:     {bare, "__lock__", ""},
	}},
	layout.DoubleBarrier: {layout.Exclusive: {
		layout.ZooKeeper: {dashed, "", ""},
		layout.Curator:   {dashed, "", ""},
		layout.Kazoo:     {bare, "", ""},
	}},
	layout.Membership: {layout.Exclusive: {
		layout.ZooKeeper: {dashed, "", ""},
		layout.Curator:   {dashed, "", ""},
		layout.Kazoo:     {bare, "__party__", ""},
	}},
}

func spell(k layout.Kind, m layout.Mode, d layout.Dialect) (spelling, error) {
	if d == "" {
		d = layout.ZooKeeper
	}
	if s, ok := spellings[k][m][d]; ok {
		return s, nil
	}
	return spelling{}, unwritable(k, d)
}

func unwritable(k layout.Kind, d layout.Dialect) error {
	return fmt.Errorf("a %s cannot be written in the dialect %s", k, d)
}

func newID() (id [16]byte) {
	_, _ = rand.Read(id[:]) // never fails
	return id
}

func bare(id [16]byte) string { return hex.EncodeToString(id[:]) }

func dashed(id [16]byte) string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

func protected(id [16]byte) string     { return "_c_" + dashed(id) }
func protectedBare(id [16]byte) string { return "_c_" + bare(id) }
