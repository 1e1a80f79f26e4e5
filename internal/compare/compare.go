// Package compare tells how two pictures of a tree differ: in recipes, in who holds and who waits, in settings, and in
// znodes beside the recipes. What one of the pictures does not know is told as not known, and never as a difference.
//
// # Concurrency
//
// Everything is plain values.
package compare

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Difference is how two pictures, called a and b, differ.
type Difference struct {
	Recipes []Recipe // that differ, by path
	Stuck   []Stuck  // who waits in both, for the same claim
	Others  []Other  // znodes beside the recipes that differ, the first of them by path
	More    int      // further ones
	Unknown []string // why something may differ that is not told, a phrase each
}

// Same reports whether nothing differs that is known; Unknown says what is not.
func (d *Difference) Same() bool { return len(d.Recipes)+len(d.Others) == 0 }

// Recipe is how one recipe differs.
type Recipe struct {
	Path       string
	KindA      layout.Kind // empty: it is not in a
	KindB      layout.Kind // empty: it is not in b
	Held       bool        // who holds, or leads, differs
	HeldA      []Claim
	HeldB      []Claim
	Came, Went []Claim // claims that are in one of them only
	Settings   []Setting
}

// Claim is one claim, as it is in one of the pictures.
type Claim struct {
	ID      model.ClaimID
	Owner   string
	Session znode.SessionID // 0: no session's
	Role    model.Role
}

// Setting is a value that differs.
type Setting struct {
	What string // state, a number's name, or the path of a znode
	A, B string // empty: it is not there, or not known
}

// Stuck is a claim that waits for the same claim in both pictures.
type Stuck struct {
	Path   string // the recipe's
	Waiter Claim
	Behind Claim
}

// Other is a znode that belongs to no recipe.
type Other struct {
	Path string
	What string // came, went, remade or changed
}

// othersMost is how many znodes beside recipes are named.
const othersMost = 100

// Results compares two pictures.
func Results(a, b *model.Result) *Difference {
	d := &Difference{}
	d.recipes(a, b)
	w := &walk{Difference: d, a: a, b: b}
	w.node("/", a.Snapshot.At("/"), b.Snapshot.At("/"))
	for i, r := range []*model.Result{a, b} {
		side := [2]string{"the first", "the second"}[i]
		if s := r.Snapshot; s.Base != "/" {
			d.Unknown = append(d.Unknown, side+" shows what is below "+s.Base+" alone")
		} else if !s.Complete {
			d.Unknown = append(d.Unknown, side+" is incomplete: "+firstOf(s.Partial))
		}
	}
	return d
}

func firstOf(why []string) string {
	if len(why) == 0 {
		return "not all was read"
	}
	return why[0]
}

func (d *Difference) recipes(a, b *model.Result) {
	x, y := model.Cursor{List: a.Models}, model.Cursor{List: b.Models}
	for x.Model() != nil || y.Model() != nil {
		was, is := model.StepBoth(&x, &y)
		d.recipe(a, b, was, is)
	}
}

// recipe compares one recipe, which may be in one of the pictures only.
func (d *Difference) recipe(a, b *model.Result, was, is *model.Model) {
	r := Recipe{}
	switch {
	case was == nil:
		r.Path, r.KindB = is.Path, is.Kind
		if d.unknown(a, is.Path, "the first") {
			return
		}
	case is == nil:
		r.Path, r.KindA = was.Path, was.Kind
		if d.unknown(b, was.Path, "the second") {
			return
		}
	default:
		r.Path, r.KindA, r.KindB = was.Path, was.Kind, is.Kind
	}
	r.HeldA, r.HeldB = held(was), held(is)
	r.Held = !sameClaims(r.HeldA, r.HeldB)
	r.Went, r.Came = lacking(was, is), lacking(is, was)
	if was != nil && is != nil {
		r.Settings = settings(was, is)
		d.stuck(was, is)
	}
	if r.KindA != r.KindB || r.Held || len(r.Came)+len(r.Went)+len(r.Settings) > 0 {
		d.Recipes = append(d.Recipes, r)
	}
}

// unknown notes that one of the pictures does not tell whether a recipe is there.
func (d *Difference) unknown(r *model.Result, path, side string) bool {
	n, why := r.Snapshot.Known(path)
	if n != nil {
		why = r.Snapshot.Unclear(path)
	}
	if why == "" {
		return false
	}
	d.Unknown = append(d.Unknown, fmt.Sprintf("whether %s is in %s is not known: %s", path, side, why))
	return true
}

func claims(m *model.Model) []model.Claim {
	if m == nil {
		return nil
	}
	return m.Claims
}

func claimOf(c *model.Claim) Claim { return Claim{c.ID(), c.Owner(), c.Session, c.Role()} }

func held(m *model.Model) (out []Claim) {
	for i := range claims(m) {
		if c := &m.Claims[i]; model.Holding(c.Role()) {
			out = append(out, claimOf(c))
		}
	}
	return out
}

func sameClaims(a, b []Claim) bool {
	return slices.EqualFunc(a, b, func(x, y Claim) bool { return same(x.ID, y.ID) })
}

// same reports whether two identities are one claim: a czxid that was not read contradicts nothing.
func same(a, b model.ClaimID) bool {
	return a.Path == b.Path && (a.Czxid == b.Czxid || a.Czxid == 0 || b.Czxid == 0)
}

// lacking are the claims of a model that another lacks.
func lacking(m, other *model.Model) (out []Claim) {
	by := byPath(other)
	for i := range claims(m) {
		c := &m.Claims[i]
		if o := by[c.Path()]; o == nil || !c.Same(o) {
			out = append(out, claimOf(c))
		}
	}
	return out
}

func byPath(m *model.Model) map[string]*model.Claim {
	by := make(map[string]*model.Claim, len(claims(m)))
	for i := range claims(m) {
		by[m.Claims[i].Path()] = &m.Claims[i]
	}
	return by
}

// counted are the numbers that only count what claims there are, which is told by itself, or were.
var counted = []string{"depth", "nextSeq", "seqLeft", "present", "holders", "waiters"}

// settings are the numbers and the values that differ.
func settings(was, is *model.Model) (out []Setting) {
	if was.State != is.State {
		out = append(out, Setting{"state", string(was.State), string(is.State)})
	}
	a, b := was.Numbers.Map(), is.Numbers.Map()
	names := map[string]bool{}
	for n := range a {
		names[n] = true
	}
	for n := range b {
		names[n] = true
	}
	for _, n := range slices.Sorted(keys(names)) {
		x, inA := a[n]
		y, inB := b[n]
		if inA && inB && x != y && !slices.Contains(counted, n) {
			out = append(out, Setting{n, fmt.Sprint(x), fmt.Sprint(y)})
		}
	}
	by := byPath(is)
	for i := range was.Claims {
		c := &was.Claims[i]
		if o := by[c.Path()]; o != nil && c.Same(o) && changed(c.Znode(), o.Znode()) {
			out = append(out, Setting{c.Path(), value(c.Znode()), value(o.Znode())})
		}
	}
	return out
}

func keys(m map[string]bool) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// value is a znode's data with its version.
func value(n *znode.Node) string {
	text := string(n.Data)
	if len(text) > 80 {
		text = text[:80] + "..."
	}
	return fmt.Sprintf("%q (version %d)", text, n.Version)
}

// changed reports whether the data of a znode differs, as far as it was read.
func changed(a, b *znode.Node) bool {
	const unread = znode.Unreadable | znode.DataOmitted | znode.NoStat
	if (a.Flags|b.Flags)&unread != 0 {
		return (a.Flags|b.Flags)&znode.NoStat == 0 && a.Version != b.Version
	}
	return a.Version != b.Version || !bytes.Equal(a.Data, b.Data)
}

// stuck notes who waits in both pictures for the same claim.
func (d *Difference) stuck(was, is *model.Model) {
	by := byPath(was)
	for i := range is.Claims {
		c := &is.Claims[i]
		o := by[c.Path()]
		if o == nil || !c.Same(o) || c.Ahead() == nil || o.Ahead() == nil || !c.Ahead().Same(o.Ahead()) {
			continue
		}
		d.Stuck = append(d.Stuck, Stuck{is.Path, claimOf(c), claimOf(c.Ahead())})
	}
}

// walk goes through the znodes of both pictures.
type walk struct {
	*Difference
	a, b *model.Result
}

func (w *walk) node(path string, a, b *znode.Node) {
	if a == b || path == "/zookeeper" || a == nil && b == nil {
		return
	}
	switch {
	case a == nil:
		if _, why := w.a.Snapshot.Known(path); why == "" {
			w.other(path, "came")
		}
	case b == nil:
		if _, why := w.b.Snapshot.Known(path); why == "" {
			w.other(path, "went")
		}
	case a.Czxid != b.Czxid && a.Czxid != 0 && b.Czxid != 0 && !a.Has(znode.Numbered) && !b.Has(znode.Numbered):
		w.other(path, "remade")
	case changed(a, b):
		w.other(path, "changed")
	}
	var x, y []*znode.Node
	if a != nil {
		x = a.Children
	}
	if b != nil {
		y = b.Children
	}
	for len(x) > 0 || len(y) > 0 {
		switch {
		case len(y) == 0 || len(x) > 0 && x[0].Name < y[0].Name:
			w.node(znode.Join(path, x[0].Name), x[0], nil)
			x = x[1:]
		case len(x) == 0 || y[0].Name < x[0].Name:
			w.node(znode.Join(path, y[0].Name), nil, y[0])
			y = y[1:]
		default:
			w.node(znode.Join(path, x[0].Name), x[0], y[0])
			x, y = x[1:], y[1:]
		}
	}
}

// other notes a znode that differs, unless it is part of a recipe, of which that is told.
func (w *walk) other(path, what string) {
	for _, r := range []*model.Result{w.a, w.b} {
		if m, _, how := r.RecipeAt(path); m != nil && (how != model.Below) {
			return
		}
	}
	if len(w.Others) == othersMost {
		w.More++
		return
	}
	w.Others = append(w.Others, Other{path, what})
}
