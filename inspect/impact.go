package inspect

import (
	"slices"
	"strconv"
)

// Release is what would become of one claim if its session went now.
type Release struct {
	Model    *Model
	Claim    *Claim
	Next     []*Claim // who holds or leads afterwards and did not before
	Left     int      // who still holds, leads or is a member afterwards
	Orphaned bool     // nothing takes its place
	Wakes    int      // sessions that wait on this very claim
	Text     string   // one line

	together int // others in its line that go at the same time
}

// Impact is what would follow if sessions went now, all at once.
type Impact struct {
	Sessions []SessionID
	Releases []Release
	Other    []string // their ephemeral znodes that are no claims
	Unsafe   int      // releases that leave nothing in their place
}

// ImpactOf predicts what would be released if the sessions ended: by decoding the picture without their ephemeral znodes.
func ImpactOf(r *Result, ids ...SessionID) *Impact {
	out := &Impact{Sessions: slices.Clone(ids)}
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
			if rel.Orphaned {
				out.Unsafe++
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
	case r.Orphaned:
		return 2
	case holding(r.Claim.Role()):
		return 1
	}
	return 0
}

// release compares one recipe before and after.
func (r *Result) release(m, after *Model, c *Claim, gone map[SessionID]bool) Release {
	rel := Release{Model: m, Claim: c}
	for _, id := range r.wokenBy(m, c) {
		if !gone[id] {
			rel.Wakes++
		}
	}
	was := map[claimKey]bool{}
	for i := range m.Claims {
		was[m.Claims[i].key()] = holding(m.Claims[i].Role())
		if gone[m.Claims[i].Session] && !holding(m.Claims[i].Role()) && !m.Claims[i].same(c) {
			rel.together++
		}
	}
	if after != nil {
		for i := range after.Claims {
			o := &after.Claims[i]
			switch {
			case gone[o.Session]:
			case holding(o.Role()):
				rel.Left++
				if !was[o.key()] {
					rel.Next = append(rel.Next, o)
				}
			case o.Role() == c.Role():
				rel.Left++
			}
		}
	}
	rel.say()
	return rel
}

// wokenBy lists the sessions that wait on a claim itself: those that are seen watching it, else those whose turn is
// behind it.
func (r *Result) wokenBy(m *Model, c *Claim) (out []SessionID) {
	if r.Snapshot.Watches != nil && len(r.Snapshot.Watches[c.Path()]) > 0 {
		return r.awake(c.Path(), c.Session)
	}
	for i := range m.Claims {
		if ahead := m.Claims[i].Ahead(); ahead != nil && ahead.at(c) {
			out = append(out, m.Claims[i].Session)
		}
	}
	return out
}

// say decides whether anything takes the claim's place, and puts it into words.
func (r *Release) say() {
	path := Printable(r.Model.Path)
	switch c := r.Claim; {
	case holding(c.Role()):
		verb, free := "hold", r.leftFree()
		if r.Model.Kind == Election {
			verb = "lead"
		}
		switch {
		case len(r.Next) > 0:
			r.Text = string(c.Role()) + " of " + path + ": next to " + verb + " is " + names(r.Next)
		case r.Left > 0:
			r.Text = string(c.Role()) + " of " + path + ": " + plural(r.Left, "other", "others") + " still " + verb + choose(r.Left, "s", "")
		default:
			r.Orphaned, r.Text = true, string(c.Role())+" of "+path+": no successor; "+free
		}
	case c.Role() == Member:
		r.Orphaned = r.Left == 0 && r.Model.Kind != DoubleBarrier // who left a barrier needs no successor
		r.Text = "member of " + path + ": " + strconv.Itoa(r.Left) + " would be left"
	case c.Role() == Taken:
		r.Text = "works on " + Printable(c.Node()) + " of " + path + ": the item would be taken again by another consumer"
	case c.Role() == Vote:
		r.Orphaned = true
		r.Text = "votes in " + path + ": its vote would be lost and no one can give it again"
	case c.Role() == Value:
		r.Orphaned = true
		r.Text = Printable(r.Model.Path) + " would be gone"
	default:
		r.Text = string(c.Role()) + " in " + path + ": leaves the line"
	}
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
	Safe     bool            `json:"safe"`
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
	Wakes     int      `json:"wakes"`
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
		Sessions: idTexts(i.Sessions), Safe: i.Unsafe == 0, Releases: []ReleaseReport{}, Other: strings0(i.Other)}
	for _, rel := range i.Releases {
		one := ReleaseReport{Path: valid(rel.Model.Path), Kind: rel.Model.Kind, Claim: valid(rel.Claim.Path()), Session: rel.Claim.Session.String(),
			Owner: valid(rel.Claim.Owner()), Role: rel.Claim.Role(), Next: []string{}, Left: rel.Left, Successor: !rel.Orphaned, Wakes: rel.Wakes, Text: rel.Text}
		for _, c := range rel.Next {
			one.Next = append(one.Next, valid(c.Owner()))
		}
		out.Releases = append(out.Releases, one)
	}
	return out
}
