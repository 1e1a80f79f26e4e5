// Package past rebuilds what an ensemble was from the files of its members: the tree at every moment that their logs tell
// of, and which sessions there were.
//
// # What is recorded, and what follows from it
//
// Every change of a znode is recorded, with its time. That a claim waits, and for whom, follows from the recipe's order: the
// files know no watches. What a log's last records say may never have been committed; what a snapshot holds from the time
// in which it was written may be ahead of the moment that it stands for.
//
// The rules by which records change a tree are those of ZooKeeper's DataTree: a create of what is there changes its list of
// rights alone, absolute versions are set, a delete of what is not there still moves its parent.
//
// # Concurrency
//
// Everything is for one goroutine.
package past
