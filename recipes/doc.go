// Package recipes takes part in ZooKeeper's recipes: locks, shared locks, elections. Every claim that it
// makes is spelled as ZooKeeper's recipe documents, Curator, kazoo or go-zookeeper spell theirs, so that
// their clients and ours stand in one line, and whose turn it is is decided by package inspect, so that
// clients and observers cannot disagree.
//
// Whatever grants something returns a Claim, and a Claim can be lost at any time: its session may expire,
// its connection may be gone for longer than the session lives, or somebody may delete its znode. It is not
// safe to assume that a claim is held until it is released: watch Lost, and hand the Token (a number that
// grows with every grant) to whatever the claim protects, so that a late writer can be told from the
// present holder.
//
// Every call takes a context. A call that ends without a claim leaves nothing behind: it cleans up over
// the session's own connection, with a context that is still alive.
//
// # Concurrency
//
// A Session may be used from any number of goroutines, and so may a Claim. Each Claim has one goroutine
// that watches over it; it ends with Release, with the loss of the claim, or with the Session.
package recipes
