package recipes

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"

	"github.com/zkscope/zkscope/inspect"
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
var spellings = map[inspect.Kind]map[inspect.Mode]map[inspect.Dialect]spelling{
	inspect.Lock: {inspect.Exclusive: {
		inspect.ZooKeeper:   {dashed, "-lock-", inspect.RevokeUnlock},
		inspect.Curator:     {protected, "-lock-", inspect.RevokeCurator},
		inspect.Kazoo:       {bare, "__lock__", ""},
		inspect.GoZooKeeper: {protectedBare, "-lock-", ""},
	}},
	inspect.SharedLock: {
		inspect.Read: {
			inspect.ZooKeeper: {dashed, "-read-", inspect.RevokeUnlock},
			inspect.Curator:   {protected, "-__READ__", inspect.RevokeCurator},
			inspect.Kazoo:     {bare, "__rlock__", ""},
		},
		inspect.Write: {
			inspect.ZooKeeper: {dashed, "-write-", inspect.RevokeUnlock},
			inspect.Curator:   {protected, "-__WRIT__", inspect.RevokeCurator},
			inspect.Kazoo:     {bare, "__lock__", ""},
		},
	},
	inspect.Semaphore: {inspect.Exclusive: {
		inspect.Curator: {protected, "-lease-", ""},
		inspect.Kazoo:   {bare, "", ""},
	}},
	inspect.Election: {inspect.Exclusive: {
		inspect.ZooKeeper: {dashed, "-n_", ""},
		inspect.Curator:   {protected, "-latch-", ""},
		inspect.Kazoo:     {bare, "__lock__", ""},
	}},
	inspect.DoubleBarrier: {inspect.Exclusive: {
		inspect.ZooKeeper: {dashed, "", ""},
		inspect.Curator:   {dashed, "", ""},
		inspect.Kazoo:     {bare, "", ""},
	}},
	inspect.Membership: {inspect.Exclusive: {
		inspect.ZooKeeper: {dashed, "", ""},
		inspect.Curator:   {dashed, "", ""},
		inspect.Kazoo:     {bare, "__party__", ""},
	}},
}

func spell(k inspect.Kind, m inspect.Mode, d inspect.Dialect) (spelling, error) {
	if d == "" {
		d = inspect.ZooKeeper
	}
	if s, ok := spellings[k][m][d]; ok {
		return s, nil
	}
	return spelling{}, unwritable(k, d)
}

func unwritable(k inspect.Kind, d inspect.Dialect) error {
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
