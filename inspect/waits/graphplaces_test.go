package waits_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect/model"
)

// abbaOfThreads is two processes of three threads each: of each one holds and works, one waits for what the other
// holds, and one has to do with a third lock.
func abbaOfThreads(third string) string {
	return abba + watched + "/locks/z/" + strings.Repeat("c", 32) + "__lock__0000000000 owner=C z=14\n" + third
}

const zWaits = "/locks/z/dddddddddddddddddddddddddddddddd__lock__0000000001 owner=A data=\"a\" z=15\n@watch /locks/z/cccccccccccccccccccccccccccccccc__lock__0000000000 A\n"

// Whoever waits in two places at once has two threads, wherever these are, and is remembered for it after
// one of them went.
func TestWhoWaitsInTwoPlacesIsSeveralThreads(t *testing.T) {
	script.Run(t, abbaOfThreads(zWaits)).Deadlock(model.Medium,
		"whether they stand still is not known").Then("@now +35s").Deadlock(model.Medium, "waits in 2 places at once").
		Then("- /locks/z/dddddddddddddddddddddddddddddddd__lock__0000000001").Then("@now +35s").Deadlock(model.Medium,
		"a was seen")

	// Before it held anything: the two waits were over when the circle closed.
	early := "/jobs/p/%s__lock__0000000000 owner=C z=1\n/jobs/q/%[1]s__lock__0000000000 owner=C z=2\n/jobs/p/%[2]s__lock__0000000001 owner=A z=3\n/jobs/q/%[2]s__lock__0000000001 owner=A z=4\n"
	early = fmt.Sprintf(early, strings.Repeat("1", 32), strings.Repeat("2", 32))
	gone := "- /jobs/p/" + strings.Repeat("2", 32) + "__lock__0000000001\n- /jobs/q/" +
		strings.Repeat("2", 32) + "__lock__0000000001\n"
	script.Run(t, early).Then("@now +2s").Then(gone+abba+watched).Then("@now +35s").Deadlock(model.Medium,
		"a was seen to wait in more than one place at once")
	// Seen for less than it takes to read two directories it proves nothing.
	script.Run(t, early).Then(gone+abba+watched).Then("@now +35s").Deadlock(model.High, "")

	// In one line as well.
	line := "/locks/z/dddddddddddddddddddddddddddddddd__lock__0000000001 owner=A z=15\n/locks/z/eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee__lock__0000000002 owner=A z=16\n"
	script.Run(t, abba+watched+"/locks/z/cccccccccccccccccccccccccccccccc__lock__0000000000 owner=C z=14\n"+
		line).Then("@now +35s").Deadlock(model.Medium, "waits in 3 places at once")
}

// A znode that one lock object made twice is one wait.
func TestAForgottenZnodeIsNoSecondThread(t *testing.T) {
	again := strings.Replace(yNext, "__lock__0000000001", "__lock__0000000002", 1) + " owner=A data=\"a\" z=17\n"
	s := script.Run(t, abba+watched+again).Then("@now +35s")
	if len(s.Waits.Cycles) != 1 || s.Waits.Cycles[0].Severity != model.High {
		t.Errorf("%+v", s.Waits.Spanning)
	}
}

// What came to be held while another claim waited was another thread's, also where nobody waits for it and in a picture
// that is the first one.
func TestWhoTookSomethingWhileItWaitedIsSeveralThreads(t *testing.T) {
	alone := "/locks/z/dddddddddddddddddddddddddddddddd__lock__0000000000 owner=A data=\"a\" z=%d\n"
	script.Run(t, abba+watched+fmt.Sprintf(alone, 15)).Then("@now +35s").Deadlock(model.Medium,
		"a came to hold one claim while another of its claims waited")
	script.Run(t, abba+watched+fmt.Sprintf(alone, 5)).Then("@now +35s").Deadlock(model.High, "")
	led := fmt.Sprintf("/app/leader/_c_%s-latch-0000000000 owner=A data=\"a\" z=15\n", script.UUID)
	script.Run(t, abba+watched+led).Then("@now +35s").Deadlock(model.High, "")
}
