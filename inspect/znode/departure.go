package znode

// Departure is how a znode went, as a history records it.
type Departure struct {
	Path  string
	Czxid Zxid
	By    SessionID // the session that deleted it, or that it went with; 0: the server itself did
	End   SessionEnd
}

// SessionEnd is whether a znode went with its session, and who ended that.
type SessionEnd uint8

const (
	NotEnded      SessionEnd = iota // it was deleted
	EndedByClient                   // its client closed the session
	EndedByServer                   // the session expired, or an administrator ended it
)

// HowWent returns how a znode went; ok is false where nothing tells.
func (s *Snapshot) HowWent(path string, czxid Zxid) (d Departure, ok bool) {
	for i := len(s.Went) - 1; i >= 0; i-- {
		if d := s.Went[i]; d.Czxid == czxid && d.Path == path {
			return d, true
		}
	}
	return Departure{}, false
}
