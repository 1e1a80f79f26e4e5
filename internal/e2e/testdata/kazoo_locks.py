"""Three kazoo clients contend for a lock and for a read/write lock, in a fixed order.

Prints READY when all stand in line; on the line "leave" the holders leave and LEFT is printed.
"""
import sys
import threading
import time

from kazoo.client import KazooClient
from kazoo.recipe.lock import ReadLock, WriteLock, Lock

hosts = sys.argv[1]
names = ["kz-A", "kz-B", "kz-C", "kz-D"]
clients = {n: KazooClient(hosts=hosts, timeout=6.0) for n in names}
for c in clients.values():
    c.start()


def children(path):
    c = clients["kz-A"]
    return len(c.get_children(path)) if c.exists(path) else 0


def stand(recipe, path):
    """Acquire in the background; return once the place in line is taken."""
    before = children(path)
    threading.Thread(target=recipe.acquire, daemon=True).start()
    deadline = time.time() + 20
    while children(path) == before:
        if time.time() > deadline:
            raise SystemExit("no place in line at " + path)
        time.sleep(0.01)
    return recipe


locks = [stand(Lock(clients[n], "/kz/lock", n), "/kz/lock") for n in names[:3]]
rw = [stand(kind(clients[n], "/kz/rw", n), "/kz/rw")
      for kind, n in ((ReadLock, "kz-A"), (ReadLock, "kz-B"), (WriteLock, "kz-C"), (ReadLock, "kz-D"))]
while not (locks[0].is_acquired and rw[0].is_acquired and rw[1].is_acquired):
    time.sleep(0.01)
print("READY", flush=True)

for line in sys.stdin:
    if line.strip() == "leave":
        locks[0].release()
        rw[0].release()
        rw[1].release()
        while not (locks[1].is_acquired and rw[2].is_acquired):
            time.sleep(0.01)
        print("LEFT", flush=True)
