// Package mirror keeps a live copy of a tree of znodes, and publishes it as immutable snapshots.
//
// A Mirror has a connection of its own. It arms one recursive watch, reads the tree breadth-first in large
// batches, and then reads again what events name. Nothing falls between: the watch is there before the first
// read, and events that come while the tree is read are worked off after it. After a lost connection
// everything is read again, because a server does not tell what happened in between.
//
// # What a snapshot promises
//
// A snapshot is built from many reads; it is no cut through one point in time. A node is as some server knew
// it at one moment after the last event that named it. While the connection is lost the last tree stays,
// and LostSince says since when; it is cleared when everything was read again, and Gap says from then on which
// span was not seen. An unchanged subtree keeps its pointer from one snapshot to the next.
//
// Watches alone do not tell everything, so a Mirror also:
//
//   - reads the parent again when a child comes or goes, since its stat moves without an event;
//   - puts a one-shot watch on the children of a directory in which some znode may not be read, since
//     servers withhold events on such znodes (CVE-2024-23944);
//   - compares the whole tree with the server in the background, at a bounded rate. That finds changes of
//     ACLs, which have no event, znodes that came unreadable into a directory without others of the kind,
//     and a watch that was lost without a word. How long a full round takes is Options.Reconcile, or longer
//     for more than some 5,000 znodes.
//
// Servers before 3.6 have neither recursive watches nor batch reads; there the Mirror reads one by one, in
// a pipeline, and leaves one-shot watches, up to a limit. Beyond the limit changes are found by comparing.
//
// # Concurrency
//
// One goroutine owns the tree and everything else of a Mirror; it ends with Close or with the context given
// to Start. Connections hand their events, answers and states to it through an inbox that merges events on
// the same path, so a storm of changes costs no more memory than the paths it touches. The methods of a
// Mirror may be called from any goroutine, and none of them waits, Close excepted.
package mirror
