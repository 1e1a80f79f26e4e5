package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// completing is what a real bash does when somebody presses tab at the end of a line.
const completing = `
. /usr/share/bash-completion/bash_completion
. <(zkscope completion bash)
words=("$@")
COMP_WORDS=("${words[@]}") COMP_CWORD=$((${#words[@]} - 1)) COMP_LINE="${words[*]}" COMP_TYPE=9 COMP_KEY=9
COMP_POINT=${#COMP_LINE}
spec=$(complete -p zkscope) || exit 9
[[ $spec =~ -F\ ([a-z_]+) ]] || exit 8
compopt() { :; }
"${BASH_REMATCH[1]}" zkscope "${words[COMP_CWORD]}" "${words[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
`

// A real bash, with the script that we print for it, completes commands, profiles, paths and recipes as servers have them, and
// quotes what needs quotes. A name by which a shell would run something is not put on its line.
func TestBashCompletes(t *testing.T) {
	peers.Require(t, peers.NeedBashCompletion)
	s := clitest.New(t, Run, zkserver.Options{})
	s.Contend()
	s.Create("/locks/with space", "", 0)
	s.Create("/locks/$(touch oops)1", "", 0)
	s.Create("/locks/$(touch oops)2", "", 0)
	dir := t.TempDir()
	config := clitest.Written(t, "c.yaml", "profiles: {prod: {servers: \""+s.Addr+"\"}, pre: {servers: \"127.0.0.1:1\"}}\n")
	program := clitest.Script()
	if err := os.WriteFile(filepath.Join(dir, "zkscope"), []byte(program), 0o700); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"chec":                                       "check",
		"ls --config FILE --profile p":               "pre prod",
		"show --config FILE --profile prod /l":       "/locks",
		"show --config FILE --profile prod /locks/a": "/locks/a",
		"show --config FILE --profile prod /locks/w": `/locks/with\ space`,
		"show --config FILE --profile prod /locks/$": "",
		"why --servers ADDR /locks/":                 "/locks/a /locks/b /locks/with space",
		"explain lost-w":                             "lost-waiter",
		"show --config FILE --profile pre /l":        "",
	} {
		words := strings.Fields("zkscope " + strings.NewReplacer("FILE", config, "ADDR", s.Addr).Replace(line))
		cmd := exec.Command("bash", append([]string{"--norc", "-c", completing, "bash"}, words...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "XDG_CONFIG_HOME="+t.TempDir(), "XDG_STATE_HOME="+t.TempDir())
		var said strings.Builder
		cmd.Stderr = &said
		out, err := cmd.Output()
		if got := strings.Join(strings.Split(strings.TrimSpace(string(out)), "\n"), " "); got != want || err != nil {
			t.Errorf("%s: %q, want %q: %v %s", line, got, want, err, said.String())
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "oops")); err == nil {
		t.Error("completing ran a command that a name held")
	}
}
