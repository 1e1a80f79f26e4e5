package actions

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode/utf16"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
)

// Record is one line of the audit log. An action leaves two: one before anything is written ("intent"),
// with the data that is about to be overwritten or deleted, and one after, with the outcome.
type Record struct {
	At       time.Time `json:"at"`
	Stage    string    `json:"stage"` // intent, or an Outcome
	User     string    `json:"user"`
	Host     string    `json:"host"`
	PID      int       `json:"pid"`
	Ensemble string    `json:"ensemble"`
	Session  string    `json:"session,omitempty"` // ours
	Verb     Verb      `json:"verb"`
	Kind     string    `json:"kind"`
	Recipe   string    `json:"recipe"`
	Path     string    `json:"path"`
	Czxid    int64     `json:"czxid"`
	Version  int32     `json:"version"`
	Owner    string    `json:"owner"`   // session of the target
	Name     string    `json:"name"`    // of the claim
	OldData  []byte    `json:"oldData"` // base64; null for null data
	NewData  []byte    `json:"newData"` // base64; null for a delete
	Predict  []string  `json:"predicted,omitempty"`
	Reason   string    `json:"reason,omitempty"`
	Text     string    `json:"text,omitempty"`
}

// What says in one line, safe for a terminal, what was meant or what came of it: to what, and what was there before, of
// which only the beginning is shown.
func (r Record) What() string {
	text, kind := say.Printable(r.Text), layout.Kind(r.Kind).Words()
	switch {
	case r.Stage != "intent":
	case r.Verb == VerbVote:
		text = "vote " + say.Printable(string(r.NewData)) + " for " + r.Name + " in " + say.Printable(r.Recipe)
	case r.Verb == VerbAbort:
		text = "vote abort for " + r.Name + " in " + say.Printable(r.Recipe)
	case r.Verb == VerbJoin:
		text = "join the " + kind + " " + say.Printable(r.Recipe)
		if r.Name != "" {
			text += " as " + r.Name
		}
	default:
		text = string(r.Verb) + " " + say.Printable(r.Path)
		if r.Name != "" && r.Name != r.Path {
			text += " of " + r.Name
		}
	}
	if place := say.Printable(r.Recipe); place != "" && !strings.Contains(text, place) {
		text = strings.TrimPrefix(text+" at "+place, " ")
	}
	if len(r.OldData) > 0 {
		text += ", before: " + shortened(r.OldData)
	}
	if r.Reason != "" {
		text += " (" + say.Printable(r.Reason) + ")"
	}
	return text
}

// shortened is the beginning of data.
func shortened(b []byte) string {
	const most = 40
	if len(b) <= most {
		return `"` + say.Printable(string(b)) + `"`
	}
	return fmt.Sprintf(`"%s"… of %d bytes`, say.Printable(string(b[:most])), len(b))
}

// Audit is an append-only log of what was done to ensembles: one JSON object a line. It may be used from
// several goroutines, and several processes may append to the same file.
type Audit struct {
	path string
	mu   sync.Mutex

	last  os.FileInfo // the file as it was left; nil: there was none
	moved bool        // another one was found in its place, or less of it
}

// ErrNoLog is in every error of an audit log that cannot be written: without it nothing is done.
var ErrNoLog = errors.New("audit log")

// OpenAudit prepares a log at a path; its folder is made when it does not exist. Nothing is written yet.
func OpenAudit(path string) (*Audit, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("%w %s: %w", ErrNoLog, path, err)
	}
	st, err := os.Stat(path)
	if err != nil {
		return &Audit{path: path}, nil
	}
	if why := notOurs(st); why != "" {
		return nil, fmt.Errorf("%w %s %s: move it away, or name another place", ErrNoLog, path, why)
	}
	return &Audit{path: path, last: st}, nil
}

// Check reports whether the log can be written to, by opening it; it makes an empty one where there is none.
func (a *Audit) Check() error {
	f, err := os.OpenFile(a.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY|nonBlocking, 0o600)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoLog, err)
	}
	return f.Close()
}

// notOurs says why a file is no log of ours; empty when it may be one.
func notOurs(st os.FileInfo) string {
	switch {
	case !st.Mode().IsRegular():
		return "is not a regular file"
	case !ownedByUs(st):
		return "belongs to somebody else"
	}
	return ""
}

// Path returns where the log is.
func (a *Audit) Path() string { return a.path }

// Append writes one record and makes sure that it is on disk.
func (a *Audit) Append(r Record) error {
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("%w %s: %w", ErrNoLog, a.path, err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	f, err := os.OpenFile(a.path, os.O_APPEND|os.O_CREATE|os.O_RDWR|nonBlocking, 0o600)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoLog, err)
	}
	defer f.Close()
	if st, err := f.Stat(); err == nil && a.last != nil {
		a.moved = a.moved || !os.SameFile(a.last, st) || st.Size() < a.last.Size()
	}
	if err := appendLine(f, append(visible(line), '\n')); err != nil {
		return fmt.Errorf("%w %s: %w", ErrNoLog, a.path, err)
	}
	if st, err := f.Stat(); err == nil {
		a.last = st
	}
	return nil
}

// Moved reports whether the log was removed, replaced or cut short since it was opened or this was asked last: what it held
// is not in the file any more.
func (a *Audit) Moved() (moved bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	moved, a.moved = a.moved, false
	return moved
}

// appendLine adds a line to a log that other processes may be adding to. One that was torn, by a full disk or a process
// that was killed, is ended first; of one that cannot be written whole nothing stays.
func appendLine(f *os.File, line []byte) error {
	unlock, err := lockFile(f)
	if err != nil {
		return err
	}
	defer unlock()
	st, err := f.Stat()
	if err != nil {
		return err
	}
	if why := notOurs(st); why != "" {
		return errors.New("it " + why)
	}
	if size := st.Size(); size > 0 {
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, size-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			line = append([]byte{'\n'}, line...)
		}
	}
	if _, err = f.Write(line); err == nil {
		err = f.Sync()
	}
	if err != nil {
		_ = f.Truncate(st.Size())
	}
	return err
}

// visible writes every character of a JSON text beyond ASCII as an escape, so that a log that is looked at on a
// terminal hides and reorders nothing.
func visible(line []byte) []byte {
	out := make([]byte, 0, len(line))
	for _, r := range string(line) {
		switch {
		case r < 0x7f:
			out = append(out, byte(r))
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			out = fmt.Appendf(out, "\\u%04x\\u%04x", hi, lo)
		default:
			out = fmt.Appendf(out, "\\u%04x", r)
		}
	}
	return out
}

// record fills in who and where.
func record(stage, ensemble, session string, p Plan, now time.Time) Record {
	host, _ := os.Hostname()
	name := os.Getenv("USER")
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	if by := os.Getenv("SUDO_USER"); by != "" {
		name += " (sudo by " + by + ")"
	}
	return Record{
		At: now.UTC(), Stage: stage, User: name, Host: host, PID: os.Getpid(), Ensemble: ensemble, Session: session,
		Verb: p.Verb, Kind: string(p.Kind), Recipe: p.Recipe, Path: p.Target.Path, Czxid: int64(p.Target.Czxid),
		Version: p.Target.Version, Owner: p.Target.Owner.String(), Name: say.Printable(p.Name),
		OldData: p.OldData, NewData: p.NewData, Predict: p.Outcome, Reason: p.Reason,
	}
}

// ReadAudit reads a log from the beginning; a log that is not there is an empty one. Lines that are no records,
// such as a half-written last one, are left out and counted. What is not a regular file is an error: a pipe that nobody
// writes to would be waited for.
func ReadAudit(path string) (records []Record, damaged int, err error) {
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%w %s is not a regular file: name another place", ErrNoLog, path)
	}
	b, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("audit log: %w", err)
	}
	for line := range bytes.SplitSeq(b, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var r Record
		if json.Unmarshal(line, &r) != nil || r.Verb == "" {
			damaged++
			continue
		}
		records = append(records, r)
	}
	return records, damaged, nil
}

// Overwritten finds in a log what the last revoke of a claim overwrote, or may have overwritten: one whose outcome is not
// known, or was never written down, counts too, since whether the word is there is seen on the znode. It is nil when there
// was none, or when the data has been restored since.
func Overwritten(records []Record, ensemble string, id model.ClaimID) []byte {
	failed := false // the outcome that was met last, which the intent before it belongs to
	for i := len(records) - 1; i >= 0; i-- {
		r := &records[i]
		if r.Ensemble != ensemble || r.Path != id.Path || r.Czxid != int64(id.Czxid) {
			continue
		}
		switch nothing := r.Stage == string(Nothing) || r.Stage == string(Refused); {
		case nothing:
			failed = true
		case r.Stage == "intent" && failed:
			failed = false
		case r.Verb == VerbRevoke:
			return append([]byte{}, r.OldData...)
		case r.Stage == string(Done):
			return nil
		}
	}
	return nil
}

// Records reads the log; see ReadAudit.
func (a *Audit) Records() ([]Record, error) {
	records, _, err := ReadAudit(a.path)
	return records, err
}
