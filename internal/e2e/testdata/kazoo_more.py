"""kazoo clients stand in the recipes that are made of several parts.

Prints READY, then one line for each recipe with what it reports of itself; stops when its input ends.
"""
import datetime
import sys
import time

from kazoo.client import KazooClient

hosts = sys.argv[1]
a, b, c = (KazooClient(hosts=hosts, timeout=6.0) for _ in range(3))
for client in (a, b, c):
    client.start()


def until(what, ok):
    deadline = time.time() + 30
    while not ok():
        if time.time() > deadline:
            raise SystemExit("not so: " + what)
        time.sleep(0.02)


# Two partitioners share five items.
parts = [k.SetPartitioner("/kz/part", set=range(5), identifier=n, time_boundary=0.5, max_reaction_time=0.5)
         for k, n in ((a, "part-A"), (b, "part-B"))]


def settled():
    for p in parts:
        if p.failed:
            raise SystemExit("a partitioner failed")
        if p.release:
            p.release_set()
        elif p.allocating:
            p.wait_for_acquire(1)
    return all(p.acquired for p in parts) and sum(len(list(p)) for p in parts) == 5


until("the items are shared out", settled)

# Two leases of one path, and a third client that gets none.
leases = [k.MultiNonBlockingLease(2, "/kz/leases", datetime.timedelta(hours=1), identifier=n)
          for k, n in ((a, "lease-A"), (b, "lease-B"), (c, "lease-C"))]
if [bool(lease) for lease in leases] != [True, True, False]:
    raise SystemExit("not two leases")

# A counter of Curator's bytes, one with a fraction, and an election with three candidates.
four = a.Counter("/kz/counters/four", support_curator=True)
four += 42
real = a.Counter("/kz/counters/real", default=0.5)
real += 0.25

sem = a.Semaphore("/kz/over", "over-A", max_leases=2)
sem.acquire()

print("READY", flush=True)
for p, n in zip(parts, ("part-A", "part-B")):
    print("HAS", n, ",".join(sorted(map(str, p))), flush=True)
print("FOUR", four.value, flush=True)
for line in sys.stdin:
    pass
