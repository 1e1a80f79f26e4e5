package look_test

import (
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// What check does not know it says, with what cannot be told therefore, also where it finds nothing.
func TestCheckSaysWhatItDoesNotKnow(t *testing.T) {
	for name, x := range map[string]struct {
		words []string
		more  string // a server that is not there
		says  string // empty: everything is known
	}{
		"all":        {nil, "", ""},
		"no words":   {[]string{"srvr"}, "", "incomplete: watches are not known: lost waiters cannot be detected; sessions are not known: claims whose client is gone cannot be detected\n"},
		"no watches": {[]string{"srvr", "cons", "dump"}, "", "incomplete: watches are not known: lost waiters cannot be detected\n"},
		"one silent": {nil, ",127.0.0.1:1", "incomplete: watches of 1 of 2 servers are not known: lost waiters cannot be detected; sessions of 1 of 2 servers are not known: claims whose client is gone cannot be detected\n"},
	} {
		t.Run(name, func(t *testing.T) {
			s := clitest.New(t, cli.Run, zkserver.Options{FourLetter: x.words})
			s.Create("/a", "", 0)
			_, out, errs := s.Run("", "check", s.Addr+x.more, "--timeout", "4s")
			if x.says == "" && strings.Contains(out, "incomplete") || !strings.HasSuffix(out, x.says) || out == "" {
				t.Errorf("%s%s, want %q at the end", out, errs, x.says)
			}
			if _, out, _ = s.Run("", "check", s.Addr+x.more, "-o", "json"); strings.Contains(out, "incomplete") {
				t.Error("it is in the JSON")
			}
		})
	}
}
