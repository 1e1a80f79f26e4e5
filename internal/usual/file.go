package usual

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A file has one line that says what it is, and then one for every recipe and day of which something was added.

type header struct {
	Zkscope int    `json:"zkscope"`
	Kind    string `json:"kind"`
}

const kind = "usual"

// line is what was seen of a recipe on a day; lines of the same recipe and day add up.
type line struct {
	Path string      `json:"path"`
	Last time.Time   `json:"last"` // when a claim let go last; its day is the line's
	Held map[int]int `json:"held"` // how many times, by step
}

// load reads the file. A last line without an end was cut off, and is left out.
func (b *Book) load() error {
	text, err := os.ReadFile(b.file)
	if err != nil {
		return err
	}
	if b.known, err = parse(text, b.file); err != nil {
		return err
	}
	if b.torn = len(text) > 0 && text[len(text)-1] != '\n'; b.torn && !bytes.ContainsRune(text, '\n') {
		b.size, b.torn = 0, false
		return os.Remove(b.file) // it was cut off before anything was in it
	}
	b.known.prune(b.now().Add(-b.keep), recipesMost)
	return nil
}

func parse(text []byte, name string) (days, error) {
	d := days{}
	r := bufio.NewReader(bytes.NewReader(text))
	for no := 1; ; no++ {
		raw, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) && (no > 1 || bytes.HasPrefix(encodeHeader(), raw)) {
			return d, nil
		}
		if no == 1 {
			var h header
			if json.Unmarshal(raw, &h) != nil || h.Kind != kind || h.Zkscope != 1 {
				return nil, fmt.Errorf("%s is no record of usual times: move it away, or name another folder", name)
			}
			continue
		}
		var l line
		if json.Unmarshal(raw, &l) != nil || !strings.HasPrefix(l.Path, "/") {
			continue // cut off in the middle of another's line
		}
		d.add(l.Path, dayOf(l.Last), l.sane(), l.Last)
	}
}

// sane leaves out what no book writes.
func (l line) sane() map[int]int {
	for s, n := range l.Held {
		if s < 0 || s > stepsMost || n < 0 {
			delete(l.Held, s)
		}
	}
	return l.Held
}

// Save adds what is new to the file, or writes it anew where it has grown too large. What could not be saved is tried again
// with the next. Note does not wait for it.
func (b *Book) Save() error {
	b.saving.Lock()
	defer b.saving.Unlock()
	b.mu.Lock()
	out := b.fresh
	b.fresh = days{}
	b.known.merge(out)
	b.mu.Unlock()
	b.unsaved.merge(out)
	if len(b.unsaved) == 0 {
		return nil
	}
	text := encode(b.unsaved)
	err := error(nil)
	if b.size+int64(len(text)) > fileMost {
		err = b.anew()
	} else {
		err = b.append(text)
	}
	if err == nil {
		b.unsaved = days{}
	}
	return err
}

// append adds lines to the file.
func (b *Book) append(text []byte) error {
	switch {
	case b.size == 0:
		text = append(encodeHeader(), text...)
	case b.torn:
		text = append([]byte{'\n'}, text...)
	}
	f, err := os.OpenFile(b.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	n, err := f.Write(text)
	if info, statErr := f.Stat(); statErr == nil {
		b.size = info.Size()
	}
	b.torn = err != nil && n > 0 || b.torn && n == 0
	return errors.Join(err, f.Close())
}

// anew writes the file with all that is remembered, added up: at most half of what it may grow to.
func (b *Book) anew() error {
	text, err := os.ReadFile(b.file)
	if err != nil {
		return err
	}
	all, err := parse(text, b.file)
	if err != nil {
		return err
	}
	all.merge(b.unsaved)
	for most := recipesMost; ; most /= 2 {
		all.prune(b.now().Add(-b.keep), most)
		if text = append(encodeHeader(), encode(all)...); len(text) <= fileMost/2 || most == 0 {
			break
		}
	}
	f, err := os.CreateTemp(filepath.Dir(b.file), filepath.Base(b.file)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), b.file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.known, b.size, b.torn = all, int64(len(text)), false
	return nil
}

func encodeHeader() []byte {
	text, _ := json.Marshal(header{1, kind})
	return append(text, '\n')
}

func encode(d days) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	for path, of := range d {
		for _, c := range of {
			_ = e.Encode(line{Path: path, Last: c.last.UTC(), Held: c.n}) // of these types it cannot fail
		}
	}
	return out.Bytes()
}
