// Package program runs a program of the user's own: one that prints credentials or names, one on a key, one for each event.
//
// # Concurrency
//
// A Program is a value: it may be run from any goroutine, and several times at once where its streams allow that.
package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"
)

// grace is how long what a program has left behind may keep its output open, once it has ended itself.
const grace = time.Second

// Program is what is run, and what it is given. No shell reads its arguments.
type Program struct {
	Args     []string
	Env      []string      // nil: ours
	Within   time.Duration // how long it may take; 0: until the context ends
	In       io.Reader     // nil: nothing
	Out, Err io.Writer     // nil: nowhere
}

// Run runs a program to its end, or ends it when its time is over or ctx ends. What it has left behind in the background does
// not keep Run waiting. The error says what happened, and repeats nothing that the program printed.
func (p Program) Run(ctx context.Context) error {
	within := ctx
	if p.Within > 0 {
		limited, cancel := context.WithTimeout(ctx, p.Within)
		defer cancel()
		within = limited
	}
	cmd := exec.CommandContext(within, p.Args[0], p.Args[1:]...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = p.Env, p.In, p.Out, p.Err, grace
	err := cmd.Run()
	switch {
	case errors.Is(err, exec.ErrWaitDelay):
		return nil
	case err != nil && within.Err() != nil && ctx.Err() == nil:
		return fmt.Errorf("it was ended, since it took longer than %v", p.Within)
	}
	return err
}
