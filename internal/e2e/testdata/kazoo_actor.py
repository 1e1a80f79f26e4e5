"""One kazoo client that takes locks as it is told, one line of standard input at a time:

hold PATH    take a lock and print HELD PATH
want PATH    begin to wait for a lock and print WANTS PATH once the place in line is taken
read PATH    the same for a read lock, write PATH for a write lock
drop PATH    release the lock that was taken last and print DROPPED PATH
It prints SESSION and its id at the start, and GOT PATH when a lock that it wanted is granted.
"""
import sys
import threading
import time

from kazoo.client import KazooClient
from kazoo.recipe.lock import Lock, ReadLock, WriteLock

hosts, name, timeout = sys.argv[1], sys.argv[2], float(sys.argv[3])
client = KazooClient(hosts=hosts, timeout=timeout)
client.start()
out = threading.Lock()


def say(line):
    with out:  # a line whole, whichever thread says it
        print(line, flush=True)


say("SESSION 0x%x" % (client.client_id[0] & 0xFFFFFFFFFFFFFFFF))
kinds = {"hold": Lock, "want": Lock, "read": ReadLock, "write": WriteLock}
taken = {}


def make(verb, path):
    if kinds[verb] is Lock:
        return Lock(client, path, name, extra_lock_patterns=["-lock-"])
    return kinds[verb](client, path, name)


def acquire(lock, path):
    lock.acquire()
    say("GOT " + path)


for line in sys.stdin:
    verb, path = line.split()
    if verb == "drop":
        taken.pop(path).release()
        say("DROPPED " + path)
        continue
    lock = taken[path] = make(verb, path)
    if verb == "hold":
        lock.acquire()
        say("HELD " + path)
        continue
    before = len(client.get_children(path)) if client.exists(path) else 0
    threading.Thread(target=acquire, args=(lock, path), daemon=True).start()
    while (len(client.get_children(path)) if client.exists(path) else 0) == before:
        time.sleep(0.01)
    say("WANTS " + path)
