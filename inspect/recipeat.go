package inspect

import (
	"slices"
	"strings"
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

// RecipeAt answers which recipe the znode at a path is, is a claim or a part of, or lies below; how says which of these.
// It is the nearest such recipe. c is the claim that has the path; Itself has one where the recipe is a single znode. For
// Nothing m is nil. Whether the znode exists is another
// question: see Snapshot.At. It takes time in proportion to the claims of the recipe.
func (r *Result) RecipeAt(path string) (m *Model, c *Claim, how Relation) {
	if m = r.ByPath(path); m != nil {
		return m, m.claimAt(path), Itself
	}
	for dir := path; dir != "/" && dir != ""; {
		dir, _ = Split(dir)
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
	if base, ok := strings.CutSuffix(dir, lineSuffix); ok && base != "" {
		return r.ByPath(base)
	}
	return nil
}

// claimAt returns the claim whose znode has a path, or nil.
func (m *Model) claimAt(path string) *Claim {
	dir, name := Split(path)
	for i := range m.Claims {
		switch c := &m.Claims[i]; {
		case c.home == nil:
		case c.home.whole && c.home.dir == path, !c.home.whole && c.home.dir == dir && c.node.Name == name:
			return c
		}
	}
	return nil
}

// hasPart reports whether what lies at a path below the recipe belongs to it.
func (m *Model) hasPart(path string) bool {
	rest, ok := Relative(m.Path, path)
	if !ok {
		return strings.HasPrefix(path, m.Path+lineSuffix)
	}
	first, _, _ := strings.Cut(rest, "/")
	return furniture[first] && !slices.Contains(m.Foreign, first)
}
