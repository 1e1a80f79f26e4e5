package cli

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/spf13/cobra"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
	"github.com/zkscope/zkscope/internal/cli/change"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/history"
	"github.com/zkscope/zkscope/internal/cli/join"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/settings"
	"github.com/zkscope/zkscope/internal/cli/show"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/zkserver"
)

var updateSchemas = flag.Bool("update-schemas", false, "print docs/schema anew")

// printed is what each command prints with -o json.
var printed = map[string]reflect.Type{
	"ls": reflect.TypeFor[story.Report](), "show": reflect.TypeFor[story.Report](), "check": reflect.TypeFor[story.Report](),
	"demo": reflect.TypeFor[story.Report](), "why": reflect.TypeFor[show.WhyReport](), "graph": reflect.TypeFor[story.GraphReport](),
	"sessions": reflect.TypeFor[show.SessionsReport](), "impact": reflect.TypeFor[story.ImpactReport](), "doctor": reflect.TypeFor[show.DoctorReport](),
	"explain": reflect.TypeFor[show.ExplainReport](), "history": reflect.TypeFor[history.HistoryReport](), "audit": reflect.TypeFor[change.AuditReport](),
	"version": reflect.TypeFor[show.Built](), "config-settings": reflect.TypeFor[settings.SettingsReport](), "config-profiles": reflect.TypeFor[settings.ProfilesReport](),
	"config-check": reflect.TypeFor[settings.FaultsReport](), "history-top": reflect.TypeFor[history.TopReport](), "diff": reflect.TypeFor[history.DiffReport](), "all-profiles": reflect.TypeFor[look.FleetReport](),
	"change": reflect.TypeFor[change.PlanReport](), "join": reflect.TypeFor[join.JoinLine](),
}

// schemaName is under which name the schema of a command's output is shipped; that of the configuration itself is config.
func schemaName(c *cobra.Command) string {
	name := strings.Join(strings.Fields(c.CommandPath())[1:], "-")
	if name == "config" {
		return "config-settings"
	}
	if name == "vote" || slices.ContainsFunc(change.Verbs, func(v change.Verb) bool { return strings.HasPrefix(v.Use, name+" ") }) {
		return "change"
	}
	return name
}

// maker makes schemas of types; comments are those of their fields.
type maker struct{ comments map[string]string }

func words[T ~string](list ...T) map[string]any { return map[string]any{"enum": list} }

func (m maker) of(t reflect.Type) map[string]any {
	switch t {
	case reflect.TypeFor[layout.Kind]():
		return words(layout.Kinds()...)
	case reflect.TypeFor[model.Proof]():
		return words(model.Proven, model.Likely, model.Refuted)
	case reflect.TypeFor[time.Time]():
		return map[string]any{"type": "string", "format": "date-time"}
	case reflect.TypeFor[[]byte]():
		return map[string]any{"type": []string{"string", "null"}, "contentEncoding": "base64"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return map[string]any{"anyOf": []any{m.of(t.Elem()), map[string]any{"type": "null"}}}
	case reflect.Struct:
		return m.object(t)
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": m.of(t.Elem())}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": m.of(t.Elem())}
	case reflect.Array:
		return map[string]any{"type": "array", "items": m.of(t.Elem()), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	}
	return map[string]any{"type": "integer"}
}

// object is a struct's schema: every field is there, but for those that are left out where they are empty, and no other.
func (m maker) object(t reflect.Type) map[string]any {
	properties, required := map[string]any{}, []string{}
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() {
			continue
		}
		s := m.of(f.Type)
		switch name {
		case "schema":
			s = map[string]any{"const": 1}
		case "severity":
			s = words("low", "medium", "high")
		}
		if says := m.comments[t.Name()+"."+f.Name]; says != "" {
			s["description"] = says
		}
		properties[name] = s
		if options != "omitempty" {
			required = append(required, name)
		}
	}
	slices.Sort(required)
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

// fieldComments are those at the ends of the fields of all structs that are printed.
func fieldComments(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, dir := range []string{"change", "history", "join", "look", "monitor", "settings", "show", "../config", "../../actions", "../../inspect/story", "../../inspect/waits", "../../inspect/znode"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				spec, ok := n.(*ast.TypeSpec)
				if !ok {
					return true
				}
				if s, ok := spec.Type.(*ast.StructType); ok {
					for _, field := range s.Fields.List {
						for _, name := range field.Names {
							out[spec.Name.Name+"."+name.Name] = strings.TrimSpace(field.Comment.Text())
						}
					}
				}
				return true
			})
		}
	}
	return out
}

// The schemas that are shipped are those of what is printed, one for every command that prints JSON.
func TestSchemasAreThoseOfTheFields(t *testing.T) {
	m := maker{fieldComments(t)}
	for name, typ := range printed {
		s := m.of(typ)
		s["$schema"], s["title"] = "https://json-schema.org/draft/2020-12/schema", "What zkscope "+strings.ReplaceAll(strings.TrimSuffix(name, "-settings"), "-", " ")+" -o json prints"
		b, err := json.MarshalIndent(s, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		b = append(b, '\n')
		file := filepath.Join("../../docs/schema", name+".json")
		if *updateSchemas {
			if err := os.WriteFile(file, b, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if shipped, err := os.ReadFile(file); err != nil || string(shipped) != string(b) {
			t.Errorf("%s is not what go test ./internal/cli -run Schemas -update-schemas prints: %v", file, err)
		}
	}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if slices.Contains(strings.Fields(c.Annotations[command.Outputs]), "json") && c.HasParent() && printed[schemaName(c)] == nil {
			t.Errorf("%s prints JSON, and its schema is not shipped: give it a row in this test", c.CommandPath())
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(Tree())
}

// What commands print is valid by its schema, of a server and of files.
func TestOutputIsValidByItsSchema(t *testing.T) {
	s := clitest.New(t, Run, zkserver.Options{})
	kazoo, doc := s.Contend()
	s.Create("/queue", "", 0)
	s.Create("/queue/qn-0000000000", "\x00\xff", 0)
	dir := t.TempDir()
	snapshot := filepath.Join(dir, "now.jsonl")
	if code, out, errs := s.Run("", "snapshot", s.Addr, "--file", snapshot); code != world.ExitOK {
		t.Fatal(code, out, errs)
	}
	if code, out, errs := s.Run("", "revoke", kazoo, s.Addr, "--dry-run"); code != world.ExitOK && code != world.ExitRefused {
		t.Fatal(code, out, errs)
	}
	holder := s.Session(kazoo)
	if code, _, errs := s.Run("", "break", kazoo, s.Addr, "--yes", "--session", holder); code != world.ExitOK { // an entry of the audit log
		t.Fatal(code, errs)
	}
	bad := filepath.Join(dir, "bad.yaml")
	if err := os.WriteFile(bad, []byte("x: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	good := filepath.Join(dir, "good.yaml")
	if err := os.WriteFile(good, []byte(clitest.Settings), 0o600); err != nil {
		t.Fatal(err)
	}
	fleet := filepath.Join(t.TempDir(), "fleet.yaml")
	if err := os.WriteFile(fleet, []byte("profiles: {p: {servers: \""+s.Addr+"\"}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, line := range []string{"ls ADDR", "ls --from FILE", "show /locks/a ADDR", "show /locks/a --from FILE", "show /locks ADDR", "check ADDR", "check --from FILE",
		"why /locks/a ADDR", "why /locks/b --from FILE", "why /locks ADDR", "graph ADDR", "graph --from FILE", "sessions ADDR", "sessions --from FILE",
		"impact HOLDER --from FILE", "doctor ADDR", "explain", "explain deadlock", "audit", "version", "config --config GOOD", "config --servers h:1", "config profiles --config GOOD",
		"config check GOOD", "config check BAD", "history /locks/orders --from ../txnlog/testdata/contention", "history /locks/nightly --from ../txnlog/testdata/expiry",
		"history /el --from ../txnlog/testdata/contention", "history --top --from ../txnlog/testdata/contention", "diff FILE FILE", "diff FILE ADDR", "break /locks/b/DOC ADDR --dry-run", "revoke /locks/nothing ADDR", "ls --all-profiles --config FLEET", "check --all-profiles --config FLEET", "demo", "join counter /counter --servers ADDR --role write --data 1"} {
		args := strings.Fields(strings.NewReplacer("/locks/b/DOC", doc, "ADDR", s.Addr, "FILE", snapshot, "HOLDER", holder, "GOOD", good, "BAD", bad, "FLEET", fleet).Replace(line))
		code, out, errs := s.Run("", append(args, "-o", "json")...)
		if code != world.ExitOK && code != world.ExitFindings && code != world.ExitNotFound && code != 1 {
			t.Errorf("%s: exit %d %s", line, code, errs)
			continue
		}
		args = append(args, "-o", "json")
		name := schemaOf(args)
		seen[name] = true
		if err := validBySchema("../..", args, out); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	for name := range printed {
		if !seen[name] {
			t.Errorf("nothing that %s prints was looked at", name)
		}
	}
}

// schemaOf is under which name the schema of what a command line prints is shipped; empty: it prints no JSON.
func schemaOf(args []string) string {
	cmd, rest, err := Tree().Find(args)
	if err != nil || cmd.ParseFlags(rest) != nil || cmd.Flag("output") == nil || cmd.Flag("output").Value.String() != "json" ||
		!slices.Contains(strings.Fields(cmd.Annotations[command.Outputs]), "json") {
		return ""
	}
	switch f := cmd.Flags(); {
	case f.Changed("all-profiles"):
		return "all-profiles"
	case f.Changed("top"):
		return schemaName(cmd) + "-top"
	}
	return schemaName(cmd)
}

// validBySchema holds what a command line printed against its schema: a document, or several where it changes several claims or
// tells how something goes on. What failed and printed nothing is no JSON.
func validBySchema(root string, args []string, out string) error {
	name := schemaOf(args)
	if name == "" || out == "" {
		return nil
	}
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join(root, "docs/schema", name+".json"))
	if err != nil {
		return err
	}
	for values := json.NewDecoder(strings.NewReader(out)); ; {
		var one json.RawMessage
		if err := values.Decode(&one); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(one))
		if err == nil {
			err = schema.Validate(v)
		}
		if err != nil {
			return err
		}
	}
}
