// Package keys is every key of the console and what it does, as data: what is bound, how the help, the documentation and a
// configuration file name it.
//
// # Concurrency
//
// A Map is plain values; it is bound before the console starts and read from then on.
package keys
