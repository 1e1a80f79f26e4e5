package term_test

import (
	"os/exec"
	"testing"

	"github.com/zkscope/zkscope/internal/term"
)

// A shell reads one word, and the very text that was quoted.
func TestAShellReadsWhatWasQuoted(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatalf("bash is needed: %v", err)
	}
	for _, s := range []string{"/locks/a", "/it's here", "", `/a"b$(id)` + "`id`" + `\n`, "/new\nline\x1b[31m", "/ü/日本", "/\xff\xfe1'", "/\u202egnp", "/a b*?"} {
		out, err := exec.Command(bash, "-c", "printf %s "+term.Quoted(s)).Output()
		if err != nil || string(out) != s {
			t.Errorf("%q: %s became %q (%v)", s, term.Quoted(s), out, err)
		}
	}
	if got := term.Quoted("/new\nline"); got != `$'/new\x0aline'` {
		t.Error(got)
	}
}
