package look

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/files"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/past"
)

// Input is what --from names. Its methods may wait for the other side of a pipe: they run within whileReading.
type Input struct {
	From, logDir string
	Cover        *past.Cover   // what directories cover; nil: it is a file
	At           string        // the moment that is asked for; empty: none
	unseen       string        // why how it was at that moment is not known; empty: it is
	stdin        io.Reader     // where from is -
	patience     time.Duration // for a pipe that nobody writes to yet
	Warn         io.Writer
	Keep         func(*os.File) // takes over what has to stay open for as long as the command runs
}

// InputOf is what the flags name.
func InputOf(c *command.Line) *Input {
	return &Input{From: c.Flags.From, logDir: c.Flags.LogDir, At: c.Flags.At, patience: c.Flags.Timeout, stdin: c.In, Warn: c.Err,
		Keep: func(f *os.File) { c.Opened = append(c.Opened, f) }}
}

// Warning prints a line about what is read.
func Warning(w io.Writer, text string) { fmt.Fprintln(w, "zkscope: warning: "+text) }

// Decoded decodes the moment that is asked for, without one the last, as somebody saw it who watched from the beginning.
func (in *Input) Decoded(hints model.Hints) (*model.Result, error) {
	rec, i, err := in.Recording(false)
	if err != nil {
		return nil, err
	}
	if n := rec.Len(); n > 1 {
		which := fmt.Sprintf("state %d of %d", i+1, n)
		if i == n-1 {
			which = fmt.Sprintf("the last of %d states", n)
		}
		file := ""
		if in.From != "-" {
			file = "; zkscope replay " + world.ShellWord(in.From) + " steps through it"
		}
		fmt.Fprintf(in.Warn, "zkscope: as of %s, %s%s\n", rec.TimeOf(i).UTC().Format(time.RFC3339), which, file)
	}
	stop := collectLate(streamMost)
	res := rec.Decoded(i, hints)
	stop()
	if thinned := rec.Thinned(); thinned != "" {
		Warning(in.Warn, thinned)
	}
	if err := rec.Err(); err != nil {
		return nil, world.Failure{Code: world.ExitError, Err: err}
	}
	return in.doubted(res), nil
}

// Recording opens the input, and finds the state in it that is asked for; without one the last, or the first.
func (in *Input) Recording(first bool) (*files.Recording, int, error) {
	rec, err := in.Open()
	if err != nil {
		return nil, 0, err
	}
	rec.Check()
	i := 0
	if !first || in.At != "" {
		i, err = in.moment(rec)
	}
	for _, w := range rec.Warnings() {
		Warning(in.Warn, say.Printable(w))
	}
	return rec, i, err
}

// moment finds the state that is asked for; the last where none is.
func (in *Input) moment(rec *files.Recording) (int, error) {
	last := rec.Len() - 1
	if in.At == "" {
		return last, nil
	}
	begin, end := rec.TimeOf(0).UTC(), rec.TimeOf(last).UTC()
	at, err := ParseMoment("--at", in.At, begin, end)
	if err != nil {
		return 0, err
	}
	i := rec.IndexAt(at)
	if i < 0 {
		return 0, world.Fail(world.ExitUsage, "--at %s is before the file begins, at %s", say.Printable(in.At), begin.Format(time.RFC3339))
	}
	if in.unseen = in.hole(rec, i, at); in.unseen != "" {
		Warning(in.Warn, in.unseen)
	}
	return i, nil
}

// hole says that a moment, of which the state at an index is the last that is known, lies where nothing was recorded;
// empty: it does not.
func (in *Input) hole(rec *files.Recording, i int, at time.Time) string {
	var gaps []znode.Gap
	if in.Cover != nil {
		for _, h := range in.Cover.All.Holes {
			gaps = append(gaps, znode.Gap{From: h.After.Time(), To: h.Before.Time()})
		}
	} else if i+1 < rec.Len() {
		gaps = append(gaps, rec.At(i+1).Gap)
	}
	for _, g := range gaps {
		if at.After(g.From) && at.Before(g.To) {
			clock := func(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
			return "--at " + say.Printable(in.At) + " lies in a hole: nothing is recorded from " + clock(g.From) + " to " +
				clock(g.To) + "; this is how it was before"
		}
	}
	return ""
}

// doubted is what was decoded of the last state before a hole: what else there was in it is not known.
func (in *Input) doubted(res *model.Result) *model.Result {
	if in.unseen == "" {
		return res
	}
	out, snap := *res, *res.Snapshot
	snap.Complete, snap.Partial = false, append(slices.Clip(snap.Partial), in.unseen)
	out.Snapshot = &snap
	return &out
}

// ParseMoment reads a time: in full, as a time of day in UTC, the latest such in the file, or as a duration before the end.
func ParseMoment(flag, text string, begin, end time.Time) (time.Time, error) {
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
	return end, world.Fail(world.ExitUsage, "%s %s is not a time: write it as 2006-01-02T15:04:05Z, as 15:04:05 in UTC, or as -5m before the end of the file", flag, say.Printable(text))
}

// Open opens the input: directories of servers, or a file of ours.
func (in *Input) Open() (*files.Recording, error) {
	if in.Dirs() {
		return in.openDirs()
	}
	return in.openFile()
}

// openFile opens a file of ours. Standard input is kept in a file that has no name any more, since a recording is read more
// than once.
func (in *Input) openFile() (*files.Recording, error) {
	name := in.From
	var f *os.File
	var err error
	if name == "-" {
		name = "standard input"
		f, err = spool(&lineLimit{r: in.stdin, left: maxLine})
	} else {
		f, err = openPlain(name, in.patience)
	}
	if err != nil {
		return nil, world.Failure{Code: world.ExitError, Err: err}
	}
	in.Keep(f)
	rec, err := files.OpenFile(f, name)
	if err != nil {
		return nil, world.Failure{Code: world.ExitError, Err: err}
	}
	return rec, nil
}

// openPlain opens a file; one that is packed, unpacked in a file that has no name, and what can be read once only, copied.
func openPlain(name string, patience time.Duration) (*os.File, error) {
	f, err := world.OpenWithin(name, patience)
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
		return 0, fmt.Errorf("a line is longer than %d MiB: this is not a snapshot", maxLine>>20)
	}
	return n, err
}
