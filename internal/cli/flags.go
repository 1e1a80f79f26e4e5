package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/recipes"
)

// flags are the flags that every command takes.
type flags struct {
	config     string
	profile    string
	servers    string
	root       string
	children   int // most children of a znode that are read
	from       string
	logDir     string
	output     string
	readOnly   bool
	ascii      bool
	mouse      bool
	theme      string
	at         string // which moment of a recording
	auditLog   string
	timeout    time.Duration
	session    time.Duration
	access     access
	hints      []string
	hidden     bool     // show what the configuration hides
	admin      []string // where AdminServers are; see ensemble.Config
	fourLetter []string // where four-letter words are asked
	acl        aclFlag  // of what is made
}

// aclFlag is a flag that takes an ACL.
type aclFlag struct {
	text string
	acl  recipes.ACL
}

func (f *aclFlag) String() string { return f.text }
func (f *aclFlag) Type() string   { return "acl" }
func (f *aclFlag) Set(text string) (err error) {
	f.text = text
	f.acl, err = recipes.ParseACL(text)
	return err
}

// makes declares the flag of commands that make znodes.
func (f *flags) makes(fs *pflag.FlagSet, otherwise string) {
	fs.Var(&f.acl, "acl", "who may do what with the znodes that are made: world (everybody everything), creator (whoever has our credentials everything), "+
		"read (creator, and everybody may read), or a list as digest:user:hash:cdrwa,world:anyone:r (default "+otherwise+")")
}

func (f *flags) common(fs *pflag.FlagSet) {
	fs.StringVar(&f.servers, "servers", "", "servers and chroot, as host:port,host:port/chroot, or srv://NAME/chroot for the DNS's SRV records (default $ZKSCOPE_SERVERS, else 127.0.0.1:2181)")
	fs.StringVar(&f.profile, "profile", "", "a profile of the configuration file, which names servers and how to connect")
	fs.StringVar(&f.config, "config", "", "the configuration file (default zkscope/config.yaml in the configuration folder)")
	fs.StringVar(&f.root, "root", "/", "read only this path and what is below it")
	fs.IntVar(&f.children, "max-children", 50_000, "the largest directory to read in full; of a larger one whose names look like a line or a queue, read the names and the first 100 znodes")
	fs.StringVar(&f.from, "from", "", "read a snapshot or recording from this file (- for standard input), or the data directories of members, DIR[,DIR...], instead of servers")
	fs.StringVar(&f.logDir, "log-dir", "", "with --from DIR: where the transaction logs lie, if apart, DIR[,DIR...] in the same order")
	fs.StringVar(&f.at, "at", "", "with --from a recording: show it as it was at this time: 2006-01-02T15:04:05Z, 15:04:05 (UTC), or -5m before its end (default its last moment)")
	fs.StringVar(&f.auditLog, "audit-log", "", "keep the audit log in this file (default zkscope/audit.jsonl in the state folder)")
	fs.StringVarP(&f.output, "output", "o", "table", "table or json")
	fs.BoolVar(&f.readOnly, "read-only", false, "never write, whatever is asked for")
	fs.BoolVar(&f.ascii, "ascii", false, "draw with ASCII characters only")
	fs.BoolVar(&f.mouse, "mouse", false, "let the mouse scroll and select in the console; :mouse gives it back to the terminal")
	fs.StringVar(&f.theme, "theme", "", "colours of the console: auto, dark, light, mono, contrast, or safe where red and green look alike (default auto: the terminal is asked)")
	fs.DurationVar(&f.timeout, "timeout", 10*time.Second, "how long to wait for an answer, or for a writer on a named pipe; if given, also how long to retry servers that are down")
	fs.DurationVar(&f.session, "session-timeout", zkc.DefaultSession, "session timeout to ask for")
	f.access.declare(fs)
	fs.StringSliceVar(&f.admin, "admin", nil, "where the servers' AdminServers are, as host:port or URL; off: do not ask them (default port 8080 of each server)")
	fs.StringSliceVar(&f.fourLetter, "4lw", nil, "further addresses to ask with four-letter words, as host:port; off: do not ask")
	fs.BoolVar(&f.hidden, "hidden", false, "show the recipes that the configuration hides, too")
	fs.StringArrayVar(&f.hints, "hint", nil, "say what stands at a path: "+hintForm)
}

// check finds mistakes before anything is connected to. fromArgument says that the command reads a file that is an argument.
func (f *flags) check(fromArgument bool) error {
	if !strings.HasPrefix(f.root, "/") {
		return world.Fail(world.ExitUsage, "--root %s: a path begins with a slash", say.Printable(f.root))
	}
	if f.root != "/" {
		f.root = strings.TrimRight(f.root, "/")
	}
	if f.children <= 0 {
		return world.Fail(world.ExitUsage, "--max-children takes a number above zero")
	}
	if f.at != "" && f.from == "" && !fromArgument {
		return world.Fail(world.ExitUsage, "--at %s: servers show what is now; it goes with --from a recording", say.Printable(f.at))
	}
	if f.timeout <= 0 || f.session <= 0 {
		return world.Fail(world.ExitUsage, "--timeout and --session-timeout take a time above zero, as 10s")
	}
	if _, err := ground(f.theme, nil); err != nil {
		return err
	}
	if err := f.access.check(); err != nil {
		return err
	}
	_, err := parseHints(f.hints)
	return err
}

// hasPath reports whether a positional argument is a path.
func hasPath(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "/") })
}

// target is where a command reads: servers and, for commands that take one, a path.
type target struct {
	servers []string
	chroot  string
	name    string // as the user gave it
	path    string
}

// target sorts positional arguments: one that begins with a slash is a path, any other the servers.
func (c *Line) target(args []string, wantPath bool) (target, error) {
	t := target{name: c.flags.servers}
	for _, a := range args {
		switch {
		case a == "":
			return t, world.Fail(world.ExitUsage, "an argument is empty: is a variable unset?")
		case strings.HasPrefix(a, "/") && wantPath && t.path == "":
			t.path = a
		case strings.HasPrefix(a, "/"):
			return t, world.Fail(world.ExitUsage, "unexpected path %s", say.Printable(a))
		case t.name == "" || t.name == c.flags.servers && c.flags.servers == "":
			t.name = a
		default:
			return t, world.Fail(world.ExitUsage, "servers given twice: %s and %s; a path begins with a slash", say.Printable(t.name), say.Printable(a))
		}
	}
	if c.flags.from != "" && t.name != "" {
		return t, world.Fail(world.ExitUsage, "--from reads %s; servers (%s) do not go with it", say.Printable(c.flags.from), say.Printable(t.name))
	}
	if wantPath && t.path == "" {
		return t, world.Fail(world.ExitUsage, "a path is missing: give it as /path/of/recipe")
	}
	if t.path != "/" {
		t.path = strings.TrimRight(t.path, "/")
	}
	if t.name == "" {
		t.name = c.Getenv("ZKSCOPE_SERVERS")
	}
	if t.name == "" && c.profileName != "" { // the one that the file names as default
		if err := c.useProfile(c.set); err != nil {
			return t, err
		}
		t.name = c.flags.servers
	}
	if t.name == "" {
		t.name = defaultServers
	}
	var err error
	if t.servers, t.chroot, err = zkc.ParseConnect(t.name); err != nil {
		return t, world.Failure{Code: world.ExitUsage, Err: err}
	}
	return t, nil
}

const defaultServers = "127.0.0.1:2181"

// connection is how to connect to a target.
func (c *Line) connection(t target) (zkc.Config, error) {
	servers, err := world.WhileReading(func() ([]string, error) {
		ctx, cancel := context.WithTimeout(context.Background(), c.flags.timeout)
		defer cancel()
		return zkc.Resolve(ctx, c.Resolver, t.servers)
	})
	if err != nil {
		return zkc.Config{}, world.Failure{Code: world.ExitConnect, Err: err}
	}
	cfg := zkc.Config{Servers: servers, Chroot: t.chroot, Session: c.flags.session, ReadOnly: true, PreferObserver: c.flags.access.observer}
	err = c.flags.access.into(&cfg, c.World)
	return cfg, err
}

// format checks --output against what a command can print.
func (f *flags) format(known ...string) error {
	for _, k := range known {
		if f.output == k {
			return nil
		}
	}
	return world.Fail(world.ExitUsage, "--output %s: this command prints %s", say.Printable(f.output), strings.Join(known, " or "))
}
