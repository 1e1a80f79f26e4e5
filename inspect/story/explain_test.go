package story_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/story"
)

// Every code is explained, in sentences, and docs/findings.md says the same.
func TestEveryFindingIsExplained(t *testing.T) {
	var page bytes.Buffer
	page.WriteString("# Findings\n\nPrinted from the program, where `zkscope explain CODE` says the same. `zkscope check` lists what is found, and `--fail-on` says\nfrom which severity on that is an exit code of 3: high is that someone is stuck or that two may act at once, medium what may come to\nthat, low what is good to know.\n")
	codes := model.Codes()
	slices.Sort(codes)
	for _, code := range codes {
		m, ok := story.Explain(code)
		if !ok || m.Code != code {
			t.Errorf("%s is not explained", code)
			continue
		}
		for _, text := range []string{m.Means, m.Known, m.Do} {
			if len(text) < 20 || !strings.HasSuffix(text, ".") || strings.Contains(text, "  ") {
				t.Errorf("%s: %q is no sentence", code, text)
			}
		}
		fmt.Fprintf(&page, "\n## %s\n\n%s\n\n*How it is known.* %s\n\n*What to do.* %s\n", code, m.Means, m.Known, m.Do)
	}
	if _, ok := story.Explain("no-such-code"); ok {
		t.Error("a code that there is not is explained")
	}
	const file = "../../docs/findings.md"
	if *update {
		if err := os.WriteFile(file, page.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(file); err != nil || !bytes.Equal(have, page.Bytes()) {
		t.Errorf("docs/findings.md differs: run go test ./inspect/story -run Explained -update (%v)", err)
	}
}
