package story

import (
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
)

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
	Path      string      `json:"path"`
	Kind      layout.Kind `json:"kind"`
	Claim     string      `json:"claim"`
	Session   string      `json:"session"`
	Owner     string      `json:"owner"`
	Role      model.Role  `json:"role"`
	Next      []string    `json:"next"`
	Left      int         `json:"left"`
	Successor bool        `json:"successor"`
	Wakes     *int        `json:"wakes"` // null: not known
	Text      string      `json:"text"`
}

// MarshalJSON encodes the report so that its bytes are safe on a terminal.
func (i *ImpactReport) MarshalJSON() ([]byte, error) {
	type bare ImpactReport
	return say.MarshalSafe((*bare)(i))
}

// NewImpactReport reports an impact.
func NewImpactReport(r *model.Result, i *waits.Impact) *ImpactReport {
	frame := reportFrame(r)
	out := &ImpactReport{Schema: 1, AsOf: frame.AsOf, Complete: frame.Complete, Sources: frame.Sources,
		Sessions: znode.IDTexts(i.Sessions), Safe: i.Safe().Known(), Unread: say.ValidList(i.Unread),
		Releases: []ReleaseReport{}, Other: say.ValidList(i.Other)}
	for _, rel := range i.Releases {
		one := ReleaseReport{Path: say.Valid(rel.Model.Path), Kind: rel.Model.Kind, Claim: say.Valid(rel.Claim.Path()),
			Session: rel.Claim.Session.String(),
			Owner:   say.Valid(rel.Claim.Owner()), Role: rel.Claim.Role(), Next: []string{}, Left: rel.Left,
			Successor: rel.Safe == model.Yes || rel.Safe == model.NotKnown && len(rel.Next) > 0, Wakes: rel.Wakes,
			Text: rel.Text}
		for _, c := range rel.Next {
			one.Next = append(one.Next, say.Valid(c.Owner()))
		}
		out.Releases = append(out.Releases, one)
	}
	return out
}
