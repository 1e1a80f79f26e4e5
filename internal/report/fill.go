package report

import (
	"fmt"
	"html"
	"io"
	"reflect"
	"strings"
)

// part is a piece of a page: text that stands as it is, or a place to fill. A place is written as html/template writes it, in
// the few words that the page needs:
//
//	{{.Field}} {{safe .Field}} {{range .Field}} {{with .Field}} {{if .Field}} {{if long .}} {{else}} {{end}}
//
// That library is not used because it finds methods by their names, after which the linker must keep every method of
// every type in the program: a seventh of the binary.
type part struct {
	text        string
	verb, field string // of a place; field: a name, or empty for the value itself
	body, other []part
}

// parse reads parts up to the end of what they stand in, and returns what ended them, and what follows.
func parse(text string) (parts []part, end, rest string) {
	for {
		before, after, found := strings.Cut(text, "{{")
		if before != "" {
			parts = append(parts, part{text: before})
		}
		if !found {
			return parts, "", ""
		}
		word, after, _ := strings.Cut(after, "}}")
		if word == "end" || word == "else" {
			return parts, word, after
		}
		p := part{verb: "fill"}
		verb, field, two := strings.Cut(word, ".")
		if two && verb != "" {
			p.verb = strings.TrimSpace(verb)
		}
		p.field = field
		text = after
		switch p.verb {
		case "fill", "safe":
		case "range", "with", "if", "if long":
			if p.body, end, text = parse(text); end == "else" {
				p.other, end, text = parse(text)
			}
			if end != "end" {
				panic("report: {{" + word + "}} has no end")
			}
		default:
			panic("report: {{" + word + "}} is no place")
		}
		parts = append(parts, p)
	}
}

// fill writes parts about a value. Whatever comes from it is escaped for text and for attributes in quotes.
func fill(w io.StringWriter, parts []part, v reflect.Value) {
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	for _, p := range parts {
		if p.verb == "" {
			_, _ = w.WriteString(p.text) // the writer remembers its error
			continue
		}
		at := v
		if p.field != "" {
			at = v.FieldByName(p.field)
		}
		switch p.verb {
		case "fill":
			_, _ = w.WriteString(html.EscapeString(fmt.Sprint(at.Interface())))
		case "safe":
			_, _ = w.WriteString(html.EscapeString(safe(at.String())))
		case "range":
			for i := range at.Len() {
				fill(w, p.body, at.Index(i))
			}
		default:
			choose(w, p, v, at)
		}
	}
}

// choose writes one of a place's two bodies: about the value of its field, or for if about the value that it stands in.
func choose(w io.StringWriter, p part, v, at reflect.Value) {
	there := !at.IsZero() && !(at.Kind() == reflect.Slice && at.Len() == 0)
	if p.verb == "if long" {
		there = long(at.String())
	}
	if p.verb == "with" && there {
		v = at
	}
	if there {
		fill(w, p.body, v)
	} else {
		fill(w, p.other, v)
	}
}
