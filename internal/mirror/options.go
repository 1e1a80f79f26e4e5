package mirror

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/zkscope/zkscope/internal/zkc"
)

// Options says what to mirror and where to stop. The zero value mirrors everything with the default limits.
type Options struct {
	Root          string // Optional; default "/". Only what lies at and below it is read and watched
	IncludeSystem bool   // also read /zookeeper

	// Asked are paths below the root that are wanted by name. They are read in a load whatever the limits, and where their
	// parents may not be listed or are hidden; of what they or their parents are too large to hold, the names are listed.
	Asked []string

	// MaxChildren is the most children of a znode that are read. Optional; default 50,000. Of more, where their names look
	// like a line or a queue, the names are listed, and the znodes of those that are served first read; else they are
	// counted, not listed.
	MaxChildren int
	MaxData     int // Optional; default 64 KiB. Of longer data only the length is kept
	MaxNodes    int // Optional; default 1,000,000. Beyond it the snapshot is partial

	// Reconcile is how often the tree is compared with the server in the background. Optional; default
	// 10 s, longer for large trees; negative: never.
	Reconcile time.Duration

	// Gap is the least time between two snapshots. Optional; default 50 ms. After a pause of that length
	// the next change is published at once.
	Gap time.Duration

	system  bool // nothing is left out
	skipped bool // something was left out
}

// withDefaults completes a copy. Below a chroot /zookeeper is a znode like any other.
func (o Options) withDefaults(chroot string) Options {
	o.system = o.IncludeSystem || len(o.wanted("/zookeeper")) > 0 || slices.Contains(o.Asked, "/zookeeper") || chroot != "" || strings.HasPrefix(o.Root, "/zookeeper")
	o.Root = cmp.Or(o.Root, "/")
	o.MaxChildren = cmp.Or(o.MaxChildren, 50_000)
	o.MaxData = cmp.Or(o.MaxData, 64<<10)
	o.MaxNodes = cmp.Or(o.MaxNodes, 1_000_000)
	o.Reconcile = cmp.Or(o.Reconcile, 10*time.Second)
	o.Gap = cmp.Or(o.Gap, 50*time.Millisecond)
	return o
}

// Status says how a Mirror is doing and what it costs.
type Status struct {
	State    zkc.State     // of its connection
	Counters zkc.Counters  // of its connection
	Heard    time.Time     // last sign of life of the server; zero while there is none
	Delay    time.Duration // how long answers take at present; see zkc.Conn.Delay
	Trip     time.Duration // how long the last answer took

	Nodes     int    // znodes in the latest snapshot
	Events    uint64 // watch events that concern the tree
	Coalesced uint64 // of these, how many named a path that waited to be read anyway
	Requests  uint64 // batches sent to follow changes; loading and comparing are not counted
	Loads     uint64 // times that the whole tree was read
	Snapshots uint64 // published
	Missed    uint64 // times that a change was found which no event had told: the watch was lost and armed again

	Late    bool  // reads wait for their answers for so long that what is shown counts as old, connected or not
	Loading bool  // the whole tree is being read
	Polling bool  // the server has no recursive watches and the tree is too large for one-shot ones
	Err     error // why there will be nothing new: credentials refused, chroot missing. Nil while there is hope
}
