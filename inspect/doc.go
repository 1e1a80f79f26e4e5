// Package inspect knows how ZooKeeper recipes are laid out: it turns a picture of a tree of znodes into
// who holds, who waits, in what order and why.
//
// [Decode] makes a [Result] of a [Snapshot]: a [Model] for every recipe that it recognises, from lock to
// lease, with its [Claim]s in the order in which they will be served and its [Finding]s. Each kind has a file
// of its own name, whose comment is the documentation of its layouts; [Layouts] and [Places] are the tables. [Diff] says
// what changed between two results, in words. [Rule.Turn] answers the clients' question, is it my turn,
// with the code that Decode uses, so a console and the clients beside it cannot disagree. [ReadFile] and
// [WriteSnapshot] keep snapshots in files; [NewReport] is the JSON output; [Printable] is the one function
// that makes text from ZooKeeper safe for a terminal.
//
// # How order and holding are decided
//
// A child's name is taken apart by [ParseName]: a guard, which its creator finds it by, a word, which says
// what it is for, and the sequence number. The table of [Layouts] ties guard and word to a library and to
// its rule: compare numbers as signed integers, as text, or as text without the sign. The rules agree until
// the 32-bit counter turns negative. Children of different libraries in one directory are ordered by
// creation (czxid); so are names that no row knows. Children that are no claims never hold and are never
// waited for; they are listed as foreign.
//
// In a line the first claim holds. Readers hold together until the first claim that is not a reader. Every
// other claim waits for the nearest one ahead that excludes it.
//
// # What is taken for a recipe
//
// Evidence is weighed: the names of children and of what stands beside them, their data, known places of
// systems, words in the path, and above all hints. A recipe that is one plain znode (barrier, config,
// rendezvous, counter) needs a hint, a known place, or a whole component of the path that says so. A
// directory whose children are all ephemeral and otherwise say nothing is a group. What makes a recipe of
// several directories (a semaphore's leases and locks, a queue's entries and marks) is read together and
// appears once, under the path that its clients were given.
//
// # Unknown is not none
//
// Sessions, watches and servers may be unknown; a stat or data may be unreadable; a directory may be
// counted instead of listed. What depends on them is then left out or said to be likely, never guessed.
//
// # Concurrency
//
// Snapshots, nodes, results, models, reports and hints are immutable once handed out and may be read from
// any goroutine. Functions keep no state between calls; the package starts no goroutine, reads no clock and
// does no I/O but on the readers and writers that it is given. A [Recording] is the exception: one
// goroutine at a time.
package inspect
