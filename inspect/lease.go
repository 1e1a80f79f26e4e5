package inspect

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/survey"
	"github.com/zkscope/zkscope/inspect/znode"
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
var leaseKind = survey.KindRow{Kind: layout.Lease, Weigh: weighLease, Build: buildLease}

// term is what a lease's data says.
type term struct {
	holder  string
	end     time.Time
	ok      bool // the data was understood
	claimed string
}

func weighLease(x *survey.Dir) []survey.Evidence {
	if x.Node.Child("lease_holder") != nil {
		return []survey.Evidence{{Kind: layout.Lease, Weight: 5,
			Why: "it has the lease_holder of kazoo's NonBlockingLease"}}
	}
	if slots := slots(x); len(slots) > 0 {
		return []survey.Evidence{{Kind: layout.Lease, Weight: 5,
			Why: "its children are numbered and have the lease_holder of kazoo's NonBlockingLease"}}
	}
	return nil
}

// slots returns the children that are numbers and hold a lease each.
func slots(x *survey.Dir) (out []*znode.Node) {
	for _, c := range x.Node.Children {
		if layout.HasLease(c) {
			out = append(out, c)
		}
	}
	return out
}

func buildLease(x *survey.Dir, why []survey.Evidence) *model.Model {
	if x.Place != nil && x.Place.Dialect == layout.ShedLock || isInstant(x.Node.Data) ||
		x.Hint != nil && x.Hint.Dialect == layout.ShedLock {
		return shedLock(x.Recipe(layout.Lease, layout.ShedLock, 0.9, why))
	}
	if len(x.Node.Children) == 0 && len(x.Node.Data) > 0 {
		b := x.Recipe(layout.Lease, x.DialectOr(layout.Helix), 0.9, why)
		return leases(b, termOfHelix, []*znode.Node{x.Node}, []string{x.Path})
	}
	b := x.Recipe(layout.Lease, layout.Kazoo, 0.95, why)
	x.Parts = survey.AllChildren
	var nodes []*znode.Node
	var paths []string
	if n := x.Node.Child("lease_holder"); n != nil {
		nodes, paths = append(nodes, n), append(paths, znode.Join(x.Path, n.Name))
	}
	for _, slot := range slots(x) {
		nodes = append(nodes, slot.Child("lease_holder"))
		paths = append(paths, znode.Join(x.Path, slot.Name)+"/lease_holder")
	}
	b.ListForeign(func(c *znode.Node) bool { return layout.ParseName(c.Name).HasSeq || layout.IsDigits(c.Name) })
	return leases(b, termOfKazoo, nodes, paths)
}

// leases adds a claim for each lease that has a holder and settles the state.
func leases(b *survey.Builder, read func([]byte) term, nodes []*znode.Node, paths []string) *model.Model {
	state, unclear := model.Free, false
	for i, n := range nodes {
		t := read(n.Data)
		if !t.ok {
			unclear = true
			b.Model.Findings = append(b.Model.Findings,
				model.Finding{Code: model.CodeUnreadable, Severity: model.Medium,
					Text:  "the data of the lease was not understood: whether it is held is not known",
					Paths: paths[i : i+1]})
			continue
		}
		if t.holder == "" {
			continue
		}
		c := b.Item(n, paths[i], model.Holder, model.Unsaid)
		c.SetOwner(t.holder, model.FromData)
		at := t.end.Format("2006-01-02 15:04:05") + " UTC"
		if t.end.After(b.Snap.TakenAt) {
			state = model.Held
			c.SetWhy("until " + at)
			b.Dir.Due = survey.Sooner(b.Dir.Due, t.end)
		} else {
			c.Ended = true
			c.SetWhy("expired at " + at)
			if state == model.Free {
				state = model.Expired
			}
		}
		if t.claimed != "" {
			c.SetWhy(c.Why() + "; " + say.Printable(t.claimed) + " asks for it")
		}
		b.Model.MakeDetail().Until = t.end
	}
	if unclear && state == model.Free {
		state = model.Unknown
	}
	b.Payload = true
	return b.Finish(state)
}

// isInstant reports whether data is a moment as ShedLock writes it.
func isInstant(data []byte) bool {
	_, err := time.Parse(time.RFC3339Nano, strings.TrimSpace(string(data)))
	return err == nil
}

// shedLock ends one of ShedLock's locks.
func shedLock(b *survey.Builder) *model.Model {
	b.Payload = true
	n := b.Node
	end, err := time.Parse(time.RFC3339Nano, strings.TrimSpace(string(n.Data)))
	switch {
	case n.Has(znode.Unreadable), n.Has(znode.DataOmitted):
		return b.Finish(model.Unknown)
	case len(n.Data) == 0:
		b.Item(n, b.Path, model.Holder,
			model.Unsaid).SetWhy("it has no data: an older client made it, and holds it until it deletes it")
		return b.Finish(model.Held)
	case err != nil:
		b.Model.Findings = append(b.Model.Findings, model.Finding{Code: model.CodeUnreadable, Severity: model.Medium,
			Text: "the data of the lock was not understood: whether it is held is not known", Paths: []string{b.Path}})
		return b.Finish(model.Unknown)
	}
	b.Model.MakeDetail().Until = end
	if !end.After(b.Snap.TakenAt) {
		return b.Finish(model.Free)
	}
	b.Dir.Due = survey.Sooner(b.Dir.Due, end)
	c := b.Item(n, b.Path, model.Holder, model.Unsaid)
	c.SetRoleSince(n.Mtime.Time()) // a lock is taken by writing its end
	c.SetWhy("until " + end.UTC().Format("2006-01-02 15:04:05") + " UTC; who holds it is stored nowhere")
	return b.Finish(model.Held)
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
