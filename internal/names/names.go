// Package names knows what hosts are called by somebody's own list: a file, or what a program prints. Each line is an address and
// what is there, as in /etc/hosts; text after # does not count. Addresses are compared as addresses, whatever their spelling.
//
// What it returns is safe to print: one line, of bounded length.
//
// # Concurrency
//
// A Book may be asked from any goroutine while it is read again.
package names

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/program"
)

// What a list may take: so long, so many bytes, so many letters a name.
const (
	patience  = 5 * time.Second
	mostBytes = 8 << 20
	longest   = 60
)

// Source is where names come from: one of the two.
type Source struct {
	File    string
	Command []string      // a program with its arguments; no shell reads them
	Env     []string      // its environment; nil: ours
	Within  time.Duration // how long it may take. Optional; default 5 s
}

// Book is a list of names.
type Book struct {
	source Source
	mu     sync.Mutex
	of     map[string]string
	count  uint64
	stop   context.CancelFunc
	done   chan struct{}
}

// Open reads a list once, within five seconds. Where that fails the book is empty, and the error says why: nothing but names
// are missing then.
func Open(ctx context.Context, s Source) (*Book, error) {
	b := &Book{source: s}
	return b, b.read(ctx)
}

// Keep has the list read again at intervals, until Close. Say is told, from another goroutine, when that begins to fail; what
// was read before stays.
func (b *Book) Keep(every time.Duration, say func(error)) {
	ctx, stop := context.WithCancel(context.Background())
	b.stop, b.done = stop, make(chan struct{})
	guard.Go(func() {
		defer close(b.done)
		failing := false
		t := time.NewTicker(every)
		defer t.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
			}
			err := b.read(ctx)
			if err != nil && !failing && ctx.Err() == nil {
				say(err)
			}
			failing = err != nil
		}
	})
}

// Close ends what Keep began.
func (b *Book) Close() {
	if b.stop != nil {
		b.stop()
		<-b.done
	}
}

// Of is what the host of an address, with or without a port, is called; empty: it is not in the list.
func (b *Book) Of(addr string) string {
	if b == nil || addr == "" {
		return ""
	}
	if host, _, err := net.SplitHostPort(addr); err == nil {
		addr = host
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.of[spelled(addr)]
}

// Version is another number after every reading that succeeded.
func (b *Book) Version() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.count
}

func (b *Book) read(ctx context.Context) error {
	text, err := b.source.text(ctx)
	if err != nil {
		return err
	}
	of := map[string]string{}
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		if at := spelled(words[0]); of[at] == "" {
			of[at] = clipped(strings.Join(words[1:], " "))
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("names: %w", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.of = of
	b.count++
	return nil
}

// text is the list as it is now. What goes wrong is told with who was asked.
func (s *Source) text(ctx context.Context) (string, error) {
	name, ask := s.File, s.content
	if len(s.Command) > 0 {
		name, ask = s.Command[0], s.output
	}
	text, err := ask(ctx)
	if err != nil {
		err = fmt.Errorf("names: %s: %w", name, err)
	}
	return text, err
}

var errLong = errors.New("is longer than 8 MiB")

func (s *Source) content(context.Context) (string, error) {
	st, err := os.Stat(s.File)
	switch {
	case err != nil:
		return "", errors.Unwrap(err) // without the name, which is told
	case !st.Mode().IsRegular():
		return "", errors.New("is no file")
	case st.Size() > mostBytes:
		return "", errLong
	}
	text, err := os.ReadFile(s.File)
	return string(text), err
}

func (s *Source) output(ctx context.Context) (string, error) {
	var out bounded
	p := program.Program{Args: s.Command, Env: s.Env, Within: cmp.Or(s.Within, patience), Out: &out}
	err := p.Run(ctx)
	if out.full {
		err = errLong
	}
	return out.String(), err
}

// bounded takes as much as a list may have: a program that says more is ended by that.
type bounded struct {
	strings.Builder
	full bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.full = b.full || b.Len()+len(p) > mostBytes; b.full {
		return 0, errLong
	}
	return b.Builder.Write(p)
}

// spelled is an address in the one way in which addresses are compared; a host's name in small letters.
func spelled(host string) string {
	if a, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return a.Unmap().WithZone("").String()
	}
	return strings.ToLower(host)
}

// clipped is a name that is safe to print.
func clipped(name string) string {
	if r := []rune(name); len(r) > longest {
		name = string(r[:longest-1]) + "…"
	}
	return say.Printable(name)
}
