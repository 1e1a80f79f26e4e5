// Package config reads the configuration file: profiles of ensembles, keys, and how the console looks.
//
// # Concurrency
//
// A Config is a plain value; reading one is safe from any goroutine.
package config

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/zkscope/zkscope/internal/program"
)

// Config is what a configuration file says. Everything is optional.
type Config struct {
	Profiles map[string]Profile  `yaml:"profiles"` // ensembles by name
	Profile  string              `yaml:"profile"`  // taken when nothing else names servers
	Keys     map[string][]string `yaml:"keys"`     // keys by the name of what they do
	Hints    []string            `yaml:"hints"`    // GLOB=KIND[:DIALECT][,limit=N][,needed=N]
	ASCII    bool                `yaml:"ascii"`    // draw with ASCII characters only
	Mouse    bool                `yaml:"mouse"`    // the console takes the mouse
	Theme    string              `yaml:"theme"`    // auto, dark, light, mono, contrast, safe, safe-dark or safe-light

	LocalHistory string `yaml:"local-history"` // remember for so long how long recipes are held, as 7d; off without it

	Thresholds []Threshold `yaml:"thresholds"` // limits on holds, waits, waiters, depth and age, for every ensemble
	Expected   []Expected  `yaml:"expected"`   // who should take part in recipes; who does not is a finding
	Names      Names       `yaml:"names"`      // what clients' hosts are called: shown beside their addresses
	Commands   []Command   `yaml:"commands"`   // commands of your own, which keys of the console run on what is selected
	Hidden     []string    `yaml:"hidden"`     // globs, as /kafka/**: lists leave out the recipes there, and say how many these are
}

// Profile is an ensemble that goes by a name. Secrets are never in it: a credential comes from a file, from the environment,
// or from a program that prints it.
type Profile struct {
	Servers         string            `yaml:"servers"`           // host:port,host:port/chroot
	Root            string            `yaml:"root"`              // read only this path and what is below it
	ReadOnly        bool              `yaml:"read-only"`         // no write leaves the process
	Production      bool              `yaml:"production"`        // a red frame; arming takes the profile's name
	NeedReason      bool              `yaml:"require-reason"`    // the console confirms a plan only with a reason
	TLS             bool              `yaml:"tls"`               // connect with TLS
	TLSCA           string            `yaml:"tls-ca"`            // the authority that signed the servers' certificates: a file
	TLSCert         string            `yaml:"tls-cert"`          // our certificate: a file
	TLSKey          string            `yaml:"tls-key"`           // its key, where that is in a file of its own
	AuthFile        string            `yaml:"auth-file"`         // a file with one scheme:credential a line, readable by its owner only
	AuthEnv         string            `yaml:"auth-env"`          // the variable that holds the same
	AuthCommand     []string          `yaml:"auth-command"`      // a program, with its arguments, that prints the same
	JAAS            string            `yaml:"jaas"`              // a login configuration of Java's clients, FILE or FILE#SECTION
	Keytab          string            `yaml:"keytab"`            // with kerberos: the file with the principal's key
	SASLService     string            `yaml:"sasl-service"`      // with kerberos: what the servers' principal begins with (default zookeeper)
	SASLHost        string            `yaml:"sasl-host"`         // with kerberos: the host in the servers' principal
	TLSName         string            `yaml:"tls-name"`          // the name in the servers' certificates, where it is not that of the address
	TLSMin          string            `yaml:"tls-min"`           // the oldest TLS version to accept, 1.2 or 1.3 (default 1.2)
	TLSPasswordFile string            `yaml:"tls-password-file"` // a file with the password of the key and certificate files
	Map             map[string]string `yaml:"map"`               // servers' addresses, and where they are reached
	Admin           []string          `yaml:"admin"`             // addresses of AdminServers
	FourLetter      []string          `yaml:"4lw"`               // addresses that answer four-letter words
	PreferObserver  bool              `yaml:"prefer-observer"`   // a server that says that it is an observer is tried first
	Thresholds      []Threshold       `yaml:"thresholds"`        // limits for this ensemble, before those for all
	Expected        []Expected        `yaml:"expected"`          // the same in this ensemble alone
	Names           Names             `yaml:"names"`             // instead of the names for all
	Hidden          []string          `yaml:"hidden"`            // further globs that are hidden in this ensemble
}

// Threshold is a rule by which what is over a limit is found, or what findings of a code weigh.
type Threshold struct {
	Path     string `yaml:"path"`     // a glob: * stays within one component, ** spans any number; every recipe without it
	Kind     string `yaml:"kind"`     // a kind of recipe; every kind without it
	Code     string `yaml:"code"`     // a finding's code, which has the rule's severity then; such a rule sets no limits
	Severity string `yaml:"severity"` // low, medium or high; with a code also none, which leaves the findings out
	Held     string `yaml:"held"`     // how long a claim may hold or lead, as 90s, 2h or 7d, or off
	Waited   string `yaml:"waited"`   // how long a claim may wait, or off
	Waiting  string `yaml:"waiting"`  // how many claims may wait, or off
	Depth    string `yaml:"depth"`    // how many items may be in a queue, or off
	Age      string `yaml:"age"`      // how old a claim's znode may be, or off
}

// Expected says who should take part in a recipe.
type Expected struct {
	Path         string   `yaml:"path"`         // the recipe; a glob is for several, and expects none of them to be there
	Participants string   `yaml:"participants"` // how many should take part at least
	Standby      string   `yaml:"standby"`      // how many standbys there should be at least, behind who holds or leads
	Members      []string `yaml:"members"`      // who should, by name
}

// Names says where the names of hosts come from: lines of an address and what is there, as in /etc/hosts.
type Names struct {
	File    string   `yaml:"file"`    // a file with such lines
	Command []string `yaml:"command"` // or a program, with its arguments, that prints them within 5 s
	Every   string   `yaml:"every"`   // how long they hold before the console reads them again (default 5m)
}

// Command is a command of the user's own on a key of the console. No shell reads it.
type Command struct {
	Key   string   `yaml:"key"`   // a key that does nothing else
	Name  string   `yaml:"name"`  // what it does, in a word or two
	Run   []string `yaml:"run"`   // a program and its arguments, of which $RECIPE, $PATH, $SESSION and $ADDR stand for what is selected
	Looks bool     `yaml:"looks"` // it changes nothing: it may run while the console is disarmed or read-only
}

// Path is where the file is looked for: the named file, else zkscope/config.yaml in the configuration folder.
func Path(named, home string) string {
	if named != "" {
		return named
	}
	return filepath.Join(home, "zkscope", "config.yaml")
}

// Read reads a file. One that is not there is an empty configuration, unless it was named. Errors name the file
// and the line of the first fault.
func Read(path string, named bool) (*File, error) {
	b, err := os.ReadFile(path)
	switch {
	case errors.Is(err, os.ErrNotExist) && !named:
		return &File{}, nil
	case err != nil:
		return nil, fmt.Errorf("configuration: %w", err)
	}
	return Parse(b, path)
}

// Parse reads a configuration from its text; name is for errors, which are those of [Load].
func Parse(text []byte, name string) (*File, error) {
	f, faults := Load(text, name)
	if len(faults) == 0 {
		return f, nil
	}
	more := ""
	if n := len(faults) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more: zkscope config check lists all)", n)
	}
	return nil, fmt.Errorf("configuration %s: %s%s", place(name, faults[0].Line), faults[0].Text, more)
}

// ReadThresholds reads a file that holds thresholds and nothing else, under the key that they have in a configuration. Errors
// name the file and the line of the first fault.
func ReadThresholds(path string) (*File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var alone struct {
		Thresholds []Threshold `yaml:"thresholds"`
	}
	f := &File{Name: path, Lines: map[string]int{}}
	if faults := load(text, &alone, f.Lines); len(faults) > 0 {
		return nil, fmt.Errorf("%s: %s", place(path, faults[0].Line), faults[0].Text)
	}
	f.Thresholds = alone.Thresholds
	return f, nil
}

// Find returns the profile of a name.
func (c Config) Find(name string) (Profile, error) {
	if p, ok := c.Profiles[name]; ok {
		return p, nil
	}
	var names []string
	for n := range c.Profiles {
		names = append(names, n)
	}
	slices.Sort(names)
	if len(names) == 0 {
		return Profile{}, fmt.Errorf("there is no profile %s: the configuration has none", name)
	}
	return Profile{}, fmt.Errorf("there is no profile %s; there are %s", name, strings.Join(names, ", "))
}

// Credentials returns a profile's credentials, scheme:credential each. A file that others may read is refused. A program that
// prints them may ask its user on the terminal, unless aside says that a console has that.
func (p Profile) Credentials(getenv func(string) string, aside bool) ([]string, error) {
	var out []string
	if p.AuthEnv != "" {
		out = append(out, lines(getenv(p.AuthEnv))...)
	}
	if len(p.AuthCommand) > 0 {
		said, err := ask(p.AuthCommand, aside)
		if err != nil {
			return nil, err
		}
		out = append(out, lines(said)...)
	}
	if p.AuthFile == "" {
		return out, nil
	}
	if err := Private(p.AuthFile); err != nil {
		return nil, fmt.Errorf("auth-file %w", err)
	}
	b, err := os.ReadFile(p.AuthFile)
	if err != nil {
		return nil, fmt.Errorf("auth-file: %w", err)
	}
	return append(out, lines(string(b))...), nil
}

// Private refuses a file with a secret in it that others than its owner may read. Where a system has no such rights, every
// file passes.
func Private(file string) error {
	st, err := os.Stat(file)
	switch {
	case err != nil:
		return err
	case runtime.GOOS != "windows" && st.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%s may be read by others: chmod 600 it", file)
	}
	return nil
}

// lines are those of a text that are neither empty nor a comment.
func lines(text string) (out []string) {
	for l := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) { // some editors begin a file with that mark
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "#") {
			out = append(out, l)
		}
	}
	return out
}

// askFor is how long a program that prints credentials may take: it may ask its user.
const askFor = time.Minute

// ask runs a program that prints credentials; aside: it gets no terminal, which is drawn on. What it says on standard error
// is for its user.
func ask(command []string, aside bool) (string, error) {
	var out strings.Builder
	p := program.Program{Args: command, Within: askFor, Out: &out}
	if !aside {
		p.In, p.Err = os.Stdin, os.Stderr
	}
	if err := p.Run(context.Background()); err != nil {
		return "", fmt.Errorf("auth-command %s: %w", command[0], err)
	}
	return out.String(), nil
}
