package cli

import (
	"regexp"
	"strings"
	"testing"
)

// word is a word of an example, as a shell takes it apart.
var word = regexp.MustCompile(`'[^']*'|[^ ']+`)

// Every example is a command line that is taken: the command is there, with these flags and so many arguments.
func TestExamplesAreCommandLines(t *testing.T) {
	n := 0
	for _, c := range Tree().Commands() {
		for line := range strings.Lines(c.Example) {
			line = strings.TrimSpace(line)
			for _, more := range []string{" | ", " && ", " > "} {
				line, _, _ = strings.Cut(line, more)
			}
			var args []string
			for _, w := range word.FindAllString(line, -1) {
				args = append(args, strings.Trim(w, "'"))
			}
			if len(args) < 2 || args[0] != "zkscope" {
				t.Errorf("%s: %q is no line of zkscope", c.Name(), line)
				continue
			}
			n++
			root := Tree()
			cmd, rest, err := root.Find(args[1:])
			if err == nil {
				err = cmd.ParseFlags(rest)
			}
			if err == nil {
				err = cmd.ValidateArgs(cmd.Flags().Args())
			}
			if err != nil {
				t.Errorf("%s: %v", line, err)
			}
		}
	}
	if n < 50 {
		t.Errorf("only %d examples", n)
	}
}
