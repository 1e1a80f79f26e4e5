package command_test

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// A password that is left out is typed at the terminal, which is asked once for each user and shows none of it.
func TestPasswordsAreAskedFor(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	for _, x := range []struct {
		creds, typed string
		tty          bool
		flags        []string
		code         int
		asks, says   string
	}{
		{"digest:ann", "hush", true, nil, world.ExitOK, "password of digest:ann: \n", ""},
		{"digest:ann\ndigest:bob:kept", "hush", true, nil, world.ExitOK, "password of digest:ann: \n", ""},
		{"digest:ann\ndigest:bob", "hush", true, nil, world.ExitOK, "password of digest:ann: \npassword of digest:bob: \n", ""},
		{"sasl:ann", "hush", true, nil, world.ExitConnect, "password of sasl:ann: \n", "offers no DIGEST-MD5"},
		{"digest:ann:hush", "", true, nil, world.ExitOK, "", ""},
		{"digest:ann", "", false, nil, world.ExitUsage, "", "there is no terminal to ask at; give the password in $ZKSCOPE_AUTH"},
		{"digest:ann", "", true, nil, world.ExitUsage, "password of digest:ann: \n", "the password was not read: EOF"},
		{"", "", true, nil, world.ExitUsage, "", "--ask-password: whose is not said"},
		{"kerberos:ann", "", true, []string{"--keytab", "none"}, world.ExitUsage, "", "kerberos: "},
		{"kerberos:ann", "hush", true, nil, world.ExitUsage, "password of kerberos:ann: \n", "kerberos: "},
	} {
		var out, errs bytes.Buffer
		env := map[string]string{command.AuthVar: x.creds, "XDG_CONFIG_HOME": t.TempDir(), "XDG_STATE_HOME": t.TempDir()}
		t.Setenv("KRB5_CONFIG", filepath.Join(t.TempDir(), "none"))
		w := world.World{In: strings.NewReader(""), Out: &out, Err: &errs, Now: time.Now, InTTY: x.tty, Getenv: func(k string) string { return env[k] },
			ReadSecret: func() (string, error) {
				if x.typed == "" {
					return "", io.EOF
				}
				return x.typed, nil
			}}
		code := cli.Run(append([]string{"ls", s.Addr, "--ask-password"}, x.flags...), w)
		if code != x.code || !strings.HasPrefix(errs.String(), x.asks) || strings.Count(errs.String(), "password of ") != strings.Count(x.asks, "password of ") ||
			!strings.Contains(errs.String(), x.says) || strings.Contains(errs.String()+out.String(), "hush") {
			t.Errorf("%q: exit %d: %s%s", x.creds, code, errs.String(), out.String())
		}
	}
}
