package zkserver_test

import (
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// counterStart leaves room for two creates before the counter's last value.
const counterStart = 1<<31 - 3

// snapshotSource writes a server's data directory in which /seq has had counterStart children.
const snapshotSource = `
import java.io.File;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.persistence.FileSnap;

public class Snapshot {
  public static void main(String[] args) throws Exception {
    File dir = new File(args[0], "version-2");
    dir.mkdirs();
    DataTree t = new DataTree();
    long now = System.currentTimeMillis();
    t.createNode("/seq", new byte[]{'x'}, ZooDefs.Ids.OPEN_ACL_UNSAFE, 0, -1, 1, now);
    t.createNode("/seq/first", new byte[]{'x'}, ZooDefs.Ids.OPEN_ACL_UNSAFE, 0, Integer.parseInt(args[1]), 2, now);
    t.lastProcessedZxid = 2;
    new FileSnap(dir).serialize(t, new ConcurrentHashMap<Long, Integer>(), new File(dir, "snapshot.2"), true);
    System.out.println("DONE");
    System.exit(0);
  }
}
`

// TestCounterAtItsEnd runs a script on a parent that has almost used up its sequence numbers.
func TestCounterAtItsEnd(t *testing.T) {
	const file = "testdata/overflow.txt"
	run := func(t *testing.T, addr string, rewrite bool) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got := runCase(t, func() (net.Conn, error) { return net.Dial("tcp", addr) }, string(text))
		if rewrite {
			err = os.WriteFile(file, []byte(got), 0o600)
		} else if got != string(text) {
			t.Error(difference(string(text), got))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Run("real", func(t *testing.T) {
		t.Parallel()
		dir := filepath.Join(t.TempDir(), "data")
		peers.Java(t, "Snapshot", snapshotSource, dir, "2147483645").Expect("DONE", time.Minute)
		run(t, peers.ZooKeeper(t, peers.Options{ExtraCfg: "dataDir=" + dir}).Addr, *update)
	})
	t.Run("embedded", func(t *testing.T) {
		s := zkserver.New(zkserver.Options{MinTimeout: time.Second, MaxTimeout: 10 * time.Second})
		defer s.Close()
		addr, err := s.Listen("127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		prepareCounter(t, s)
		run(t, addr.String(), false)
	})
}

// prepareCounter makes in memory what snapshotSource makes on disk.
func prepareCounter(t *testing.T, s *zkserver.Server) {
	c := &raw{dial: func() (net.Conn, error) { return s.Dial(t.Context()) }}
	if _, _, err := c.connect(wire.ConnectRequest{Timeout: 5000, Passwd: make([]byte, 16)}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/seq", "/seq/first"} {
		body := encode(func(e *wire.Encoder) {
			e.String(path)
			e.Buffer([]byte("x"))
			wire.EncodeACLs(e, wire.OpenACL())
			e.Int32(0)
		})
		if r, err := c.ask(wire.OpCreate, body, nil); err != nil || r.Err != wire.OK {
			t.Fatal(r.Err, err)
		}
	}
	if !s.SetCounter("/seq", counterStart) {
		t.Fatal("no /seq")
	}
	_, _ = c.ask(wire.OpClose, nil, nil)
	c.nc.Close()
}
