// Package zkc is a connection to a ZooKeeper ensemble, built on go-zookeeper without a fork.
//
// go-zookeeper keeps the session: it dials through a list of servers, opens and resumes the session, pings,
// reconnects and closes. Underneath it, given to it by its public WithDialer option, lies a link: a net.Conn
// that sees whole frames. The link
//
//   - sends the requests of this package itself, with xids from 0x70000000 up where the library's own never
//     come, and takes their replies out of the stream. That gives every call a context, and operations that
//     the library lacks: addWatch, multiRead, whoAmI, getEphemerals, watch reads whose watch can be freed;
//   - rewrites the connect request: the read-only byte, and the last zxid of all replies;
//   - authenticates before any other request may pass;
//   - checks every frame before the library sees it, because the library trusts lengths and panics on short
//     frames;
//   - is the read-only gate: on a connection with Config.ReadOnly a frame whose opcode is not on a short list
//     of reading ones never reaches the wire, whoever sent it;
//   - watches over the time: a server that hangs costs at most a third of the session timeout in a handshake,
//     and two thirds on a connection.
//
// Paths are those below the chroot everywhere in this package's interface, in events too.
//
// # Outcomes
//
// A read that loses its connection is repeated on the next one until its context ends. A write is never
// repeated: when its connection is lost after it was sent, or its context ends first, the error says
// ErrUnknownOutcome, and only reading tells what happened.
//
// # Concurrency
//
// A Conn may be used from any number of goroutines. Each connection to a server has two goroutines of its
// own, the pump (which reads) and the writer, beside the two of go-zookeeper; they end with the connection.
// Config.OnEvent, Config.OnState and the functions given to Submit are called one at a time, in the order in
// which things happened on the wire. They run on the pump, so they must not block, nor call a method that
// waits (anything with a context, or Close).
package zkc
