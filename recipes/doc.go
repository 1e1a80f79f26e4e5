// Package recipes takes part in ZooKeeper's recipes: locks, elections, queues and whatever else clients agree
// on by convention. What it writes is spelled as ZooKeeper's recipe documents, Curator, kazoo or go-zookeeper
// spell it, so that their clients and ours stand in one line; whose turn it is is decided by package inspect,
// so that clients and observers cannot disagree. Session.Detect tells the dialect that is in use at a path.
//
// Everything begins with a Session: Dial opens one, FromConn makes one of a go-zookeeper connection. Zero values have
// none, and give errors that match ErrLost or ErrNotHeld.
//
//	recipe         dialects         promise                                      limits
//	Lock           all four         one holder; first come, first served         a release wakes the next two
//	SharedLock     zk curator kazoo many readers or one writer; downgrade        kazoo 2.8's own readers may deadlock
//	SingleLock     any              one holder                                   no order; a release wakes all (herd)
//	Semaphore      curator kazoo    so many holders; first come, first served    Curator stores the limit nowhere
//	Election       zk curator kazoo one leader; the next stands ready            an announcement is a foreign child
//	Barrier        any              nobody passes while it is closed             waiters are not seen in ZooKeeper
//	DoubleBarrier  zk curator kazoo begin together, end together                 Curator and kazoo tell no rounds apart
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
// Counted on the server by tests, with the directory there and nobody in the way. A claim's guardian has one watch, over
// its own znode: one more request, as soon as somebody asks whether the claim is lost or revoked, and after 10 ms at the
// latest. A waiter has one more, over the one ahead; of locks and elections, but for kazoo's, it has a third over the one
// before that. So a release wakes two, of 200 too: the next, which holds without another look, and the one behind it, which
// looks where it stands. Servers tell nobody of a znode that he may not read: where the one ahead is such, its directory
// is watched. Nor do they tell that an ACL was changed, so a watch can be left that never fires: whoever waits asks once in
// a session timeout (exists, which needs no permission) whether what he watches is as it was, and twice whether his own znode
// is. So he is woken a session timeout late at most, or told with ErrDenied that he may not see the line any more. At rest a
// waiter makes three requests in a session timeout, a holder two, beside the session's pings. The ready of a double barrier is watched by itself alone.
//
//	Lock, SharedLock, Election   3    create and list in one piece; delete
//	downgrade                    2    create; delete
//	SingleLock                   3    create; exists, delete
//	Semaphore, Curator           8    the 3 of a lock and its watch, create, list with watch, its return; delete
//	Semaphore, kazoo             9    and a read of the limit
//	DoubleBarrier of one         6    watch, create, list, create; list, multi
//	Queue: put                   1    create
//	Queue: take and done         5    list, list, multi, batch read; multi
//	Membership                   2    create; delete
//	a named member, Service      3    create; exists, delete
//	Barrier                      1+1  create; delete; and 1 to find it open: watch
//	Config                       1+1  get; set
//	Counter                      2    get, set
//	Rendezvous                   6    create; set; get with watch, its return; exists, delete
//	NameService                  1    each of bind, look up, unbind
//	TwoPhase of 2 sites         19    multi; 2 for each vote, 4 to decide, 5 for a site to learn it, 5 to end
//	the same, Coordinated       17    multi; 2 for each vote, 5 to decide, 2 for a site to learn it, 5 to end
//
// # Access
//
// What is made is open to everybody unless an ACL says otherwise: Config.ACL for all that a session makes, the options'
// ACL for one recipe. It goes to claims, items and values, and to the directories that are made on the way to them;
// what is there keeps its own. A session that has credentials does not close anything by that alone: a line is shared, and
// clients of other identities, which stood in it before, would find its directory closed once it was made anew. With
// CreatorAll all who take part need the same credentials; with WorldReads others may look, and see watches fire, but not
// take part.
//
// # Foreign children
//
// Children that are no claims or items of the recipe are ignored. Where every child is a member by the recipe's own
// rule, none can be foreign: the documents' double barrier, groups but kazoo's, and the sites of a transaction.
//
// # Numbers that are used up
//
// A directory's sequence numbers end at 2147483647. Servers of today give that one out again and again: claims of it
// are served as they arrive, and a second item of it is ErrExists. Older servers went on below zero, where each
// library's rule admits somebody else: our clients then go by arrival, and are safe among themselves only.
//
// # Loss
//
// Whatever grants something returns a Claim, and a Claim can be lost at any time: its session expires, its
// connection is gone for longer than the session lives, or somebody deletes its znode. It is not safe to assume
// that a claim is held until it is released: watch Lost.
//
// Lost is closed before the server may give the claim to somebody else. A session is counted on for 19 of 20 parts of
// its timeout, from when the last request was sent that the server has answered: however late its answers are, the
// server got that request no sooner, and waits for the whole timeout from then. This holds under these assumptions:
//
//   - The two clocks run alike: while the server's counts the timeout, ours counts at least 19 of 20 parts of it.
//   - This process runs, and its timers are no later than what is left of the twentieth part. A process or a machine
//     that was stopped learns of its loss when it goes on.
//   - The server that answers is in touch with its leader, which decides who has expired. Members tell their leader
//     twice a tick whom they have heard: one that dies may take up to half a tick with it, and one that is cut off
//     from its leader answers for up to syncLimit ticks.
//   - Of a borrowed connection, the timeout that FromConn was given is the one that was granted.
//
// A znode that somebody deletes is told by its watch, at once. But servers tell of a znode only who may read it at that moment,
// and tell nobody that an ACL was changed: somebody who takes the right to read a claim from its owner, and then deletes it,
// takes the news, too. So the owner asks twice in a session timeout whether its znode is as it was, which needs no
// permission: until then two may hold, for half a session timeout and the time of two requests at most, and as much longer as
// its server is behind. Once the claim may not be read its directory is watched instead.
//
// That is what the Token is for, a number that grows with every grant: whatever the claim protects refuses a smaller
// one than it has seen, and so tells a late writer from the present holder (fencing).
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
