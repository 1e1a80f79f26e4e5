// Package znode is what ZooKeeper tells: a [Snapshot] of a tree of [Node]s, with the sessions, watches and servers
// behind it, and what is known of what could not be read. It knows nothing of what any of it means.
//
// Snapshots and nodes are immutable once handed out and may be read from any goroutine; nodes that did not change are
// shared between snapshots. An [Editor] makes the next tree of an earlier one, for one goroutine at a time. Stats are
// those of ZooKeeper's own records (zookeeper.jute); times are the server's, in milliseconds.
//
// What is unknown is never shown as none: see [Flag], [Snapshot.Known] and [Snapshot.Untold].
package znode
