package inspect

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// The lease: it is held until a moment in its data, by the clock and not by a session.
//
// Layouts:
//
//	P/lease_holder                            kazoo NonBlockingLease: JSON with holder and end, in UTC; beside it
//	P/<32 hex>__lock__<seq>                   the lock that is held while the lease is being taken
//	P/<n>/lease_holder                        kazoo MultiNonBlockingLease: several of them
//	LOCK/<scope>/<name>, JSON with OWNER      Helix: held by OWNER until TIMEOUT, milliseconds since the epoch;
//	                                          a requestor of a higher priority leaves its name beside it
//	shedlock/<name>, an instant               ShedLock: held until then; a release moves the instant back, so one in
//	                                          the past is no lease that ran out. Without data it is held, by a client
//	                                          that is older than the instants. Who holds it is stored nowhere
//
// A lease outlives its session, and its znode outlives the lease. Whether it has expired follows from the
// snapshot's clock, which need not be the holder's.
var leaseKind = kindRow{kind: Lease, weigh: weighLease, build: buildLease}

// term is what a lease's data says.
type term struct {
	holder  string
	end     time.Time
	ok      bool // the data was understood
	claimed string
}

func weighLease(x *dir) []Evidence {
	if x.node.Child("lease_holder") != nil {
		return []Evidence{{Lease, 5, "it has the lease_holder of kazoo's NonBlockingLease"}}
	}
	if slots := x.slots(); len(slots) > 0 {
		return []Evidence{{Lease, 5, "its children are numbered and have the lease_holder of kazoo's NonBlockingLease"}}
	}
	return nil
}

// slots returns the children that are numbers and hold a lease each.
func (x *dir) slots() (out []*Node) {
	for _, c := range x.node.Children {
		if hasLease(c) {
			out = append(out, c)
		}
	}
	return out
}

func buildLease(x *dir, why []Evidence) *Model {
	if x.place != nil && x.place.Dialect == ShedLock || isInstant(x.node.Data) || x.hint != nil && x.hint.Dialect == ShedLock {
		return x.recipe(Lease, ShedLock, 0.9, why).shedLock()
	}
	if len(x.node.Children) == 0 && len(x.node.Data) > 0 {
		b := x.recipe(Lease, x.placed(Helix), 0.9, why)
		return b.leases(termOfHelix, []*Node{x.node}, []string{x.path})
	}
	b := x.recipe(Lease, Kazoo, 0.95, why)
	x.parts = all
	var nodes []*Node
	var paths []string
	if n := x.node.Child("lease_holder"); n != nil {
		nodes, paths = append(nodes, n), append(paths, Join(x.path, n.Name))
	}
	for _, slot := range x.slots() {
		nodes = append(nodes, slot.Child("lease_holder"))
		paths = append(paths, Join(x.path, slot.Name)+"/lease_holder")
	}
	b.outsiders(func(c *Node) bool { return ParseName(c.Name).HasSeq || allDigits(c.Name) })
	return b.leases(termOfKazoo, nodes, paths)
}

// leases adds a claim for each lease that has a holder and settles the state.
func (b *builder) leases(read func([]byte) term, nodes []*Node, paths []string) *Model {
	state, unclear := Free, false
	for i, n := range nodes {
		t := read(n.Data)
		if !t.ok {
			unclear = true
			b.model.Findings = append(b.model.Findings, Finding{Code: CodeUnreadable, Severity: Medium,
				Text: "the data of the lease was not understood: whether it is held is not known", Paths: paths[i : i+1]})
			continue
		}
		if t.holder == "" {
			continue
		}
		c := b.item(n, paths[i], Holder, unsaid)
		c.called(t.holder, FromData)
		at := t.end.Format("2006-01-02 15:04:05") + " UTC"
		if t.end.After(b.snap.TakenAt) {
			state = Held
			c.say("until " + at)
			b.dir.due = sooner(b.dir.due, t.end)
		} else {
			c.ended = true
			c.say("expired at " + at)
			if state == Free {
				state = Expired
			}
		}
		if t.claimed != "" {
			c.say(c.Why() + "; " + Printable(t.claimed) + " asks for it")
		}
		b.model.detailed().until = t.end
	}
	if unclear && state == Free {
		state = Unknown
	}
	b.payload = true
	return b.finish(state)
}

// isInstant reports whether data is a moment as ShedLock writes it.
func isInstant(data []byte) bool {
	_, err := time.Parse(time.RFC3339Nano, strings.TrimSpace(string(data)))
	return err == nil
}

// shedLock ends one of ShedLock's locks.
func (b *builder) shedLock() *Model {
	b.payload = true
	n := b.node
	end, err := time.Parse(time.RFC3339Nano, strings.TrimSpace(string(n.Data)))
	switch {
	case n.Has(Unreadable), n.Has(DataOmitted):
		return b.finish(Unknown)
	case len(n.Data) == 0:
		b.item(n, b.path, Holder, unsaid).say("it has no data: an older client made it, and holds it until it deletes it")
		return b.finish(Held)
	case err != nil:
		b.model.Findings = append(b.model.Findings, Finding{Code: CodeUnreadable, Severity: Medium,
			Text: "the data of the lock was not understood: whether it is held is not known", Paths: []string{b.path}})
		return b.finish(Unknown)
	}
	b.model.detailed().until = end
	if !end.After(b.snap.TakenAt) {
		return b.finish(Free)
	}
	b.dir.due = sooner(b.dir.due, end)
	c := b.item(n, b.path, Holder, unsaid)
	c.tookRole(n.Mtime.Time()) // a lock is taken by writing its end
	c.say("until " + end.UTC().Format("2006-01-02 15:04:05") + " UTC; who holds it is stored nowhere")
	return b.finish(Held)
}

func termOfKazoo(data []byte) term {
	var v struct{ Holder, End string }
	if json.Unmarshal(data, &v) != nil {
		return term{}
	}
	if v.Holder == "" {
		return term{ok: true}
	}
	end, err := time.Parse("2006-01-02T15:04:05", v.End)
	return term{holder: v.Holder, end: end, ok: err == nil}
}

func termOfHelix(data []byte) term {
	var v struct{ SimpleFields map[string]string }
	if json.Unmarshal(data, &v) != nil || v.SimpleFields == nil {
		return term{}
	}
	f := v.SimpleFields
	if f["OWNER"] == "" {
		return term{ok: true}
	}
	ms, err := strconv.ParseInt(f["TIMEOUT"], 10, 64)
	return term{holder: f["OWNER"], end: time.UnixMilli(ms).UTC(), ok: err == nil, claimed: f["REQUESTOR_ID"]}
}
