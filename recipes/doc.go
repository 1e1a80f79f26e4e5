// Package recipes takes part in ZooKeeper's recipes: locks, elections, queues and whatever else clients agree
// on by convention. What it writes is spelled as ZooKeeper's recipe documents, Curator, kazoo or go-zookeeper
// spell it, so that their clients and ours stand in one line.
//
//	s, err := recipes.Dial(ctx, recipes.Config{Servers: []string{"zk1:2181", "zk2:2181", "zk3:2181"}})
//	if err != nil {
//		return err
//	}
//	defer s.Close()
//	held, err := s.Lock("/locks/export", recipes.Options{Name: "web-1"}).Acquire(ctx)
//	if err != nil {
//		return err
//	}
//	defer held.Release(context.WithoutCancel(ctx))
//	return export(held.Context(), held.Token())
//
// Everything begins with a [Session]: [Dial] opens one, [FromConn] makes one of a go-zookeeper connection. Its methods
// make the recipes, which are small values, do no I/O by themselves and may be copied. What a recipe grants is a *[Claim],
// or of a queue an *[Item]. Zero values have no session, and give errors that match [ErrLost] or [ErrNotHeld].
//
// # Recipes
//
//	recipe         dialects         promise                                      limits
//	Lock           all four         one holder; first come, first served         a release wakes the next two
//	SharedLock     zk curator kazoo many readers or one writer; downgrade        kazoo 2.8's own readers may deadlock
//	SingleLock     any              one holder                                   no order; a release wakes all (herd)
//	Semaphore      curator kazoo    so many holders; first come, first served    Curator stores the limit nowhere
//	Election       all four         one leader; the next stands ready            an announcement is a foreign child
//	Barrier        any              nobody passes while it is closed             waiters are not seen in ZooKeeper
//	DoubleBarrier  zk curator kazoo begin together, end together                 Curator and kazoo tell no rounds apart
//	Queue          zk curator kazoo every item at least once, one at a time      a put wakes all who wait
//	PriorityQueue  zk curator kazoo the same, by priority                        lists again for each take
//	DelayQueue     curator          the same, when due                           by the consumer's clock
//	TwoPhase       zk               one verdict for all                          blocks when its coordinator dies
//	Membership     zk curator kazoo who is there                                 a watcher wakes at each change
//	Service        curator's JSON   which instances there are                    the same
//	NameService    any              what a name stands for
//	Configuration  any              the latest value; changes by version         values between may be skipped
//	Rendezvous     any              the early learn from the late
//	Counter        text, curator    a sum                                        an Add may be of unknown outcome
//
// # Dialects
//
// All clients of one recipe must spell it alike, or at least understand each other. [Options].Dialect says how; its zero
// value is the recipe documents' way, or what the recipe names where they have none. Session.Detect tells what is in use
// at a path, and [DialectOf] whether that can be written. Beside the four of the table there are those of single systems:
// [Dialects] lists them. Names are spelled by the rows by which package inspect reads them, and who is first in a line is
// decided there, too, so that clients and observers cannot disagree.
//
// Children that are not claims or items of the recipe are ignored. Where every child is a member by the recipe's own
// rule, none can be foreign: the documents' double barrier, groups but kazoo's, and the sites of a transaction.
//
// # Loss
//
// A Claim can be lost at any time: its session expires, its connection is gone for longer than the session lives, or
// somebody deletes its znode. It is not safe to assume that a claim is held until it is released: run what it protects
// under Claim.Context, or watch Claim.Lost.
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
// A znode that somebody deletes is told by its watch, at once. But servers tell of a znode only who may read it at that
// moment, and tell nobody that an ACL was changed: somebody who takes the right to read a claim from its owner, and then
// deletes it, takes the news, too. So the owner asks twice in a session timeout whether its znode is as it was, which
// needs no permission: until then two may hold, for half a session timeout and the time of two requests at most, and as
// much longer as its server is behind. Once the claim may not be read its directory is watched instead.
//
// That is what Claim.Token is for, a number that grows with every grant: whatever the claim protects refuses a smaller
// one than it has seen, and so tells a late writer from the present holder (fencing).
//
// # Lost replies
//
// A request whose reply is lost may have been applied. Claims are found again by the id in their names before
// anything is created again; deletes and sets that are the same twice are repeated; what remains, a Queue's Put
// and a Counter's Add, reports [ErrUnknown].
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
//
// # Access
//
// What is made is open to everybody unless an [ACL] says otherwise: Config.ACL for all that a session makes, the options'
// ACL for one recipe. It goes to claims, items and values, and to the directories that are made on the way to them;
// what is there keeps its own. A session that has credentials does not close anything by that alone: a line is shared, and
// clients of other identities, which stood in it before, would find its directory closed once it was created again. With
// CreatorAll all who take part need the same credentials; with WorldReads others may look, and see watches fire, but not
// take part.
//
// # Requests
//
// From the beginning to the end of an uncontended use, counted on the server, with the directory there. "Return" gives a
// watch back.
//
//	Lock, SharedLock, Election           3  create, list; delete
//	SharedLock: write, downgrade         5  create, list; create, delete; delete
//	SingleLock                           3  create; exists, delete
//	Semaphore, Curator                   8  create, list, read; create, list, return, delete; delete
//	Semaphore, Kazoo                     9  read; create, list, read; list, return, create, delete; delete
//	DoubleBarrier of one                 6  exists, create, list, create; list, multi
//	Queue: put                           1  create
//	Queue: put, take, done               6  create; list, list, multi, batch read; multi
//	Membership                           2  create; delete
//	a named member, Service              3  create; exists, delete
//	Barrier: close, open, pass           3  create; delete; read
//	Configuration: get, set              2  read; set
//	Counter                              2  read, set
//	Rendezvous                           6  create; set; read, return; exists, delete
//	NameService: look up, bind, unbind   3  read; create; delete
//	TwoPhase of 2 sites                 19  multi; 6 × read, 2 × set, 4 × return; list, list, 4 × delete
//	the same, Coordinated               17  multi; 5 × read, 2 × set, 3 × return, create; list, 4 × delete
//
// The list of a lock goes out in one piece with its create. A session that takes the same lock again, and finds by the
// zxids that nothing at all was written in the ensemble since it gave it up alone, needs no list: two requests.
//
// A claim's goroutine has one watch, over its own znode: one more request, as soon as somebody asks whether the claim is
// lost or revoked, and after 10 ms at the latest. A waiter has one more, over the one ahead; of locks and elections, but
// for kazoo's, it has a third over the one before that. So a release wakes two, of 200 too: the next, which holds without
// another look, and the one behind it, which looks where it stands.
//
// Servers tell nobody of a znode that he may not read: where the one ahead is such, its directory is watched. Nor do they
// tell that an ACL was changed, so a watch can be left that never fires: whoever waits asks once in a session timeout
// (exists, which needs no permission) whether what he watches is as it was, and twice whether his own znode is. So he is
// woken a session timeout late at most, or told with ErrDenied that he may not see the line any more. At rest a waiter makes
// three requests in a session timeout, a holder two, beside the session's pings. The ready of a double barrier is watched by
// itself alone.
//
// # Numbers that are used up
//
// A directory's sequence numbers end at 2147483647. Servers of today give that one out again and again: claims of it
// are served as they arrive, and a second item of it is ErrExists. Older servers went on below zero, where each
// library's rule admits somebody else: our clients then go by arrival, and are safe among themselves only.
package recipes
