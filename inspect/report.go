package inspect

import (
	"bytes"
	"encoding/json"
	"time"
	"unicode/utf8"
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
	Recipes  []RecipeReport  `json:"recipes"`
	Findings []FindingReport `json:"findings"`
	Znode    *Znode          `json:"znode,omitempty"` // show: the znode at a path that is no recipe
}

// SourcesReport says how many servers were asked and answered, and by the poorest means among them.
type SourcesReport struct {
	Asked    *int    `json:"asked"`
	Answered *int    `json:"answered"`
	Tier     *string `json:"tier"`
}

// RecipeReport is one recipe.
type RecipeReport struct {
	Path       string           `json:"path"`
	PathBytes  []byte           `json:"pathBytes,omitempty"`
	Kind       Kind             `json:"kind"`
	Dialect    Dialect          `json:"dialect"`
	Confidence float64          `json:"confidence"`
	Why        []string         `json:"why"`
	State      State            `json:"state"`
	Summary    string           `json:"summary"`
	Claims     []ClaimReport    `json:"claims"`
	Foreign    []string         `json:"foreign"`
	Numbers    map[string]int64 `json:"numbers"`
	Findings   []FindingReport  `json:"findings"`
}

// ClaimReport is one claim.
type ClaimReport struct {
	Node       string   `json:"node"`
	NodeBytes  []byte   `json:"nodeBytes,omitempty"` // the raw name, where it is not valid UTF-8
	Path       string   `json:"path"`
	Role       Role     `json:"role"`
	Mode       *Mode    `json:"mode"`
	Position   int      `json:"position"`
	Seq        *int64   `json:"seq"`
	Priority   *int64   `json:"priority"`
	Session    *string  `json:"session"`
	Owner      string   `json:"owner"`
	OwnerBytes []byte   `json:"ownerBytes,omitempty"`
	Addr       *string  `json:"addr"`
	Since      *string  `json:"since"`
	SinceSeen  bool     `json:"sinceSeen"` // false: since is the earliest that it can be
	Czxid      *Zxid    `json:"czxid"`
	BlockedBy  []string `json:"blockedBy"`
	Proof      *Proof   `json:"proof"`
	Why        string   `json:"why"`
	Revocable  *string  `json:"revocable"`
	Hears      *Hearing `json:"hears"`
	Revoked    bool     `json:"revoked"`
	Vote       *string  `json:"vote"`
	Mine       bool     `json:"mine"`
}

// FindingReport is one finding.
type FindingReport struct {
	Code     string   `json:"code"`
	Severity string   `json:"severity"`
	Text     string   `json:"text"`
	Paths    []string `json:"paths"`
	Sessions []string `json:"sessions"`
}

// NewReport reports everything that was found.
func NewReport(r *Result) *Report {
	out := reportFrame(r)
	for m := range r.Models.All() {
		out.Recipes = append(out.Recipes, reportModel(m, r.Snapshot.TakenAt))
	}
	out.Findings = reportFindings(r.Findings)
	return out
}

// NewReportOf reports one recipe. Without one, m being nil, it reports the znode at the path.
func NewReportOf(r *Result, path string, m *Model) *Report {
	out := reportFrame(r)
	if m != nil {
		out.Recipes = append(out.Recipes, reportModel(m, r.Snapshot.TakenAt))
		out.Findings = reportFindings(r.Touching(m))
		return out
	}
	if n := r.Snapshot.At(path); n != nil {
		out.Znode = znodeOf(path, n)
	}
	return out
}

func reportFrame(r *Result) *Report {
	s := r.Snapshot
	out := &Report{Schema: 1, AsOf: stamp(s.TakenAt), Root: valid(s.Base), Complete: s.Complete,
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
	out.Sources = SourcesReport{&asked, &answered, known(tier)}
	return out
}

// poorer reports whether one tier tells less than another.
func poorer(a, b string) bool {
	rank := map[string]int{"admin": 2, "4lw": 1}
	return rank[a] < rank[b]
}

func reportModel(m *Model, now time.Time) RecipeReport {
	out := RecipeReport{Path: valid(m.Path), PathBytes: invalid(m.Path), Kind: m.Kind, Dialect: m.Dialect,
		Confidence: m.Confidence, Why: strings0(m.Why), State: m.State, Summary: m.Summary(now),
		Claims: make([]ClaimReport, len(m.Claims)), Foreign: strings0(m.Foreign),
		Numbers: m.Numbers.Map(), Findings: reportFindings(m.Findings)}
	for i := range m.Claims {
		out.Claims[i] = reportClaim(&m.Claims[i])
	}
	return out
}

func reportClaim(c *Claim) ClaimReport {
	out := ClaimReport{Node: valid(c.Node()), NodeBytes: invalid(c.Node()), Path: valid(c.Path()), Role: c.Role(),
		Mode: known(c.Mode()), Position: c.Position(), Priority: c.Priority(),
		Owner: valid(c.Owner()), OwnerBytes: invalid(c.Owner()), Addr: known(c.Addr), Czxid: known(c.Czxid()),
		BlockedBy: strings0(c.BlockedBy()), Proof: known(c.Proof()), Why: c.Why(), Revocable: known(c.Revocable()),
		Hears: known(c.Hears()), Revoked: c.Revoked, Mine: c.Mine}
	if c.HasSeq {
		out.Seq = &c.Seq
	}
	if c.Session != 0 {
		out.Session = known(c.Session.String())
	}
	if !c.Since().IsZero() {
		out.Since, out.SinceSeen = known(stamp(c.Since())), c.Exact()
	}
	if c.Vote() != nil {
		out.Vote = known(valid(*c.Vote()))
		if *c.Vote() == "" {
			out.Vote = c.Vote()
		}
	}
	return out
}

// NewFindingReports reports the findings that span recipes or belong to none, and nothing else.
func NewFindingReports(r *Result) []FindingReport { return reportFindings(r.Findings) }

func reportFindings(fs []Finding) []FindingReport {
	out := make([]FindingReport, len(fs))
	for i, f := range fs {
		out[i] = FindingReport{Code: f.Code, Severity: f.Severity.String(), Text: f.Text,
			Paths: strings0(f.Paths), Sessions: make([]string, len(f.Sessions))}
		for j, id := range f.Sessions {
			out[i].Sessions[j] = id.String()
		}
	}
	return out
}

// known returns a pointer to a value, or nil for the zero value, which stands for unknown.
func known[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// strings0 returns a list of valid texts that is never nil.
func strings0(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = valid(s)
	}
	return out
}

// valid returns a text as JSON can carry it: itself, or escaped when it is not valid UTF-8.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return Printable(s)
}

// invalid returns the bytes of a text that JSON cannot carry; nil for any other.
func invalid(s string) []byte {
	if utf8.ValidString(s) {
		return nil
	}
	return []byte(s)
}

// stamp formats a time as RFC 3339 in UTC, with milliseconds where it has any.
func stamp(t time.Time) string {
	t = t.UTC()
	if t.Nanosecond() >= int(time.Millisecond) {
		return t.Format("2006-01-02T15:04:05.000Z")
	}
	return t.Format("2006-01-02T15:04:05Z")
}

// MarshalJSON encodes the report so that its bytes are safe on a terminal.
func (r *Report) MarshalJSON() ([]byte, error) {
	type bare Report
	return marshalSafe((*bare)(r))
}

// marshalSafe encodes a value like encoding/json, without its escapes for HTML, and writes every
// character that Printable would not show as a JSON escape. Such characters occur in strings only.
func marshalSafe(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return Gated(bytes.TrimSuffix(buf.Bytes(), []byte("\n"))), nil
}

// Gated returns lines of text, or of JSON, without any byte that could act on a terminal: characters that Printable would
// escape stand as \u escapes, which in JSON leave the value as it is; line feeds and tabs stay. It is the last gate of what
// is written, for what did not go through Printable.
func Gated(raw []byte) []byte {
	if i := firstUnsafe(raw); i == len(raw) {
		return raw
	}
	out := make([]byte, 0, len(raw)+64)
	for i := 0; i < len(raw); {
		r, size := utf8.DecodeRune(raw[i:])
		switch {
		case safe(r) && !(r == utf8.RuneError && size == 1):
			out = append(out, raw[i:i+size]...)
		case r == utf8.RuneError && size == 1:
			out = appendEscape(out, rune(raw[i]))
		default:
			out = appendEscape(out, r)
		}
		i += size
	}
	return out
}

// firstUnsafe is where the first character stands that is no visible ASCII, line feed or tab; the length where none is.
func firstUnsafe(raw []byte) int {
	for i, c := range raw {
		if (c < 0x20 || c > 0x7e) && c != '\n' && c != '\t' {
			return i
		}
	}
	return len(raw)
}

// safe reports whether a character may be written as it is.
func safe(r rune) bool { return r == '\n' || r == '\t' || shown(r) }

// appendEscape writes a rune as JSON's \u escape, a pair of them outside the basic plane.
func appendEscape(out []byte, r rune) []byte {
	if r >= 0x10000 {
		r -= 0x10000
		return appendEscape(appendEscape(out, 0xd800+r>>10), 0xdc00+r&0x3ff)
	}
	return append(out, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}
