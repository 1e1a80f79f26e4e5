// Package zkserver is an in-memory ZooKeeper server: it speaks the wire protocol of ZooKeeper 3.8 well enough that
// go-zookeeper, kazoo and Curator run their recipes on it. The demo runs on it, and so do tests, over TCP or inside
// testing/synctest bubbles over net.Pipe.
//
// It is one standalone server: no ensemble, no disk, no limits by quotas, no SASL, no TLS. Everything else is meant to be as on a
// real 3.8 server, its oddities included, because clients rely on them; the tests of this package run one suite against
// both. Beyond that it has what tests need: sessions that expire on command, lost connections, lost replies, a server
// that hangs, a log of requests.
//
// Known differences. A session expires exactly when its timeout has passed, where a real server rounds up to its next
// tick. Requests of one connection are finished one after the other, so that sequential creates that are pipelined
// never get the negative numbers a real server hands out at 2147483647. Children are listed in an order of no meaning,
// but the same in every run.
//
// # Concurrency
//
// All methods of Server may be called from any goroutine. Each connection has two goroutines, which end with it; Close
// ends and awaits them all. One mutex guards tree, sessions and watches; it is never held across I/O, nor while a
// function of Options runs, so virtual time passes as it should.
package zkserver
