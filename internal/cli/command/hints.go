package command

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/world"
)

// hintForm is the grammar of a hint, as errors and the help say it.
const hintForm = "GLOB=KIND[:DIALECT][,limit=N][,needed=N]"

// Kinds are the kinds of recipe that a hint can name.
var Kinds = layout.Kinds()

// limited are the kinds of which several may hold together; counted those that wait for a number of participants.
var (
	limited = kindsThat(layout.Kind.Limited)
	counted = kindsThat(func(k layout.Kind) bool { return k.Members() || k.Together() })
)

func kindsThat(are func(layout.Kind) bool) []layout.Kind {
	return slices.DeleteFunc(layout.Kinds(), func(k layout.Kind) bool { return !are(k) })
}

// Hints reads --hint, and what the configuration expects; a malformed one is reported when the flags are checked.
func (c *Line) Hints() model.Hints {
	h, _ := parseHints(c.Flags.Hints)
	h.Rules = append(h.Rules, c.expectations()...)
	return h
}

// parseHints reads hints of the form of [hintForm], from flags and from the configuration.
func parseHints(list []string) (model.Hints, error) {
	var h model.Hints
	for _, text := range list {
		rule, wrong := ParseHint(text)
		if wrong != "" {
			return h, world.Fail(world.ExitUsage, "--hint %s: %s", say.Printable(text), wrong)
		}
		h.Rules = append(h.Rules, rule)
	}
	return h, nil
}

// ParseHint reads one hint; wrong says what is wrong with it, and what is allowed.
func ParseHint(text string) (rule model.Hint, wrong string) {
	glob, what, ok := cutHint(text)
	if !ok {
		return rule, "write " + hintForm
	}
	what, options, _ := strings.Cut(what, ",")
	kind, dialect, hasDialect := strings.Cut(what, ":")
	rule = model.Hint{Path: glob, Kind: layout.Kind(kind), Dialect: layout.Dialect(dialect)}
	switch {
	case !slices.Contains(Kinds, rule.Kind):
		return rule, "the kind is one of " + Joined(Kinds)
	case hasDialect && !slices.Contains(model.Dialects(), rule.Dialect):
		return rule, strconv.Quote(dialect) + " is not a dialect, which is one of " + Joined(model.Dialects()) + "; how many may hold is written limit=N"
	}
	if _, err := path.Match(glob, ""); err != nil {
		return rule, strconv.Quote(glob) + " is not a glob"
	}
	for options != "" {
		var one string
		one, options, _ = strings.Cut(options, ",")
		if wrong = hintOption(&rule, one); wrong != "" {
			return rule, wrong
		}
	}
	return rule, ""
}

// cutHint parts the glob from what stands there. A glob may hold an equals sign, as names of some systems do: the last one
// before a kind counts.
func cutHint(text string) (glob, what string, ok bool) {
	for at := len(text); at > 0; {
		if at = strings.LastIndexByte(text[:at], '='); at <= 0 {
			break
		}
		word := text[at+1:]
		if end := strings.IndexAny(word, ":,"); end >= 0 {
			word = word[:end]
		}
		if slices.Contains(Kinds, layout.Kind(word)) {
			return text[:at], text[at+1:], true
		}
	}
	glob, what, ok = strings.Cut(text, "=")
	return glob, what, ok && glob != "" && what != ""
}

// hintOption reads limit=N or needed=N.
func hintOption(rule *model.Hint, one string) (wrong string) {
	name, value, _ := strings.Cut(one, "=")
	n, err := strconv.Atoi(value)
	switch {
	case name != "limit" && name != "needed":
		return strconv.Quote(one) + " is none of limit=N and needed=N"
	case err != nil || n < 1:
		return name + " takes a whole number from 1"
	case name == "limit" && !slices.Contains(limited, rule.Kind):
		return "limit goes with " + Joined(limited)
	case name == "needed" && !slices.Contains(counted, rule.Kind):
		return "needed goes with " + Joined(counted)
	case name == "limit":
		rule.Limit = n
	default:
		rule.Needed = n
	}
	return ""
}

// Joined joins words for an error.
func Joined[T ~string](list []T) string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = string(w)
	}
	return strings.Join(out, " ")
}
