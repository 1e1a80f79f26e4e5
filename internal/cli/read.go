package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/internal/mirror"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/tui"
)

// read decodes what a command looks at: a file, or servers. With a path only that part is read.
func (c *command) read(ctx context.Context, t target) (*inspect.Result, error) {
	if c.flags.from != "" {
		snap, err := c.readFile()
		if err != nil {
			return nil, err
		}
		return inspect.Weigh(inspect.Decode(snap, nil, c.hints()), nil).Weighed(), nil
	}
	cfg, err := c.config(t)
	if err != nil {
		return nil, err
	}
	return c.readLive(ctx, cfg, c.flags.root, nil)
}

// readLive reads a tree once and decodes it; prev is what was read before, or nil.
func (c *command) readLive(ctx context.Context, cfg zkc.Config, root string, prev *inspect.Result) (*inspect.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, c.flags.timeout)
	defer cancel()
	cfg.GiveUp = 1
	conn, err := zkc.Dial(ctx, cfg)
	if err != nil {
		return nil, connectError(err)
	}
	defer conn.Close()
	res, err := c.readWith(ctx, conn, cfg, root, prev)
	if err != nil {
		return nil, connectError(err)
	}
	return res, nil
}

// probe makes sure that a console will have something to show: a wrong address is better said on the
// command line than on a screen.
func (c *command) probe(ctx context.Context, cfg zkc.Config, guessed bool) error {
	ctx, cancel := context.WithTimeout(ctx, c.flags.timeout)
	defer cancel()
	cfg.GiveUp = 1
	conn, err := zkc.Dial(ctx, cfg)
	if err == nil {
		conn.Close()
		return nil
	}
	if guessed {
		return fail(exitConnect, "no ZooKeeper at %s: name the servers, as in zkscope zk1:2181,zk2:2181, or look around with zkscope demo", defaultServers)
	}
	return connectError(err)
}

// connectError gives a failure to connect its exit code.
func connectError(err error) error {
	var f failure
	if errors.As(err, &f) {
		return err
	}
	for _, cause := range []error{zkc.ErrUnreachable, zkc.ErrAuth, zkc.ErrNoChroot, context.DeadlineExceeded} {
		if errors.Is(err, cause) {
			return failure{code: exitConnect, err: err}
		}
	}
	if errors.Is(err, zkc.ErrNoNode) {
		return failure{code: exitNotFound, err: err}
	}
	return failure{code: exitError, err: err}
}

func (c *command) mirrorOptions(root string) mirror.Options {
	return mirror.Options{Root: root}
}

// readFile reads the snapshot, or the end of the recording, that --from names.
func (c *command) readFile() (*inspect.Snapshot, error) {
	rec, err := c.readRecording()
	if err != nil {
		return nil, err
	}
	last := checked(rec.Last())
	if n := rec.Len(); n > 1 {
		file := ""
		if c.flags.from != "-" {
			file = " " + shellWord(c.flags.from)
		}
		fmt.Fprintf(c.Err, "zkscope: as of %s, the last of %d states; zkscope replay%s steps through it\n", last.TakenAt.UTC().Format(time.RFC3339), n, file)
	}
	return last, nil
}

// readRecording reads the file that --from names.
func (c *command) readRecording() (*inspect.Recording, error) {
	var r io.Reader = c.In
	name := c.flags.from
	if name == "-" {
		name = "standard input"
	} else {
		f, err := os.Open(name)
		if err != nil {
			return nil, failure{code: exitError, err: err}
		}
		defer f.Close()
		r = f
	}
	rec, err := inspect.ReadFile(&lineLimit{r: r, left: maxLine}, name)
	if err != nil {
		return nil, failure{code: exitError, err: err}
	}
	for _, w := range rec.Warnings {
		fmt.Fprintln(c.Err, "zkscope: warning: "+inspect.Printable(w))
	}
	return rec, nil
}

// maxLine bounds a line of a file: the largest znode that servers take is far smaller.
const maxLine = 64 << 20

// lineLimit refuses to read on in a line that is longer than any znode's.
type lineLimit struct {
	r    io.Reader
	left int
}

func (l *lineLimit) Read(b []byte) (int, error) {
	n, err := l.r.Read(b)
	if end := bytes.LastIndexByte(b[:n], '\n'); end >= 0 {
		l.left = maxLine - (n - end)
	} else if l.left -= n; l.left < 0 {
		return 0, fmt.Errorf("a line is longer than %d MiB: this is no snapshot", maxLine>>20)
	}
	return n, err
}

// checked marks a picture as incomplete when a znode says that it has more children than the file holds: the
// file was cut off. /zookeeper is left out on purpose.
func checked(snap *inspect.Snapshot) *inspect.Snapshot {
	why := ""
	if at, lacks := shortfall(snap.Base, snap.Root); lacks > 0 {
		why = fmt.Sprintf("the file lacks %d children of %s: it was cut off", lacks, at)
	} else if len(snap.Root.Children) == 0 && snap.Root.Mtime == 0 && snap.Root.Cversion == 0 {
		why = "the file holds no znode: it was cut off"
	}
	if why == "" {
		return snap
	}
	out := *snap
	out.Complete = false
	out.Partial = append(slices.Clone(snap.Partial), why)
	return &out
}

// shortfall finds the first znode of which children are missing.
func shortfall(dir string, n *inspect.Node) (at string, lacks int) {
	lacks = int(n.NumChildren) - len(n.Children)
	if dir == "/" && n.Child("zookeeper") == nil {
		lacks--
	}
	if lacks > 0 && !n.Has(inspect.NotListed) {
		return dir, lacks
	}
	for _, c := range n.Children {
		if at, lacks = shortfall(inspect.Join(dir, c.Name), c); lacks > 0 {
			return at, lacks
		}
	}
	return dir, 0
}

func (c *command) consoleFile(ctx context.Context) error {
	if c.flags.from == "-" {
		return fail(exitUsage, "the console takes its keys from standard input; give --from a file")
	}
	rec, err := c.readRecording()
	if err != nil {
		return err
	}
	return c.runConsole(ctx, tui.Options{Source: &player{rec: rec, name: c.flags.from}, Operator: nobody{"this is a file"}, Audit: c.readAudit})
}
