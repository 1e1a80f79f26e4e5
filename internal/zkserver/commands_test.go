package zkserver_test

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/wire"
)

// execute runs one command of a client.
func (s *script) execute(c *raw, args []string) {
	switch args[0] {
	case "connect", "reconnect":
		s.connect(c, args[0] == "reconnect", args[1:])
		return
	}
	if c.nc == nil {
		s.say("not connected")
		return
	}
	switch args[0] {
	case "drop":
		c.nc.Close()
		c.nc = nil
		return
	case "await": // until a znode is gone
		s.await(c, s.text(args[1]))
		return
	case "session": // session HEX: asks for a session once more
		s.again(c, args[1:])
		return
	case "rawframe":
		if err := c.write(unhex(s.t, s.text(args[1]))); err != nil {
			s.lost(c, err)
		}
		return
	}
	op, body, xid := s.request(args)
	if xid == 0 {
		c.xid++
		xid = c.xid
	}
	r, err := c.call(xid, op, body, s.onEvent(c))
	if err != nil {
		s.lost(c, err)
		return
	}
	line := fmt.Sprintf("= %s %s", s.zxid(r.Zxid), showCode(r.Err))
	if text := s.body(op, r); text != "" {
		line += prefixed(text)
	}
	if r.body.Err() != nil || r.body.Len() > 0 {
		line += fmt.Sprintf(" (%d bytes more, %v)", r.body.Len(), r.body.Err())
	}
	s.say("%s", line)
	if last := op == wire.OpClose || r.Err == wire.ErrUnimplemented || r.Err == wire.ErrAuthFailed; last && ended(c.nc) {
		s.lost(c, errClosed)
	}
}

// again sends what only a server makes of a connect request. Where it is served, the answer is a connect response.
func (s *script) again(c *raw, args []string) {
	c.xid++
	e := wire.Encoder{}
	e.Int32(c.xid)
	e.Int32(int32(wire.OpCreateSession))
	if len(args) > 0 {
		e.B = append(e.B, unhex(s.t, args[0])...)
	}
	b, err := c.exchange(e.B)
	if err != nil {
		s.lost(c, err)
		return
	}
	d := wire.NewDecoder(b)
	if len(b) == wire.ReplyHeaderLen {
		var h wire.ReplyHeader
		h.Decode(d)
		s.say("= %s %s", s.zxid(h.Zxid), showCode(h.Err))
		return
	}
	var resp wire.ConnectResponse
	resp.Decode(d)
	s.say("= %d bytes timeout=%d same=%v ro=%v %v", len(b), resp.Timeout, resp.SessionID == c.id && bytes.Equal(resp.Passwd, c.passwd), resp.ReadOnly, d.Err())
}

// await waits until a znode is gone. It looks without a watch, so that the client sees nothing of it.
func (s *script) await(c *raw, path string) {
	body := encode(func(e *wire.Encoder) { e.String(path); e.Bool(false) })
	peers.WaitFor(s.t, patience, path+" is gone", func() bool {
		r, err := c.ask(wire.OpExists, body, s.onEvent(c))
		return err != nil || r.Err == wire.ErrNoNode
	})
}

func showCode(c wire.Code) string {
	if c == wire.OK {
		return "ok"
	}
	return fmt.Sprint(int32(c))
}

func (s *script) connect(c *raw, again bool, args []string) {
	req := wire.ConnectRequest{Timeout: int32(s.int(opt(&args, "timeout", "9000"))), Passwd: make([]byte, 16), HasReadOnly: true}
	req.LastZxid = s.int(opt(&args, "seen", "0"))
	ro := opt(&args, "ro", "0")
	req.HasReadOnly, req.ReadOnly = ro != "absent", ro == "1"
	old := c.nc
	if again {
		req.SessionID, req.Passwd = c.id, c.passwd
	}
	if opt(&args, "passwd", "") == "bad" {
		req.Passwd = []byte("0123456789abcdef")
	}
	resp, size, err := c.connect(req)
	if old != nil && again {
		s.say("old connection closed: %v", ended(old))
		old.Close()
	}
	if err != nil || resp == nil {
		s.say("= refused")
		c.nc.Close()
		c.nc = nil
		return
	}
	same := ""
	if again && resp.SessionID != 0 {
		same = fmt.Sprintf(" same=%v", resp.SessionID == c.id)
	}
	s.say("= %d bytes timeout=%d session=%v ro=%v%s", size, resp.Timeout, resp.SessionID != 0, resp.ReadOnly, same)
	if resp.SessionID != 0 {
		c.id, c.passwd = resp.SessionID, resp.Passwd
		s.ids[c.id] = c.name
	}
}

var ops = map[string]wire.Op{
	"create": wire.OpCreate, "create2": wire.OpCreate2, "container": wire.OpCreateContainer, "ttl": wire.OpCreateTTL,
	"delete": wire.OpDelete, "set": wire.OpSetData, "setacl": wire.OpSetACL, "check": wire.OpCheck, "multi": wire.OpMulti,
	"exists": wire.OpExists, "get": wire.OpGetData, "getacl": wire.OpGetACL, "ls": wire.OpGetChildren, "ls2": wire.OpGetChildren2,
	"sync": wire.OpSync, "multiread": wire.OpMultiRead, "ephemerals": wire.OpGetEphemerals, "count": wire.OpGetAllChildrenNum,
	"whoami": wire.OpWhoAmI, "setwatches": wire.OpSetWatches, "setwatches2": wire.OpSetWatches2, "addwatch": wire.OpAddWatch,
	"checkwatches": wire.OpCheckWatches, "removewatches": wire.OpRemoveWatches, "auth": wire.OpAuth, "sasl": wire.OpSASL,
	"close": wire.OpClose, "reconfig": wire.OpReconfig,
}

// request encodes a command.
func (s *script) request(args []string) (wire.Op, []byte, int32) {
	op, rest := ops[args[0]], args[1:]
	var e wire.Encoder
	switch args[0] {
	case "op": // op NUMBER HEX: any request
		op = wire.Op(s.int(rest[0]))
		if len(rest) > 1 {
			e.B = unhex(s.t, rest[1])
		}
	case "multi", "multiread":
		s.batch(&e, rest)
	case "setwatches", "setwatches2":
		s.watchLists(&e, op, rest)
	case "auth":
		e.Int32(0)
		e.String(rest[0])
		e.Buffer([]byte(rest[1]))
		return op, e.B, wire.XidAuth
	case "sasl":
		e.Buffer([]byte{})
	case "close", "whoami":
	case "reconfig":
		for range 3 {
			e.String("")
		}
		e.Int64(-1)
	default:
		s.simple(&e, op, rest)
	}
	return op, e.B, 0
}

// simple encodes the requests that may also stand in a batch, and those that are like them.
func (s *script) simple(e *wire.Encoder, op wire.Op, args []string) {
	path := func() { e.String(s.text(args[0])) }
	num := func(i int, def int64) {
		if len(args) > i {
			def = s.int(args[i])
		}
		e.Int32(int32(def))
	}
	switch op {
	case wire.OpCreate, wire.OpCreate2, wire.OpCreateContainer, wire.OpCreateTTL:
		s.create(e, op, args)
	case wire.OpDelete, wire.OpCheck:
		path()
		num(1, -1)
	case wire.OpSetData:
		path()
		e.Buffer(s.data(args[1]))
		num(2, -1)
	case wire.OpSetACL:
		path()
		wire.EncodeACLs(e, s.acl(args[1]))
		num(2, -1)
	case wire.OpExists, wire.OpGetData, wire.OpGetChildren, wire.OpGetChildren2:
		path()
		e.Bool(len(args) > 1 && args[1] == "w")
	case wire.OpAddWatch, wire.OpCheckWatches, wire.OpRemoveWatches:
		path()
		num(1, 0)
	case wire.OpSync, wire.OpGetACL, wire.OpGetEphemerals, wire.OpGetAllChildrenNum:
		path()
	default:
		s.t.Fatalf("unknown command with %q", args)
	}
}

func (s *script) create(e *wire.Encoder, op wire.Op, args []string) {
	flags := map[wire.Op]string{wire.OpCreateContainer: "4", wire.OpCreateTTL: "5"}[op]
	if flags == "" {
		flags = "0"
	}
	flags = opt(&args, "flags", flags)
	acl := opt(&args, "acl", "rwcda:world:anyone")
	ttl := opt(&args, "ttl", "60000")
	e.String(s.text(args[0]))
	if len(args) < 2 {
		args = append(args, "x")
	}
	e.Buffer(s.data(args[1]))
	wire.EncodeACLs(e, s.acl(acl))
	e.Int32(int32(s.int(flags)))
	if op == wire.OpCreateTTL {
		e.Int64(s.int(ttl))
	}
}

// batch encodes the operations of a multi or multiRead, which are separated by bars.
func (s *script) batch(e *wire.Encoder, args []string) {
	for _, sub := range strings.Split(strings.Join(args, " "), " | ") {
		f := fields(sub)
		if len(f) == 0 {
			continue
		}
		(&wire.MultiHeader{Type: ops[f[0]], Err: -1}).Encode(e)
		s.simple(e, ops[f[0]], f[1:])
	}
	(&wire.MultiHeader{Type: -1, Done: true, Err: -1}).Encode(e)
}

func (s *script) watchLists(e *wire.Encoder, op wire.Op, args []string) {
	list := func(key string) []string {
		if v := opt(&args, key, ""); v != "" {
			return strings.Split(v, ",")
		}
		return nil
	}
	r := wire.SetWatches{RelativeZxid: s.int(args[0]), Data: list("data"), Exist: list("exist"), Child: list("child"),
		Persistent: list("persistent"), PersistentRecur: list("recursive")}
	r.Encode(e, op)
}

// body shows a successful reply's body.
func (s *script) body(op wire.Op, r reply) string {
	d := r.body
	if d.Len() == 0 {
		return ""
	}
	switch op {
	case wire.OpSync:
		if b := d.Buffer(); b != nil {
			return showPath(string(b))
		}
		return "null"
	case wire.OpCreate:
		return showPath(d.String())
	case wire.OpCreate2, wire.OpCreateContainer, wire.OpCreateTTL:
		return showPath(d.String()) + " " + s.stat(d)
	case wire.OpExists, wire.OpSetData, wire.OpSetACL, wire.OpCheck:
		return s.stat(d)
	case wire.OpGetData:
		return showData(d.Buffer()) + " " + s.stat(d)
	case wire.OpGetACL:
		return showACL(wire.DecodeACLs(d)) + " " + s.stat(d)
	case wire.OpGetChildren, wire.OpGetEphemerals:
		return showList(d.Strings())
	case wire.OpGetChildren2:
		return showList(d.Strings()) + " " + s.stat(d)
	case wire.OpMulti, wire.OpMultiRead:
		return s.results(d)
	case wire.OpGetAllChildrenNum, wire.OpAddWatch:
		return fmt.Sprint(d.Int32())
	case wire.OpSASL:
		return showData(d.Buffer())
	case wire.OpWhoAmI:
		return s.identities(d)
	}
	return fmt.Sprintf("%x", d.Rest())
}

func (s *script) identities(d *wire.Decoder) string {
	var list []string
	for range d.Count(8) {
		scheme, user := d.String(), d.String()
		list = append(list, scheme+":"+user)
	}
	return showList(list)
}

// results shows the results of a batch, one line each.
func (s *script) results(d *wire.Decoder) string {
	var out strings.Builder
	for {
		var h wire.MultiHeader
		h.Decode(d)
		if d.Err() != nil {
			return out.String() + " cut short"
		}
		if h.Done {
			return out.String() + fmt.Sprintf("\n    end %d %d", h.Type, h.Err)
		}
		fmt.Fprintf(&out, "\n    %s %d", h.Type, h.Err)
		switch h.Type {
		case wire.OpError:
			fmt.Fprintf(&out, " %d", d.Int32())
		case wire.OpDelete, wire.OpCheck:
		default:
			out.WriteString(" " + s.body(h.Type, reply{body: d}))
		}
	}
}

// prefixed puts a space before text, unless it begins on a line of its own.
func prefixed(text string) string {
	if text[0] == '\n' {
		return text
	}
	return " " + text
}
