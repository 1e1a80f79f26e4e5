// Package inspect knows how ZooKeeper recipes are laid out: [Decode] turns a picture of a tree of znodes into who
// holds, who waits, in what order and why.
//
// The kinds that are no lines have a file of their own name here, whose comment is the documentation of their layouts;
// the others are in lines. What a kind is decoded from and with lies below: znode (what ZooKeeper tells), say (words),
// layout (how participants spell themselves), model (what comes out), order (who is first), survey (what is a recipe at
// all). What is made of a result lies above: waits (who waits for whom, and what becomes of it), files (snapshots and
// recordings), story (changes, reasons, reports).
//
// # How order and holding are decided
//
// A child's name is taken apart by layout.ParseName: a guard, which its creator finds it by, a word, which says what it
// is for, and the sequence number. The table of layouts ties guard and word to a library and to its rule: compare
// numbers as signed integers, as text, or as text without the sign. The rules agree until the 32-bit counter turns
// negative. Children of different libraries in one directory are ordered by creation (czxid); so are names that no row
// knows. Children that are no claims never hold and are never waited for; they are listed as foreign.
//
// # What is taken for a recipe
//
// Evidence is weighed: the names of children and of what stands beside them, their data, known places of systems, words
// in the path, and above all hints. A recipe that is one plain znode (barrier, config, rendezvous, counter) needs a
// hint, a known place, or a whole component of the path that says so. A directory whose children are all ephemeral and
// otherwise say nothing is a group. What makes a recipe of several directories (a semaphore's leases and locks, a
// queue's entries and marks) is read together and appears once, under the path that its clients were given.
//
// # Unknown is not none
//
// Sessions, watches and servers may be unknown; a stat or data may be unreadable; a directory may be counted instead of
// listed. What depends on them is then left out or said to be likely, never guessed.
//
// # Concurrency
//
// Functions keep no state between calls; the package starts no goroutine, reads no clock and does no I/O.
package inspect
