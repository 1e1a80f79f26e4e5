package zkc

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// tooLarge makes every kind of request that can be too large, and sees that it costs neither time nor the connection.
func tooLarge(t *testing.T, c *Conn) {
	ctx := soon(t, 5*time.Second)
	connects := c.State().Connects
	mustCreate(t, c, "/n", "", wire.FlagPersistent)
	big, long := make([]byte, 1<<20), "/"+strings.Repeat("x", 1<<20)
	calls := map[string]func() error{
		"create": func() error { _, err := c.Create(ctx, "/big", big, wire.FlagPersistent, nil); return err },
		"set":    func() error { _, err := c.Set(ctx, "/n", big, AnyVersion); return err },
		"multi": func() error {
			_, err := c.Multi(ctx, SetOf("/n", big[:1<<19], AnyVersion), SetOf("/n", big[:1<<19], AnyVersion))
			return err
		},
		"get":         func() error { _, _, err := c.Get(ctx, long); return err },
		"watch":       func() error { _, err := c.WatchOnce(ctx, WatchData, long); return err },
		"multi read":  func() error { _, err := c.MultiRead(ctx, []Read{{Path: long}}); return err },
		"single read": func() error { _, err := c.MultiRead(ctx, []Read{{Path: long, Kind: ReadExists}}); return err },
	}
	for name, call := range calls {
		if err := call(); !errors.Is(err, ErrTooLarge) || errors.Is(err, ErrUnknownOutcome) {
			t.Errorf("%s: %v", name, err)
		}
	}
	const besides = 8 + 4 + 2 + 4 + 4 // header, path, length of the data, version
	if _, err := c.Set(ctx, "/n", big[:DefaultMaxRequest-besides], AnyVersion); err != nil {
		t.Errorf("the largest that fits: %v", err)
	}
	if _, err := c.Set(ctx, "/n", big[:DefaultMaxRequest-besides+1], AnyVersion); !errors.Is(err, ErrTooLarge) {
		t.Errorf("one byte more: %v", err)
	}
	if n := c.State().Connects; n != connects {
		t.Errorf("%d connections were cut", n-connects)
	}
}

func TestWhatIsTooLargeIsRefusedAtOnce(t *testing.T) {
	virtual(t, zkserver.Options{}, nil, func(t *testing.T, _ *zkserver.Server, c *Conn) { tooLarge(t, c) })
}

func TestWhatIsTooLargeForARealServerIsRefusedAtOnce(t *testing.T) {
	server := peers.ZooKeeper(t, peers.Options{})
	c := must[*Conn](t)(Dial(t.Context(), Config{Servers: []string{server.Addr}}))
	defer c.Close()
	tooLarge(t, c)
}

// TestServersWithALargerBufferTakeMore when they are said to.
func TestServersWithALargerBufferTakeMore(t *testing.T) {
	most := 4 << 20
	virtual(t, zkserver.Options{MaxFrame: most}, func(cfg *Config) { cfg.MaxRequest = most }, func(t *testing.T, _ *zkserver.Server, c *Conn) {
		mustCreate(t, c, "/n", strings.Repeat("x", 3<<20), wire.FlagPersistent)
	})
}
