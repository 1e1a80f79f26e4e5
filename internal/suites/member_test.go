package suites

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// hubVar tells a member where its hub is. A process that has it is no test, but a member.
const hubVar = "ZKSCOPE_SUITES_HUB"

func TestMain(m *testing.M) {
	if addr := os.Getenv(hubVar); addr != "" {
		fmt.Fprintln(os.Stderr, "member:", member(addr, os.Args[1:]))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// commands makes the commands that suites start servers with, and returns their directory.
func commands(t *testing.T, h *hub, names ...string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\n%s=%s exec '%s' \"$@\"\n", hubVar, h.l.Addr(), self)
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// member is a server that hands its clients on to the hub's. The last argument is its configuration file.
func member(hub string, args []string) error {
	cfg, err := configOf(args)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(cfg.port))
	if err != nil {
		return err
	}
	c, err := net.Dial("tcp", hub)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(c, cfg.line()); err != nil {
		return err
	}
	addr, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		return err
	}
	go func() {
		_, _ = io.Copy(io.Discard, c)
		os.Exit(0) // the hub is gone
	}()
	for {
		client, err := l.Accept()
		if err != nil {
			return err
		}
		go join(client, strings.TrimSpace(addr))
	}
}

// join passes on what a client and its server say, until either ends.
func join(client net.Conn, addr string) {
	defer client.Close()
	server, err := net.Dial("tcp", addr)
	if err != nil {
		return
	}
	defer server.Close()
	go func() {
		defer server.Close()
		_, _ = io.Copy(server, client)
	}()
	_, _ = io.Copy(client, server)
}

// configOf reads what a real server would be started with.
func configOf(args []string) (c config, err error) {
	if len(args) == 0 {
		return c, errors.New("no configuration file")
	}
	c.readOnly = slices.Contains(args, "-Dreadonlymode.enabled=true")
	b, err := os.ReadFile(args[len(args)-1])
	if err != nil {
		return c, err
	}
	var members []string
	for line := range strings.Lines(string(b)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		switch {
		case key == "tickTime":
			c.tick, err = strconv.Atoi(value)
		case key == "clientPort":
			c.port, err = strconv.Atoi(value)
		case key == "dataDir":
			c.ensemble = value
		case strings.HasPrefix(key, "server."):
			members = append(members, value)
		}
		if err != nil {
			return c, err
		}
	}
	if c.size = max(1, len(members)); c.size > 1 {
		slices.Sort(members)
		c.ensemble = strings.Join(members, ",")
	}
	return c, nil
}
