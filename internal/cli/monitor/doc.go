// Package monitor holds the commands that keep an eye on an ensemble for other programs and for people: check with its formats
// for monitoring, watch with what it waits for and runs, the exporter for Prometheus, and the notifier. What is wrong is decided by
// inspect; these say it once, or whenever it changes, and end with the exit code that scripts rely on.
//
// Nothing here writes to an ensemble.
//
// # Concurrency
//
// What follows an ensemble runs until its context ends, and then ends the server, the commands and the reports that it has begun.
package monitor
