package waits

import (
	"slices"
	"strconv"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/sorted"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Release is what would become of one claim if its session went now.
type Release struct {
	Model *model.Model
	Claim *model.Claim
	Next  []*model.Claim // whose turn it is afterwards, without those that are known not to wake
	Left  int            // who still holds, leads or is a member afterwards, or has its turn then
	Safe  model.Answer   // whether something takes its place
	Wakes *int           // sessions that hear of it; nil: not known
	Text  string         // one line

	together int // others in its line that go at the same time
}

// Impact is what would follow if sessions went now, all at once.
type Impact struct {
	Sessions []znode.SessionID // whose end it is about
	Releases []Release         // what each of their claims leaves
	Other    []string          // their ephemeral znodes that are no claims
	Unsafe   int               // releases that leave nothing in their place
	Unsure   int               // releases of which it is not known whether they do
	Unread   []string          // znodes that servers say are theirs and that were not read
	Blind    bool              // not everything was read, and no server told what is theirs
}

// Safe says whether everything has a successor.
func (i *Impact) Safe() model.Answer {
	switch {
	case i.Unsafe > 0:
		return model.No
	case i.Unsure > 0, len(i.Unread) > 0, i.Blind:
		return model.NotKnown
	}
	return model.Yes
}

// ImpactOf predicts what would be released if the sessions ended: by decoding the picture
// without their ephemeral znodes.
func ImpactOf(r *model.Result, ids ...znode.SessionID) *Impact {
	out := &Impact{Sessions: slices.Clone(ids), Blind: !r.Snapshot.Complete && r.Snapshot.Ephemerals == nil}
	for _, paths := range r.Snapshot.Untold(ids) {
		out.Unread = append(out.Unread, paths...)
	}
	slices.Sort(out.Unread)
	znode.SortIDs(out.Sessions)
	gone := make(map[znode.SessionID]bool, len(ids))
	for _, id := range ids {
		gone[id] = id != 0
	}
	snap := r.Snapshot
	paths := znode.EphemeralsOf(snap, gone)
	for _, path := range paths {
		snap = snap.WithDeleted(path)
	}
	after := inspect.Decode(snap, r, r.Hints)
	claimed := map[string]bool{}
	for m := range r.Models.All() {
		now := after.ByPath(m.Path)
		for i := range m.Claims {
			c := &m.Claims[i]
			if !gone[c.Session] {
				continue
			}
			claimed[c.Path()] = true
			rel := releaseOf(r, m, now, c, gone)
			out.Releases = append(out.Releases, rel)
			switch rel.Safe {
			case model.No:
				out.Unsafe++
			case model.NotKnown:
				out.Unsure++
			}
		}
	}
	for _, path := range paths {
		if !claimed[path] {
			out.Other = append(out.Other, path)
		}
	}
	sorted.By(out.Releases, func(a, b Release) int { return b.weight() - a.weight() })
	return out
}

func (r *Release) weight() int {
	switch {
	case r.Safe == model.No:
		return 3
	case r.Safe == model.NotKnown:
		return 2
	case model.Holding(r.Claim.Role()):
		return 1
	}
	return 0
}

// releaseOf compares one recipe before and after.
func releaseOf(r *model.Result, m, after *model.Model, c *model.Claim, gone map[znode.SessionID]bool) Release {
	rel := Release{Model: m, Claim: c, Safe: model.Yes}
	fate := fateAmong(r, m, after, c, func(o *model.Claim) bool { return gone[o.Session] }, gone)
	rel.Wakes, rel.Next = fate.Wakes, fate.awake()
	for i := range m.Claims {
		if o := &m.Claims[i]; gone[o.Session] && !model.Holding(o.Role()) && !o.Same(c) {
			rel.together++
		}
	}
	rel.Left = len(fate.Kept) + len(fate.Next)
	if after != nil && !model.Holding(c.Role()) {
		for i := range after.Claims {
			if o := &after.Claims[i]; !gone[o.Session] && !model.Holding(o.Role()) && o.Role() == c.Role() {
				rel.Left++
			}
		}
	}
	rel.say(&fate, gone)
	return rel
}

// say decides whether anything takes the claim's place, and puts it into words.
func (r *Release) say(f *Fate, gone map[znode.SessionID]bool) {
	path := say.Printable(r.Model.Path)
	switch c := r.Claim; {
	case model.Holding(c.Role()):
		r.Safe, r.Text = r.follows(f, gone)
		r.Text = string(c.Role()) + " of " + path + ": " + r.Text
	case c.Role() == model.Member:
		if r.Left == 0 && !r.Model.Kind.Together() { // who left a barrier needs no successor
			r.Safe = model.No
		}
		r.Text = "member of " + path + ": " + strconv.Itoa(r.Left) + " would be left"
	case c.Role() == model.Taken:
		r.Text = "works on " + say.Printable(c.Node()) + " of " + path +
			": the item would be taken again by another consumer"
	case c.Role() == model.Vote:
		r.Safe = model.No
		r.Text = "votes in " + path + ": its vote would be lost and no one can give it again"
	case c.Role() == model.Value:
		r.Safe = model.No
		r.Text = say.Printable(r.Model.Path) + " would be gone"
	default:
		r.Text = string(c.Role()) + " in " + path + ": leaves the line"
	}
}

// follows says who follows a holder or leader.
func (r *Release) follows(f *Fate, gone map[znode.SessionID]bool) (model.Answer, string) {
	var standing []string
	known := true
	if r.Model.Kind.Leads() && r.Model.Followers() != nil {
		standing, known = r.Model.StandbyNames(gone)
	}
	switch {
	case f.Takes == model.Yes:
		verb := say.Either(r.Model.Kind.Leads(), "lead", "hold")
		return model.Yes, "next to " + verb + " is " + model.Names(f.Sure)
	case len(f.Kept) > 0:
		return model.Yes, say.Plural(len(f.Kept), "other", "others") +
			say.Either(r.Model.Kind.Leads(), " still lead", " still hold") + say.Choose(len(f.Kept), "s", "")
	case len(f.Next) > 0:
		return f.Takes, f.Then(r.Model.Kind)
	case len(standing) > 0:
		return model.Yes, say.List(standing) + " could take its place"
	case !known:
		return model.NotKnown, "no successor is to be seen; whether there is a standby is not known, since standbys leave no znode"
	}
	return model.No, "no successor; " + r.leftFree()
}

// leftFree says why nobody takes a place over.
func (r *Release) leftFree() string {
	switch election := r.Model.Kind.Leads(); {
	case election && r.together > 0:
		return "its standbys go with it, so there would be no leader"
	case election:
		return "no standby: there would be no leader"
	case r.together > 0:
		return "everyone in line goes with it, so it would be free"
	}
	return "it would be free and nobody waits for it"
}
