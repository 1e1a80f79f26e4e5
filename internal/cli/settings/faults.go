package settings

import (
	"cmp"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/zkscope/zkscope/inspect/sorted"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/console"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/config"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/tui/keys"
)

// expected looks at the expectations of a list.
func (k *checker) expected(list []config.Expected, at ...string) {
	for i, e := range list {
		if _, key, wrong := command.ExpectationOf(e); wrong != "" {
			k.add("expected: "+wrong, command.RuleAt(k.file, append(slices.Clone(at), strconv.Itoa(i)), key)...)
		}
	}
}

// hidden looks at the globs of a list.
func (k *checker) hidden(list []string, at ...string) {
	for i, glob := range list {
		if wrong := command.BadGlob(glob); wrong != "" {
			k.add("hidden: "+wrong, append(slices.Clone(at), strconv.Itoa(i))...)
		}
	}
}

// names looks at where names come from.
func (k *checker) names(n config.Names, at ...string) {
	add := func(key, text string) { k.add("names: "+text, append(slices.Clone(at), key)...) }
	if _, key, wrong := look.BadNames(n); wrong != "" {
		add(key, wrong)
	}
	if n.File != "" {
		if _, err := os.Stat(n.File); err != nil {
			add("file", err.Error())
		}
	}
	if len(n.Command) > 0 {
		if _, err := exec.LookPath(n.Command[0]); err != nil {
			add("command", err.Error())
		}
	}
}

// owns looks at the own commands.
func (k *checker) owns(f *config.File) {
	m := keys.Default()
	_ = m.Bind(f.Keys) // its faults are told by themselves
	seen := map[string]bool{}
	for i, o := range f.Commands {
		key, wrong := console.BadOwn(o, &m)
		if wrong == "" && seen[o.Key] {
			key, wrong = "key", o.Key+" runs another command already"
		}
		seen[o.Key] = true
		if _, err := exec.LookPath(cmp.Or(slices.Concat(o.Run, []string{""})[0], "true")); err != nil && wrong == "" {
			key, wrong = "run", err.Error()
		}
		if wrong != "" {
			k.add("command: "+wrong, command.RuleAt(k.file, []string{"commands", strconv.Itoa(i)}, key)...)
		}
	}
}

// checker finds values that are spelled right and mean nothing.
type checker struct {
	file   *config.File
	faults []config.Fault
}

// add notes a fault of a value.
func (k *checker) add(text string, at ...string) {
	k.faults = append(k.faults, config.Fault{Line: k.file.Lines[config.Key(at...)], Text: world.OneLine(text)})
}

// thresholds looks at the rules of a list.
func (k *checker) thresholds(list []config.Threshold, at ...string) {
	for i, t := range list {
		keys := append(slices.Clone(at), strconv.Itoa(i))
		if _, key, wrong := look.RuleOf(t); wrong != "" {
			k.add("threshold: "+wrong, command.RuleAt(k.file, keys, key)...)
		}
	}
}

// profile looks at one.
func (k *checker) profile(name string, p config.Profile) {
	add := func(key, text string) { k.add(key+": "+text, "profiles", name, key) }
	if _, _, err := zkc.ParseConnect(p.Servers); err != nil {
		add("servers", err.Error())
	}
	k.thresholds(p.Thresholds, "profiles", name, "thresholds")
	k.hidden(p.Hidden, "profiles", name, "hidden")
	k.names(p.Names, "profiles", name, "names")
	k.expected(p.Expected, "profiles", name, "expected")
	if p.Root != "" && !strings.HasPrefix(p.Root, "/") {
		add("root", "a path begins with a slash")
	}
	if a := (&command.Access{Routes: p.Map}); a.Check() != nil {
		add("map", "write host:port: host:port")
	}
	if p.TLSMin != "" && p.TLSMin != "1.2" && p.TLSMin != "1.3" {
		add("tls-min", "there are 1.2 and 1.3")
	}
	jaas, _, _ := strings.Cut(p.JAAS, "#")
	for _, f := range []struct {
		key, path string
		secret    bool // it is refused where others may read it
	}{{"auth-file", p.AuthFile, true}, {"jaas", jaas, true}, {"keytab", p.Keytab, false}, {"tls-ca", p.TLSCA, false},
		{"tls-cert", p.TLSCert, false}, {"tls-key", p.TLSKey, false}, {"tls-password-file", p.TLSPasswordFile, true}} {
		if f.path == "" {
			continue
		}
		err := config.Private(f.path)
		if !f.secret && err != nil {
			_, err = os.Stat(f.path)
		}
		if err != nil {
			add(f.key, err.Error())
		}
	}
	if len(p.AuthCommand) > 0 {
		if _, err := exec.LookPath(p.AuthCommand[0]); err != nil {
			add("auth-command", err.Error())
		}
	}
}

func meaningless(f *config.File) []config.Fault {
	k := checker{file: f}
	if _, err := command.Ground(f.Theme, nil); err != nil {
		k.add(err.Error(), "theme")
	}
	for i, h := range f.Hints {
		if _, wrong := command.ParseHint(h); wrong != "" {
			k.add("hint "+h+": "+wrong, "hints", strconv.Itoa(i))
		}
	}
	if _, wrong := look.Remembered(f.LocalHistory); wrong != "" {
		k.add("local-history "+wrong, "local-history")
	}
	k.thresholds(f.Thresholds, "thresholds")
	k.hidden(f.Hidden, "hidden")
	k.names(f.Names, "names")
	k.owns(f)
	k.expected(f.Expected, "expected")
	for _, name := range slices.Sorted(maps.Keys(f.Keys)) { // each by itself, so that each has its line
		m := keys.Default()
		if err := m.Bind(map[string][]string{name: slices.Clone(f.Keys[name])}); err != nil && !strings.Contains(err.Error(), "two things") {
			k.add(err.Error(), "keys", name)
		}
	}
	if all := keys.Default(); len(k.faults) == 0 {
		if err := all.Bind(f.Keys); err != nil {
			k.add(err.Error(), "keys")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.Profiles)) {
		k.profile(name, f.Profiles[name])
	}
	sorted.By(k.faults, func(a, b config.Fault) int { return cmp.Compare(a.Line, b.Line) })
	return k.faults
}
