"""A job board of taskflow with three jobs, two of them claimed. Prints, as JSON behind FIRST and THEN, what taskflow itself says of each: its
znode, name, state and owner. "consume" on standard input ends the first job and gives the last one up."""
import json
import sys
import time

from kazoo.client import KazooClient
from taskflow.jobs import backends

client = KazooClient(sys.argv[1])
client.start()
board = backends.fetch("board", {"board": "zookeeper", "path": "/taskflow/jobs"}, client=client)
board.connect()
jobs = [board.post("resize-%d" % i, details={"vm": i}) for i in range(3)]
board.wait(10)
board.claim(jobs[0], "conductor-1")
board.claim(jobs[2], "conductor-2")


def say(step):
    time.sleep(0.5)
    print(step, json.dumps([{"node": j.path.rsplit("/", 1)[1], "name": j.name, "state": j.state, "owner": board.find_owner(j)}
                      for j in board.iterjobs()]), flush=True)


say("FIRST")
for line in sys.stdin:
    if line.strip() == "consume":
        board.consume(jobs[0], "conductor-1")
        board.abandon(jobs[2], "conductor-2")
        say("THEN")
