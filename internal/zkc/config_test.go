package zkc

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"

	"github.com/zkscope/zkscope/internal/wire"
)

func TestParseConnect(t *testing.T) {
	for in, want := range map[string]string{
		"zk1":                           "[zk1:2181] ",
		"zk1:2182, zk2/prod/app":        "[zk1:2182 zk2:2181] /prod/app",
		"zk://zk1:1,zk2:2,zk3:3/":       "[zk1:1 zk2:2 zk3:3] ",
		"[::1]:2181,[fe80::2]/a/":       "[[::1]:2181 [fe80::2]:2181] /a",
		"2001:db8::1,10.0.0.1":          "[[2001:db8::1]:2181 10.0.0.1:2181] ",
		" zk1:2181/with space/Grüße ":   "[zk1:2181] /with space/Grüße",
		"":                              "error",
		"zk1,,zk2":                      "error",
		"/prod":                         "error",
		"zk1:2181/a,zk2:2181/a":         "[zk1:2181 zk2:2181] /a",
		"zk1/a/b, zk2:2182/a/b/":        "[zk1:2181 zk2:2182] /a/b",
		"zk1:2181/a,zk2:2181/b":         "error",
		"zk1:2181/a,zk2:2181":           "error",
		"zk1:2181//a":                   "error",
		"zk1/a/../b":                    "error",
		"zk1:port":                      "error",
		"zk1:0":                         "error",
		"zk1:70000":                     "error",
		"user@zk1:2181":                 "error",
		"zk1 zk2":                       "error",
		"zk1:2181/\x00":                 "error",
		"[::1:2181":                     "error",
		strings.Repeat("a,", 500) + "a": "501",
	} {
		servers, chroot, err := ParseConnect(in)
		got := fmt.Sprintf("%v %s", servers, chroot)
		switch {
		case want == "error":
			if err == nil || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q is accepted as %s, or its error is no line: %v", in, got, err)
			}
		case want == "501":
			if len(servers) != 501 || err != nil {
				t.Errorf("%d servers, %v", len(servers), err)
			}
		case got != want || err != nil:
			t.Errorf("%q: %s, %v; want %s", in, got, err, want)
		}
	}
}

func TestErrorsAreWordsAndSentinels(t *testing.T) {
	for _, c := range []struct {
		err  error
		is   error
		text string
	}{
		{&Error{Op: "get", Path: "/a", Code: wire.ErrNoNode}, ErrNoNode, "get /a: znode does not exist"},
		{&Error{Op: "set", Path: "/a", Code: wire.ErrSessionMoved}, nil, "set /a: session has moved to another server: not applied"},
		{&Error{Op: "set", Path: "/a", Code: wire.ErrThrottled}, nil, "set /a: server is overloaded and dropped the request: not applied"},
		{&Error{Op: "set", Path: "/a", Code: wire.ErrNotReadOnly}, ErrReadOnly, "set /a: read-only: nothing was written"},
		{&Error{Op: "set", Path: "/a", Code: -999}, nil, "set /a: server answered with error -999"},
		{&Error{Op: "set", Path: "/a", Err: because(ErrUnknownOutcome, io.EOF)}, ErrUnknownOutcome, "set /a: outcome unknown: read again before anything else: EOF"},
		{CodeError(wire.ErrNoAuth), ErrNoAuth, "no permission"},
	} {
		if c.err.Error() != c.text || c.is != nil && !errors.Is(c.err, c.is) {
			t.Errorf("%q, want %q as %v", c.err, c.text, c.is)
		}
	}
	if CodeError(wire.OK) != nil {
		t.Error("success is no error")
	}
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	if got := plainly(refused); got != syscall.ECONNREFUSED {
		t.Errorf("%v", got)
	}
	if got := (Auth{"digest", []byte("bob:secret")}).String(); strings.Contains(got, "secret") {
		t.Errorf("a credential prints as %s", got)
	}
}

func TestChrootMapsBothWays(t *testing.T) {
	for _, c := range []struct{ chroot, logical, physical string }{
		{"", "/", "/"}, {"", "/a/b", "/a/b"}, {"/prod", "/", "/prod"}, {"/prod", "/a", "/prod/a"},
		{"/prod", "/prod/x", "/prod/prod/x"},
	} {
		conn := &Conn{cfg: Config{Chroot: c.chroot}}
		var e wire.Encoder
		conn.path(&e, c.logical)
		if got := wire.NewDecoder(e.B).String(); got != c.physical {
			t.Errorf("%s below %q is sent as %s", c.logical, c.chroot, got)
		}
		if got, ok := conn.logical(c.physical); got != c.logical || !ok {
			t.Errorf("%s below %q comes back as %s, %v", c.physical, c.chroot, got, ok)
		}
	}
	conn := &Conn{cfg: Config{Chroot: "/prod"}}
	for _, p := range []string{"/", "/production", "/other/prod"} {
		if _, ok := conn.logical(p); ok {
			t.Errorf("%s is not below /prod", p)
		}
	}
}
