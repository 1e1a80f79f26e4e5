package look_test

import (
	"io"
	"net"
	"testing"

	"github.com/zkscope/zkscope/internal/cli"
	"github.com/zkscope/zkscope/internal/cli/clitest"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// TestATimeoutThatIsGivenIsUsed: a server that does not serve is tried again for as long, and once without it.
func TestATimeoutThatIsGivenIsUsed(t *testing.T) {
	s := clitest.New(t, cli.Run, zkserver.Options{})
	for _, given := range []bool{false, true} {
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan bool)
		go func() {
			defer close(ended)
			for n := 0; ; n++ {
				c, err := ln.Accept()
				if err != nil {
					return
				}
				if n < 6 {
					c.Close()
					continue
				}
				relay(c, s.Addr)
			}
		}()
		args := []string{"ls", ln.Addr().String(), "--admin", "off", "--4lw", "off"}
		want := world.ExitConnect
		if given {
			args, want = append(args, "--timeout", "20s"), world.ExitOK
		}
		if code, out, errs := s.Run("", args...); code != want {
			t.Errorf("given %v: exit %d, want %d; %q %q", given, code, want, out, errs)
		}
		ln.Close()
		<-ended
		if given {
			s.Fails(world.ExitConnect, ": connection refused\n", "ls", ln.Addr().String(), "--admin", "off", "--timeout", "100ms") // time helps nobody here
		}
	}
}

// relay passes a connection on to a server.
func relay(c net.Conn, addr string) {
	to, err := net.Dial("tcp", addr)
	if err != nil {
		c.Close()
		return
	}
	for _, pair := range [][2]net.Conn{{c, to}, {to, c}} {
		guard.Go(func() {
			_, _ = io.Copy(pair[0], pair[1])
			pair[0].Close()
			pair[1].Close()
		})
	}
}
