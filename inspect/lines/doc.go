// Package lines decodes recipes whose claims stand in line: locks, read/write locks, elections and semaphores, with
// what can be wrong with a line and its waiters. Each kind has a file of its own name, whose comment is the
// documentation of its layouts.
package lines
