"""kazoo clients stand in recipes of every kind that kazoo has, in a fixed order.

Prints READY once each recipe itself reports the wanted state; stops when told so or when its input ends.
"""
import datetime
import sys
import threading
import time

from kazoo.client import KazooClient

hosts = sys.argv[1]
a, b, c = (KazooClient(hosts=hosts, timeout=6.0) for _ in range(3))
for client in (a, b, c):
    client.start()


def until(what, ok):
    deadline = time.time() + 20
    while not ok():
        if time.time() > deadline:
            raise SystemExit("not so: " + what)
        time.sleep(0.01)


def later(call, *args):
    threading.Thread(target=call, args=args, daemon=True).start()


sems = [k.Semaphore("/kz/sem", n, max_leases=2) for k, n in ((a, "sem-A"), (b, "sem-B"), (c, "sem-C"))]
sems[0].acquire()
sems[1].acquire()
later(sems[2].acquire)
until("a waiter for the semaphore", lambda: a.exists("/kz/sem-__lock__") and len(a.get_children("/kz/sem-__lock__")) == 1)
until("two leases", lambda: sorted(sems[0].lease_holders()) == ["sem-A", "sem-B"])

queue = a.Queue("/kz/queue")
queue.put(b"low", 500)
queue.put(b"high", 20)
until("two items", lambda: len(queue) == 2)

locking = b.LockingQueue("/kz/lqueue")
locking.put(b"one", 100)
locking.put(b"two", 7)
if locking.get(5) != b"two":
    raise SystemExit("the wrong item")

bars = [k.DoubleBarrier("/kz/dbarrier", 2, n) for k, n in ((a, "bar-A"), (b, "bar-B"))]
later(bars[0].enter)
until("one at the barrier", lambda: a.exists("/kz/dbarrier") and len(a.get_children("/kz/dbarrier")) == 1)
bars[1].enter()
alone = c.DoubleBarrier("/kz/waiting-barrier", 2, "bar-C")
later(alone.enter)
until("one at the other barrier", lambda: c.exists("/kz/waiting-barrier") and len(c.get_children("/kz/waiting-barrier")) == 1)

parties = [k.Party("/kz/party", n) for k, n in ((a, "party-A"), (b, "party-B"))]
for p in parties:
    p.join()
until("two in the party", lambda: sorted(parties[0]) == ["party-A", "party-B"])
shallow = c.ShallowParty("/kz/shallow", "shallow-C")
shallow.join()

a.Barrier("/kz/barrier").create()
counter = a.Counter("/kz/counter")
counter += 5
counter -= 7
until("the count", lambda: counter.value == -2)

lease = a.NonBlockingLease("/kz/lease", datetime.timedelta(hours=1), identifier="lease-A")
if not lease:
    raise SystemExit("no lease")

print("READY", flush=True)
for line in sys.stdin:
    pass
