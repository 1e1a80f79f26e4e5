// Package webgate guards a page of metrics by TLS and passwords, as a file says that has the form which the exporters of
// Prometheus share: one file serves all of them on a machine.
//
// What it lacks of that form is nothing that a file may say. It exists because the library that reads such files brings
// with it a client's worth of code which keeps the linker from leaving out what is never called.
//
// # Concurrency
//
// A Gate may be used from any goroutine.
package webgate
