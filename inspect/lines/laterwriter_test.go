package lines_test

import (
	"strings"
	"testing"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/script"
)

// A reader of an old kazoo goes on to watch the writer that was the last when it looked, whoever comes behind that.
func TestAReaderWaitsForTheWriterThatItWatches(t *testing.T) {
	s := script.Run(t, lateLine+lateWatch).Then("@now +1s\n" + lastWriter + " owner=C z=12\n@watch " + lateWriter + " A C")
	if c := reader(s, model.Waiter); c.Ahead().Path() != lateWriter || c.Proof() != model.Proven {
		t.Errorf("%s: %s", c.Proof(), c.Why())
	}
	if !strings.HasSuffix(reader(s, model.Waiter).Why(), "waits for the writer that was last in line when it looked") {
		t.Error(reader(s, model.Waiter).Why())
	}
	lateDeadlock(s.Then("@now +6s"), model.High)
	s.Then("@now +1s\n@nowatches\n@server s1:2181 yes\n@watch " + lateReader + " B\n@watch " + lateWriter + " C\n@watch " + lastWriter + " A")
	if c := reader(s, model.Waiter); c.Ahead().Path() != lastWriter || c.Proof() != model.Proven {
		t.Errorf("what is seen decides: %s: %s", c.Proof(), c.Why())
	}
}

// Where a writer stands between, a later claim of the session has never watched the one before that.
func TestAWatchThatNoLaterClaimCanHaveTellsOfTheReader(t *testing.T) {
	const mine = "/rw/00000000000000000000000000000004__lock__0000000004"
	s := script.Run(t, lateLine+lateWatch+lastWriter+" owner=C z=12\n"+mine+" owner=A z=13")
	if c := reader(s, model.Waiter); c.Ahead().Path() != lateWriter || c.Proof() != model.Proven {
		t.Errorf("%s: %s", c.Proof(), c.Why())
	}
	f := s.Waits.Result.ByPath("/rw").Finding(model.CodeSelfWait)
	if want := "r is in line to read and to write, 1st and 4th: it does not read yet, since its reader waits for a writer behind it"; f == nil || !strings.HasPrefix(f.Text, want) {
		t.Errorf("%+v", f)
	}
}
