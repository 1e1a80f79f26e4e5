package view

import (
	"fmt"
	"slices"
	"strings"
)

// ColumnNames are the columns that the table of recipes can have, from left to right. The path is always there.
var ColumnNames = []string{"kind", "dialect", "path", "holder", "held", "claims", "waiting"}

// usualColumns are those that it has until others are asked for.
var usualColumns = []string{"kind", "path", "holder", "held", "waiting"}

// Columns are the columns of the table of recipes; the zero Columns are the usual ones.
type Columns struct{ on []string }

// Names are the columns, from left to right.
func (c Columns) Names() []string {
	if c.on == nil {
		return usualColumns
	}
	return c.on
}

// has reports whether a column is wanted.
func (c Columns) has(name string) bool { return slices.Contains(c.Names(), name) }

// Choose takes columns by their names: as they are to be, or with + and - what is to come and to go; "usual" is those of the
// beginning.
func (c Columns) Choose(text string) (Columns, error) {
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' })
	if slices.Equal(words, []string{"usual"}) {
		return Columns{}, nil
	}
	on := map[string]bool{"path": true}
	if strings.ContainsAny(text, "+-") {
		for _, name := range c.Names() {
			on[name] = true
		}
	}
	for _, w := range words {
		name := strings.TrimLeft(w, "+-")
		switch {
		case !slices.Contains(ColumnNames, name):
			return c, fmt.Errorf("no column is called %s; there are %s", name, strings.Join(ColumnNames, ", "))
		case w[0] == '-' && name == "path":
			return c, fmt.Errorf("the path is always there")
		}
		on[name] = w[0] != '-'
	}
	var out []string
	for _, name := range ColumnNames {
		if on[name] {
			out = append(out, name)
		}
	}
	return Columns{out}, nil
}
