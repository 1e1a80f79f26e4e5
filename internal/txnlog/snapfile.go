package txnlog

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/adler32"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/snappy"
)

const (
	snapMagic = "ZKSN"
	snapEnd   = "\x00\x00\x00\x01/" // the text that every checksum is followed by
	// mostBytes bounds a text, a znode's data or a list in a snapshot: far beyond what any server takes.
	mostBytes = 256 << 20
)

// Stat is what a snapshot keeps of a znode besides its data.
type Stat struct {
	Czxid, Mzxid, Ctime, Mtime  int64
	Version, Cversion, Aversion int32 // Cversion counts children that were made, not those that went
	Owner                       int64 // a session; or a mark: a container, or a time to live
	Pzxid                       int64
}

// Znode is one znode of a snapshot. Its path is absolute; "/" is the root.
type Znode struct {
	Path string
	Data []byte // nil: null
	ACL  int64  // which list of Snapshot.ACLs; -1: open to the world
	Stat Stat
}

// Snapshot is what a snapshot holds besides its znodes.
type Snapshot struct {
	Sessions map[int64]int32 // timeouts in milliseconds
	ACLs     map[int64][]ACL
	// Last is the zxid up to which the picture may hold changes: it is fuzzy between the zxid in its name and this one.
	// 0: not told, by a server older than 3.6.
	Last int64
}

// ReadSnapshot reads a snapshot file whole: each is called for every znode, parents first, and ends the reading with an
// error. The name tells how the file is packed, and stands in messages. A *Corrupt tells of damage, with an offset in what
// is unpacked.
func ReadSnapshot(src io.Reader, name string, each func(*Znode) error) (*Snapshot, error) {
	plain, err := unpack(src, name)
	if err != nil {
		return nil, &Corrupt{name, 0, err.Error()}
	}
	s := &snapReader{in: bufio.NewReaderSize(plain, readAtOnce), sum: adler32.New(), name: name}
	out := s.read(each)
	if s.err != nil {
		return nil, s.failure()
	}
	return out, nil
}

// failure says what ended the reading, and where.
func (s *snapReader) failure() error {
	var c *Corrupt
	switch {
	case errors.As(s.err, &c), s.stopped:
		return s.err
	case errors.Is(s.err, io.EOF) && s.off == 0:
		return &Corrupt{s.name, 0, "it is empty"}
	case errors.Is(s.err, io.EOF), errors.Is(s.err, io.ErrUnexpectedEOF):
		return &Corrupt{s.name, s.off, "the snapshot ends in the middle"}
	}
	return &Corrupt{s.name, s.off, s.err.Error()}
}

// ProbeSnapshot looks at the beginning and the end of a snapshot file, of a packed one at its beginning alone. A *Corrupt
// tells of damage, or that its server is still writing it; nil is no promise that all of it can be read.
func ProbeSnapshot(file File) error {
	name := file.Called()
	f, err := os.Open(file.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	plain, err := unpack(f, name)
	if err != nil {
		return &Corrupt{name, 0, err.Error()}
	}
	if plain != io.Reader(f) {
		return nil
	}
	s := &snapReader{in: bufio.NewReader(f), sum: adler32.New(), name: name}
	if s.head(); s.err != nil {
		return s.failure()
	}
	st, err := f.Stat()
	if err != nil {
		return err
	}
	var end [len(snapEnd)]byte
	if _, err := f.ReadAt(end[:], max(0, st.Size()-int64(len(end)))); err != nil || string(end[:]) != snapEnd {
		return &Corrupt{name, st.Size(), "the snapshot ends in the middle: its server died, or is writing it"}
	}
	return nil
}

// unpack undoes a compression.
func unpack(src io.Reader, name string) (io.Reader, error) {
	switch {
	case strings.HasSuffix(name, ".gz"):
		return gzip.NewReader(src)
	case strings.HasSuffix(name, ".snappy"):
		return newUnsnap(src)
	}
	return src, nil
}

// snapReader reads a snapshot and sums it up on the way.
type snapReader struct {
	name    string
	in      *bufio.Reader
	off     int64
	sum     hash.Hash32 // Adler-32 of all that was read
	err     error
	stopped bool
	buf     []byte
}

// take reads so many bytes, good until the next call.
func (s *snapReader) take(n int) []byte {
	if s.err == nil && (n < 0 || n > mostBytes) {
		s.err = &Corrupt{s.name, s.off, fmt.Sprintf("a length of %d", n)}
	}
	if s.err != nil {
		return nil
	}
	s.buf = s.buf[:0]
	for len(s.buf) < n { // a length is believed no further than there are bytes
		from := len(s.buf)
		s.buf = append(s.buf, make([]byte, min(n-from, readAtOnce))...)
		if _, s.err = io.ReadFull(s.in, s.buf[from:]); s.err != nil {
			return nil
		}
	}
	s.off += int64(n)
	s.sum.Write(s.buf)
	return s.buf
}

func (s *snapReader) int() int32 {
	if b := s.take(4); b != nil {
		return int32(binary.BigEndian.Uint32(b))
	}
	return 0
}

func (s *snapReader) long() int64 {
	if b := s.take(8); b != nil {
		return int64(binary.BigEndian.Uint64(b))
	}
	return 0
}

func (s *snapReader) buffer() []byte {
	n := s.int()
	if n == -1 || s.err != nil {
		return nil
	}
	b := s.take(int(n))
	if b == nil {
		return nil
	}
	return append(make([]byte, 0, len(b)), b...)
}

func (s *snapReader) text() string {
	n := s.int()
	if n <= 0 || s.err != nil {
		return ""
	}
	return string(s.take(int(n)))
}

// head reads what every snapshot begins with.
func (s *snapReader) head() {
	if head := s.take(16); s.err == nil && (string(head[:4]) != snapMagic || binary.BigEndian.Uint32(head[4:]) != 2) {
		s.err = &Corrupt{s.name, 0, "this is not a snapshot: it does not begin with " + snapMagic + ", version 2"}
	}
}

// read reads the whole.
func (s *snapReader) read(each func(*Znode) error) *Snapshot {
	s.head()
	out := &Snapshot{Sessions: map[int64]int32{}, ACLs: map[int64][]ACL{}}
	for n := s.int(); n > 0 && s.err == nil; n-- {
		id := s.long()
		out.Sessions[id] = s.int()
	}
	for n := s.int(); n > 0 && s.err == nil; n-- {
		index := s.long()
		for m := s.int(); m > 0 && s.err == nil; m-- {
			out.ACLs[index] = append(out.ACLs[index], ACL{s.int(), s.text(), s.text()})
		}
	}
	s.znodes(each)
	s.seal()
	s.tail(out)
	return out
}

// znodes reads the tree; the path "/" ends it.
func (s *snapReader) znodes(each func(*Znode) error) {
	for s.err == nil {
		path := s.text()
		if path == "/" || s.err != nil {
			return
		}
		z := Znode{Path: path, Data: s.buffer(), ACL: s.long()}
		if path == "" {
			z.Path = "/"
		}
		if b := s.take(statSize); b != nil {
			z.Stat = statOf(b)
		}
		if s.err != nil {
			return
		}
		if err := each(&z); err != nil {
			s.err, s.stopped = err, true
		}
	}
}

const statSize = 60

func statOf(b []byte) Stat {
	j := jute{b: b}
	return Stat{Czxid: j.long(), Mzxid: j.long(), Ctime: j.long(), Mtime: j.long(), Version: j.int(), Cversion: j.int(), Aversion: j.int(),
		Owner: j.long(), Pzxid: j.long()}
}

// seal checks what was read so far against the checksum that follows.
func (s *snapReader) seal() {
	at, sum := s.off, s.sum.Sum32()
	if got := s.long(); s.err == nil && got != int64(sum) {
		s.err = &Corrupt{s.name, at, "the snapshot does not match its checksum"}
	}
	if end := s.text(); s.err == nil && end != "/" {
		s.err = &Corrupt{s.name, at + 8, "the snapshot's checksum has no end"}
	}
}

// tail reads what newer servers write behind the tree: its digest, and the last zxid.
func (s *snapReader) tail(out *Snapshot) {
	if s.more() {
		out.Last = s.long()
		if version := s.int(); version < 2 {
			s.text()
		} else {
			s.long()
		}
		s.seal()
	}
	if s.more() {
		out.Last = max(out.Last, s.long())
		s.seal()
	}
}

func (s *snapReader) more() bool {
	if s.err != nil {
		return false
	}
	_, err := s.in.Peek(1)
	return !errors.Is(err, io.EOF)
}

// unsnap undoes snappy-java's own framing: a header, then blocks behind their lengths.
type unsnap struct {
	in  *bufio.Reader
	out []byte
	raw []byte
}

var snappyHead = []byte{0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0}

func newUnsnap(src io.Reader) (io.Reader, error) {
	in := bufio.NewReader(src)
	head := make([]byte, 16)
	if _, err := io.ReadFull(in, head); err != nil || !bytes.Equal(head[:8], snappyHead) {
		return nil, errors.New("this is not packed as snappy-java packs")
	}
	return &unsnap{in: in}, nil
}

func (u *unsnap) Read(p []byte) (int, error) {
	for len(u.out) == 0 {
		var size [4]byte
		if _, err := io.ReadFull(u.in, size[:]); err != nil {
			return 0, err
		}
		n := binary.BigEndian.Uint32(size[:])
		if n > mostBytes {
			return 0, fmt.Errorf("a packed block of %d bytes", n)
		}
		if cap(u.raw) < int(n) {
			u.raw = make([]byte, n)
		}
		if _, err := io.ReadFull(u.in, u.raw[:n]); err != nil {
			return 0, io.ErrUnexpectedEOF
		}
		if size, err := snappy.DecodedLen(u.raw[:n]); err != nil || size > mostBytes {
			return 0, errors.New("a packed block is damaged")
		}
		var err error
		if u.out, err = snappy.Decode(nil, u.raw[:n]); err != nil {
			return 0, err
		}
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	return n, nil
}
