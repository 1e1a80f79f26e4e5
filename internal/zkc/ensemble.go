package zkc

import (
	"context"

	"github.com/zkscope/zkscope/internal/wire"
)

// EnsembleConfig returns what /zookeeper/config holds: the members of the ensemble as the servers know them, one
// "server.N=..." a line, and the version of that list. It is read from the servers' own root, whatever the chroot. A
// server that stands alone has an empty one.
func (c *Conn) EnsembleConfig(ctx context.Context) ([]byte, error) {
	const path = "/zookeeper/config"
	d, err := c.call(ctx, "get", path, wire.OpGetData, func(e *wire.Encoder) {
		e.String(path)
		e.Bool(false)
	})
	if err != nil {
		return nil, err
	}
	data := d.Buffer()
	var st wire.Stat
	st.Decode(d)
	return data, c.done("get", path, d)
}
