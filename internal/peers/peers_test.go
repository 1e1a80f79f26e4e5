package peers

import (
	"strings"
	"testing"
	"time"
)

func TestServerSurvivesKillAndRestart(t *testing.T) {
	s := ZooKeeper(t, Options{})
	if s.FourLetter("ruok") != "imok" {
		t.Fatal("a fresh server answers ruok")
	}
	s.Kill()
	if s.FourLetter("ruok") != "" {
		t.Fatal("a killed server answers nothing")
	}
	s.Restart()
	if s.Mode() != "standalone" {
		t.Fatalf("mode %q", s.Mode())
	}
}

func TestKazooTalksToTheServer(t *testing.T) {
	s := ZooKeeper(t, Options{})
	p := Kazoo(t, `
import sys
from kazoo.client import KazooClient
c = KazooClient(hosts=sys.argv[1]); c.start()
c.create("/a", b"x")
print("READY", c.get("/a")[0])
sys.stdin.readline()
`, s.Addr)
	if got := p.Expect("READY", 30*time.Second); !strings.Contains(got, "x") {
		t.Fatalf("read back %q", got)
	}
}

// Whoever knows that a program has ended can read all that it printed.
func TestWhatAProgramPrintedIsThereWhenItHasEnded(t *testing.T) {
	for range 50 {
		p := Start(t, "", nil, "sh", "-c", "seq 3000")
		if code := p.Code(); code != 0 || strings.Count(p.Output(), "\n") != 2999 {
			t.Fatalf("exit %d, %d lines", code, strings.Count(p.Output(), "\n")+1)
		}
	}
}
