"""Takes part in every recipe beside other clients and tells a referee. Arguments: servers, referee, turns."""
import logging
import socket
import sys
import threading

from kazoo.client import KazooClient
from kazoo.recipe.queue import LockingQueue

logging.disable(logging.CRITICAL)
SERVERS, REFEREE, TURNS = sys.argv[1], sys.argv[2].split(":"), int(sys.argv[3])


class Whistle:
    def __init__(self):
        self.file = socket.create_connection((REFEREE[0], int(REFEREE[1]))).makefile("rw")

    def __call__(self, *words):
        print(*words, file=self.file, flush=True)
        self.file.readline()


def client():
    c = KazooClient(hosts=SERVERS, timeout=9)
    c.start(timeout=30)
    return c


def lock(c, tell):
    for _ in range(TURNS):
        held = c.Lock("/k/lock", "kazoo")
        with held:
            tell("+", "lock", 1, 1)
            tell("o", "lock", int(held.node[-10:]))
            tell("-", "lock", 1)


def rw(c, tell):
    # kazoo 2.8's ReadLock waits for writers behind it too, and so they for each other: only its WriteLock takes part.
    for _ in range(TURNS):
        with c.WriteLock("/k/rw", "kazoo"):
            tell("+", "rw", 100, 100)
            tell("-", "rw", 100)


def semaphore(c, tell):
    for _ in range(TURNS):
        with c.Semaphore("/k/sem", "kazoo", 2):
            tell("+", "semaphore", 1, 2)
            tell("-", "semaphore", 1)


def election(c, tell):
    def lead():
        tell("+", "election", 1, 1)
        tell("o", "election", int(e.lock.node[-10:]))
        tell("-", "election", 1)
    e = c.Election("/k/election", "kazoo")
    for _ in range(TURNS):
        e.run(lead)


def barrier(c, tell):
    for i in range(TURNS // 10):
        b = c.DoubleBarrier("/k/barrier-%d" % i, 3)
        tell("a", "enter-%d" % i)
        b.enter()
        tell("c", "enter-%d" % i, 3)
        tell("a", "leave-%d" % i)
        b.leave()
        tell("c", "leave-%d" % i, 3)


def queue(c, tell):
    q = LockingQueue(c, "/k/queue")
    for i in range(TURNS):
        q.put(b"kazoo-%d" % i)
    while True:
        item = q.get(timeout=2)
        if item is None:
            return
        tell("a", "item-" + item.decode())
        q.consume()


threads = []
for work in (lock, rw, semaphore, election, barrier, queue):
    t = threading.Thread(target=work, args=(client(), Whistle()))
    t.start()
    threads.append(t)
print("STARTED", flush=True)
for t in threads:
    t.join()
print("DONE", flush=True)
