package docs

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/internal/cli"
)

// printed is the second line of a page that a test prints.
const printed = "Printed from the program: `go test ./internal/docs -update`.\n"

// The reference of the commands is what help says, and every exit code.
func TestCommandsReference(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Commands\n\n" + printed + "`zkscope help COMMAND` says the same.\n\n## Exit codes\n\n| code | means |\n|---|---|\n")
	for _, x := range cli.Exits() {
		fmt.Fprintf(&b, "| %d | %s |\n", x.Code, cell(x.Means))
	}
	b.WriteString("\n`check -o nagios` ends with the codes of Nagios' plugins instead.\n")
	tree := cli.Tree()
	b.WriteString("\n## Flags of every command\n\nThey name the servers, how to connect, and where else to read from. [Configuration](configuration.md) holds them for good.\n")
	flags(&b, tree.PersistentFlags())
	groups := append(tree.Groups(), &cobra.Group{Title: "More"})
	for _, g := range groups {
		fmt.Fprintf(&b, "\n## %s\n", strings.TrimSuffix(g.Title, ":"))
		for _, c := range tree.Commands() {
			if c.GroupID == g.ID && c.Name() != "completion" && c.Name() != "help" {
				commandReference(&b, c)
			}
		}
	}
	same(t, "docs/reference/commands.md", b.String())
}

// commandReference is a command's part of the page, and those of the commands below it.
func commandReference(b *strings.Builder, c *cobra.Command) {
	use, _ := strings.CutPrefix(c.UseLine(), "zkscope ")
	fmt.Fprintf(b, "\n### %s\n\n`zkscope %s`\n\n%s\n", strings.TrimPrefix(c.CommandPath(), "zkscope "), use, sentence(c.Short))
	if c.Long != "" && c.Long != c.Short {
		b.WriteString("\n" + escaped(strings.TrimSpace(c.Long)) + "\n")
	}
	if c.LocalNonPersistentFlags().HasAvailableFlags() {
		flags(b, c.LocalNonPersistentFlags())
	}
	if c.Example != "" {
		fmt.Fprintf(b, "\n```sh\n%s\n```\n", strings.ReplaceAll(strings.TrimSpace(c.Example), "\n  ", "\n"))
	}
	for _, sub := range c.Commands() {
		commandReference(b, sub)
	}
}

// flags is a table of flags.
func flags(b *strings.Builder, set *pflag.FlagSet) {
	b.WriteString("\n| flag | |\n|---|---|\n")
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		value, usage := pflag.UnquoteUsage(f)
		if plain := []string{"", "false", "[]", "0", "0s"}; !slices.Contains(plain, f.DefValue) && !strings.Contains(usage, "(default") {
			usage += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(b, "| `%s` | %s |\n", strings.TrimSpace(name+" "+value), cell(usage))
	})
}

// sentence is a short text with a capital and a full stop.
func sentence(s string) string { return escaped(strings.ToUpper(s[:1]) + s[1:] + ".") }

// escaped keeps Markdown from reading signs in a text of the program.
func escaped(s string) string { return strings.NewReplacer("*", `\*`, "<", `\<`, "_", `\_`).Replace(s) }

// cell is a text in a table.
func cell(s string) string { return strings.ReplaceAll(escaped(s), "|", `\|`) }

// schema is as much of a JSON schema as the shipped ones use.
type schema struct {
	Title, Description string
	Type               any
	Enum               []any
	Const              any
	AnyOf              []schema
	Items              *schema
	Properties         map[string]schema
	Additional         json.RawMessage `json:"additionalProperties"`
	Required           []string
}

func readSchema(t *testing.T, name string) schema {
	t.Helper()
	var s schema
	b, err := os.ReadFile(filepath.Join(root, "docs/schema", name))
	if err == nil {
		err = json.Unmarshal(b, &s)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return s
}

// kind is what values a schema takes, in words.
func (s schema) kind() string {
	switch {
	case s.Const != nil:
		return fmt.Sprint(s.Const)
	case len(s.Enum) > 0:
		var out []string
		for _, v := range s.Enum {
			out = append(out, fmt.Sprint(v))
		}
		return strings.Join(out, ", ")
	case len(s.AnyOf) > 0:
		var out []string
		for _, x := range s.AnyOf {
			out = append(out, x.kind())
		}
		return strings.Join(out, " or ")
	case s.Items != nil:
		return "list of " + s.Items.kind()
	}
	if list, ok := s.Type.([]any); ok {
		var out []string
		for _, x := range list {
			out = append(out, fmt.Sprint(x))
		}
		return strings.Join(out, " or ")
	}
	return fmt.Sprint(s.Type)
}

// fields lists what is in an object, and in the objects in it, each as visit is called.
func (s schema) fields(prefix string, visit func(path string, s schema)) {
	if s.Items != nil {
		s.Items.fields(prefix+"[]", visit)
	}
	for _, x := range s.AnyOf {
		x.fields(prefix, visit)
	}
	var each schema
	if json.Unmarshal(s.Additional, &each) == nil && each.Type != nil {
		each.fields(prefix+".NAME", visit)
	}
	names := make([]string, 0, len(s.Properties))
	for name := range s.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		path := strings.TrimPrefix(prefix+"."+name, ".")
		visit(path, s.Properties[name])
		s.Properties[name].fields(path, visit)
	}
}

// The reference of the JSON is that of the schemas.
func TestJSONReference(t *testing.T) {
	files, err := filepath.Glob(root + "/docs/schema/*.json")
	if err != nil || len(files) < 15 {
		t.Fatal(files, err)
	}
	var b strings.Builder
	b.WriteString("# JSON\n\n" + printed + "\nEvery command that takes `-o json` prints one document, whose schema is shipped in [docs/schema](../schema). `schema` is 1; it\n" +
		"changes when a field goes or changes its meaning, and not when one is added. null means *not known*, never *none*.\n" +
		"`watch -o jsonl` prints one event a line: [watch](commands.md#watch) lists its fields.\n")
	first := map[string]string{}
	for _, file := range files {
		name := filepath.Base(file)
		if name == "config.json" {
			continue
		}
		s := readSchema(t, name)
		var table strings.Builder
		s.fields("", func(path string, f schema) {
			fmt.Fprintf(&table, "| `%s` | %s | %s |\n", path, cell(f.kind()), cell(f.Description))
		})
		title := strings.TrimSuffix(strings.TrimPrefix(s.Title, "What zkscope "), " -o json prints")
		fmt.Fprintf(&b, "\n## %s\n\nSchema: [%s](../schema/%s).", title, name, name)
		if same := first[table.String()]; same != "" {
			fmt.Fprintf(&b, " The fields are those of [%s](#%s).\n", same, anchor(same))
			continue
		}
		first[table.String()] = title
		b.WriteString("\n\n| field | value | |\n|---|---|---|\n" + table.String())
	}
	same(t, "docs/reference/json.md", b.String())
}

// The reference of the configuration is that of its schema; a scalar may be written as any YAML scalar.
func TestConfigurationReference(t *testing.T) {
	var b strings.Builder
	b.WriteString(configurationHead)
	var profile strings.Builder
	readSchema(t, "config.json").fields("", func(path string, s schema) {
		name, inProfile := strings.CutPrefix(path, "profiles.NAME.")
		to := &b
		if inProfile {
			to = &profile
		}
		if s.Description == "" {
			t.Errorf("%s is not described: give its field in internal/config a comment", path)
		}
		fmt.Fprintf(to, "| `%s` | %s | %s |\n", name, settingKind(s), cell(s.Description))
	})
	b.WriteString("\n## A profile\n\n`--profile NAME` uses it; a flag on the command line wins over it.\n\n| key | value | |\n|---|---|---|\n" + profile.String())
	b.WriteString(configurationFoot)
	same(t, "docs/reference/configuration.md", b.String())
}

// settingKind is what a setting takes, in a word.
func settingKind(s schema) string {
	k := s.kind()
	for _, x := range []struct{ has, word string }{{"list of", "list"}, {"object", "table"}, {"string", "text"}, {"boolean", "true or false"}} {
		if strings.Contains(k, x.has) {
			return x.word
		}
	}
	return k
}

const configurationHead = "# Configuration\n\n" + printed + `
The file is ` + "`~/.config/zkscope/config.yaml`" + ` (in ` + "`$XDG_CONFIG_HOME`" + `), or what ` + "`--config`" + ` names. ` + "`zkscope config`" + ` prints every setting and where
it comes from, ` + "`zkscope config check`" + ` all that is wrong with the file, ` + "`zkscope config profiles`" + ` the names. Unknown keys and values
of the wrong kind are errors, with file and line. Editors complete and check by [docs/schema/config.json](../schema/config.json).

` + "```yaml" + `
profiles:
  prod:
    servers: zk1:2181,zk2:2181,zk3:2181/prod
    production: true          # a red frame; the name has to be typed to arm the console
    require-reason: true      # no change without a reason, for the audit log
    auth-file: /home/me/.zk   # credentials, one a line; mode 600
    tls: true
keys: {quit: [Q]}
hints: ['/app/*/mutex=lock']
theme: light
` + "```" + `

| key | value | |
|---|---|---|
`

const configurationFoot = `
## Environment

| variable | |
|---|---|
| ` + "`ZKSCOPE_SERVERS`" + ` | the servers, where nothing else names them |
| ` + "`ZKSCOPE_AUTH`" + ` | credentials, one a line: [connecting](../connecting.md#who-you-are) |
| ` + "`ZKSCOPE_TLS_PASSWORD`" + ` | the password of key and certificate files |
| ` + "`KRB5_CONFIG`, `KRB5CCNAME`" + ` | Kerberos' configuration and tickets |
| ` + "`XDG_CONFIG_HOME`, `XDG_STATE_HOME`" + ` | where the configuration and the audit log are |
| ` + "`NO_COLOR`" + ` | draw without colours |
`

// The example of a configuration is one.
func TestExampleConfiguration(t *testing.T) {
	_, rest, _ := strings.Cut(configurationHead, "```yaml\n")
	text, _, _ := strings.Cut(rest, "```")
	dir := t.TempDir()
	credentials := filepath.Join(dir, "zk")
	file := filepath.Join(dir, "config.yaml")
	for name, content := range map[string]string{credentials: "digest:me:secret\n", file: strings.ReplaceAll(text, "/home/me/.zk", credentials)} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs strings.Builder
	w := cli.OS()
	w.Out, w.Err = &out, &errs
	if code := cli.Run([]string{"config", "check", file}, w); code != 0 {
		t.Errorf("exit %d: %s%s", code, out.String(), errs.String())
	}
}
