package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"time"

	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/mirror"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/tui"
)

// read decodes what a command looks at: a file, or servers. With a path only that part is read.
func (c *command) read(ctx context.Context, t target) (*model.Result, error) {
	if c.flags.from != "" {
		res, err := c.readFile()
		if err != nil {
			return nil, err
		}
		return waits.Weigh(res, nil).Weighed(), nil
	}
	cfg, err := c.config(t)
	if err != nil {
		return nil, err
	}
	return c.readLive(ctx, cfg, c.flags.root, nil)
}

// readLive reads a tree once and decodes it; prev is what was read before, or nil.
func (c *command) readLive(ctx context.Context, cfg zkc.Config, root string, prev *model.Result) (*model.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, c.flags.timeout)
	defer cancel()
	cfg.GiveUp = c.rounds()
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

// rounds is how often every server is tried before a command gives up: once, or where --timeout was given until that is over.
func (c *command) rounds() int {
	if c.set != nil && c.set.Changed("timeout") {
		return 0
	}
	return 1
}

// probe makes sure that a console will have something to show: a wrong address is better said on the
// command line than on a screen.
func (c *command) probe(ctx context.Context, cfg zkc.Config, guessed bool) error {
	ctx, cancel := context.WithTimeout(ctx, c.flags.timeout)
	defer cancel()
	cfg.GiveUp = c.rounds()
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

// ask wants paths read by name, whatever the limits. One that lies outside the root moves the root.
func (c *command) ask(paths ...string) {
	for _, path := range paths {
		if _, inside := znode.Relative(c.flags.root, path); !inside {
			c.flags.root = layout.Around(path)
		}
	}
	c.seen.asked = paths
}

func (c *command) mirrorOptions(root string) mirror.Options {
	return mirror.Options{Root: root, MaxChildren: c.flags.children, Asked: c.seen.asked}
}

// readFile decodes the moment of a file that --from and --at name, as somebody saw it who watched from the beginning.
func (c *command) readFile() (*model.Result, error) { return whileReading(c.decodeFile) }

func (c *command) decodeFile() (*model.Result, error) {
	rec, i, err := c.readRecording(false)
	if err != nil {
		return nil, err
	}
	if n := rec.Len(); n > 1 {
		which := fmt.Sprintf("state %d of %d", i+1, n)
		if i == n-1 {
			which = fmt.Sprintf("the last of %d states", n)
		}
		file := ""
		if c.flags.from != "-" {
			file = "; zkscope replay " + shellWord(c.flags.from) + " steps through it"
		}
		fmt.Fprintf(c.Err, "zkscope: as of %s, %s%s\n", rec.TimeOf(i).UTC().Format(time.RFC3339), which, file)
	}
	res := rec.Decoded(i, c.hints())
	if thinned := rec.Thinned(); thinned != "" {
		fmt.Fprintln(c.Err, "zkscope: warning: "+thinned)
	}
	if err := rec.Err(); err != nil {
		return nil, failure{code: exitError, err: err}
	}
	return res, nil
}

// whileReading reads what may wait for its other side, a pipe or a terminal, and so knows of no context: a signal ends the
// program meanwhile. Nothing is left half done then. Every file that a user names is read within it.
func whileReading[T any](read func() (T, error)) (T, error) {
	defer endAtOnce()()
	return read()
}

// endAtOnce makes a signal end the program. What it returns ends that.
func endAtOnce() func() {
	sigs, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(sigs, passedOn...)
	guard.Go(func() {
		select {
		case sig := <-sigs:
			os.Exit(128 + number(sig))
		case <-done:
		}
	})
	return func() {
		signal.Stop(sigs)
		close(done)
	}
}

// moment finds the state of a recording that --at names; without it the last.
func (c *command) moment(rec *files.Recording) (int, error) {
	last := rec.Len() - 1
	if c.flags.at == "" {
		return last, nil
	}
	begin, end := rec.TimeOf(0).UTC(), rec.TimeOf(last).UTC()
	at, err := parseMoment("--at", c.flags.at, begin, end)
	if err != nil {
		return 0, err
	}
	i := rec.IndexAt(at)
	if i < 0 {
		return 0, fail(exitUsage, "--at %s is before the file begins, at %s", say.Printable(c.flags.at), begin.Format(time.RFC3339))
	}
	return i, nil
}

// parseMoment reads a time: in full, as a time of day in UTC, the latest such in the file, or as a duration before the end.
func parseMoment(flag, text string, begin, end time.Time) (time.Time, error) {
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return t, nil
	}
	if d, err := time.ParseDuration(text); err == nil && d <= 0 {
		return end.Add(d), nil
	}
	for _, layout := range []string{"15:04:05.999", "15:04"} {
		t, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		at := time.Date(end.Year(), end.Month(), end.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
		if at.After(end) {
			at = at.AddDate(0, 0, -1)
		}
		return at, nil
	}
	return end, fail(exitUsage, "%s %s is no time: write it as 2006-01-02T15:04:05Z, as 15:04:05 in UTC, or as -5m before the end of the file", flag, say.Printable(text))
}

// readRecording opens the file that --from names, and finds the state in it that --at names; without it the last, or the
// first.
func (c *command) readRecording(first bool) (*files.Recording, int, error) {
	rec, err := c.openFrom()
	if err != nil {
		return nil, 0, err
	}
	defer endAtOnce()()
	rec.Check()
	i := 0
	if !first || c.flags.at != "" {
		i, err = c.moment(rec)
	}
	for _, w := range rec.Warnings() {
		fmt.Fprintln(c.Err, "zkscope: warning: "+say.Printable(w))
	}
	return rec, i, err
}

// openFrom opens what --from names.
func (c *command) openFrom() (*files.Recording, error) {
	if c.fromDirs() {
		return whileReading(c.openDirs)
	}
	return whileReading(c.openRecording)
}

// openRecording opens the file that --from names; it stays open until the command ends. Standard input is kept in a file
// that has no name any more, since a recording is read more than once.
func (c *command) openRecording() (*files.Recording, error) {
	name := c.flags.from
	var f *os.File
	var err error
	if name == "-" {
		name = "standard input"
		f, err = spool(&lineLimit{r: c.In, left: maxLine})
	} else {
		f, err = openPlain(name)
	}
	if err != nil {
		return nil, failure{code: exitError, err: err}
	}
	c.opened = append(c.opened, f)
	rec, err := files.OpenFile(f, name)
	if err != nil {
		return nil, failure{code: exitError, err: err}
	}
	return rec, nil
}

// openPlain opens a file; one that is packed, unpacked in a file that has no name, and what can be read once only, copied.
func openPlain(name string) (*os.File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	in, packed, err := unpack(name, f)
	if !packed {
		if st, err := f.Stat(); err != nil || st.Mode().IsRegular() || st.IsDir() {
			return f, nil
		}
		in = io.NopCloser(f)
	}
	defer f.Close()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer in.Close()
	out, err := spool(&lineLimit{r: in, left: maxLine})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return out, nil
}

// spool copies what can be read once into a file that has no name any more.
func spool(in io.Reader) (*os.File, error) {
	f, err := os.CreateTemp("", "zkscope-*")
	if err != nil {
		return nil, err
	}
	os.Remove(f.Name())
	if _, err := io.Copy(f, in); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) { // what was cut off is read to the cut
		f.Close()
		return nil, err
	}
	return f, nil
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

// consoleFile opens a file in the console: at the moment that --at names, else at its end, or its beginning.
func (c *command) consoleFile(ctx context.Context, fromStart bool) error {
	if c.flags.from == "-" {
		return fail(exitUsage, "the console takes its keys from standard input; give --from a file")
	}
	rec, i, err := c.readRecording(fromStart)
	if err != nil {
		return err
	}
	p := newPlayer(rec, i, c.flags.from)
	ctx, stop := context.WithCancel(ctx)
	var counting sync.WaitGroup
	counting.Go(guard.Func(func() { p.count(ctx) }))
	defer counting.Wait()
	defer stop()
	return c.runConsole(ctx, tui.Options{Source: p, Operator: nobody{"this is a file"}, Audit: c.readAudit})
}
