// Package guard starts goroutines of which none can leave a terminal in the state that a screen needs.
//
// A panic that nobody recovers ends a Go program where it stands: in raw mode, on the alternate screen, its words
// drawn over by what was there. Whoever owns the screen says so with Watch; from then on a panic in any guarded
// goroutine or callback is told to it instead. While nobody watches, a panic is what it always is.
//
// # Concurrency
//
// Everything here may be called from any goroutine.
package guard

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"
)

// Failure is a panic that was caught.
type Failure struct {
	Value any    // what was given to panic
	Stack []byte // the stack of the goroutine that panicked
}

// Error is one line.
func (f *Failure) Error() string { return fmt.Sprint("panic: ", f.Value) }

// Watcher is told of panics. It is called on the goroutine that failed, after its deferred calls have begun to run
// and possibly while locks are held: it must not wait for anything.
type Watcher func(*Failure)

var watching atomic.Pointer[Watcher]

// Watch makes w the one that panics are told to, until the returned function is called. One at a time: the last one
// to come is the one that is told.
func Watch(w Watcher) (stop func()) {
	watching.Store(&w)
	return func() { watching.CompareAndSwap(&w, nil) }
}

// Catch is to be deferred: it tells the watcher of a panic and ends it, or lets it go on when nobody watches. The
// function that deferred it returns its results as they stand then.
func Catch() {
	w := watching.Load()
	if w == nil {
		return
	}
	if v := recover(); v != nil {
		(*w)(&Failure{Value: v, Stack: debug.Stack()})
	}
}

// Go starts f on a goroutine of its own. Whoever starts it sees to its end.
func Go(f func()) { go Func(f)() }

// Func is f, guarded: for whatever starts goroutines itself.
func Func(f func()) func() {
	return func() {
		defer Catch()
		f()
	}
}
