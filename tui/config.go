package tui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
)

// ConfigRecipe shows configuration values.
func ConfigRecipe() Recipe {
	return Recipe{Kind: layout.Config, Plural: "values", Count: countAll, Panel: Panel{
		Words: map[model.Role]string{model.Value: "is"}, Queue: "more", Brief: valueBrief, Draw: drawValue,
	}}
}

func countAll(models []*model.Model) string { return number(len(models)) }

func valueBrief(m *model.Model) brief {
	b := brief{what: string(m.State)}
	if len(m.Claims) > 0 {
		b.since = m.Claims[0].Since()
		b.queue = fmt.Sprintf("version %d", m.Claims[0].Version())
	}
	return b
}

// drawValue draws the data: text as it is, JSON in its lines, anything else by its length.
func drawValue(p picture) []line {
	if len(p.data) == 0 {
		return nil
	}
	most := max(1, p.h/2)
	texts := readable(p.data)
	var out []line
	for i, s := range texts {
		if i == most {
			return append(out, p.row("", span{fmt.Sprintf("%s %d more lines", p.Ellipsis, len(texts)-i), Dim}))
		}
		out = append(out, p.row(map[bool]string{true: "value"}[i == 0], span{term.Cut(s, p.w-12, p.Ellipsis), Plain}))
	}
	return out
}

// readable is data as lines of safe text.
func readable(data []byte) []string {
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return []string{fmt.Sprintf("%s bytes that are no text", number(len(data)))}
	}
	var b bytes.Buffer
	if text := bytes.TrimSpace(data); len(text) > 0 && (text[0] == '{' || text[0] == '[') && json.Indent(&b, text, "", "  ") == nil {
		data = b.Bytes()
	}
	lines := strings.Split(strings.TrimRight(string(data), "\n"), "\n")
	for i := range lines {
		lines[i] = term.Safe(strings.TrimRight(strings.ReplaceAll(lines[i], "\t", "    "), "\r"))
	}
	return lines
}
