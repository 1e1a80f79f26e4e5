package story_test

import (
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/story"
)

func TestEventsSpeakInWords(t *testing.T) {
	s := script.New(t)
	s.Apply("@server s1:2181 yes\n@session A addr=10.0.0.1:1 connected=yes\n/other\n")
	before := inspect.Decode(s.Snapshot(), nil, s.Hints)
	s.Apply("/tx1/s_1 data=\"commit\"\n/barriers/x data=\"10.0.0.7\" age=0s\n/barriers/n/ready\n/barriers/n/m1 owner=A\n" +
		"/locks/l/00000000000000000000000000000001__lock__0000000000 owner=A data=\"job-1\" age=10s\n@session A connected=no expires=+20s\n")
	there := inspect.Decode(s.Snapshot(), before, s.Hints)
	s.Apply("- /tx1\n- /barriers/x\n- /locks/l/00000000000000000000000000000001__lock__0000000000\n")
	after := inspect.Decode(s.Snapshot(), there, s.Hints)
	text := script.EventsText(story.Diff(before, there)) + script.EventsText(story.Diff(there, after))
	for _, w := range []string{"a two-phase commit appeared: ", "the two-phase commit is gone; last seen ",
		"a double barrier appeared: ", "the barrier opened\n",
		"the claim of job-1 was deleted after holding 10s"} {
		if !strings.Contains(text, w) {
			t.Errorf("no %q in\n%s", w, text)
		}
	}
}

func TestKindsHaveWords(t *testing.T) {
	for _, k := range []layout.Kind{layout.Lock, layout.SharedLock, layout.Semaphore, layout.Election, layout.Barrier,
		layout.DoubleBarrier, layout.Queue, layout.PriorityQueue, layout.DelayQueue, layout.TwoPhase, layout.Membership,
		layout.Service, layout.Config, layout.Rendezvous, layout.Counter, layout.Lease} {
		for _, code := range []string{"twophase", "doublebarrier", "sharedlock", "priorityqueue",
			"delayqueue", "config "} {
			if strings.Contains(k.Words()+" ", code) {
				t.Errorf("%s is called %s", k, k.Words())
			}
		}
	}
	if layout.Election.OneOf() != "an election" || layout.SharedLock.OneOf() != "a shared lock" {
		t.Error(layout.Election.OneOf(), layout.SharedLock.OneOf())
	}
}
