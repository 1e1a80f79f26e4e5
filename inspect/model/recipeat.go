package model

import (
	"slices"
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Relation is what a znode is to a recipe.
type Relation uint8

const (
	Nothing  Relation = iota // no recipe is at its path or above it
	Itself                   // the recipe stands at its path
	ItsClaim                 // it is a claim of the recipe
	ItsPart                  // it belongs to the recipe and is no claim: leases, locks, ready
	Below                    // it lies below the recipe and is none of it, as a foreign child
)

// RecipeAt answers which recipe the znode at a path is, is a claim or a part of, or lies below; how says which of
// these. It is the nearest such recipe. c is the claim that has the path; Itself has one where the recipe is a single
// znode. For Nothing m is nil. Whether the znode exists is another
// question: see Snapshot.At. It takes time in proportion to the claims of the recipe.
func (r *Result) RecipeAt(path string) (m *Model, c *Claim, how Relation) {
	if m = r.ByPath(path); m != nil {
		return m, m.claimAt(path), Itself
	}
	for dir := path; dir != "/" && dir != ""; {
		dir, _ = znode.Split(dir)
		if m = r.ByPath(dir); m == nil {
			m = r.beside(dir)
		}
		if m == nil {
			continue
		}
		if c = m.claimAt(path); c != nil {
			return m, c, ItsClaim
		}
		if m.hasPart(path) {
			return m, nil, ItsPart
		}
		return m, nil, Below
	}
	if m = r.beside(path); m != nil {
		return m, nil, ItsPart
	}
	return nil, nil, Nothing
}

// beside returns the semaphore of kazoo whose line the directory at a path is: it lies beside the recipe.
func (r *Result) beside(dir string) *Model {
	if base, ok := strings.CutSuffix(dir, layout.LineSuffix); ok && base != "" {
		return r.ByPath(base)
	}
	return nil
}

// claimAt returns the claim whose znode has a path, or nil.
func (m *Model) claimAt(path string) *Claim {
	dir, name := znode.Split(path)
	for i := range m.Claims {
		switch c := &m.Claims[i]; {
		case c.home == nil:
		case c.home.Whole && c.home.Dir == path, !c.home.Whole && c.home.Dir == dir && c.node.Name == name:
			return c
		}
	}
	return nil
}

// hasPart reports whether what lies at a path below the recipe belongs to it.
func (m *Model) hasPart(path string) bool {
	rest, ok := znode.Relative(m.Path, path)
	if !ok {
		return strings.HasPrefix(path, m.Path+layout.LineSuffix)
	}
	first, _, _ := strings.Cut(rest, "/")
	return layout.IsFurniture(first) && !slices.Contains(m.Foreign, first)
}

// Below returns a result with the recipes at and below a path only, and the findings that span recipes of which one is
// there. What they rest on is everything that was read. The rest is shared.
func (r *Result) Below(path string) *Result {
	out := *r
	var kept []*Model
	for m := range r.Models.All() {
		if _, in := znode.Relative(path, m.Path); in {
			kept = append(kept, m)
		}
	}
	if at, _, how := r.RecipeAt(path); how == ItsClaim || how == ItsPart {
		kept = append(kept, at)
	}
	out.Models, out.Findings = Models{}.Spliced(nil, kept), nil
	for _, f := range r.Findings {
		touches := len(f.Paths) == 0
		for _, p := range f.Paths {
			_, in := znode.Relative(path, p)
			m, _, _ := r.RecipeAt(p)
			touches = touches || in || m != nil && out.ByPath(m.Path) == m
		}
		if touches {
			out.Findings = append(out.Findings, f)
		}
	}
	return &out
}
