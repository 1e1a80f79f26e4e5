package show_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/zkserver"
)

func TestExplain(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	ok := func(args ...string) string {
		t.Helper()
		code, out, errs := s.Run("", args...)
		if code != world.ExitOK || errs != "" {
			t.Fatalf("%v: exit %d: %s", args, code, errs)
		}
		return out
	}
	if out := ok("explain", "deadlock"); !strings.Contains(out, "What to do: Look at each process") || !strings.Contains(out, "How it is known: ") {
		t.Error(out)
	}
	if lines := strings.Count(ok("explain"), "\n"); lines != len(model.Codes()) {
		t.Errorf("%d lines for %d codes", lines, len(model.Codes()))
	}
	var said struct {
		Schema   int
		Findings []struct{ Code, Means, Known, Do string }
	}
	if err := json.Unmarshal([]byte(ok("explain", "herd", "-o", "json")), &said); err != nil || said.Schema != 1 || len(said.Findings) != 1 || said.Findings[0].Do == "" {
		t.Errorf("%v %+v", err, said)
	}
	s.Fails(world.ExitUsage, "deadlok is not the code of a finding: zkscope explain lists them; did you mean deadlock?", "explain", "deadlok")
}
