"""A group of three in tooz. Prints, as JSON behind FIRST and THEN, what tooz itself says: members, leader, who
holds the lock.
Lines on standard input: "leave" lets the leader leave the group and its session end."""
import json
import sys

from tooz import coordination

url, group = sys.argv[1], b"workers"
members = [coordination.get_coordinator(url, b"node-%d" % i) for i in (1, 2, 3)]
for m in members:
    m.start(start_heart=False)
members[0].create_group(group).get()
for i, m in enumerate(members):
    m.join_group(group, capabilities={"cpus": i + 1}).get()
    m.watch_elected_as_leader(group, lambda event: None)
for m in members:
    m.run_watchers()
lock = members[1].get_lock(b"backup")
lock.acquire(blocking=False)


def say(step, who):
    there = sorted(x.decode() for x in who.get_members(group).get() if x != b"leader")
    print(step, json.dumps({"members": there, "leader": who.get_leader(group).get().decode(), "lock": "node-2"}), flush=True)


say("FIRST", members[0])
for line in sys.stdin:
    if line.strip() == "leave":
        members[0].stop()
        for m in members[1:]:
            m.run_watchers()
        say("THEN", members[1])
