package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/sorted"
	"github.com/zkscope/zkscope/internal/config"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/tui/keys"
)

// configCheck lists everything that is wrong with a configuration file.
func configCheck(c *command) subcommand {
	return subcommand{use: "check [FILE]", short: "list all that is wrong with a configuration file; exit 3 when anything is", formats: tableOrJSON, bare: true,
		long: "List all that is wrong with a configuration file, with the lines: keys that are not known, values of the wrong sort, hints,\n" +
			"keys and addresses that cannot be read, files that are named and not there or that others may read. Without FILE it is the\n" +
			"file that zkscope reads. Nothing is connected to, and no command is run.",
		example: "  zkscope config check\n  zkscope config check new.yaml -o json",
		run: func(_ context.Context, in invocation) error {
			c.configPath()
			path := c.cfgPath
			if len(in.args) == 1 {
				path = in.args[0]
			}
			if err := noPipe(map[string]string{"--config": path}); err != nil {
				return err
			}
			text, err := whileReading(func() ([]byte, error) { return os.ReadFile(path) })
			if err != nil {
				return fail(exitUsage, "configuration: %w", err)
			}
			f, faults := config.Load(text, path)
			if len(faults) == 0 {
				faults = meaningless(f)
			}
			return c.faults(path, faults)
		}}
}

// faultsReport is the JSON of config check.
type faultsReport struct {
	Schema int            `json:"schema"`
	File   string         `json:"file"`
	Faults []config.Fault `json:"faults"`
}

// faults prints what is wrong.
func (c *command) faults(path string, faults []config.Fault) error {
	if c.flags.output == "json" {
		if err := c.printJSON(faultsReport{1, path, append([]config.Fault{}, faults...)}); err != nil {
			return err
		}
	}
	if c.flags.output == "table" {
		for _, f := range faults {
			fmt.Fprintf(c.Out, "%s: %s\n", say.Printable(say.Either(f.Line == 0, path, path+":"+strconv.Itoa(f.Line))), say.Printable(f.Text))
		}
		if len(faults) == 0 {
			fmt.Fprintf(c.Out, "%s: nothing is wrong\n", say.Printable(path))
		}
	}
	if len(faults) > 0 {
		return failure{code: exitFindings}
	}
	return nil
}

// checker finds values that are spelled right and mean nothing.
type checker struct {
	file   *config.File
	faults []config.Fault
}

func meaningless(f *config.File) []config.Fault {
	k := checker{file: f}
	if _, err := ground(f.Theme, nil); err != nil {
		k.add(err.Error(), "theme")
	}
	for i, h := range f.Hints {
		if _, wrong := parseHint(h); wrong != "" {
			k.add("hint "+h+": "+wrong, "hints", strconv.Itoa(i))
		}
	}
	if _, wrong := remembered(f.LocalHistory); wrong != "" {
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

// add notes a fault of a value.
func (k *checker) add(text string, at ...string) {
	k.faults = append(k.faults, config.Fault{Line: k.file.Lines[config.Key(at...)], Text: oneLine(text)})
}

// thresholds looks at the rules of a list.
func (k *checker) thresholds(list []config.Threshold, at ...string) {
	for i, t := range list {
		keys := append(slices.Clone(at), strconv.Itoa(i))
		if _, key, wrong := ruleOf(t); wrong != "" {
			k.add("threshold: "+wrong, ruleAt(k.file, keys, key)...)
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
	if a := (&access{routes: p.Map}); a.check() != nil {
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
