package sasl

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode/utf8"
)

// Login is one module of a section of a login configuration of Java's (JAAS), as Java's clients of ZooKeeper are given it.
type Login struct {
	Module  string            // the last part of its class: DigestLoginModule, Krb5LoginModule
	Options map[string]string // by the names that the module knows; may hold a password
}

// String names the module alone.
func (l Login) String() string { return l.Module }

// GoString names the module alone.
func (l Login) GoString() string { return l.Module }

// ReadLogin reads the first module of a section, which Java's clients call Client unless told otherwise, of a file. It is an
// error that names the lines when two sections of the file have one name, as it is for Java.
func ReadLogin(file, section string) (Login, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return Login{}, errors.New(strings.TrimPrefix(err.Error(), "open "))
	}
	sections, err := parseLogins(strings.TrimPrefix(string(data), "\ufeff")) // some editors begin a file with that mark
	if err != nil {
		return Login{}, fmt.Errorf("%s: %w", file, err)
	}
	l, ok := sections[section]
	if !ok {
		has := strings.Join(slices.Sorted(maps.Keys(sections)), ", ")
		if has == "" {
			return l, fmt.Errorf("%s: no login configuration is in it", file)
		}
		return l, fmt.Errorf("%s: no section %s is in it, only %s", file, section, has)
	}
	return l, nil
}

// parseLogins reads sections: Name { class flag option=value ...; };
func parseLogins(text string) (map[string]Login, error) {
	t := tokens{text: text, line: 1}
	out, begins := map[string]Login{}, map[string]int{}
	for {
		name, err := t.next()
		switch {
		case err != nil:
			return nil, err
		case name == "":
			return out, nil
		case name == ";":
			continue
		case begins[name] > 0:
			return nil, fmt.Errorf("lines %d and %d: two sections are called %s, and which is meant nobody can tell: remove or rename one", begins[name], t.line, name)
		}
		begins[name] = t.line
		if err := t.want("{"); err != nil {
			return nil, err
		}
		for {
			class, err := t.next()
			if err != nil {
				return nil, err
			}
			if class == "}" {
				break
			}
			l, err := t.module(class)
			if err != nil {
				return nil, err
			}
			if _, there := out[name]; !there {
				out[name] = l
			}
		}
	}
}

// tokens cuts a login configuration into words, signs and strings.
type tokens struct {
	text string
	line int
}

// module reads what follows a module's class, up to its semicolon.
func (t *tokens) module(class string) (Login, error) {
	l := Login{Module: class[strings.LastIndexByte(class, '.')+1:], Options: map[string]string{}}
	if _, err := t.next(); err != nil { // required, and so on
		return l, err
	}
	for {
		name, err := t.next()
		switch {
		case err != nil:
			return l, err
		case name == ";":
			return l, nil
		case name == "" || name == "}" || name == "{":
			return l, fmt.Errorf("line %d: a semicolon is missing after the module's options", t.line)
		}
		if err := t.want("="); err != nil {
			return l, err
		}
		if l.Options[name], err = t.next(); err != nil {
			return l, err
		}
	}
}

func (t *tokens) want(sign string) error {
	got, err := t.next()
	if err == nil && got != sign {
		err = fmt.Errorf("line %d: %q is missing", t.line, sign)
	}
	return err
}

// skip drops what is between words.
func (t *tokens) skip() {
	for t.text != "" {
		switch {
		case strings.HasPrefix(t.text, "//"), t.text[0] == '#':
			_, t.text, _ = strings.Cut(t.text, "\n")
			t.line++
		case strings.HasPrefix(t.text, "/*"):
			comment, rest, _ := strings.Cut(t.text, "*/")
			t.line += strings.Count(comment, "\n")
			t.text = rest
		case strings.ContainsRune(" \t\r\n", rune(t.text[0])):
			if t.text[0] == '\n' {
				t.line++
			}
			t.text = t.text[1:]
		default:
			return
		}
	}
}

// next is the next word, sign or string without its quotation marks; empty at the end.
func (t *tokens) next() (string, error) {
	t.skip()
	if t.text == "" {
		return "", nil
	}
	if c := t.text[0]; c == '"' {
		var ok bool
		var value string
		if value, t.text, ok = directive(t.text); !ok {
			return "", fmt.Errorf("line %d: a quotation mark is not closed", t.line)
		}
		return value, nil
	} else if strings.IndexByte("{};=", c) >= 0 {
		t.text = t.text[1:]
		return string(c), nil
	}
	n := strings.IndexAny(t.text, " \t\r\n{};=\"")
	if n < 0 {
		n = len(t.text)
	}
	word := t.text[:n]
	if t.text = t.text[n:]; !utf8.ValidString(word) {
		return "", fmt.Errorf("line %d: it is not text", t.line)
	}
	return word, nil
}
