package join

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/change"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/look"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/recipes"
)

// joinFlags are the flags of join.
type joinFlags struct {
	role, dialect    string
	name, data       string
	count, limit     int
	priority         int64
	delay            time.Duration
	sites            []string
	own, coordinated bool
	onLost, onRevoke string
	reason           string
	grace            time.Duration
	passAuth         bool

	hasData, hasTimeout bool
}

func (f *joinFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.role, "role", "", "what to be: "+roles())
	fs.StringVar(&f.dialect, "dialect", "", "whose layout to write (default: what stands at the path)")
	fs.StringVar(&f.name, "name", "", "who to be (default user@host:pid; of a site or an instance, its own name)")
	fs.StringVar(&f.data, "data", "", "what to put, set, add or fill in; of a site, its vote; of an instance, its host:port")
	fs.IntVar(&f.count, "count", 0, "how many members a double barrier needs, or sites a transaction has")
	fs.IntVar(&f.limit, "limit", 0, "how many may hold a semaphore (default: what is stored there, else 1)")
	fs.Int64Var(&f.priority, "priority", 0, "priority of an item; lower ones are served first")
	fs.DurationVar(&f.delay, "delay", 0, "how long until an item of a delay queue is due")
	fs.StringSliceVar(&f.sites, "sites", nil, "names of a transaction's sites (default: s_1 and so on, --count of them)")
	fs.BoolVar(&f.own, "own-znodes", false, "the transaction's sites make their own znodes, so that one that fails aborts it")
	fs.BoolVar(&f.coordinated, "coordinated", false, "the transaction's coordinator counts the votes and writes the decision down")
	fs.StringVar(&f.onLost, "on-lost", "kill", "when the claim is lost: kill the command at once, or warn and let it run")
	fs.StringVar(&f.onRevoke, "on-revoke", "term", "when somebody asks to let go: term (end the command and leave), ask, or ignore (do not listen)")
	fs.StringVar(&f.reason, "reason", "", "why, for the audit log")
	fs.DurationVar(&f.grace, "grace", 10*time.Second, "how long a command that was told to end, and what it has started, may take before it is killed")
	fs.BoolVar(&f.passAuth, "pass-auth", false, "let the command have our credentials: ZKSCOPE_AUTH and what profiles name; else it gets none")
}

// roles lists the kinds that have several.
func roles() string {
	var out []string
	for _, k := range command.Kinds {
		var joined []string
		for _, p := range actions.Parts(k) {
			if p.Part != "" {
				joined = append(joined, string(p.Part))
			}
		}
		if len(joined) > 0 {
			out = append(out, string(k)+" "+strings.Join(joined, "|"))
		}
	}
	return strings.Join(out, "; ")
}

func joinable() string {
	var out []string
	for _, k := range command.Kinds {
		if len(actions.Parts(k)) > 0 {
			out = append(out, string(k))
		}
	}
	return strings.Join(out, " ")
}

// Join takes a place in a recipe.
func Join(c *command.Line) command.Subcommand {
	f := new(joinFlags)
	return command.Subcommand{Use: "join KIND PATH [-- COMMAND...]", Short: "take a place in a recipe, and run a command while it is held",
		Long: "join takes a real place in a recipe, in the dialect that stands at its path, on a session of its own. KIND is one of\n" +
			joinable() + ".\n\n" +
			"With a command it waits for its turn, runs the command while it holds, passes signals on, and ends with the\n" +
			"command's exit code; its own failures are 125. The command finds ZKSCOPE_KIND, ZKSCOPE_PATH, ZKSCOPE_NODE,\n" +
			"ZKSCOPE_SESSION and ZKSCOPE_TOKEN (the fencing token: hand it to whatever the claim protects) in its environment,\n" +
			"and an item or value that was taken on its standard input. An item is done when the command succeeds, else it goes\n" +
			"back; a site votes commit when its command succeeds, else abort.\n" +
			"Credentials are not handed on, unless --pass-auth is given. The command ends with zkscope, also when that is killed,\n" +
			"and where it was told to end before the claim is given up: whatever runs in its process group after --grace is\n" +
			"killed. When no server answers it is told to end shortly before the claim is lost, and killed at the loss, without grace.\n" +
			"What leaves its group (daemons), what other services run for it, and what it leaves running when it ends by\n" +
			"itself goes on.\n" +
			"Without a command it holds until it is interrupted. Servers come from --servers or ZKSCOPE_SERVERS only.\n" +
			"With --timeout it gives up when the place is not granted within that time.",
		Example: "  zkscope join lock /locks/orders --servers zk1:2181 -- ./reindex\n" +
			"  zkscope join semaphore /pools/licences --limit 3 -- make\n" +
			"  zkscope join queue /queues/mail -- ./send",
		Args: joinArgs, Formats: []string{"table", "json", "jsonl"}, OwnFormats: true,
		Flags: func(fs *pflag.FlagSet) {
			f.add(fs)
			c.Flags.Makes(fs, "world, as the clients of every library have it")
		},
		Run: func(ctx context.Context, in command.Invocation) error {
			f.hasData, f.hasTimeout = in.Given("data"), in.Given("timeout")
			argv := in.Args[2:]
			if in.Cmd.ArgsLenAtDash() >= 0 && len(argv) == 0 {
				return world.Fail(world.ExitUsage, "a command is missing after --")
			}
			return ownFailure(joinAs(ctx, c, in.Args[0], in.Args[1], *f, argv), len(argv) > 0)
		}}
}

// joinArgs are a kind and a path, and a command behind --.
func joinArgs(cmd *cobra.Command, args []string) error {
	own := len(args)
	if at := cmd.ArgsLenAtDash(); at >= 0 {
		own = at
	}
	switch {
	case own == 2:
		return nil
	case own > 2:
		return fmt.Errorf("join takes a kind and a path, not %s; servers go into --servers, a command after --", say.Printable(args[2]))
	}
	return errors.New("join takes a kind and a path, as zkscope join lock /locks/orders; see zkscope join --help")
}

// ownFailure gives a failure of ours the code that cannot be mistaken for the command's. Mistakes of the command
// line keep theirs: no command runs then.
func ownFailure(err error, runs bool) error {
	var f world.Failure
	switch {
	case err == nil || !runs:
		return err
	case errors.As(err, &f) && (f.Code == world.ExitUsage || f.Own):
		return err
	}
	return world.Failure{Code: world.ExitOwn, Err: err}
}

// joinAs takes part and stays until the end.
func joinAs(ctx context.Context, c *command.Line, kind, path string, f joinFlags, argv []string) error {
	r, err := requestOf(c, kind, path, f)
	if err != nil {
		return err
	}
	t, cfg, err := configOf(c)
	if err != nil {
		return change.NoLog(err)
	}
	if len(argv) > 0 {
		if _, err := exec.LookPath(argv[0]); err != nil {
			return commandMissing(argv[0], err)
		}
	}
	joiner, err := actions.NewJoiner(cfg)
	if err != nil {
		return err
	}
	p, err := joiner.Join(r)
	if err != nil {
		return joinError(err)
	}
	if _, file := c.Err.(*os.File); !file {
		c.Err = world.Shared(c.Err)
	}
	s := &stay{Line: c, f: f, p: p, argv: argv, servers: t.Name}
	return s.run(ctx)
}

// requestOf makes a request of a command line.
func requestOf(c *command.Line, kind, path string, f joinFlags) (actions.Join, error) {
	r := actions.Join{Kind: layout.Kind(kind), Path: path, Part: actions.Part(f.role), Dialect: layout.Dialect(f.dialect), Name: f.name,
		Count: f.count, Limit: f.limit, Priority: f.priority, Delay: f.delay, Sites: f.sites, Own: f.own, Decision: f.coordinated,
		Revocable: f.onRevoke != "ignore", Reason: f.reason}
	if f.hasData {
		r.Data = []byte(f.data)
	}
	if path != "/" {
		r.Path = strings.TrimRight(path, "/")
	}
	switch {
	case c.Flags.From != "":
		return r, world.Fail(world.ExitUsage, "--from reads a file: nothing can be joined in it")
	case !slices.Contains([]string{"kill", "warn"}, f.onLost):
		return r, world.Fail(world.ExitUsage, "--on-lost %s: it takes kill or warn", say.Printable(f.onLost))
	case !slices.Contains([]string{"term", "ask", "ignore"}, f.onRevoke):
		return r, world.Fail(world.ExitUsage, "--on-revoke %s: it takes term, ask or ignore", say.Printable(f.onRevoke))
	case f.onRevoke == "ask" && !c.InTTY:
		return r, world.Fail(world.ExitUsage, "--on-revoke ask needs a terminal to ask on: use term or ignore")
	case len(actions.Parts(r.Kind)) == 0:
		return r, world.Fail(world.ExitUsage, "%s cannot be joined: the kind is one of %s", say.Printable(kind), joinable())
	case f.limit < 0 || f.count < 0 || f.delay < 0 || f.grace < 0:
		return r, world.Fail(world.ExitUsage, "--limit, --count, --delay and --grace are not negative")
	}
	if err := c.Flags.Format("table", "json", "jsonl"); err != nil {
		return r, err
	}
	if why := r.Lacking(); why != "" {
		return r, world.Fail(world.ExitUsage, "%s; see zkscope join --help", why)
	}
	if r.Name == "" && !r.Kind.Members() {
		r.Name = self()
	}
	return r, nil
}

// self is who we are when nobody says otherwise. Two joins of one user on one host are two.
func self() string {
	host, _ := os.Hostname()
	if u, err := user.Current(); err == nil {
		host = u.Username + "@" + host
	}
	return fmt.Sprintf("%s:%d", host, os.Getpid())
}

// configOf is how to connect to take part. Servers are flags and environment only.
func configOf(c *command.Line) (command.Target, actions.Config, error) {
	t, err := c.Target(nil, false)
	if err != nil {
		return t, actions.Config{}, err
	}
	conn, err := c.Connection(t)
	if err != nil {
		return t, actions.Config{}, err
	}
	ac, err := change.ActorConfig(c, t, conn)
	return t, ac, err
}

// joinError gives an error of taking part its exit code.
func joinError(err error) error {
	switch {
	case errors.Is(err, actions.ErrRefused), errors.Is(err, actions.ErrNoLog), errors.Is(err, recipes.ErrDenied), errors.Is(err, recipes.ErrExists):
		return world.Failure{Code: world.ExitRefused, Err: err}
	case errors.Is(err, recipes.ErrNotFound):
		return world.Failure{Code: world.ExitNotFound, Err: err}
	}
	return look.ConnectError(err)
}

// commandMissing says that a command cannot be run, with the codes that shells use.
func commandMissing(name string, err error) error {
	code := 126
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
		code = 127
	}
	return world.Failure{Code: code, Err: fmt.Errorf("cannot run %s: %w", name, world.RootCause(err)), Own: true}
}
