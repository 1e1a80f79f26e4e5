package inspect

import (
	"slices"
	"strconv"
)

// Release is what would become of one claim if its session went now.
type Release struct {
	Model *Model
	Claim *Claim
	Next  []*Claim // whose turn it is afterwards, without those that are known not to wake
	Left  int      // who still holds, leads or is a member afterwards, or has its turn then
	Safe  Answer   // whether something takes its place
	Wakes *int     // sessions that hear of it; nil: not known
	Text  string   // one line

	together int // others in its line that go at the same time
}

// Impact is what would follow if sessions went now, all at once.
type Impact struct {
	Sessions []SessionID
	Releases []Release
	Other    []string // their ephemeral znodes that are no claims
	Unsafe   int      // releases that leave nothing in their place
	Unsure   int      // releases of which it is not known whether they do
	Unread   []string // znodes that servers say are theirs and that were not read
	Blind    bool     // not everything was read, and no server told what is theirs
}

// Safe says whether everything has a successor.
func (i *Impact) Safe() Answer {
	switch {
	case i.Unsafe > 0:
		return No
	case i.Unsure > 0, len(i.Unread) > 0, i.Blind:
		return NotKnown
	}
	return Yes
}

// ImpactOf predicts what would be released if the sessions ended: by decoding the picture without their ephemeral znodes.
func ImpactOf(r *Result, ids ...SessionID) *Impact {
	out := &Impact{Sessions: slices.Clone(ids), Blind: !r.Snapshot.Complete && r.Snapshot.Ephemerals == nil}
	for _, paths := range r.Snapshot.Untold(ids) {
		out.Unread = append(out.Unread, paths...)
	}
	slices.Sort(out.Unread)
	sortIDs(out.Sessions)
	gone := make(map[SessionID]bool, len(ids))
	for _, id := range ids {
		gone[id] = id != 0
	}
	snap := r.Snapshot
	paths := ephemeralsOf(snap, gone)
	for _, path := range paths {
		snap = snap.WithDeleted(path)
	}
	after := Decode(snap, r, r.hints)
	claimed := map[string]bool{}
	for m := range r.Models.All() {
		now := after.ByPath(m.Path)
		for i := range m.Claims {
			c := &m.Claims[i]
			if !gone[c.Session] {
				continue
			}
			claimed[c.Path()] = true
			rel := r.release(m, now, c, gone)
			out.Releases = append(out.Releases, rel)
			switch rel.Safe {
			case No:
				out.Unsafe++
			case NotKnown:
				out.Unsure++
			}
		}
	}
	for _, path := range paths {
		if !claimed[path] {
			out.Other = append(out.Other, path)
		}
	}
	slices.SortStableFunc(out.Releases, func(a, b Release) int { return b.weight() - a.weight() })
	return out
}

func (r *Release) weight() int {
	switch {
	case r.Safe == No:
		return 3
	case r.Safe == NotKnown:
		return 2
	case holding(r.Claim.Role()):
		return 1
	}
	return 0
}

// release compares one recipe before and after.
func (r *Result) release(m, after *Model, c *Claim, gone map[SessionID]bool) Release {
	rel := Release{Model: m, Claim: c, Safe: Yes}
	fate := r.fate(m, after, c, func(o *Claim) bool { return gone[o.Session] }, gone)
	rel.Wakes, rel.Next = fate.Wakes, fate.Awake()
	for i := range m.Claims {
		if o := &m.Claims[i]; gone[o.Session] && !holding(o.Role()) && !o.same(c) {
			rel.together++
		}
	}
	rel.Left = len(fate.Kept) + len(fate.Next)
	if after != nil && !holding(c.Role()) {
		for i := range after.Claims {
			if o := &after.Claims[i]; !gone[o.Session] && !holding(o.Role()) && o.Role() == c.Role() {
				rel.Left++
			}
		}
	}
	rel.say(&fate, gone)
	return rel
}

// say decides whether anything takes the claim's place, and puts it into words.
func (r *Release) say(f *Fate, gone map[SessionID]bool) {
	path := Printable(r.Model.Path)
	switch c := r.Claim; {
	case holding(c.Role()):
		r.Safe, r.Text = r.follows(f, gone)
		r.Text = string(c.Role()) + " of " + path + ": " + r.Text
	case c.Role() == Member:
		if r.Left == 0 && r.Model.Kind != DoubleBarrier { // who left a barrier needs no successor
			r.Safe = No
		}
		r.Text = "member of " + path + ": " + strconv.Itoa(r.Left) + " would be left"
	case c.Role() == Taken:
		r.Text = "works on " + Printable(c.Node()) + " of " + path + ": the item would be taken again by another consumer"
	case c.Role() == Vote:
		r.Safe = No
		r.Text = "votes in " + path + ": its vote would be lost and no one can give it again"
	case c.Role() == Value:
		r.Safe = No
		r.Text = Printable(r.Model.Path) + " would be gone"
	default:
		r.Text = string(c.Role()) + " in " + path + ": leaves the line"
	}
}

// follows says who follows a holder or leader.
func (r *Release) follows(f *Fate, gone map[SessionID]bool) (Answer, string) {
	var standing []string
	known := true
	if r.Model.Kind == Election && r.Model.followers() != nil {
		standing, known = r.Model.StandbyNames(gone)
	}
	switch {
	case f.Takes == Yes:
		verb := choose(b2i(r.Model.Kind == Election), "lead", "hold")
		return Yes, "next to " + verb + " is " + names(f.Sure)
	case len(f.Kept) > 0:
		return Yes, plural(len(f.Kept), "other", "others") + choose(b2i(r.Model.Kind == Election), " still lead", " still hold") + choose(len(f.Kept), "s", "")
	case len(f.Next) > 0:
		return f.Takes, f.Then(r.Model.Kind)
	case len(standing) > 0:
		return Yes, list(standing) + " could take its place"
	case !known:
		return NotKnown, "no successor is to be seen; whether anybody stands by is not known, since standbys leave no znode"
	}
	return No, "no successor; " + r.leftFree()
}

// leftFree says why nobody takes a place over.
func (r *Release) leftFree() string {
	switch election := r.Model.Kind == Election; {
	case election && r.together > 0:
		return "who stands by is on it too: there would be no leader"
	case election:
		return "nobody stands by: there would be no leader"
	case r.together > 0:
		return "it would be free: everyone in line is on it too"
	}
	return "it would be free and nobody waits for it"
}

// ImpactReport is the JSON output of impact, schema 1.
type ImpactReport struct {
	Schema   int             `json:"schema"`
	AsOf     string          `json:"asOf"`
	Complete bool            `json:"complete"`
	Sources  SourcesReport   `json:"sources"`
	Sessions []string        `json:"sessions"`
	Safe     *bool           `json:"safe"`   // null: not known
	Unread   []string        `json:"unread"` // what of them could not be read
	Releases []ReleaseReport `json:"releases"`
	Other    []string        `json:"other"`
}

// ReleaseReport is one claim that would be released.
type ReleaseReport struct {
	Path      string   `json:"path"`
	Kind      Kind     `json:"kind"`
	Claim     string   `json:"claim"`
	Session   string   `json:"session"`
	Owner     string   `json:"owner"`
	Role      Role     `json:"role"`
	Next      []string `json:"next"`
	Left      int      `json:"left"`
	Successor bool     `json:"successor"`
	Wakes     *int     `json:"wakes"` // null: not known
	Text      string   `json:"text"`
}

// MarshalJSON encodes the report so that its bytes are safe on a terminal.
func (i *ImpactReport) MarshalJSON() ([]byte, error) {
	type bare ImpactReport
	return marshalSafe((*bare)(i))
}

// NewImpactReport reports an impact.
func NewImpactReport(r *Result, i *Impact) *ImpactReport {
	frame := reportFrame(r)
	out := &ImpactReport{Schema: 1, AsOf: frame.AsOf, Complete: frame.Complete, Sources: frame.Sources,
		Sessions: idTexts(i.Sessions), Safe: i.Safe().known(), Unread: strings0(i.Unread), Releases: []ReleaseReport{}, Other: strings0(i.Other)}
	for _, rel := range i.Releases {
		one := ReleaseReport{Path: valid(rel.Model.Path), Kind: rel.Model.Kind, Claim: valid(rel.Claim.Path()), Session: rel.Claim.Session.String(),
			Owner: valid(rel.Claim.Owner()), Role: rel.Claim.Role(), Next: []string{}, Left: rel.Left, Successor: rel.Safe == Yes || rel.Safe == NotKnown && len(rel.Next) > 0, Wakes: rel.Wakes, Text: rel.Text}
		for _, c := range rel.Next {
			one.Next = append(one.Next, valid(c.Owner()))
		}
		out.Releases = append(out.Releases, one)
	}
	return out
}
