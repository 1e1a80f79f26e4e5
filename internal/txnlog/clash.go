package txnlog

import "fmt"

// ClashError is that two members hold different transactions of one zxid: they are of different ensembles, or one was set
// up anew.
type ClashError struct {
	Zxid int64
	A, B string // the files
}

// Error names both files and the transaction.
func (e *ClashError) Error() string {
	return fmt.Sprintf("%s and %s hold different transactions 0x%x: they are not of one ensemble, or one of them was set up again; name the directories of one ensemble",
		e.A, e.B, e.Zxid)
}

// clash compares the record of a member with those of others that have its zxid: every member logs the same header.
func (m *Merged) clash(best int) error {
	a := &m.recs[best]
	for i := range m.recs {
		b := &m.recs[i]
		if i == best || !m.have[i] || b.Zxid != a.Zxid {
			continue
		}
		if a.Session != b.Session || a.Cxid != b.Cxid || a.Millis != b.Millis || a.Kind != b.Kind {
			return &ClashError{a.Zxid, m.streams[best].File(), m.streams[i].File()}
		}
	}
	return nil
}

// Dropped is a transaction that one member logged and the ensemble never committed: its leader died before a majority had
// it, and the others went on under another leader without it.
type Dropped struct {
	Zxid   int64
	Member int // by index
	File   string
}

// mostDropped is how many of them are remembered.
const mostDropped = 1000

// Dropped returns what was passed over so far, the first thousand of it.
func (m *Merged) Dropped() []Dropped { return m.dropped }

// isDropped reports whether a record that only one member has was never committed: most of the members that were given went
// on in a later epoch and lack it. A write is committed once a majority has logged it.
func (m *Merged) isDropped(best int) bool {
	lack := 0
	for i := range m.recs {
		if i != best && m.have[i] && m.recs[i].Zxid > m.recs[best].Zxid && m.recs[i].Epoch() > m.recs[best].Epoch() {
			lack++
		}
	}
	return 2*lack > len(m.streams)
}

// drop remembers a record that is passed over.
func (m *Merged) drop(best int) {
	if len(m.dropped) < mostDropped {
		m.dropped = append(m.dropped, Dropped{m.recs[best].Zxid, best, m.streams[best].File()})
	}
}
