// Package truth measures whether what zkscope says is true.
//
// # Worlds
//
// [Run] plays a world that a seed decides: ten virtual minutes on an embedded server, inside a bubble of
// testing/synctest. Processes of one to several threads share a session each and use locks, read/write locks,
// semaphores, elections and barriers, spelled and watched as ZooKeeper's recipe document and ours, Curator, kazoo and
// go-zookeeper do it. Clients speak the wire protocol over connections of their own and decide whose turn it is from
// the children that the server lists: the bench never tells them. Some die, so that their session expires, hang while
// their library goes on to ping, come back under a new session while the old one stands, move to another server, lose
// their watches, never hear of a claim that they made, give one up and leave it, or take locks in opposite orders.
// Threads that hold and await locks one at a time make sessions wait for each other in a circle without a deadlock; hot
// locks change hands all the time.
//
// Every step comes after a delay of its own, so that no two things happen at the same moment and a seed brings the same
// world again.
//
// # The console
//
// What looks on is the console without its screen: a mirror of the tree, an ensemble.Watcher that asks three members
// every five seconds, and the chain of inspect from picture to findings, each result with the one before it. The three
// members are one server whose answers the bench divides: each lists the connections and watches of its own clients,
// takes its time, and at times does not answer, does not list watches, or breaks off.
//
// # The oracle
//
// Threads tell the oracle what they do as they do it; that a znode is gone it hears from a watch of its own. It says of
// every moment which claims are held, which wait and will never wake, which nobody knows of any more, which threads
// wait for each other in a circle, and where nobody leads. It keeps from when until when each of that was so.
//
// # Scores
//
// A finding is judged once while it stands, each claim or session that it names by itself; it is false when it was so
// at no moment of the ten seconds before. That sessions are in a deadlock is so where threads of theirs wait for each other in
// a circle, and as much where one waits for a claim of the next session that nobody knows of any more: either way each has
// what the one before waits for, and nobody goes on before a claim is broken.
//
// A fact that lasted for ten seconds counts as told when a finding names it within them; that nobody leads counts from when
// it outlasted the time that an election may take. What cannot be known from what servers tell is set apart and named: claims
// whose process is dead, whose watch was left behind, that waited too short a time to be looked at twice, and facts that began
// while a member did not tell. Of the others those could not be told of which the bench gave the console no two complete
// lists of watches, a second apart, that lack the claim's: because a member kept its own back, or because a watch of the same
// session stood there for another claim's sake. What the console made of it plays no part in that, and that it did not ask is no
// excuse. Deadlocks are set apart by whether other threads of their sessions worked.
//
// A prediction is the last one that was published before a holder's claim went; where the line changed after that picture was
// taken, or who was to follow was given up before it could, it is called overtaken, unless it came true. Who follows is whose
// turn the claim's end brings by the order of the line; a session without a connection at that moment hears of it when it is
// back. Of a semaphore's lease it is whoever stood in line then and takes it. Findings of codes that no world makes are listed and not judged.
package truth
