"""Many threads take turns at one lock and count how often two were inside at once. Prints HALF when half the turns are
done."""
import logging
import sys
import threading

from kazoo.client import KazooClient
from kazoo.exceptions import KazooException

logging.disable(logging.CRITICAL)
THREADS, TURNS = 24, 10
clients = []
for _ in range(6):
    c = KazooClient(hosts=sys.argv[1], timeout=9)
    c.start(timeout=30)
    clients.append(c)
guard = threading.Lock()
inside = overlaps = turns = 0


def work(c):
    global inside, overlaps, turns
    lock = c.Lock("/contend", "x")
    for _ in range(TURNS):
        with lock:
            with guard:
                inside += 1
                overlaps += inside > 1
                turns += 1
                if turns == THREADS * TURNS // 2:
                    print("HALF")
            with guard:
                inside -= 1


threads = [threading.Thread(target=work, args=(clients[i % 6],)) for i in range(THREADS)]
for t in threads:
    t.start()
for t in threads:
    t.join()
left = clients[0].get_children("/contend")
for c in clients:
    c.stop()
    c.close()
print("TURNS", turns, "overlaps", overlaps, "left", len(left))
