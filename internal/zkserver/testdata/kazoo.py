"""Takes two kazoo clients through every recipe. All connections are lost once, in the middle: the script prints DROP and
goes on when it has read a line."""
import logging
import sys
import threading
from queue import Queue

from kazoo.client import KazooClient
from kazoo.recipe.cache import TreeCache
from kazoo.recipe.queue import LockingQueue

logging.disable(logging.CRITICAL)
WAIT = 30


def client():
    c = KazooClient(hosts=sys.argv[1], timeout=9)
    c.start(timeout=WAIT)
    return c


def later(f, *args):
    """Runs f in a thread; the result is a queue that will hold its value or exception."""
    out = Queue()

    def run():
        try:
            out.put(f(*args))
        except BaseException as e:
            out.put(e)
    threading.Thread(target=run, daemon=True).start()
    return out


def check(name, got, want):
    if got != want:
        print("FAIL", name, repr(got), "instead of", repr(want))
        sys.exit(1)
    print("ok", name)


a, b = client(), client()

# first half
lock_a, lock_b = a.Lock("/k/lock", "a"), b.Lock("/k/lock", "b")
check("lock", lock_a.acquire(timeout=WAIT), True)
waiting = later(lock_b.acquire)
read, write = a.ReadLock("/k/rw", "r"), b.WriteLock("/k/rw", "w")
check("read lock", read.acquire(timeout=WAIT), True)
writing = later(write.acquire)
sem_a, sem_b = a.Semaphore("/k/sem", "a", 1), b.Semaphore("/k/sem", "b", 1)
check("semaphore", sem_a.acquire(timeout=WAIT), True)
leasing = later(sem_b.acquire)
leading, resign = threading.Event(), threading.Event()
election = a.Election("/k/election", "a")
led = later(election.run, lambda: (leading.set(), resign.wait(WAIT)))
check("election", leading.wait(WAIT), True)
follower = b.Election("/k/election", "b")
second = threading.Event()
followed = later(follower.run, second.set)
barrier = a.Barrier("/k/barrier")
barrier.create()
double_a, double_b = a.DoubleBarrier("/k/double", 2, "a"), b.DoubleBarrier("/k/double", 2, "b")
fifo = a.Queue("/k/queue")
for item in (b"1", b"2", b"3"):
    fifo.put(item)
locking = LockingQueue(b, "/k/lqueue")
locking.put_all([b"x", b"y"])
check("locking queue", locking.get(WAIT), b"x")
party_a, party_b = a.Party("/k/party", "a"), b.Party("/k/party", "b")
party_a.join()
party_b.join()
shallow = a.ShallowParty("/k/shallow", "s")
shallow.join()
counter = a.Counter("/k/counter")
counter += 3
seen = Queue()
a.create("/k/data", b"0")
a.DataWatch("/k/data", lambda data, stat: seen.put(data) and None)
check("data watch", seen.get(timeout=WAIT), b"0")
kids = Queue()
a.ChildrenWatch("/k/data", lambda names: kids.put(sorted(names)) and None)
check("children watch", kids.get(timeout=WAIT), [])
cache, ready = TreeCache(b, "/k/data"), threading.Event()
cache.listen(lambda event: ready.set() if event.event_type == event.INITIALIZED else None)
cache.start()
check("tree cache", ready.wait(WAIT), True)
a.create("/k/ephemeral", b"e", ephemeral=True)
path, stat = a.create("/k/both", b"x", include_data=True)
check("create with stat", (path, stat.version, stat.owner_session_id), ("/k/both", 0, None))

print("DROP")
sys.stdin.readline()

# second half
for c in (a, b):
    check("reconnected", c.retry(c.exists, "/k") is not None, True)
check("ephemeral kept", a.exists("/k/ephemeral").ephemeralOwner, a.client_id[0])
lock_a.release()
check("lock passed on", waiting.get(timeout=WAIT), True)
check("contenders", lock_b.contenders(), ["b"])
lock_b.release()
read.release()
check("write lock", writing.get(timeout=WAIT), True)
write.release()
sem_a.release()
check("semaphore passed on", leasing.get(timeout=WAIT), True)
check("lease holders", list(sem_b.lease_holders()), ["b"])
sem_b.release()
resign.set()
check("election passed on", second.wait(WAIT), True)
followed.get(timeout=WAIT)
led.get(timeout=WAIT)
at_barrier = later(b.Barrier("/k/barrier").wait, WAIT)
check("barrier", a.Barrier("/k/barrier").wait(0.05), False)
barrier.remove()
check("barrier opened", at_barrier.get(timeout=WAIT), True)
entering = later(double_a.enter)  # not before: kazoo forgets the watch of a waiting barrier when its connection is lost
double_b.enter()
entering.get(timeout=WAIT)
check("double barrier", double_a.participating, True)
leaving = later(double_a.leave)
double_b.leave()
leaving.get(timeout=WAIT)
check("double barrier left", a.get_children("/k/double"), [])
check("queue", [fifo.get(), fifo.get(), fifo.get(), fifo.get()], [b"1", b"2", b"3", None])
check("consume", locking.consume(), True)
check("locking queue again", (locking.get(WAIT), locking.consume(), len(locking)), (b"y", True, 0))
check("party", sorted(party_a), ["a", "b"])
party_b.leave()
check("party left", (sorted(party_a), len(shallow)), (["a"], 1))
counter -= 1
check("counter", counter.value, 2)
b.set("/k/data", b"1")
check("data watch again", seen.get(timeout=WAIT), b"1")
b.create("/k/data/kid", b"")
check("children watch again", kids.get(timeout=WAIT), ["kid"])
t = a.transaction()
t.check("/k/data", 1)
t.create("/k/t-", b"", sequence=True)
t.set_data("/k/data", b"2")
t.delete("/k/both")
check("transaction", [r if isinstance(r, (bool, str)) else r.version for r in t.commit()][:3:2], [True, 2])
t = a.transaction()
t.create("/k/never", b"")
t.check("/k/data", 99)
check("failed transaction", [type(r).__name__ for r in t.commit()], ["RolledBackError", "BadVersionError"])
check("rolled back", a.exists("/k/never"), None)
cache.close()
for c in (a, b):
    c.stop()
    c.close()
print("DONE")
