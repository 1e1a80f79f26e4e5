// Package txnlog reads what a ZooKeeper server keeps on its disk: transaction logs (log.<zxid>) and snapshots
// (snapshot.<zxid>, also .gz and .snappy), of every version from 3.4 on. It only reads, takes no lock, and can read the
// files of a running server.
//
// # What the files say
//
// A log holds proposals in the order in which the server wrote them: who (session, cxid), when (the leader's clock, in
// milliseconds), and what was changed. It holds no reads, no watches and no addresses. Its last records may never have been
// committed. A snapshot is fuzzy: it is named after the last zxid from before it was begun, and may hold what came until it
// was done.
//
// # Ends and damage
//
// A log ends cleanly at a record of length 0, which is the beginning of its padding, or with the file at a record's
// boundary. A record that is cut short, or that lacks its end mark, is an unclean end: the server stops there too and goes
// on with its next file. A wrong checksum is damage, told as a *Corrupt with file and offset: the server itself would not
// start with it. What is longer than the file is never believed.
//
// The layouts are those of ZooKeeper's FileTxnLog, FileSnap, SerializeUtils and DataTree.
//
// # Concurrency
//
// A Log is for one goroutine. Everything else is plain values.
package txnlog
