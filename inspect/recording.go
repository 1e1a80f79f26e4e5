package inspect

import "time"

// Recording is what a file holds: a snapshot, and what changed after it. A file of kind snapshot is a
// recording of one state.
//
// Unlike snapshots, a Recording is not safe for concurrent use: it remembers where it was last read.
type Recording struct {
	Warnings []string // what was wrong with the file without making it useless

	base  *Snapshot
	steps []step

	at    int // cached: the state at this index
	state *Snapshot
	marks map[int]*Snapshot // cached: every few hundredth state passed

	decoded decodedAt // cached: what Decoded returned last
}

// step is one line of a recording after its first snapshot. Exactly one of its parts is used.
type step struct {
	at       time.Time
	put      *Node
	path     string // of put, or of the znode that was deleted
	sessions map[SessionID]Session
	watches  map[string][]SessionID
	gap      string
}

// Len returns the number of states, at least one.
func (r *Recording) Len() int { return len(r.steps) + 1 }

// First returns the first state.
func (r *Recording) First() *Snapshot { return r.base }

// Last returns the last state.
func (r *Recording) Last() *Snapshot { return r.At(r.Len() - 1) }

// TimeOf returns when the state at an index was taken.
func (r *Recording) TimeOf(i int) time.Time {
	if i <= 0 {
		return r.base.TakenAt
	}
	return r.steps[min(i, len(r.steps))-1].at
}

// Moment returns the index of the state that the moment after that of a state ends in, or before it where by is negative;
// i itself where there is none. What was written at one moment was seen as one: the states within are of no moment.
func (r *Recording) Moment(i, by int) int {
	at := func(j int) time.Time { return r.TimeOf(j) }
	j := i
	if by < 0 {
		for j > 0 && at(j-1).Equal(at(i)) {
			j--
		}
		return max(j-1, 0)
	}
	for j < len(r.steps) && (j == i || at(j+1).Equal(at(j))) {
		j++
	}
	return j
}

const markEvery = 512

// At returns the state at an index from 0 to Len-1; an index outside is moved to the nearer end. States
// share what they have in common. Going forward one by one is cheap; so is going back.
func (r *Recording) At(i int) *Snapshot {
	i = max(0, min(i, len(r.steps)))
	if r.state == nil || i < r.at {
		r.at, r.state = 0, r.base
		for j := i - i%markEvery; j > 0; j -= markEvery {
			if s := r.marks[j]; s != nil {
				r.at, r.state = j, s
				break
			}
		}
	}
	for r.at < i {
		r.state = r.state.after(&r.steps[r.at])
		r.at++
		if r.at%markEvery == 0 {
			if r.marks == nil {
				r.marks = make(map[int]*Snapshot)
			}
			r.marks[r.at] = r.state
		}
	}
	return r.state
}

// after returns the state that follows from a step.
func (s *Snapshot) after(st *step) *Snapshot {
	out := *s
	switch {
	case st.put != nil:
		out = *s.put(st.path, st.put)
	case st.path != "":
		out = *s.without(st.path, countChildren)
	case st.sessions != nil:
		out.Sessions, out.AskedAt = st.sessions, time.Time{}
	case st.watches != nil:
		out.Watches, out.AskedAt = st.watches, time.Time{}
	}
	switch out.TakenAt = st.at; {
	case st.gap == "" && !s.LostSince.IsZero(): // whatever is read again ends a gap
		out.Gap, out.LostSince = Gap{s.LostSince, st.at}, time.Time{}
	case st.gap != "" && s.LostSince.IsZero():
		out.LostSince = st.at
	}
	return &out
}

// put returns the snapshot with a znode set, its children kept, missing ancestors implied.
func (s *Snapshot) put(path string, n *Node) *Snapshot {
	if path == s.Base {
		return s.edited(path, func(old *Node) { replaceNode(old, n) })
	}
	if s.At(path) != nil {
		return s.edited(path, func(old *Node) { replaceNode(old, n) })
	}
	dir, _ := Split(path)
	if s.At(dir) == nil {
		_, name := Split(dir)
		s = s.put(dir, &Node{Name: name})
	}
	return s.edited(dir, func(parent *Node) {
		c := *n
		c.NumChildren = max(c.NumChildren, 0)
		parent.insert(&c)
		countChildren(parent)
	})
}

// countChildren sets the number of children to what is listed: a recording says of a parent's own stat
// only what its next line says.
func countChildren(parent *Node) { parent.NumChildren = int32(len(parent.Children)) }

// replaceNode overwrites all of a node but its name and children.
func replaceNode(old, n *Node) {
	name, kids := old.Name, old.Children
	*old = *n
	old.Name, old.Children = name, kids
	if n.NumChildren == uncounted {
		countChildren(old)
	}
}

// uncounted stands for a number of children that a put does not say.
const uncounted = -1
