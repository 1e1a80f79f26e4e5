package truth

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
)

// note is one moment of a world's story.
type note struct {
	at   time.Time
	path string // of the recipe; empty: of no single one
	text string
}

// noted bounds how much of the past is remembered for a story.
const noted = 20000

func (o *oracle) note(what string, s *stake) {
	if !o.keep {
		return
	}
	who := "nobody"
	if s.th != nil {
		who = s.th.String()
	}
	text := fmt.Sprintf("%s %s (session %s, %s)", s.path, what, sessionKey(s.session), who)
	if what == "waits" && s.blind {
		text += " without a watch"
	}
	o.record(note{o.now(), s.line.path, text})
}

func (o *oracle) remark(text string) {
	if o.keep {
		o.record(note{o.now(), "", text})
	}
}

func (o *oracle) record(n note) {
	if o.notes = append(o.notes, n); len(o.notes) > noted {
		o.notes = slices.Delete(o.notes, 0, noted/4)
	}
}

// failures collects the stories of what was said falsely.
type failures struct {
	seed    uint64
	most    int
	only    string // Optional; the code whose stories are wanted, of whatever severity
	stories []Story
	count   map[string]int
}

// Story is a failure of a world, told from moment to moment.
type Story struct {
	Code string // of the finding, "missed" and a code, or the prediction
	Text string
}

// perCode is how many stories of one code a world tells.
const perCode = 2

// wants reports whether another story about a code is wanted, and counts it.
func (f *failures) wants(code string) bool {
	if f.only != "" && code != f.only || len(f.stories) >= f.most || f.count[code] >= perCode {
		return false
	}
	f.count[code]++
	return true
}

// epoch is when worlds begin.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func stamp(t time.Time) string { return fmt.Sprintf("%8.3fs", t.Sub(epoch).Seconds()) }

// add tells of a finding that was false: what the threads did in the half minute before, how the line stands, and what
// the console said.
func (f *failures) add(o *oracle, p published, recipe string, fd model.Finding, key string) {
	if !f.wants(fd.Code) {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d at %s: %s %s about %s is false\n", f.seed, stamp(p.at), fd.Severity, fd.Code, key)
	fmt.Fprintf(&b, "  again: ZKSCOPE_TRUTH_FROM=%d ZKSCOPE_TRUTH_WORLDS=1 ZKSCOPE_TRUTH_STORIES=9 ZKSCOPE_TRUTH_ONLY=%s go test -count=1 -v -run 'TestTruth$' ./internal/truth\n", f.seed, fd.Code)
	fmt.Fprintf(&b, "  said: %s\n", fd.Text)
	involved := recipes(o, fd, recipe)
	for _, n := range o.notes {
		if p.at.Sub(n.at) <= 15*time.Second && (n.path == "" || slices.Contains(involved, n.path)) {
			fmt.Fprintf(&b, "  %s %s\n", stamp(n.at), n.text)
		}
	}
	for _, path := range involved {
		o.scene(&b, p, path)
	}
	f.stories = append(f.stories, Story{fd.Code, b.String()})
}

// missed tells of a fact that no finding told in time.
func (f *failures) missed(o *oracle, s *span) {
	if !f.wants("missed " + s.code) {
		return
	}
	var b strings.Builder
	told := "never"
	if !s.told.IsZero() {
		told = "at " + stamp(s.told)
	}
	fmt.Fprintf(&b, "seed %d: %s of %s since %s was told %s\n", f.seed, s.code, s.key, stamp(s.from), told)
	for _, n := range o.notes {
		if (n.path == s.key || strings.HasPrefix(s.key, n.path+"/")) && n.at.After(s.from.Add(-window)) && n.at.Before(s.from.Add(2*window)) {
			fmt.Fprintf(&b, "  %s %s\n", stamp(n.at), n.text)
		}
	}
	f.stories = append(f.stories, Story{"missed " + s.code, b.String()})
}

// recipes lists those that a finding is about.
func recipes(o *oracle, fd model.Finding, recipe string) (out []string) {
	if recipe != "" {
		return []string{recipe}
	}
	for path := range o.lines {
		for _, p := range fd.Paths {
			if p == path || strings.HasPrefix(p, path+"/") {
				out = append(out, path)
				break
			}
		}
	}
	slices.Sort(out)
	return out
}

// scene shows a line as the oracle and as the console see it.
func (o *oracle) scene(b *strings.Builder, p published, path string) {
	fmt.Fprintf(b, "  %s in truth:\n", path)
	if l := o.lines[path]; l != nil {
		for _, s := range l.stakes {
			who := "nobody's any more"
			if s.th != nil {
				who = s.th.String()
			}
			fmt.Fprintf(b, "    %s since %s, %s: waits %v holds %v blind %v; watched by %x\n", s.path, stamp(s.made), who, s.waiting, s.holding, s.blind, o.watch[s.path])
		}
	}
	m := p.res.ByPath(path)
	if m == nil {
		fmt.Fprintf(b, "  and to the console no recipe\n")
		return
	}
	fmt.Fprintf(b, "  and to the console, asked at %s:\n", stamp(p.res.Snapshot.AskedAt))
	for i := range m.Claims {
		c := &m.Claims[i]
		fmt.Fprintf(b, "    %s %s %s, session %s\n", c.Path(), c.Role(), c.Proof(), c.Session)
	}
}

// blame tells of a prediction that did not come true.
func (o *oracle) blame(b *bet, what string, said, came any) {
	if !o.bad.wants(what) {
		return
	}
	text := fmt.Sprintf("at %s of %s: %s said %v and came %v; in line then %v\n", stamp(b.at), b.path, what, said, came, b.stood)
	for _, n := range o.notes {
		if n.path == b.line.path && b.at.Sub(n.at) < 15*time.Second {
			text += fmt.Sprintf("  %s %s\n", stamp(n.at), n.text)
		}
	}
	o.bad.stories = append(o.bad.stories, Story{what, fmt.Sprintf("seed %d %s", o.bad.seed, text)})
}
