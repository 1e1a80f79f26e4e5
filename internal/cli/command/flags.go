package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/recipes"
)

// Flags are the flags that every command takes.
type Flags struct {
	config     string
	profile    string
	Servers    string
	Root       string
	Children   int // most children of a znode that are read
	From       string
	LogDir     string
	Output     string
	ReadOnly   bool
	ascii      bool
	Mouse      bool
	Theme      string
	At         string // which moment of a recording
	AuditLog   string
	Timeout    time.Duration
	Session    time.Duration
	Access     Access
	Hints      []string
	Hidden     bool     // show what the configuration hides
	Admin      []string // where AdminServers are; see ensemble.Config
	FourLetter []string // where four-letter words are asked
	ACL        aclFlag  // of what is made
}

// aclFlag is a flag that takes an ACL.
type aclFlag struct {
	text string
	ACL  recipes.ACL
}

func (f *aclFlag) String() string { return f.text }
func (f *aclFlag) Type() string   { return "acl" }
func (f *aclFlag) Set(text string) (err error) {
	f.text = text
	f.ACL, err = recipes.ParseACL(text)
	return err
}

// Makes declares the flag of commands that make znodes.
func (f *Flags) Makes(fs *pflag.FlagSet, otherwise string) {
	fs.Var(&f.ACL, "acl", "who may do what with the znodes that are made: world (everybody everything), creator (whoever has our credentials everything), "+
		"read (creator, and everybody may read), or a list as digest:user:hash:cdrwa,world:anyone:r (default "+otherwise+")")
}

// Common declares the flags that every command takes.
func (f *Flags) Common(fs *pflag.FlagSet) {
	fs.StringVar(&f.Servers, "servers", "", "servers and chroot, as host:port,host:port/chroot, or srv://NAME/chroot for the DNS's SRV records (default $ZKSCOPE_SERVERS, else 127.0.0.1:2181)")
	fs.StringVar(&f.profile, "profile", "", "a profile of the configuration file, which names servers and how to connect")
	fs.StringVar(&f.config, "config", "", "the configuration file (default zkscope/config.yaml in the configuration folder)")
	fs.StringVar(&f.Root, "root", "/", "read only this path and what is below it")
	fs.IntVar(&f.Children, "max-children", 50_000, "the largest directory to read in full; of a larger one whose names look like a line or a queue, read the names and the first 100 znodes")
	fs.StringVar(&f.From, "from", "", "read a snapshot or recording from this file (- for standard input), or the data directories of members, DIR[,DIR...], instead of servers")
	fs.StringVar(&f.LogDir, "log-dir", "", "with --from DIR: where the transaction logs lie, if apart, DIR[,DIR...] in the same order")
	fs.StringVar(&f.At, "at", "", "with --from a recording: show it as it was at this time: 2006-01-02T15:04:05Z, 15:04:05 (UTC), or -5m before its end (default its last moment)")
	fs.StringVar(&f.AuditLog, "audit-log", "", "keep the audit log in this file (default zkscope/audit.jsonl in the state folder)")
	fs.StringVarP(&f.Output, "output", "o", "table", "table or json")
	fs.BoolVar(&f.ReadOnly, "read-only", false, "never write, whatever is asked for")
	fs.BoolVar(&f.ascii, "ascii", false, "draw with ASCII characters only")
	fs.BoolVar(&f.Mouse, "mouse", false, "let the mouse scroll and select in the console; :mouse gives it back to the terminal")
	fs.StringVar(&f.Theme, "theme", "", "colours of the console: auto, dark, light, mono, contrast, or safe where red and green look alike (default auto: the terminal is asked)")
	fs.DurationVar(&f.Timeout, "timeout", 10*time.Second, "how long to wait for an answer, or for a writer on a named pipe; if given, also how long to retry servers that are down")
	fs.DurationVar(&f.Session, "session-timeout", zkc.DefaultSession, "session timeout to ask for")
	f.Access.declare(fs)
	fs.StringSliceVar(&f.Admin, "admin", nil, "where the servers' AdminServers are, as host:port or URL; off: do not ask them (default port 8080 of each server)")
	fs.StringSliceVar(&f.FourLetter, "4lw", nil, "further addresses to ask with four-letter words, as host:port; off: do not ask")
	fs.BoolVar(&f.Hidden, "hidden", false, "show the recipes that the configuration hides, too")
	fs.StringArrayVar(&f.Hints, "hint", nil, "say what stands at a path: "+hintForm)
}

// Check finds mistakes before anything is connected to. fromArgument says that the command reads a file that is an argument.
func (f *Flags) Check(fromArgument bool) error {
	if !strings.HasPrefix(f.Root, "/") {
		return world.Fail(world.ExitUsage, "--root %s: a path begins with a slash", say.Printable(f.Root))
	}
	if f.Root != "/" {
		f.Root = strings.TrimRight(f.Root, "/")
	}
	if f.Children <= 0 {
		return world.Fail(world.ExitUsage, "--max-children takes a number above zero")
	}
	if f.At != "" && f.From == "" && !fromArgument {
		return world.Fail(world.ExitUsage, "--at %s: servers show what is now; it goes with --from a recording", say.Printable(f.At))
	}
	if f.Timeout <= 0 || f.Session <= 0 {
		return world.Fail(world.ExitUsage, "--timeout and --session-timeout take a time above zero, as 10s")
	}
	if _, err := Ground(f.Theme, nil); err != nil {
		return err
	}
	if err := f.Access.Check(); err != nil {
		return err
	}
	_, err := parseHints(f.Hints)
	return err
}

// HasPath reports whether a positional argument is a path.
func HasPath(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "/") })
}

// Target is where a command reads: servers and, for commands that take one, a path.
type Target struct {
	servers []string
	Chroot  string
	Name    string // as the user gave it
	Path    string
}

// Target sorts positional arguments: one that begins with a slash is a path, any other the servers.
func (c *Line) Target(args []string, wantPath bool) (Target, error) {
	t := Target{Name: c.Flags.Servers}
	for _, a := range args {
		switch {
		case a == "":
			return t, world.Fail(world.ExitUsage, "an argument is empty: is a variable unset?")
		case strings.HasPrefix(a, "/") && wantPath && t.Path == "":
			t.Path = a
		case strings.HasPrefix(a, "/"):
			return t, world.Fail(world.ExitUsage, "unexpected path %s", say.Printable(a))
		case t.Name == "" || t.Name == c.Flags.Servers && c.Flags.Servers == "":
			t.Name = a
		default:
			return t, world.Fail(world.ExitUsage, "servers given twice: %s and %s; a path begins with a slash", say.Printable(t.Name), say.Printable(a))
		}
	}
	if c.Flags.From != "" && t.Name != "" {
		return t, world.Fail(world.ExitUsage, "--from reads %s; servers (%s) do not go with it", say.Printable(c.Flags.From), say.Printable(t.Name))
	}
	if wantPath && t.Path == "" {
		return t, world.Fail(world.ExitUsage, "a path is missing: give it as /path/of/recipe")
	}
	if t.Path != "/" {
		t.Path = strings.TrimRight(t.Path, "/")
	}
	if t.Name == "" {
		t.Name = c.Getenv("ZKSCOPE_SERVERS")
	}
	if t.Name == "" && c.profileName != "" { // the one that the file names as default
		if err := c.useProfile(c.Given); err != nil {
			return t, err
		}
		t.Name = c.Flags.Servers
	}
	if t.Name == "" {
		t.Name = DefaultServers
	}
	var err error
	if t.servers, t.Chroot, err = zkc.ParseConnect(t.Name); err != nil {
		return t, world.Failure{Code: world.ExitUsage, Err: err}
	}
	return t, nil
}

// DefaultServers are those that are read where nobody names any.
const DefaultServers = "127.0.0.1:2181"

// Connection is how to connect to a target.
func (c *Line) Connection(t Target) (zkc.Config, error) {
	servers, err := world.WhileReading(func() ([]string, error) {
		ctx, cancel := context.WithTimeout(context.Background(), c.Flags.Timeout)
		defer cancel()
		return zkc.Resolve(ctx, c.Resolver, t.servers)
	})
	if err != nil {
		return zkc.Config{}, world.Failure{Code: world.ExitConnect, Err: err}
	}
	cfg := zkc.Config{Servers: servers, Chroot: t.Chroot, Session: c.Flags.Session, ReadOnly: true, PreferObserver: c.Flags.Access.observer, Dial: c.Dial}
	err = c.Flags.Access.into(&cfg, c.World)
	return cfg, err
}

// Format checks --output against what a command can print.
func (f *Flags) Format(known ...string) error {
	for _, k := range known {
		if f.Output == k {
			return nil
		}
	}
	return world.Fail(world.ExitUsage, "--output %s: this command prints %s", say.Printable(f.Output), oneOf(known))
}

// oneOf are words of which one is to be chosen.
func oneOf(list []string) string {
	last := len(list) - 1
	if last == 0 {
		return list[0]
	}
	return strings.Join(list[:last], ", ") + " or " + list[last]
}

// valued says what a flag of a type takes.
var valued = map[string]string{"int": "a number", "int64": "a number", "duration": "a time as 10s, 5m or 1h30m", "bool": "true or false"}

// FlagError is what is wrong with a flag, in words of ours where the library tells of the language that it is written in.
func FlagError(err error) error {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err
	}
	f := invalid.GetFlag()
	if takes := valued[f.Value.Type()]; takes != "" {
		return fmt.Errorf("--%s %s: it takes %s", f.Name, say.Printable(invalid.GetValue()), takes)
	}
	return fmt.Errorf("--%s: %w", f.Name, errors.Unwrap(err))
}
