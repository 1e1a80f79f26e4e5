package story

import (
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Report is the JSON output of schema 1: what ls, show, check and watch print. Lists are never null;
// null stands for an unknown scalar and for nothing else. Its JSON holds no byte that could act on a
// terminal: control, format and other unprintable characters stand as \u escapes.
type Report struct {
	Schema   int             `json:"schema"`
	AsOf     string          `json:"asOf"`
	Root     string          `json:"root"`
	Complete bool            `json:"complete"`
	Sources  SourcesReport   `json:"sources"`
	Hidden   int             `json:"hidden,omitempty"` // recipes that are left out, as somebody configured
	Recipes  []RecipeReport  `json:"recipes"`
	Findings []FindingReport `json:"findings"`
	Znode    *znode.Znode    `json:"znode,omitempty"` // show: the znode at a path that is not a recipe
}

// SourcesReport says how many servers were asked and answered, and by the poorest means among them.
type SourcesReport struct {
	Asked    *int    `json:"asked"`
	Answered *int    `json:"answered"`
	Tier     *string `json:"tier"`
}

// RecipeReport is one recipe.
type RecipeReport struct {
	Ensemble   string           `json:"ensemble,omitempty"` // where several were asked
	Path       string           `json:"path"`
	PathBytes  []byte           `json:"pathBytes,omitempty"`
	Kind       layout.Kind      `json:"kind"`
	Dialect    layout.Dialect   `json:"dialect"`
	Confidence float64          `json:"confidence"`
	Why        []string         `json:"why"`
	State      model.State      `json:"state"`
	Summary    string           `json:"summary"`
	Claims     []ClaimReport    `json:"claims"`
	Foreign    []string         `json:"foreign"`
	Numbers    map[string]int64 `json:"numbers"`
	Findings   []FindingReport  `json:"findings"`
}

// ClaimReport is one claim.
type ClaimReport struct {
	Node       string         `json:"node"`
	NodeBytes  []byte         `json:"nodeBytes,omitempty"` // the raw name, where it is not valid UTF-8
	Path       string         `json:"path"`
	Role       model.Role     `json:"role"`
	Mode       *layout.Mode   `json:"mode"`
	Position   int            `json:"position"`
	Seq        *int64         `json:"seq"`
	Priority   *int64         `json:"priority"`
	Session    *string        `json:"session"`
	Owner      string         `json:"owner"`
	OwnerBytes []byte         `json:"ownerBytes,omitempty"`
	Addr       *string        `json:"addr"`
	Since      *string        `json:"since"`
	SinceSeen  bool           `json:"sinceSeen"` // false: since is the earliest that it can be
	Czxid      *znode.Zxid    `json:"czxid"`
	BlockedBy  []string       `json:"blockedBy"`
	Proof      *model.Proof   `json:"proof"`
	Why        string         `json:"why"`
	Revocable  *string        `json:"revocable"`
	Hears      *model.Hearing `json:"hears"`
	Revoked    bool           `json:"revoked"`
	Vote       *string        `json:"vote"`
	Mine       bool           `json:"mine"`
}

// FindingReport is one finding.
type FindingReport struct {
	Ensemble string   `json:"ensemble,omitempty"` // where several were asked
	Code     string   `json:"code"`
	Severity string   `json:"severity"`
	Text     string   `json:"text"`
	Paths    []string `json:"paths"`
	Sessions []string `json:"sessions"`
}

// NewReport reports everything that was found.
func NewReport(r *model.Result) *Report {
	out := reportFrame(r)
	for m := range r.Models.All() {
		out.Recipes = append(out.Recipes, reportModel(m, r.Snapshot.TakenAt))
	}
	out.Findings = reportFindings(r.Findings)
	return out
}

// NewReportOf reports one recipe. Without one, m being nil, it reports the znode at the path.
func NewReportOf(r *model.Result, path string, m *model.Model) *Report {
	out := reportFrame(r)
	if m != nil {
		out.Recipes = append(out.Recipes, reportModel(m, r.Snapshot.TakenAt))
		out.Findings = reportFindings(r.Touching(m))
		return out
	}
	if n := r.Snapshot.At(path); n != nil {
		out.Znode = znode.ZnodeOf(path, n)
	}
	return out
}

func reportFrame(r *model.Result) *Report {
	s := r.Snapshot
	out := &Report{Schema: 1, AsOf: say.Stamp(s.TakenAt), Root: say.Valid(s.Base), Complete: s.Complete,
		Recipes: []RecipeReport{}, Findings: []FindingReport{}}
	if s.Servers == nil {
		return out
	}
	asked, answered, tier := len(s.Servers), 0, ""
	for _, sv := range s.Servers {
		if sv.Answered {
			answered++
		}
		if tier == "" || poorer(sv.Tier, tier) {
			tier = sv.Tier
		}
	}
	out.Sources = SourcesReport{&asked, &answered, say.OrNil(tier)}
	return out
}

// poorer reports whether one tier tells less than another.
func poorer(a, b string) bool {
	rank := map[string]int{"admin": 2, "4lw": 1}
	return rank[a] < rank[b]
}

func reportModel(m *model.Model, now time.Time) RecipeReport {
	out := RecipeReport{Path: say.Valid(m.Path), PathBytes: say.InvalidBytes(m.Path), Kind: m.Kind, Dialect: m.Dialect,
		Confidence: m.Confidence, Why: say.ValidList(m.Why), State: m.State, Summary: m.Summary(now),
		Claims: make([]ClaimReport, len(m.Claims)), Foreign: say.ValidList(m.Foreign),
		Numbers: m.Numbers.Map(), Findings: reportFindings(m.Findings)}
	for i := range m.Claims {
		out.Claims[i] = reportClaim(&m.Claims[i])
	}
	return out
}

func reportClaim(c *model.Claim) ClaimReport {
	out := ClaimReport{Node: say.Valid(c.Node()), NodeBytes: say.InvalidBytes(c.Node()), Path: say.Valid(c.Path()),
		Role: c.Role(),
		Mode: say.OrNil(c.Mode()), Position: c.Position(), Priority: c.Priority(),
		Owner: say.Valid(c.Owner()), OwnerBytes: say.InvalidBytes(c.Owner()), Addr: say.OrNil(c.Addr),
		Czxid:     say.OrNil(c.Czxid()),
		BlockedBy: say.ValidList(c.BlockedBy()), Proof: say.OrNil(c.Proof()), Why: c.Why(),
		Revocable: say.OrNil(c.Revocable()),
		Hears:     say.OrNil(c.Hears()), Revoked: c.Revoked, Mine: c.Mine}
	if c.HasSeq {
		out.Seq = &c.Seq
	}
	if c.Session != 0 {
		out.Session = say.OrNil(c.Session.String())
	}
	if !c.Since().IsZero() {
		out.Since, out.SinceSeen = say.OrNil(say.Stamp(c.Since())), c.Exact()
	}
	if c.Vote() != nil {
		out.Vote = say.OrNil(say.Valid(*c.Vote()))
		if *c.Vote() == "" {
			out.Vote = c.Vote()
		}
	}
	return out
}

// NewFindingReports reports the findings that span recipes or belong to none, and nothing else.
func NewFindingReports(r *model.Result) []FindingReport { return reportFindings(r.Findings) }

func reportFindings(fs []model.Finding) []FindingReport {
	out := make([]FindingReport, len(fs))
	for i, f := range fs {
		out[i] = FindingReport{Code: f.Code, Severity: f.Severity.String(), Text: f.Text,
			Paths: say.ValidList(f.Paths), Sessions: make([]string, len(f.Sessions))}
		for j, id := range f.Sessions {
			out[i].Sessions[j] = id.String()
		}
	}
	return out
}

// MarshalJSON encodes the report so that its bytes are safe on a terminal.
func (r *Report) MarshalJSON() ([]byte, error) {
	type bare Report
	return say.MarshalSafe((*bare)(r))
}
