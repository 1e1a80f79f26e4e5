package actions

import (
	"fmt"
	"strconv"
	"time"

	"github.com/zkscope/zkscope/inspect"
)

// Scene is what offers are made from: a decoded snapshot and the claim that is looked at.
type Scene struct {
	Result *inspect.Result
	Hints  inspect.Hints
	Model  *inspect.Model
	Claim  *inspect.Claim
	Now    time.Time

	// Kept is the data that an earlier revoke of this claim overwrote; nil: there is none.
	Kept []byte
}

// Offers lists what can be done to the scene's claim, and what cannot, with the reason. The order is
// stable. It is pure.
func Offers(s Scene) []Offer {
	if s.Model == nil || s.Claim == nil {
		return nil
	}
	offers := []Offer{revoke(s), breakClaim(s)}
	if s.Kept != nil {
		offers = append(offers, restore(s))
	}
	return offers
}

// Find returns the offer for a verb; ok is false when the scene has none.
func Find(offers []Offer, verb Verb) (o Offer, ok bool) {
	for _, o := range offers {
		if o.Verb == verb {
			return o, true
		}
	}
	return Offer{}, false
}

// target pins the scene's claim.
func (s Scene) target() Target {
	return Target{s.Claim.Path, s.Claim.Czxid, s.Claim.Session, s.Claim.Version}
}

// plan is the part that all verbs share.
func (s Scene) plan(v Verb) Plan {
	p := Plan{Verb: v, Recipe: s.Model.Path, Kind: s.Model.Kind, Name: s.Claim.Owner, Target: s.target()}
	if n := s.Result.Snapshot.At(s.Claim.Path); n != nil {
		p.OldData = n.Data
	}
	p.Guards = []string{
		"sync, then read the znode again",
		fmt.Sprintf("it is still czxid %d of session %s at version %d; else nothing is done", int64(p.Target.Czxid), p.Target.Owner, p.Target.Version),
	}
	return p
}

// blind says why nothing can be done to a claim at all; empty when something can.
func (s Scene) blind() string {
	snap := s.Result.Snapshot
	switch {
	case !snap.LostSince.IsZero():
		return "not connected: what is shown is as of " + snap.LostSince.UTC().Format("15:04:05")
	case s.Claim.Czxid == 0:
		return "the znode's stat could not be read, so it cannot be pinned"
	}
	return ""
}

func quote(b []byte) string {
	const most = 60
	text := inspect.Printable(string(b))
	if len(text) > most {
		return fmt.Sprintf("%d bytes", len(b))
	}
	return strconv.Quote(text)
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

func holds(c *inspect.Claim) bool { return c.Role == inspect.Holder || c.Role == inspect.Leader }
