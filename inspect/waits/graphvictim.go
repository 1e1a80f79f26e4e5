package waits

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/zkscope/zkscope/inspect/model"
)

// victim chooses the member whose claim is best broken: what costs least. One that waits out of order comes first where
// its break ends the circle, since that is its doing. Else, where one rule leaves several, the next one decides:
//
//  1. somebody holds then: otherwise the circle does not end by it
//  2. the owner has no connection: nobody works under the lock any more
//  3. whoever is next is seen to take over: the circle is known to end
//  4. the fewest are in line for it: each of them may hold it while its owner, who is not told, works on
//  5. it came to hold last: the least was done under it
//
// reason is the rule that decided.
func (w *Waits) victim(c *Cycle) (best int, reason string) {
	for i := range c.Waits {
		if c.waitsItself(i) && c.Waits[i].Waiter.Reason == model.BehindLater && c.Breaks[i].Next != "" {
			return i, "it waits for a writer behind it, as kazoo before 2.9 does, and that one waits for it"
		}
	}
	left := make([]int, len(c.Breaks))
	for i := range left {
		left[i] = i
	}
	keep := func(why string, is func(i int) bool) {
		some := slices.DeleteFunc(slices.Clone(left), func(i int) bool { return !is(i) })
		if len(some) > 0 && len(some) < len(left) {
			left, reason = some, why
		}
	}
	keep("only after this break does somebody hold", func(i int) bool { return c.Breaks[i].Next != "" })
	keep("its session has no connection", func(i int) bool { return w.away(c.Breaks[i].Claim) })
	keep("whoever is next is seen to take over", func(i int) bool { return c.Breaks[i].Sure })
	fewest := c.inLine(slices.MinFunc(left, func(a, b int) int { return c.inLine(a) - c.inLine(b) }))
	keep("the fewest are in line for it ("+strconv.Itoa(fewest)+"), who may hold it while its owner works on",
		func(i int) bool { return c.inLine(i) == fewest })
	last := slices.MaxFunc(left, func(a, b int) int { return cameToHold(c.Breaks[a].Claim, c.Breaks[b].Claim) })
	keep("it came to hold last, so it has done least under its lock", func(i int) bool { return i == last })
	return left[0], reason
}

// away reports whether the client of a claim is known to be gone or cut off.
func (w *Waits) away(c *model.Claim) bool {
	snap := w.Result.Snapshot
	s, there := snap.Sessions[c.Session]
	return there && s.Connected != nil && !*s.Connected ||
		!there && snap.Sessions != nil && snap.ToldSessions() && c.AskedSince && c.Session != 0
}

// inLine counts the claims that wait in the line of the claim that a member of the cycle holds.
func (c *Cycle) inLine(i int) (n int) {
	m := c.held(i).Model
	for j := range m.Claims {
		if !model.Holding(m.Claims[j].Role()) {
			n++
		}
	}
	return n
}

// cameToHold compares when two claims came to hold, as far as that is known; else the later znode is the later one.
func cameToHold(a, b *model.Claim) int {
	return cmp.Or(a.Since().Compare(b.Since()), cmp.Compare(a.Czxid(), b.Czxid()))
}
