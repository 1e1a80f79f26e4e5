package zkserver_test

import (
	_ "embed"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkserver"
)

//go:embed testdata/kazoo.py
var kazooRecipes string

//go:embed testdata/contend.py
var kazooContention string

// listen starts a server for other programs.
func listen(t *testing.T, o zkserver.Options) (*zkserver.Server, string) {
	t.Helper()
	s := zkserver.New(o)
	t.Cleanup(func() { s.Close() })
	addr, err := s.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return s, addr.String()
}

func TestKazooRecipes(t *testing.T) {
	t.Parallel()
	s, addr := listen(t, zkserver.Options{})
	p := peers.Kazoo(t, kazooRecipes, addr)
	p.Expect("DROP", time.Minute)
	if n := s.DropConnections(); n != 2 {
		t.Fatalf("%d connections, want 2", n)
	}
	p.Say("go on")
	p.Expect("DONE", time.Minute)
}

func TestKazooContention(t *testing.T) {
	t.Parallel()
	s, addr := listen(t, zkserver.Options{})
	p := peers.Kazoo(t, kazooContention, addr)
	p.Expect("HALF", time.Minute)
	s.DropConnections()
	if got := p.Expect("TURNS", time.Minute); got != "240 overlaps 0 left 0" {
		t.Fatalf("turns %s", got)
	}
}

//go:embed testdata/CuratorRecipes.java
var curatorRecipes string

//go:embed testdata/CuratorContention.java
var curatorContention string

func TestCuratorRecipes(t *testing.T) {
	t.Parallel()
	s, addr := listen(t, zkserver.Options{})
	p := peers.Java(t, "CuratorRecipes", curatorRecipes, addr)
	p.Expect("DROP", time.Minute)
	if n := s.DropConnections(); n != 2 {
		t.Fatalf("%d connections, want 2", n)
	}
	p.Say("go on")
	p.Expect("DONE", time.Minute)
}

func TestCuratorContention(t *testing.T) {
	t.Parallel()
	s, addr := listen(t, zkserver.Options{})
	p := peers.Java(t, "CuratorContention", curatorContention, addr)
	p.Expect("HALF", time.Minute)
	s.DropConnections()
	if got := p.Expect("TURNS", time.Minute); got != "240 overlaps 0 left 0" {
		t.Fatalf("turns %s", got)
	}
}
