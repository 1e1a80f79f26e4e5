package znode

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// SessionID is a ZooKeeper session id. Zero means "no session": a znode that is not ephemeral.
type SessionID int64

// String prints the id as the server's own cons and dump commands do: 0x and the lower-case,
// unpadded hexadecimal digits of the unsigned value. It never prints a sign.
func (s SessionID) String() string { return "0x" + strconv.FormatUint(uint64(s), 16) }

// ParseSessionID reads a session id in any form that operators paste: hexadecimal with or without
// 0x in either case, or signed decimal. A text of decimal digits only is read as hexadecimal when it
// has the 0x prefix or fits no int64, else as decimal. ok is false for anything else.
func ParseSessionID(text string) (id SessionID, ok bool) {
	text = strings.TrimSpace(text)
	if rest, found := strings.CutPrefix(strings.ToLower(text), "0x"); found {
		u, err := strconv.ParseUint(rest, 16, 64)
		return SessionID(u), err == nil
	}
	if d, err := strconv.ParseInt(text, 10, 64); err == nil {
		return SessionID(d), true
	}
	u, err := strconv.ParseUint(text, 16, 64)
	return SessionID(u), err == nil
}

// Zxid is a ZooKeeper transaction id. Zero means unknown.
type Zxid int64

// Millis is a time of a server's wall clock in milliseconds since the Unix epoch, as a znode's stat
// carries it. Zero means unknown.
type Millis int64

// Time converts to a UTC time; the zero time when unknown.
func (m Millis) Time() time.Time {
	if m == 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(m)).UTC()
}

// Special reports whether an owner, as a server's own tree stores it, marks a znode that no session owns:
// a container, or one with a time to live. Clients never get to see such owners.
func (s SessionID) Special() (what string, ttl time.Duration, ok bool) {
	switch u := uint64(s); {
	case u == 1<<63:
		return "container", 0, true
	case u>>40 == 0xff0000:
		return "ttl", time.Duration(u&(1<<40-1)) * time.Millisecond, true
	}
	return "", 0, false
}

// SortIDs orders session ids as the unsigned numbers that they are printed as.
func SortIDs(ids []SessionID) {
	slices.SortFunc(ids, func(a, b SessionID) int { return cmp.Compare(uint64(a), uint64(b)) })
}

// IDTexts spells sessions as they are spelled everywhere.
func IDTexts(ids []SessionID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = id.String()
	}
	return out
}
