package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
)

func TestExplore(t *testing.T) {
	for _, proto := range []string{"TLSv1.2", "TLSv1.3"} {
		t.Run(proto, func(t *testing.T) {
			t.Parallel()
			p := newPapers(t, "server")
			r := newRevoker(t, p)
			c := r.issue(t, "client")
			r.issue(t, "other")
			s, secure := secured(t, p, "ssl.crl=true", "ssl.protocol="+proto, "ssl.enabledProtocols="+proto, map[string]string{"TLSv1.3": "ssl.ciphersuites=TLS_AES_128_GCM_SHA256"}[proto])
			gate := peers.NewTurnstile(t, secure)
			dir := t.TempDir()
			cert := filepath.Join(dir, "me.pem")
			b, _ := os.ReadFile(p.file("client"))
			must(t, os.WriteFile(cert, b, 0o600))
			file, err := binary()
			must(t, err)
			start := func(name string, args ...string) *exec.Cmd {
				c := exec.Command(file, append(args, "--tls-ca", p.file("ca"), "--tls-cert", cert)...)
				c.Env = append(os.Environ(), "XDG_STATE_HOME="+dir)
				o, _ := os.Create(filepath.Join(dir, name))
				c.Stdout, c.Stderr = o, o
				must(t, c.Start())
				t.Cleanup(func() { _ = c.Process.Kill() })
				return c
			}
			read := func(name string) string { b, _ := os.ReadFile(filepath.Join(dir, name)); return string(b) }
			fmt.Println(proto, start("o", "ls", gate.Addr).Wait(), read("o"))
			start("watch", "watch", "/locks/x", gate.Addr)
			start("only", "watch", "/locks/x", gate.Addr, "--admin", "off", "--4lw", "off")
			for end := time.Now().Add(20*time.Second); time.Now().Before(end) && (read("watch") == "" || read("only") == ""); time.Sleep(50*time.Millisecond) {}
			fmt.Println(proto, read("watch"))
			r.revoke(t, c)
			s.Kill()
			s.Restart()
			time.Sleep(2*time.Second)
			at := gate.Came()
			time.Sleep(10 * time.Second)
			fmt.Println(proto, "REVOKED", gate.Came()-at, read("watch"), read("only"))
			for _, cmd := range [][]string{{"ls", gate.Addr}, {"watch", "/x", gate.Addr}, {"check", gate.Addr}, {"join", "lock", "/x", "--servers", gate.Addr}, {"doctor", gate.Addr}, {"sessions", gate.Addr}} {
				c := start("o", cmd...)
				fmt.Println(proto, cmd, c.Wait(), strings.TrimSpace(read("o")))
			}
			b, _ = os.ReadFile(p.file("other"))
			must(t, os.WriteFile(cert, b, 0o600))
			time.Sleep(3*time.Second)
			fmt.Println(proto, "GOOD", gate.Came()-at, read("watch"), read("only"))
		})
	}
}
