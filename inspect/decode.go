package inspect

import (
	"reflect"
	"slices"
	"sync"
	"time"
)

// Result is what Decode makes of a snapshot. It is immutable and may be read from any goroutine.
type Result struct {
	Snapshot *Snapshot
	Models   Models    // in tree order
	Findings []Finding // those that span recipes or belong to none

	hints  Hints
	root   *memo
	pulse  *pulse
	listed map[string][]SessionID // the watches of the list before that of the snapshot; nil: there was none
}

// ByPath returns the recipe at a path, or nil. It takes O(log n).
func (r *Result) ByPath(path string) *Model {
	if r == nil {
		return nil
	}
	return r.Models.byPath(path)
}

// Due returns when the result changes although nothing else does: a lease ends, an item falls due, nobody has led for
// longer than an election takes. Zero: never.
func (r *Result) Due() time.Time {
	if r == nil || r.root == nil {
		return time.Time{}
	}
	return r.root.due
}

// ComparePaths orders absolute paths component by component, so that a subtree stands together: /a,
// /a/b, /a-b.
func ComparePaths(a, b string) int {
	n := min(len(a), len(b))
	for i := 0; i < n; i++ {
		if a[i] == b[i] {
			continue
		}
		switch {
		case a[i] == '/':
			return -1
		case b[i] == '/':
			return 1
		}
		return int(a[i]) - int(b[i])
	}
	if len(a) == 1 && len(b) > 1 && a == "/" {
		return -1
	}
	return len(a) - len(b)
}

// Decode recognises the recipes in a snapshot. It is total: every tree has a result, none an error.
//
// prev is the result of an earlier snapshot of the same tree, or nil. What has not changed since is not
// looked at again: a recipe whose znodes are the same pointers, and whose sessions and watches are as
// they were, keeps its *Model. A change costs its own directory and a walk over its ancestors. prev also
// is the memory of the run: since when a claim has its role, which empty directories were recipes.
// Decode does not modify prev and reads no clock; now is snap.TakenAt.
func Decode(snap *Snapshot, prev *Result, h Hints) *Result {
	r, regrade := decode(snap, prev, h, false)
	for regrade {
		r, regrade = decode(snap, r, h, false)
	}
	return r
}

// decode is Decode, but for how much some findings weigh: regrade tells that this follows from what moved elsewhere, and is
// right once the same snapshot is decoded again. With passing that is left open also where it would cost nothing but time.
func decode(snap *Snapshot, prev *Result, h Hints, passing bool) (r *Result, regrade bool) {
	d := newDecoder(snap, prev, h)
	d.passing = passing
	var oldRoot *Node
	var oldMemo *memo
	if d.reuse {
		oldRoot, oldMemo = prev.Snapshot.Root, prev.root
	}
	root := d.visit(snap.Base, snap.Root, nil, oldRoot, oldMemo)
	d.openBarriers()
	r = &Result{Snapshot: snap, hints: h, root: root, listed: d.formerly}
	sortModels(d.removed)
	sortModels(d.added)
	var old Models
	if d.reuse {
		old = prev.Models
	}
	r.Models = old.spliced(d.removed, d.added)
	r.pulse = d.beat()
	r.Findings = d.global(root)
	return r, root != nil && root.graded && d.before != nil && (passing || r.pulse != d.before)
}

// decoder is the state of one Decode.
type decoder struct {
	snap  *Snapshot
	prev  *Result
	hints *hinter
	own   []SessionID
	reuse bool // prev was decoded under the same hints and the same base

	answered  bool                   // every server told its sessions: one that is missing is known to be missing
	listed    bool                   // the same of watches
	streaming bool                   // prev was live and complete enough for a change of role to have been seen
	first     bool                   // no prev: nothing was seen before
	passing   bool                   // nobody looks at what is decoded, but for what comes after it
	before    *pulse                 // what is remembered of the sessions' work; nil: nothing, something may have been missed
	formerly  map[string][]SessionID // the list of watches before the snapshot's

	aux         bool // sessions, watches or servers were read anew since prev
	stirred     bool // and something in them is news to recipes
	relisted    bool // watches were listed anew since prev, by every server
	all         bool // so different that every recipe is concerned
	newSessions map[SessionID]bool
	newWatches  map[string]bool

	heard func() time.Time // when any session was heard last

	byHost map[string][]SessionID // built when first needed
	path   []byte                 // of the claim that was looked up last

	removed, added []*Model // with respect to prev
}

func newDecoder(snap *Snapshot, prev *Result, h Hints) *decoder {
	d := &decoder{snap: snap, prev: prev, hints: newHinter(h), own: h.Own, first: prev == nil}
	d.heard = sync.OnceValue(snap.lastHeard)
	d.answered, d.listed = snap.ToldSessions(), snap.toldWatches()
	if prev == nil {
		d.relisted = d.listed && snap.Watches != nil
		return d
	}
	d.reuse = prev.hints.equal(h) && prev.Snapshot.Base == snap.Base
	d.relisted = d.listed && snap.Watches != nil && !sameMap(prev.Snapshot.Watches, snap.Watches)
	_, gap := missed(prev.Snapshot, snap)
	d.streaming = prev.Snapshot.LostSince.IsZero() && !prev.Snapshot.loading() && !gap
	d.before = d.carried()
	if d.formerly = prev.listed; !sameMap(prev.Snapshot.Watches, snap.Watches) {
		d.formerly = prev.Snapshot.Watches
	}
	d.compareAux(prev.Snapshot)
	return d
}

func (s *Snapshot) loading() bool { return !s.Complete && len(s.Partial) == 0 }

// ToldSessions reports whether every server told which sessions are connected to it: then a session that
// none of them named is known to be absent.
func (s *Snapshot) ToldSessions() bool { return allAnswered(s.Servers) && !s.SessionsPartial }

// toldWatches reports whether every server listed its watches.
func (s *Snapshot) toldWatches() bool { return allAnswered(s.Servers) && !s.WatchesPartial }

func allAnswered(servers []Server) bool {
	for i := range servers {
		if !servers[i].Answered || servers[i].Tier == "none" {
			return false
		}
	}
	return len(servers) > 0
}

// compareAux finds out what changed in what is known about sessions and watches.
func (d *decoder) compareAux(old *Snapshot) {
	told := old.ToldSessions() == d.answered && old.toldWatches() == d.listed
	sameMaps := sameMap(old.Sessions, d.snap.Sessions) && sameMap(old.Watches, d.snap.Watches)
	if sameMaps && told {
		return
	}
	d.aux = true
	d.all = !told || (old.Sessions == nil) != (d.snap.Sessions == nil) ||
		(old.Watches == nil) != (d.snap.Watches == nil)
	if d.stirred = d.all; d.all {
		return
	}
	was := sync.OnceValue(old.lastHeard)
	d.newSessions = changedKeys(old.Sessions, d.snap.Sessions, func(a, b Session) bool {
		return sameStanding(a, b) && old.silent(a, was) == d.snap.silent(b, d.heard)
	})
	d.newWatches = changedKeys(old.Watches, d.snap.Watches, slices.Equal[[]SessionID])
	d.stirred = len(d.newSessions)+len(d.newWatches) > 0
}

func sameMap[M ~map[K]V, K comparable, V any](a, b M) bool {
	return reflect.ValueOf(a).Pointer() == reflect.ValueOf(b).Pointer()
}

// sameStanding compares what models say of a session. The expiry of a connected session moves with
// every ping and is no news.
func sameStanding(a, b Session) bool {
	connected := func(s Session) int {
		switch {
		case s.Connected == nil:
			return 0
		case *s.Connected:
			return 1
		}
		return 2
	}
	return a.Addr == b.Addr && connected(a) == connected(b) && (connected(a) == 1 || a.ExpiresAt.Equal(b.ExpiresAt))
}

func changedKeys[K comparable, V any](a, b map[K]V, same func(V, V) bool) map[K]bool {
	out := make(map[K]bool)
	for k, v := range a {
		if w, ok := b[k]; !ok || !same(v, w) {
			out[k] = true
		}
	}
	for k := range b {
		if _, ok := a[k]; !ok {
			out[k] = true
		}
	}
	return out
}

func sortModels(ms []*Model) {
	byPath := func(a, b *Model) int { return ComparePaths(a.Path, b.Path) }
	if !slices.IsSortedFunc(ms, byPath) {
		slices.SortFunc(ms, byPath)
	}
}

// below reports whether path lies strictly below dir.
func below(dir, path string) bool {
	rest, ok := Relative(dir, path)
	return ok && rest != ""
}

// sooner returns the earlier of two moments of which zero means never.
func sooner(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// listsWatches reports whether the watches that the snapshot lists are all that there are: no server is known to have
// kept its own back.
func (s *Snapshot) listsWatches() bool {
	return s.Watches != nil && !s.WatchesPartial && (len(s.Servers) == 0 || allAnswered(s.Servers))
}
