// Package recipes takes part in ZooKeeper's recipes: locks, elections, queues and whatever else clients agree
// on by convention. What it writes is spelled as ZooKeeper's recipe documents, Curator, kazoo or go-zookeeper
// spell it, so that their clients and ours stand in one line; whose turn it is is decided by package inspect,
// so that clients and observers cannot disagree. Session.Detect tells the dialect that is in use at a path.
//
// Everything begins with a Session: Dial opens one, FromConn makes one of a go-zookeeper connection.
//
//	recipe         dialects         promise                                      limits
//	Lock           all four         one holder; first come, first served         a release wakes one waiter
//	SharedLock     zk curator kazoo many readers or one writer; downgrade        kazoo 2.8's own readers may deadlock
//	SingleLock     any              one holder                                   no order; a release wakes all (herd)
//	Semaphore      curator kazoo    so many holders; first come, first served    Curator stores the limit nowhere
//	Election       zk curator kazoo one leader; the next stands ready            an announcement is a foreign child
//	Barrier        any              nobody passes while it is closed             waiters are not seen in ZooKeeper
//	DoubleBarrier  zk curator kazoo begin together, end together                 the number is stored nowhere
//	Queue          zk curator kazoo every item at least once, one at a time      a put wakes all who wait
//	PriorityQueue  zk curator kazoo the same, by priority                        lists anew for each take
//	DelayQueue     curator          the same, when due                           by the consumer's clock
//	TwoPhase       zk               one verdict for all                          blocks when its coordinator dies
//	Membership     zk curator kazoo who is there                                 a watcher wakes at each change
//	Service        curator's JSON   which instances there are                    the same
//	NameService    any              what a name stands for
//	Config         any              the latest value; changes by version         values between may be skipped
//	Rendezvous     any              the early learn from the late
//	Counter        text, curator    a sum                                        an Add may be of unknown outcome
//
// # Requests
//
// Read off the code (the lock's is also counted by a test), with the directory there and nobody in the way; each claim has one watch,
// over its own znode, and a release is one delete.
//
//	Lock, SharedLock, Election   create, list, watch; delete
//	SingleLock                   create, watch; exists, delete
//	Semaphore                    those of a lock, and create, list with watch (given back), watch; delete
//	DoubleBarrier                exists, create, list, and create for the last; list, multi
//	Queue                        create to put; list, list, multi, batch read, watch to take; multi when done
//	Membership                   create, watch; exists, delete (delete alone for a znode with an id of its own)
//
// # Loss
//
// Whatever grants something returns a Claim, and a Claim can be lost at any time: its session expires, its
// connection is gone for longer than the session lives, or somebody deletes its znode. It is not safe to assume
// that a claim is held until it is released: watch Lost. Lost is closed no later than the server may give the
// claim to somebody else, as far as clocks run at the same speed and this process runs at all: a process that was
// stopped learns of its loss when it goes on. That is what the Token is for, a number that grows with every grant:
// whatever the claim protects refuses a smaller one than it has seen, and so tells a late writer from the present
// holder (fencing).
//
// # Lost replies
//
// A request whose reply is lost may have been applied. Claims are found again by the id in their names before
// anything is created again; deletes and sets that are the same twice are repeated; what remains, a Queue's Put
// and a Counter's Add, reports ErrUnknown.
//
// # Clean-up
//
// Every call takes a context. A call that ends without a claim leaves nothing behind: it cleans up over the
// session's own connection, with a context that is still alive, for as long as the session may live; what
// remains then goes with the session. Directories are containers, which the server removes when they are empty,
// but for kazoo's and those of queues and values, whose clients expect them to stay.
//
// # Concurrency
//
// A Session may be used from any number of goroutines, and so may everything made of it. Each Claim has one
// goroutine that watches over it; it ends with Release, with the loss of the claim, or with the Session.
// Functions that yield (Observe, Watch) run on the caller's goroutine.
package recipes
