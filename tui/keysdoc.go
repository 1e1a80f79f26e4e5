package tui

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"github.com/zkscope/zkscope/tui/keys"
	"github.com/zkscope/zkscope/tui/view"
	"github.com/zkscope/zkscope/tui/widget"
)

// KeysDocument is the documentation of every key and command, in Markdown.
func KeysDocument() string {
	k := keys.Default()
	var b strings.Builder
	b.WriteString("# Keys\n\nMade from the console's own key map; `?` shows the same. A configuration file replaces keys by the names in the\nlast column: `keys: {quit: [Q], page-down: [ctrl+f, space]}`.\n")
	v := reflect.ValueOf(k)
	name := map[string]string{}
	for i := range v.NumField() {
		name[v.Field(i).Interface().(key.Binding).Help().Desc] = keys.NameOf(v.Type().Field(i).Name)
	}
	for _, s := range k.Sections() {
		fmt.Fprintf(&b, "\n## %s\n\n| key | does | name |\n|---|---|---|\n", s.Title)
		for _, x := range s.Keys {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", strings.ReplaceAll(keys.Spelled(x.Keys()), " ", "` `"), x.Help().Desc, name[x.Help().Desc])
		}
	}
	b.WriteString("\n## type\n\nWhere a text is typed: a filter, a command, a value, a reason. These are fixed.\n\n| key | does |\n|---|---|\n")
	for _, x := range widget.EditKeys() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", strings.ReplaceAll(keys.Spelled(x.Keys()), " ", "` `"), x.Help().Desc)
	}
	a := &App{}
	b.WriteString("\n## views\n\n| key | command | shows |\n|---|---|---|\n")
	for _, x := range view.All {
		if x.Key != "" {
			fmt.Fprintf(&b, "| `%s` | `:%s` | %s |\n", x.Key, x.Name, x.What)
		}
	}
	b.WriteString("\n## commands\n\n| command | does |\n|---|---|\n")
	for _, c := range a.commands() {
		if w := view.Named(c.Name); w == nil || w.Key == "" {
			fmt.Fprintf(&b, "| `:%s` | %s |\n", strings.TrimSpace(c.Name+" "+strings.ReplaceAll(c.Arg, "|", " or ")), c.What)
		}
	}
	return b.String()
}
