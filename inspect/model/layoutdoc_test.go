package model_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
)

var update = flag.Bool("update", false, "rewrite docs/layouts.md")

const layoutDoc = "../../docs/layouts.md"

// TestLayoutDocument keeps docs/layouts.md in step with the tables; -update writes it anew.
func TestLayoutDocument(t *testing.T) {
	want := layoutDocument()
	if *update {
		if err := os.WriteFile(layoutDoc, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(layoutDoc)
	if err != nil || string(got) != want {
		t.Errorf("%s is not what the tables say (%v): go test ./inspect/model -run TestLayoutDocument -update",
			layoutDoc, err)
	}
}

// layoutDocument describes the tables for people.
func layoutDocument() string {
	var b strings.Builder
	b.WriteString(`# Layouts that are recognised

This page is made from the tables in inspect/model (catalogue.go, cataloguesystems.go) and inspect/layout (layouttable.go,
placetable.go); do not edit it.

## Libraries and systems

Every layout that is decoded, and what it is shown as where nothing tells more.

`)
	b.WriteString("| id | what it is | kind | dialect | path | participants | told by |\n|---|---|---|---|---|---|---|\n")
	for _, r := range model.Catalogue() {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", r.ID, cell(r.What), r.Kind, r.Dialect,
			cell(code(r.Where)), cell(code(r.Names)), cell(code(r.Told)))
	}
	b.WriteString(`
## Names of children

A child's name is taken apart into a guard, a word and a sequence number. The word decides; where several rows
share one, the first whose data and place fit. Where clients of package recipes, and so zkscope join, write such names,
it is said how they do.

`)
	b.WriteString("| id | dialect | kind | name | order | told by | written as | what it is |\n|---|---|---|---|---|---|---|---|\n")
	for _, l := range slices.Concat(layout.Layouts(), []layout.Layout{layout.DiscoveryRow, layout.DubboRow, layout.HiveServerRow,
		layout.NerveRow, layout.D2Row, layout.AddressRow, layout.NameServiceRow, layout.SingleRow, layout.NumberedRow}) {
		kind := string(l.Kind)
		if l.Also != "" {
			kind += " or " + string(l.Also)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", l.ID, l.Dialect, kind, spellings(&l), l.Order,
			toldBy(&l), written(&l), cell(l.About))
	}
	b.WriteString(`
## Known places

What lies at these paths, below any chroot or parent, is told by the path. A star is any one component.

| id | dialect | kind | path | beside or in it | what it is |
|---|---|---|---|---|---|
`)
	for _, p := range layout.Places() {
		with := strings.TrimSpace(strings.Join([]string{p.Beside, p.Holds}, " "))
		tail := "…/" + p.Tail
		if !p.Itself {
			tail += "/"
		}
		kind := string(p.Kind)
		if p.Part {
			kind = "a part"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | `%s` | %s | %s |\n", p.ID, p.Dialect, kind, tail, with, cell(p.About))
	}
	b.WriteString(`
## Who could follow a leader

For elections of which systems tell more than who leads and who stands in line: where those are who could be promoted,
or who are led, as seen from beside the election; ./ begins a path within it. Where nobody leads although one of them
is there, that is a finding.

| id | election | could be promoted | led |
|---|---|---|---|
`)
	for _, p := range layout.Places() {
		if p.Office == nil || len(p.Office.Ranks) == 0 {
			continue
		}
		var can, led []string
		for _, r := range p.Office.Ranks {
			if text := r.Many + " in `" + r.At + "`"; r.Led {
				led = append(led, text)
			} else {
				can = append(can, text)
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", p.ID, cell(p.About), strings.Join(can, ", "),
			strings.Join(led, ", "))
	}
	return b.String()
}

// spellings are the ways in which names of a row are spelled.
func spellings(l *layout.Layout) string {
	begin, _, _ := strings.Cut(l.Form, "<")
	if within := begin != "" && begin != "_c_"; within || l.Form != "" && !l.Numbered() {
		return "`" + cell(l.Form) + "`"
	}
	var out []string
	for _, g := range []struct {
		guard layout.Guard
		text  string
	}{{layout.NoGuard, ""}, {layout.CuratorGuard, "_c_<uuid>-"}, {layout.GoGuard, "_c_<32 hex>-"},
		{layout.HexGuard, "<32 hex>-"}, {layout.TextGuard, "<text>-"}, {layout.SessionGuard, "<session>-"}} {
		if l.Guard&g.guard == 0 {
			continue
		}
		name := g.text + l.Word
		if strings.HasPrefix(l.Word, "__") && g.guard != layout.CuratorGuard {
			name = strings.TrimSuffix(g.text, "-") + l.Word
		}
		out = append(out, "`"+cell(name)+"<seq>`")
	}
	if out == nil {
		return "any"
	}
	return strings.Join(out, " ")
}

// written is how clients of ours write names of a row, where they do.
func written(l *layout.Layout) string {
	if !l.Written {
		return ""
	}
	return "`" + cell(l.Form) + "`"
}

func toldBy(l *layout.Layout) string {
	var out []string
	if l.Data != "" {
		out = append(out, fmt.Sprintf("data %q", l.Data))
	}
	if l.Within != "" {
		out = append(out, fmt.Sprintf("data with %q", l.Within))
	}
	if l.Content != layout.AnyContent {
		out = append(out, [...]string{"", "no data", "an address", "JSON"}[l.Content])
	}
	if l.In != "" {
		out = append(out, "below "+l.In)
	}
	return cell(strings.Join(out, ", "))
}

// code sets words that Markdown would take for HTML in backquotes.
func code(s string) string {
	if strings.ContainsAny(s, "<*") {
		return "`" + s + "`"
	}
	return s
}

func cell(s string) string { return strings.ReplaceAll(s, "|", "\\|") }
