package config

import (
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

var update = flag.Bool("update", false, "print docs/schema/config.json anew")

const schemaFile = "../../docs/schema/config.json"

// schemaOf is the schema of a type, with the comments of its fields.
func schemaOf(t reflect.Type, comments map[string]string) map[string]any {
	switch t.Kind() {
	case reflect.Struct:
		properties := map[string]any{}
		for f := range t.Fields() {
			s := schemaOf(f.Type, comments)
			if says := comments[t.Name()+"."+f.Name]; says != "" {
				s["description"] = says
			}
			properties[f.Tag.Get("yaml")] = s
		}
		out := map[string]any{"type": []string{"object", "null"}, "properties": properties, "additionalProperties": false}
		if t == reflect.TypeFor[Profile]() {
			out["type"], out["required"] = "object", []string{"servers"}
		}
		return out
	case reflect.Map:
		return map[string]any{"type": []string{"object", "null"}, "additionalProperties": schemaOf(t.Elem(), comments)}
	case reflect.Slice:
		return map[string]any{"type": []string{"array", "null"}, "items": schemaOf(t.Elem(), comments)}
	case reflect.Bool:
		return map[string]any{"type": []string{"boolean", "null"}}
	}
	return map[string]any{"type": []string{"string", "number", "boolean", "null"}}
}

// commented are the comments at the ends of fields, by Type.Field.
func commented(t *testing.T) map[string]string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "config.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		if s, ok := spec.Type.(*ast.StructType); ok {
			for _, field := range s.Fields.List {
				out[spec.Name.Name+"."+field.Names[0].Name] = strings.TrimSpace(field.Comment.Text())
			}
		}
		return true
	})
	return out
}

// The schema that is shipped is that of the fields: editors complete and check by it.
func TestTheSchemaIsThatOfTheFields(t *testing.T) {
	s := schemaOf(reflect.TypeFor[Config](), commented(t))
	s["$schema"], s["title"] = "https://json-schema.org/draft/2020-12/schema", "The configuration of zkscope"
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	b = append(b, '\n')
	if *update {
		if err := os.WriteFile(schemaFile, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	shipped, err := os.ReadFile(schemaFile)
	if err != nil || string(shipped) != string(b) {
		t.Errorf("%s is not what go test ./internal/config -run Schema -update prints: %v", schemaFile, err)
	}
	if regexp.MustCompile(`"(servers|auth-command|hints|map)": \{\s+"description"`).FindAllString(string(b), -1) == nil {
		t.Error("no field is described")
	}
}

// Editors and zkscope find the same files right.
func TestTheSchemaAgreesWithTheReader(t *testing.T) {
	c := jsonschema.NewCompiler()
	schema, err := c.Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{example, "{}", "theme: light\nmouse: true\n", "profiles: {a: {servers: x, tls: true, map: {a:1: b:2}, admin: [off]}}", "keys: {quit: [a, b]}",
		"hints: ~", "profiles: ~", "mouse: perhaps", "keys: {quit: a}", "hints: one", "them: light", "profiles: {a: {}}", "profiles: {a: {servers: x, tsl: true}}",
		"profiles: {a: {servers: [x]}}", "profiles: {a: {servers: x, auth-command: pass}}", "profiles: [a]", "theme: {a: b}", "thresholds: [{kind: lock, held: 2h, waiting: 10, severity: high}]", "thresholds: [{hold: 2h}]", "thresholds: {held: 2h}",
		"profiles: {a: {servers: x, thresholds: [{depth: 5}]}}", "profiles: {a: {servers: x, thresholds: [[]]}}", "profiles: {a: {servers: x, map: [a]}}", "[]"} {
		var v any
		if err := yaml.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(text, err)
		}
		said := schema.Validate(v)
		if _, faults := Load([]byte(text), "x"); (said == nil) != (len(faults) == 0) {
			t.Errorf("%q: %v, and the schema says %v", text, faults, said)
		}
	}
}
