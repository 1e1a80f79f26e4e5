"""One kazoo client that several threads share. Each thread says what it does in a line of JSON.

Arguments: servers, name, number of threads, seconds, seed, and the paths of locks. Thread 0 takes the first two locks at
once, in the order of the paths when the seed is even, else the other way round, and gives up after a while; the others
take one lock at a time.
"""
import json
import random
import sys
import threading
import time

from kazoo.client import KazooClient
from kazoo.exceptions import LockTimeout

hosts, name, count, seconds, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5])
paths = sys.argv[6:]
client = KazooClient(hosts=hosts, timeout=6.0)
client.start()
end = time.time() + seconds
out = threading.Lock()


def say(thread, do, lock):
    with out:
        print(json.dumps({"at": time.time() * 1000, "thread": thread, "session": "%#x" % (client.client_id[0] & (2**64 - 1)), "do": do, "lock": lock}), flush=True)


def take(thread, path, patience):
    lock = client.Lock(path, thread)
    try:
        lock.acquire(timeout=patience)
    except LockTimeout:
        say(thread, "gave up", path)
        return None
    say(thread, "holds", path)
    return lock


def free(thread, path, lock):
    say(thread, "releases", path)
    lock.release()


def work(i):
    rng = random.Random(seed * 100 + i)
    thread = "%s-%d" % (name, i)
    while time.time() < end:
        time.sleep(rng.uniform(0.2, 3))
        if i == 0:
            a, b = (paths[0], paths[1]) if seed % 2 == 0 else (paths[1], paths[0])
            first = take(thread, a, 60)
            if first is None:
                continue
            time.sleep(rng.uniform(0.1, 2))
            second = take(thread, b, 15 + 5 * (seed % 3))
            if second is not None:
                time.sleep(rng.uniform(0.1, 1))
                free(thread, b, second)
            free(thread, a, first)
        else:
            path = rng.choice(paths[2:])
            lock = take(thread, path, 30)
            if lock is not None:
                time.sleep(rng.uniform(0.1, 4))
                free(thread, path, lock)


threads = [threading.Thread(target=work, args=(i,), daemon=True) for i in range(count)]
for t in threads:
    t.start()
for t in threads:
    t.join()
print("DONE", flush=True)
client.stop()
