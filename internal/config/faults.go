package config

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/zkscope/zkscope/inspect/sorted"
)

// Fault is something wrong with a configuration.
type Fault struct {
	Line int    `json:"line"` // from 1; 0: of no line
	Text string `json:"text"`
}

// File is a configuration with the places where things stand in it.
type File struct {
	Config
	Name  string
	Lines map[string]int // by the keys that lead to a value, joined by [Key]
}

// Key is how [File.Lines] names a value: by the keys that lead to it.
func Key(keys ...string) string { return strings.Join(keys, "\x00") }

// At names the place of a value: file:line; only the file where the value does not stand in it.
func (f *File) At(keys ...string) string { return place(f.Name, f.Lines[Key(keys...)]) }

func place(name string, line int) string {
	if line == 0 {
		return name
	}
	return name + ":" + strconv.Itoa(line)
}

// Load reads a configuration from its text and finds everything that is wrong with it, in the order of its lines. A key that
// is not known is a fault: a word that is misspelled must not silently leave a production profile unprotected. What it
// returns is only of use without faults, but for its Lines.
func Load(text []byte, name string) (*File, []Fault) {
	f := &File{Name: name, Lines: map[string]int{}}
	faults := load(text, &f.Config, f.Lines)
	if len(faults) == 0 {
		faults = f.senseless()
	}
	return f, faults
}

// load reads a text into a struct, and notes in which lines its values stand.
func load(text []byte, into any, at map[string]int) []Fault {
	d := yaml.NewDecoder(strings.NewReader(string(text)))
	var doc yaml.Node
	if err := d.Decode(&doc); errors.Is(err, io.EOF) {
		return nil
	} else if err != nil {
		return []Fault{faultOf(err)}
	}
	var wrong *yaml.TypeError
	if err := doc.Decode(into); err != nil && !errors.As(err, &wrong) {
		return []Fault{faultOf(err)}
	}
	w := walker{lines: at}
	w.value(doc.Content[0], reflect.TypeOf(into).Elem(), nil)
	if wrong != nil && len(w.faults) == 0 {
		w.faults = append(w.faults, faultOf(wrong))
	}
	var more yaml.Node
	if err := d.Decode(&more); err == nil {
		w.fault(&more, "more than one YAML document: put everything into the first, without ---")
	} else if !errors.Is(err, io.EOF) {
		w.faults = append(w.faults, faultOf(err))
	}
	return inOrder(w.faults)
}

// inOrder sorts faults by their lines.
func inOrder(faults []Fault) []Fault {
	sorted.By(faults, func(a, b Fault) int { return cmp.Compare(a.Line, b.Line) })
	return faults
}

// senseless finds what is spelled right and makes no sense.
func (f *File) senseless() (faults []Fault) {
	for n, p := range f.Profiles {
		if p.Servers == "" {
			faults = append(faults, Fault{f.Lines[Key("profiles", n)], "profile " + n + " names no servers"})
		}
	}
	if f.Profile != "" {
		if _, err := f.Find(f.Profile); err != nil {
			faults = append(faults, Fault{f.Lines["profile"], err.Error()})
		}
	}
	return inOrder(faults)
}

var lineOf = regexp.MustCompile(`line (\d+): `)

// faultOf is a fault from what the library says, which names the line in its text.
func faultOf(err error) Fault {
	text := strings.Join(strings.Fields(strings.TrimPrefix(err.Error(), "yaml: ")), " ")
	text = strings.TrimPrefix(text, "unmarshal errors: ")
	m := lineOf.FindStringSubmatch(text)
	if m == nil {
		return Fault{Text: text}
	}
	n, _ := strconv.Atoi(m[1]) // digits
	return Fault{n, strings.Replace(text, m[0], "", 1)}
}

// walker holds a document against the fields of what it is read into.
type walker struct {
	lines  map[string]int
	faults []Fault
	merged int
}

func (w *walker) fault(n *yaml.Node, format string, args ...any) {
	w.faults = append(w.faults, Fault{n.Line, fmt.Sprintf(format, args...)})
}

// value looks at one value, and at those in it.
func (w *walker) value(n *yaml.Node, t reflect.Type, at []string) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Tag == "!!null" {
		return
	}
	what := strings.Join(at, ".")
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		if n.Kind != yaml.MappingNode {
			w.fault(n, "%s takes keys and values", cmp.Or(what, "a configuration"))
			return
		}
		w.mapping(n, t, at)
	case reflect.Slice:
		if n.Kind != yaml.SequenceNode {
			w.fault(n, "%s takes a list, as [a, b]", what)
			return
		}
		for i, one := range n.Content {
			path := append(slices.Clone(at), strconv.Itoa(i))
			w.lines[Key(path...)] = one.Line
			w.value(one, t.Elem(), path)
		}
	case reflect.Bool:
		if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" {
			w.fault(n, "%s takes true or false", what)
		}
	default:
		if n.Kind != yaml.ScalarNode {
			w.fault(n, "%s takes one text", what)
		}
	}
}

// mapping looks at keys and their values.
func (w *walker) mapping(n *yaml.Node, t reflect.Type, at []string) {
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Tag == "!!merge" {
			w.merge(value, t, at)
			continue
		}
		if line := seen[key.Value]; line > 0 {
			w.fault(key, "%s stands in line %d already", key.Value, line)
			continue
		}
		seen[key.Value] = key.Line
		of := t
		if t.Kind() == reflect.Map {
			of = t.Elem()
		} else if of = fields(t)[key.Value]; of == nil {
			w.fault(key, "%s", unknown(key.Value, t, at))
			continue
		}
		path := append(slices.Clone(at), key.Value)
		w.lines[Key(path...)] = key.Line
		w.value(value, of, path)
	}
}

// merge looks at what << takes over, to a depth that nobody needs.
func (w *walker) merge(n *yaml.Node, t reflect.Type, at []string) {
	if w.merged++; w.merged > 1000 {
		return
	}
	if n.Kind == yaml.SequenceNode {
		for _, one := range n.Content {
			w.value(one, t, at)
		}
		return
	}
	w.value(n, t, at)
}

// unknown says that a key is none, and which there are.
func unknown(key string, t reflect.Type, at []string) string {
	known := make([]string, 0, t.NumField())
	for name := range fields(t) {
		known = append(known, name)
	}
	slices.Sort(known)
	where := "here"
	if len(at) > 0 {
		where = "in " + strings.Join(at, ".")
	}
	return fmt.Sprintf("there is no key %s %s; there are %s", key, where, strings.Join(known, ", "))
}

// fields are a struct's by their keys.
func fields(t reflect.Type) map[string]reflect.Type {
	out := map[string]reflect.Type{}
	for f := range t.Fields() {
		out[f.Tag.Get("yaml")] = f.Type
	}
	return out
}
