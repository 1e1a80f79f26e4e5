package layout

import (
	"iter"
	"strings"

	"github.com/zkscope/zkscope/inspect/znode"
)

// Place is a known path of a system: what lies there is told by the path and not by the names of its
// children. All of them may lie below a chroot or a parent of the operator's choice, so only the tail of a
// path is compared.
type Place struct {
	ID      string  // stable, as a Layout's
	Dialect Dialect // whose place it is
	Kind    Kind    // what is there
	Tail    string  // the last components of the path; * is any one, a final * within one any ending
	Beside  string  // a znode that must stand beside it; empty: none
	Holds   string  // a child that it must have; empty: none
	Itself  bool    // the recipe is the znode itself and not its children
	Names   string  // what the last component must begin with
	Used    bool    // it is a recipe only while it has children
	Lines   bool    // it is one only while a child has no children
	Part    bool    // it is a part of another recipe, and none itself
	Durable bool    // claims are persistent there by design
	Office  *Office // of an election: what is known of it besides
	Line    *Layout // how children with a number and no known word stand there; nil: they do not
	About   string  // what is there, as a phrase

	parts []string
	Row   *Layout // the row of a recipe that is the znode itself
}

// rungs is how many places, counted from the end of a path, the last literal component of a tail may stand at.
const rungs = 4

// placeIndex finds places by their last literal component: first by whether the recipe is the znode
// itself, then by the rung of that component, then by the component.
var placeIndex = indexPlaces()

func indexPlaces() (index [2][rungs]map[string][]*Place) {
	for i := range places {
		p := &places[i]
		p.parts = strings.Split(p.Tail, "/")
		p.Row = &Layout{ID: p.ID, Dialect: p.Dialect, Kind: p.Kind, Sure: 0.9, Durable: p.Durable, About: p.About}
		rung := 0
		for p.parts[len(p.parts)-1-rung] == "*" {
			rung++
		}
		key := p.parts[len(p.parts)-1-rung]
		kind := &index[choose2(p.Itself)]
		if kind[rung] == nil {
			kind[rung] = make(map[string][]*Place)
		}
		kind[rung][key] = append(kind[rung][key], p)
	}
	return index
}

func choose2(b bool) int {
	if b {
		return 1
	}
	return 0
}

// PlaceOf returns the known place that a path is, or nil. beside looks for a znode next to it.
func PlaceOf(path string, itself bool, beside func(string) bool) *Place {
	rest := path
	for rung := range rungs {
		var name string
		if rest == "" || rest == "/" {
			return nil
		}
		rest, name = znode.Split(rest)
		for _, p := range placeIndex[choose2(itself)][rung][name] {
			if p.Matches(path) && (p.Beside == "" || beside(p.Beside)) {
				return p
			}
		}
	}
	return nil
}

// IsPlaceName reports whether the last component of some place, one of whose recipe is the znode itself or one of whose
// is not, is this name.
func IsPlaceName(name string, itself bool) bool { return placeIndex[choose2(itself)][0][name] != nil }

// AnyPlaceIn reports whether the components of a directory's path are such that some place of any name may lie in it: a
// place whose recipe is the znode itself, or one whose is not.
func AnyPlaceIn(dir string, itself bool) bool {
	index := &placeIndex[choose2(itself)]
	for rung := 1; rung < rungs && dir != "" && dir != "/"; rung++ {
		var above string
		dir, above = znode.Split(dir)
		if index[rung][above] != nil {
			return true
		}
	}
	return false
}

// Matches compares the tail of a path.
func (p *Place) Matches(path string) bool {
	for i := len(p.parts) - 1; i >= 0; i-- {
		if path == "" || path == "/" {
			return false
		}
		var name string
		path, name = znode.Split(path)
		if i == len(p.parts)-1 && !strings.HasPrefix(name, p.Names) {
			return false
		}
		prefix, open := strings.CutSuffix(p.parts[i], "*")
		if name != p.parts[i] && !(open && strings.HasPrefix(name, prefix)) {
			return false
		}
	}
	return true
}

// EachPlace goes through the table of known places. They are those that PlaceOf returns, and not to be modified.
func EachPlace() iter.Seq[*Place] {
	return func(yield func(*Place) bool) {
		for i := range places {
			if !yield(&places[i]) {
				return
			}
		}
	}
}

// Places returns the table of known places, a copy.
func Places() []Place { return append([]Place(nil), places...) }
