package wire

// Stat is a znode's metadata as servers send it: 68 bytes.
type Stat struct {
	Czxid, Mzxid   int64
	Ctime, Mtime   int64 // milliseconds since the epoch
	Version        int32
	Cversion       int32
	Aversion       int32
	EphemeralOwner int64
	DataLength     int32
	NumChildren    int32
	Pzxid          int64
}

// Encode appends the record.
func (s *Stat) Encode(e *Encoder) {
	e.Int64(s.Czxid)
	e.Int64(s.Mzxid)
	e.Int64(s.Ctime)
	e.Int64(s.Mtime)
	e.Int32(s.Version)
	e.Int32(s.Cversion)
	e.Int32(s.Aversion)
	e.Int64(s.EphemeralOwner)
	e.Int32(s.DataLength)
	e.Int32(s.NumChildren)
	e.Int64(s.Pzxid)
}

// Decode reads the record.
func (s *Stat) Decode(d *Decoder) {
	s.Czxid, s.Mzxid = d.Int64(), d.Int64()
	s.Ctime, s.Mtime = d.Int64(), d.Int64()
	s.Version, s.Cversion, s.Aversion = d.Int32(), d.Int32(), d.Int32()
	s.EphemeralOwner = d.Int64()
	s.DataLength, s.NumChildren = d.Int32(), d.Int32()
	s.Pzxid = d.Int64()
}

// ACL is one entry of an access control list.
type ACL struct {
	Perms  int32
	Scheme string
	ID     string
}

// EncodeACLs appends a vector of ACLs.
func EncodeACLs(e *Encoder, list []ACL) {
	e.Int32(int32(len(list)))
	for _, a := range list {
		e.Int32(a.Perms)
		e.String(a.Scheme)
		e.String(a.ID)
	}
}

// DecodeACLs reads a vector of ACLs.
func DecodeACLs(d *Decoder) []ACL {
	n := d.Count(12)
	out := make([]ACL, 0, n)
	for range n {
		out = append(out, ACL{d.Int32(), d.String(), d.String()})
	}
	return out
}

// OpenACL grants everything to everyone.
func OpenACL() []ACL { return []ACL{{PermAll, "world", "anyone"}} }

// ConnectRequest opens or resumes a session. HasReadOnly says whether the last byte is there: old
// clients leave it out.
type ConnectRequest struct {
	ProtocolVersion int32
	LastZxid        int64
	Timeout         int32 // milliseconds
	SessionID       int64
	Passwd          []byte
	ReadOnly        bool
	HasReadOnly     bool
}

// Encode appends the record.
func (r *ConnectRequest) Encode(e *Encoder) {
	e.Int32(r.ProtocolVersion)
	e.Int64(r.LastZxid)
	e.Int32(r.Timeout)
	e.Int64(r.SessionID)
	e.Buffer(r.Passwd)
	if r.HasReadOnly {
		e.Bool(r.ReadOnly)
	}
}

// Decode reads the record.
func (r *ConnectRequest) Decode(d *Decoder) {
	r.ProtocolVersion = d.Int32()
	r.LastZxid = d.Int64()
	r.Timeout = d.Int32()
	r.SessionID = d.Int64()
	r.Passwd = d.Buffer()
	if r.HasReadOnly = d.Len() > 0; r.HasReadOnly {
		r.ReadOnly = d.Bool()
	}
}

// ConnectResponse answers a ConnectRequest. A SessionID of 0 means that the session has expired.
type ConnectResponse struct {
	ProtocolVersion int32
	Timeout         int32 // milliseconds, as granted
	SessionID       int64
	Passwd          []byte
	ReadOnly        bool
	HasReadOnly     bool
}

// Encode appends the record.
func (r *ConnectResponse) Encode(e *Encoder) {
	e.Int32(r.ProtocolVersion)
	e.Int32(r.Timeout)
	e.Int64(r.SessionID)
	e.Buffer(r.Passwd)
	if r.HasReadOnly {
		e.Bool(r.ReadOnly)
	}
}

// Decode reads the record.
func (r *ConnectResponse) Decode(d *Decoder) {
	r.ProtocolVersion = d.Int32()
	r.Timeout = d.Int32()
	r.SessionID = d.Int64()
	r.Passwd = d.Buffer()
	if r.HasReadOnly = d.Len() > 0; r.HasReadOnly {
		r.ReadOnly = d.Bool()
	}
}

// ReplyHeader begins every frame that a server sends after the connect response: 16 bytes.
type ReplyHeader struct {
	Xid  int32
	Zxid int64
	Err  Code
}

// ReplyHeaderLen is the encoded size of a ReplyHeader.
const ReplyHeaderLen = 16

// Encode appends the record.
func (h *ReplyHeader) Encode(e *Encoder) {
	e.Int32(h.Xid)
	e.Int64(h.Zxid)
	e.Int32(int32(h.Err))
}

// Decode reads the record.
func (h *ReplyHeader) Decode(d *Decoder) {
	h.Xid = d.Int32()
	h.Zxid = d.Int64()
	h.Err = Code(d.Int32())
}

// Event is a watch event; its frame has xid XidEvent.
type Event struct {
	Type  EventType
	State int32
	Path  string
}

// Encode appends the record.
func (v *Event) Encode(e *Encoder) {
	e.Int32(int32(v.Type))
	e.Int32(v.State)
	e.String(v.Path)
}

// Decode reads the record.
func (v *Event) Decode(d *Decoder) {
	v.Type = EventType(d.Int32())
	v.State = d.Int32()
	v.Path = d.String()
}

// MultiHeader stands before each operation of a multi or multiRead request and before each result.
type MultiHeader struct {
	Type Op
	Done bool
	Err  Code
}

// Encode appends the record.
func (h *MultiHeader) Encode(e *Encoder) {
	e.Int32(int32(h.Type))
	e.Bool(h.Done)
	e.Int32(int32(h.Err))
}

// Decode reads the record.
func (h *MultiHeader) Decode(d *Decoder) {
	h.Type = Op(d.Int32())
	h.Done = d.Bool()
	h.Err = Code(d.Int32())
}

// SetWatches re-registers watches after a reconnect. Opcode 101 carries the first three vectors,
// opcode 105 all five.
type SetWatches struct {
	RelativeZxid                                    int64
	Data, Exist, Child, Persistent, PersistentRecur []string
}

// Decode reads the record of opcode op.
func (w *SetWatches) Decode(d *Decoder, op Op) {
	w.RelativeZxid = d.Int64()
	w.Data, w.Exist, w.Child = d.Strings(), d.Strings(), d.Strings()
	if op == OpSetWatches2 {
		w.Persistent, w.PersistentRecur = d.Strings(), d.Strings()
	}
}

// Encode appends the record of opcode op.
func (w *SetWatches) Encode(e *Encoder, op Op) {
	e.Int64(w.RelativeZxid)
	e.Strings(w.Data)
	e.Strings(w.Exist)
	e.Strings(w.Child)
	if op == OpSetWatches2 {
		e.Strings(w.Persistent)
		e.Strings(w.PersistentRecur)
	}
}
