package world

import (
	"context"
	"io"
	"net"
	"os"
	"time"

	"golang.org/x/term"
)

// World is everything that a command touches outside of itself.
type World struct {
	In       io.Reader
	Out, Err io.Writer
	Getenv   func(string) string
	InTTY    bool // In is a terminal
	OutTTY   bool // Out is a terminal
	ErrTTY   bool // Err is a terminal
	Now      func() time.Time

	// ReadSecret reads a line that is typed at the terminal, which does not show it.
	ReadSecret func() (string, error)

	Resolver *net.Resolver // looks up names; nil: the system's

	// Dial reaches servers; nil: by TCP.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	Pages *Pages // takes the pages of metrics that would be written; nil: they are
}

// OS returns the process's own world.
func OS() World {
	secret := func() (string, error) {
		b, err := term.ReadPassword(int(os.Stdin.Fd()))
		return string(b), err
	}
	return World{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv, Now: time.Now, ReadSecret: secret,
		InTTY: term.IsTerminal(int(os.Stdin.Fd())), OutTTY: term.IsTerminal(int(os.Stdout.Fd())),
		ErrTTY: term.IsTerminal(int(os.Stderr.Fd()))}
}
