package survey

import (
	"slices"
	"sync"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Run recognises the recipes in a snapshot. It is total: every tree has a result, none an error.
//
// prev is the result of an earlier snapshot of the same tree, or nil. What has not changed since is not
// looked at again: a recipe whose znodes are the same pointers, and whose sessions and watches are as they
// were, keeps its *Model. A change costs its own directory and a walk over its ancestors. prev also
// is the memory of the run: since when a claim has its role, which empty directories were recipes. Other
// hints than prev's end nothing of that: other rules have everything looked at again, other sessions of our
// own what these have claims or watches in.
// Run does not modify prev and reads no clock; now is snap.TakenAt.
func Run(snap *znode.Snapshot, prev *model.Result, h model.Hints, kinds *Kinds) *model.Result {
	r, regrade := Step(snap, prev, h, kinds, false)
	for regrade {
		r, regrade = Step(snap, r, h, kinds, false)
	}
	return r
}

// Step is Run, but for how much some findings weigh: regrade tells that this follows from what moved elsewhere, and is
// right once the same snapshot is decoded again. With passing that is left open also where it would
// cost nothing but time.
func Step(snap *znode.Snapshot, prev *model.Result, h model.Hints, kinds *Kinds, passing bool) (r *model.Result,
	regrade bool) {
	d := newDecoder(snap, prev, h)
	d.kinds = kinds
	d.passing = passing
	var oldRoot *znode.Node
	var oldMemo *memo
	if d.rooted {
		oldRoot, oldMemo = prev.Snapshot.Root, rootOf(prev)
	}
	root := d.visit(snap.Base, snap.Root, nil, oldRoot, oldMemo)
	d.openBarriers()
	r = &model.Result{Snapshot: snap, Hints: h, Listed: d.Formerly}
	if root != nil {
		r.Memory = root
	}
	model.SortModels(d.removed)
	model.SortModels(d.added)
	if r.Models = (model.Models{}).Spliced(nil, d.added); d.reuse {
		r.Models = prev.Models.Spliced(d.removed, d.added)
	}
	r.Pulse = d.beat()
	r.Findings = d.global(root)
	if absent := d.absent(r); len(absent) > 0 {
		r.Findings = append(r.Findings, absent...)
		model.SortFindings(r.Findings)
	}
	return r, root != nil && root.graded && d.Before != nil && (passing || r.Pulse != d.Before)
}

// rootOf is what was found in the whole tree; nil: nothing.
func rootOf(r *model.Result) *memo {
	m, _ := r.Memory.(*memo)
	return m
}

// Changes and Emptied are what a result asks for: see Memory.
func (m *memo) Changes() time.Time { return m.due }

// Emptied counts the directories that recipes left behind.
func (m *memo) Emptied() int { return m.empty }

// Decoder is the state of one Run.
type Decoder struct {
	Snap  *znode.Snapshot // the picture that is decoded
	Prev  *model.Result   // what was made of the picture before; nil: there is none
	Hints *model.Hinter
	kinds *Kinds
	own   []znode.SessionID

	rooted bool // prev is of the same base: what was found then is remembered
	reuse  bool // and under the same rules: what was decided then stands

	answered  bool                         // every server told its sessions: one that is missing is known to be missing
	Listed    bool                         // the same of watches
	streaming bool                         // prev was live and complete enough for a change of role to have been seen
	First     bool                         // no prev: nothing was seen before
	passing   bool                         // nobody looks at what is decoded, but for what comes after it
	Before    *model.Pulse                 // what is remembered of the sessions' work; nil: nothing, something may have been missed
	Formerly  map[string][]znode.SessionID // the list of watches before the snapshot's

	aux         bool // sessions, watches or servers were read anew since prev
	stirred     bool // and something in them is news to recipes
	relisted    bool // watches were listed anew since prev, by every server
	all         bool // so different that every recipe is concerned
	newSessions map[znode.SessionID]bool
	newWatches  map[string]bool

	heard func() time.Time // when any session was heard last

	byHost map[string][]znode.SessionID // built when first needed
	path   []byte                       // of the claim that was looked up last

	removed, added []*model.Model // with respect to prev
}

func newDecoder(snap *znode.Snapshot, prev *model.Result, h model.Hints) *Decoder {
	d := &Decoder{Snap: snap, Prev: prev, Hints: model.NewHinter(h), own: h.Own, First: prev == nil}
	d.heard = sync.OnceValue(snap.LastHeard)
	d.answered, d.Listed = snap.ToldSessions(), snap.ToldWatches()
	if prev == nil {
		d.relisted = d.Listed && snap.Watches != nil
		return d
	}
	d.rooted = prev.Snapshot.Base == snap.Base
	d.reuse = d.rooted && prev.Hints.SameRules(h)
	d.relisted = d.Listed && snap.Watches != nil && !model.SameMap(prev.Snapshot.Watches, snap.Watches)
	_, gap := znode.Missed(prev.Snapshot, snap)
	d.streaming = prev.Snapshot.LostSince.IsZero() && !prev.Snapshot.Loading() && !gap
	d.Before = d.carried()
	if d.Formerly = prev.Listed; !model.SameMap(prev.Snapshot.Watches, snap.Watches) {
		d.Formerly = prev.Snapshot.Watches
	}
	d.compareAux(prev.Snapshot)
	d.compareOwn(prev.Hints.Own)
	d.stirred = d.stirred || d.rooted && !d.reuse
	return d
}

// compareOwn has what our own sessions have claims or watches in looked at again where they are others than before.
func (d *Decoder) compareOwn(old []znode.SessionID) {
	for _, id := range slices.Concat(old, d.own) {
		if slices.Contains(old, id) == slices.Contains(d.own, id) {
			continue
		}
		if d.stirred = true; d.newSessions == nil {
			d.newSessions = make(map[znode.SessionID]bool)
		}
		if d.newSessions[id] = true; d.newWatches == nil {
			d.newWatches = make(map[string]bool)
		}
		for path, by := range d.Snap.Watches {
			if slices.Contains(by, id) {
				d.newWatches[path] = true
			}
		}
	}
}

// compareAux finds out what changed in what is known about sessions and watches.
func (d *Decoder) compareAux(old *znode.Snapshot) {
	told := old.ToldSessions() == d.answered && old.ToldWatches() == d.Listed
	sameMaps := model.SameMap(old.Sessions, d.Snap.Sessions) && model.SameMap(old.Watches, d.Snap.Watches)
	if sameMaps && told {
		return
	}
	d.aux = true
	d.all = !told || (old.Sessions == nil) != (d.Snap.Sessions == nil) ||
		(old.Watches == nil) != (d.Snap.Watches == nil)
	if d.stirred = d.all; d.all {
		return
	}
	was := sync.OnceValue(old.LastHeard)
	d.newSessions = changedKeys(old.Sessions, d.Snap.Sessions, func(a, b znode.Session) bool {
		return sameStanding(a, b) && old.Silent(a, was) == d.Snap.Silent(b, d.heard)
	})
	d.newWatches = changedKeys(old.Watches, d.Snap.Watches, slices.Equal[[]znode.SessionID])
	d.stirred = len(d.newSessions)+len(d.newWatches) > 0
}

// sameStanding compares what models say of a session. The expiry of a connected session moves with
// every ping and is no news.
func sameStanding(a, b znode.Session) bool {
	connected := func(s znode.Session) int {
		switch {
		case s.Connected == nil:
			return 0
		case *s.Connected:
			return 1
		}
		return 2
	}
	return a.Addr == b.Addr && a.Known == b.Known && connected(a) == connected(b) &&
		(connected(a) == 1 || a.ExpiresAt.Equal(b.ExpiresAt))
}

func changedKeys[K comparable, V any](a, b map[K]V, same func(V, V) bool) map[K]bool {
	out, both := make(map[K]bool), 0
	for k, v := range a {
		w, ok := b[k]
		if ok {
			both++
		}
		if !ok || !same(v, w) {
			out[k] = true
		}
	}
	if both == len(b) {
		return out
	}
	for k := range b {
		if _, ok := a[k]; !ok {
			out[k] = true
		}
	}
	return out
}

// Sooner returns the earlier of two moments of which zero means never.
func Sooner(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
