package actions

import (
	"fmt"
	"strconv"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// Scene is what offers are made from: a decoded snapshot and the claim that is looked at.
type Scene struct {
	Result *model.Result
	Hints  model.Hints
	Model  *model.Model
	Claim  *model.Claim
	Now    time.Time

	// Kept is the data that an earlier revoke of this claim overwrote; nil: there is none.
	Kept []byte
}

// Offers lists what can be done to the scene's claim or recipe, and what cannot, with the reason. A scene
// without a claim has the offers that concern the whole recipe. The order is stable. It is pure.
// It takes the same short time for every recipe: what would follow is worked out by Offer.Plan.
func Offers(s Scene) (out []Offer) {
	s.ways(func(w *way) bool {
		out = append(out, w.offer(s))
		return true
	})
	return out
}

// Find returns the offer for a verb, and looks at no other; ok is false when the scene has none. It is pure.
func Find(s Scene, verb Verb) (o Offer, ok bool) {
	s.ways(func(w *way) bool {
		if w.verb == verb {
			o, ok = w.offer(s), true
		}
		return !ok
	})
	return o, ok
}

// way is how a verb is offered: when it cannot be done, and what it would do.
type way struct {
	verb       Verb
	key, label string
	asks       string
	not        func(Scene) string // why it cannot be done; empty: it can
	plan       func(Scene) Plan   // called only where it can
}

func (w *way) offer(s Scene) Offer {
	o := Offer{Verb: w.verb, Key: w.key, Label: w.label, Asks: w.asks, Disabled: w.not(s)}
	if o.Disabled == "" {
		o.plan = func() Plan { return w.plan(s) }
	}
	return o
}

// ways calls do for each way of acting on the scene, until it says false.
func (s Scene) ways(do func(*way) bool) {
	if s.Model == nil {
		return
	}
	lists := [][]*way{nil, nil, nil, kinds[s.Model.Kind].recipe}
	if s.Claim != nil {
		lists[0], lists[1] = []*way{&revoke, &breakClaim}, kinds[s.Model.Kind].claim
		if s.Kept != nil {
			lists[2] = []*way{&restore}
		}
	}
	for _, list := range lists {
		for _, w := range list {
			if !do(w) {
				return
			}
		}
	}
}

// target pins the scene's claim.
func (s Scene) target() Target {
	return Target{s.Claim.Path(), s.Claim.Czxid(), s.Claim.Session, s.Claim.Version()}
}

// plan is the part that all verbs share.
func (s Scene) plan(v Verb) Plan {
	p := Plan{Verb: v, Recipe: s.Model.Path, Kind: s.Model.Kind, Name: s.Claim.Owner(), Target: s.target()}
	if n := s.Result.Snapshot.At(s.Claim.Path()); n != nil {
		p.OldData, p.Unread = n.Data, n.Has(znode.DataOmitted)
	}
	p.Guards = guards(p.Target)
	if comesAgain(s.Claim.Path()) {
		p.Guards = append(p.Guards, "the server compares the version only: a znode created again at this path in between is hit instead; the result says when that cannot be ruled out")
	}
	return p
}

// guards are the conditions of every change to a znode.
func guards(t Target) []string {
	of := " of session " + t.Owner.String()
	if t.Owner == 0 {
		of = ", of no session,"
	}
	return []string{fmt.Sprintf("read again after a sync, it is still czxid %d%s at version %d; else nothing is done", int64(t.Czxid), of, t.Version)}
}

// blind says why nothing can be done to a claim at all; empty when something can.
func (s Scene) blind() string {
	switch lost := s.lost(); {
	case lost != "":
		return lost
	case s.Claim == nil:
		return "nothing is there"
	case s.Claim.Czxid() == 0:
		return "the znode's stat could not be read, so it cannot be pinned"
	}
	return ""
}

// blindOr is blind, or what another check says.
func (s Scene) blindOr(check func() string) string {
	if why := s.blind(); why != "" {
		return why
	}
	return check()
}

// lost says that there is no connection; empty while there is.
func (s Scene) lost() string { return lostSince(s.Result.Snapshot) }

func lostSince(snap *znode.Snapshot) string {
	switch {
	case !snap.LostSince.IsZero():
		return "not connected: what is shown is as of " + snap.LostSince.UTC().Format("15:04:05")
	case withoutQuorum(snap):
		return "the servers have lost their quorum: they are read-only and take no writes"
	}
	return ""
}

// withoutQuorum reports whether every server that answered serves reads only.
func withoutQuorum(snap *znode.Snapshot) bool {
	answered := false
	for _, s := range snap.Servers {
		if s.Answered && s.Mode != "read-only" {
			return false
		}
		answered = answered || s.Answered
	}
	return answered
}

// hasChildren says that the claim's znode is no single one; empty when it is.
func (s Scene) hasChildren() string {
	if n := s.Result.Snapshot.At(s.Claim.Path()); n != nil && n.NumChildren > 0 {
		return fmt.Sprintf("%s has %d children: only a single znode is ever deleted", say.Printable(s.Claim.Path()), n.NumChildren)
	}
	return ""
}

func quote(b []byte) string {
	const most = 60
	text := say.Printable(string(b))
	if len(text) > most {
		return fmt.Sprintf("%d bytes", len(b))
	}
	return `"` + text + `"`
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

func holds(c *model.Claim) bool { return c.Role() == model.Holder || c.Role() == model.Leader }
