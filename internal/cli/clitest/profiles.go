package clitest

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/zkscope/zkscope/internal/zkserver"
)

// Fleet is a configuration of three profiles: two servers, and one that takes connections and says nothing.
func Fleet(t *testing.T, does program) (a, b *Shell, file string) {
	t.Helper()
	a, b = New(t, does, zkserver.Options{}), New(t, does, zkserver.Options{})
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { silent.Close() })
	file = filepath.Join(t.TempDir(), "config.yaml")
	text := fmt.Sprintf("profile: a\nprofiles:\n  a: {servers: %q}\n  b: {servers: %q}\n  mute: {servers: %q}\n", a.Addr, b.Addr, silent.Addr())
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, s := range []*Shell{a, b} {
		dir := fmt.Sprintf("/locks/of%d", i)
		s.Create("/locks", "", 0)
		s.Create(dir, "", 0)
		s.Create(dir+"/_c_0a1b2c3d-0000-4000-8000-000000000001-lock-", fmt.Sprintf("web-%d", i), 3)
	}
	return a, b, file
}
