package mirror

import (
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// Limits of one batch.
const (
	maxReads   = 1000
	maxRequest = 400 << 10 // bytes; servers refuse 1 MB
	maxReply   = 2 << 20   // bytes expected; servers do not limit replies, and hold them in memory
	listReply  = maxReply / 8
	probes     = 16  // children whose data is read first, to learn how long the others' may be
	depth      = 8   // batches in flight
	readCost   = 14  // bytes of one read in a request, its path aside
	statCost   = 101 // bytes of one answer, its data aside
	nameCost   = 48  // bytes of one child's name in an answer, guessed
)

// batch is one request on its way.
type batch struct {
	gen     int
	sent    time.Time
	purpose purpose
	reads   []zkc.Read
	at      []childOf // a loader's: of the asks, and then of the lists
	asks    []ask
	lists   []string // behind the asks, where it is no loader's
	got     []answer
	b       builder
	err     error
}

// answer is what came of one read.
type answer struct {
	what  verdict
	node  *znode.Node
	names []string
}

// clear readies a batch for use again.
func (b *batch) clear() {
	clear(b.reads)
	clear(b.at)
	clear(b.asks)
	clear(b.got)
	b.reads, b.at, b.asks, b.got = b.reads[:0], b.at[:0], b.asks[:0], b.got[:0]
	b.err = nil
}

// bigLists calls do for every large directory that a loader's batch lists.
func (b *batch) bigLists(do func(path string)) {
	for _, p := range b.at[len(b.asks):] {
		if int(p.d.nodes[p.slot].NumChildren) > bigList {
			do(p.d.child(p.slot))
		}
	}
}

func (b *batch) ask(p childOf, a ask, watch bool) {
	b.at, b.asks = append(b.at, p), append(b.asks, a)
	r := a.read()
	r.Watch = watch
	b.reads = append(b.reads, r)
}

// each takes one answer. It runs on the connection's goroutine.
func (b *batch) each(i int, r *zkc.Result) {
	if i >= len(b.asks) {
		b.got[i] = answer{what: listVerdict(r.Code), names: r.Children}
		return
	}
	b.got[i].node, b.got[i].what = b.b.judge(&b.asks[i], r)
}

func listVerdict(code wire.Code) verdict {
	switch code {
	case wire.OK:
		return found
	case wire.ErrNoNode:
		return gone
	case wire.ErrNoAuth:
		return askAgain
	}
	return refused
}

// room is what is left of one batch.
type room struct{ reads, request, reply int }

// newRoom returns the room of an empty batch, halved for each step of caution.
func newRoom(caution int) room { return room{maxReads >> min(caution, 9), maxRequest, maxReply} }

// fits takes one read's share; false when there is none. An empty batch takes whatever comes.
func (r *room) fits(path, reply int) bool {
	fresh := r.request == maxRequest
	if !fresh && (r.reads < 1 || r.request < readCost+path || r.reply < reply) {
		return false
	}
	r.reads--
	r.request -= readCost + path
	r.reply -= reply
	return true
}
