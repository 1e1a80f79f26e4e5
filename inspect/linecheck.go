package inspect

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// lineChecks are the checks of a line, in the order in which equally severe findings are told.
var lineChecks = []func(*lineView){
	(*lineView).wrappedCounter,
	(*lineView).twice,
	(*lineView).lostWaiters,
	(*lineView).leaked,
	func(v *lineView) { v.owners() },
	(*lineView).persistent,
	(*lineView).demoted,
	(*lineView).mixedDialects,
	(*lineView).counterEnd,
	(*lineView).foreigners,
	func(v *lineView) { v.revokePending() },
	func(v *lineView) { v.duplicates() },
	(*lineView).sessionsInNames,
	(*lineView).standby,
	(*lineView).herd,
	(*lineView).flapping,
	func(v *lineView) { v.unread() },
}

// wrappedCounter names whom each rule would admit once the counter has turned negative.
func (v *lineView) wrappedCounter() {
	if !v.line.wrapped() {
		return
	}
	orders := []Order{ByArrival, ByNumber, ByText}
	if v.line.order == ByMagnitude {
		orders = append(orders, ByMagnitude)
	}
	admitted := make([]string, len(orders))
	var claims []*Claim
	for i, o := range orders {
		c := v.admitted(o)
		admitted[i] = o.String() + " admits " + Printable(c.Owner()) + " (" + strconv.FormatInt(c.Seq, 10) + ")"
		if !slices.Contains(claims, c) {
			claims = append(claims, c)
		}
	}
	severity, what := High, "the sequence counter has wrapped and clients disagree: "
	if len(claims) == 1 {
		severity, what = Medium, "the sequence counter has wrapped: "
	}
	v.add(CodeSeqWrapped, severity, what+strings.Join(admitted, ", ")+
		"; drain the line, then delete and recreate the directory", claims...)
}

func (v *lineView) admitted(o Order) *Claim {
	first := 0
	for i := range v.line.queue {
		if o.compare(&v.line.queue[i], &v.line.queue[first]) < 0 {
			first = i
		}
	}
	return &v.model.Claims[first]
}

// stillFor is for how long a client that does not set its next watch may only stand still: its process hangs while its
// library keeps the session, and goes on where it was.
const stillFor = time.Minute

// standsStill reports whether the client of a claim may only stand still since a moment: nothing was seen of its work since,
// or its session was not heard.
func (v *lineView) standsStill(c *Claim, since time.Time) bool {
	if v.snap.AskedAt.IsZero() {
		return false // a file: what it says is all there is
	}
	return !v.heardAfter(c.Session, since) || !c.is(lively) && v.snap.asOf().Sub(since) < stillFor
}

// ownWay reports whether those who wait in the line may learn of their turn by other means: the recipe document's names
// are anybody's, and of a program that polls or watches the directory, which no server lists, nobody is ever seen to watch
// the claim ahead.
func (v *lineView) ownWay() bool {
	if v.model.Dialect != ZooKeeper {
		return false
	}
	if v.memo.old != nil && v.memo.old.detail().watched {
		v.model.detailed().watched = true
	}
	for i := range v.model.Claims {
		if v.model.Claims[i].Proof() == Proven {
			v.model.detailed().watched = true
		}
	}
	return !v.model.detail().watched
}

// lostWaiters names those that are known not to watch what they wait for. A client that stands still altogether sets its
// watch when it goes on: it weighs less until something is seen of its work, or that took too long.
func (v *lineView) lostWaiters() {
	var lost, idle, others []*Claim
	ownWay := v.ownWay()
	for i := range v.model.Claims {
		switch c := &v.model.Claims[i]; {
		case c.Proof() != Refuted:
		case ownWay:
			c.mark(still, true)
			others = append(others, c)
		case v.standsStill(c, c.behind.time()):
			c.mark(still, true)
			idle = append(idle, c)
		default:
			lost = append(lost, c)
		}
	}
	text := func(of []*Claim) string {
		return names(of) + choose(len(of), " waits", " wait") + " without a watch on the claim ahead: it will not wake by itself when that goes"
	}
	if len(lost) > 0 {
		v.add(CodeLostWaiter, High, text(lost)+", unless its client hangs and goes on", lost...)
	}
	if len(others) > 0 {
		v.add(CodeLostWaiter, Medium, text(others)+", unless its client watches the directory or polls: nobody in this line was seen to watch the claim ahead", others...)
	}
	if len(idle) > 0 {
		v.volatile = true
		v.add(CodeLostWaiter, Medium, text(idle)+", unless its client only stands still: nothing was seen of its work since it came to wait there", idle...)
	}
}

// leaked names holders whose turn came while they did not watch for it: a client whose patience ended can leave its
// znode behind, which then keeps everybody waiting as long as its session lives. It weighs less for a while where its client
// may only stand still, or something else hid its watch at the end.
func (v *lineView) leaked() {
	var claims, idle []*Claim
	for i := range v.model.Claims {
		c := &v.model.Claims[i]
		was := v.memo.find(c)
		if c.leaked = was != nil && holding(c.Role()) && c.reason != downgraded && (was.leaked || was.is(doubted)); !c.leaked {
			continue
		}
		c.mark(still, was.is(still) || !was.leaked && was.Proof() != Refuted)
		if c.SinceSeen && (!v.heardAfter(c.Session, c.Since()) || c.is(still) && v.snap.asOf().Sub(c.Since()) < stillFor) {
			idle = append(idle, c)
		} else {
			claims = append(claims, c)
		}
	}
	text := func(of []*Claim) string {
		return names(of) + choose(len(of), " holds", " hold") + " now and did not watch for it: the client has probably given up and forgotten its znode"
	}
	if len(claims) > 0 {
		v.add(CodeLeakedClaim, v.blocking(claims), text(claims), claims...)
	}
	if len(idle) > 0 {
		v.volatile = true
		v.add(CodeLeakedClaim, Medium, text(idle)+", unless it only stands still: nothing was seen of its work since", idle...)
	}
}

// demoted names claims that held and now wait although their znode is the same: their clients may not
// know it.
func (v *lineView) demoted() {
	for i := range v.model.Claims {
		if c := &v.model.Claims[i]; c.held {
			v.add(CodeDowngraded, High, Printable(c.Owner())+" held until "+c.Since().UTC().Format("15:04:05")+
				" UTC and waits now by the order of the znodes; its client may believe that it still holds", c)
		}
	}
}

// counterEnd warns before the sequence counter ends, and when it has.
func (v *lineView) counterEnd() {
	if v.line.wrapped() {
		return
	}
	var last *Claim
	for i := range v.model.Claims {
		if c := &v.model.Claims[i]; last == nil || c.Seq > last.Seq {
			last = c
		}
	}
	if last != nil && last.Seq == math.MaxInt32 {
		v.add(CodeSeqStuck, High, Printable(last.Owner())+" has the last sequence number, 2147483647: nobody can join before its znode is gone (old servers count on from -2147483648)", last)
		return
	}
	next, certain, _ := v.node.NextSequence()
	if last != nil && last.Seq >= next {
		next, certain = last.Seq+1, true
	}
	left := int64(1<<31) - next
	if left > nearLimit {
		return
	}
	v.add(CodeSeqNearLimit, Medium, endOfCounter(left, certain)+": drain the line, then delete and recreate the directory")
}

// endOfCounter says how far the end of a sequence counter is.
func endOfCounter(left int64, certain bool) string {
	text := plural(int(left), "create", "creates") + " left before the counter goes negative or, on current servers, sticks at 2147483647"
	if !certain {
		text += " (or it has wrapped already)"
	}
	return text
}

// nearLimit is how many sequence numbers left are worth a warning: one in a hundred.
const nearLimit = 1 << 31 / 100

// revokePending names holders that were asked to let go.
func (v *builder) revokePending() {
	for i := range v.model.Claims {
		c := &v.model.Claims[i]
		if !c.Revoked || !holding(c.Role()) {
			continue
		}
		text := Printable(c.Owner()) + " was asked to let go and still holds"
		if c.Hears() == HearsUnlikely {
			text += "; it shows no sign of listening"
		}
		v.add(CodeRevokePending, Medium, text, c)
	}
}

// duplicates names owners of which there seem to be two. Bare addresses are shared by right.
func (v *builder) duplicates() {
	seen := make(map[string]*Claim)
	for i := range v.model.Claims {
		c := &v.model.Claims[i]
		if c.OwnerSource() != FromData || c.Session == 0 || bareAddress(c.Owner()) {
			continue
		}
		first := seen[c.Owner()]
		switch {
		case first == nil:
			seen[c.Owner()] = c
		case first.Session != c.Session:
			v.add(CodeDuplicateIdentity, Medium, "two sessions call themselves "+visible(c.Owner())+
				": a restarted process beside its old session, or two configured alike", first, c)
		}
	}
}

// sessionsInNames checks names that mention a session against the owner, which is what counts.
func (v *lineView) sessionsInNames() {
	for i := range v.line.queue {
		p, c := &v.line.queue[i], &v.model.Claims[i]
		if p.Guard&(SessionGuard|HexSessionGuard) == 0 || p.session == 0 || p.Session == p.session {
			continue
		}
		if d, err := strconv.ParseInt(p.GUID, 10, 64); err == nil && SessionID(d) == p.session {
			continue // sixteen digits that were meant to be decimal
		}
		v.add(CodeNameSessionMismatch, Low, visible(c.Node())+" mentions session "+p.Session.String()+
			", but "+c.Session.String()+" owns it", c)
	}
}

// standby compares the line behind its head with what a hint expects.
func (v *lineView) standby() {
	if v.hint == nil || v.hint.Standby == 0 {
		return
	}
	if behind := v.behind(); behind < v.hint.Standby {
		v.add(CodeNoStandby, Medium, strconv.Itoa(behind)+choose(behind, " stands", " stand")+" by, "+
			strconv.Itoa(v.hint.Standby)+" expected")
	}
}

// behind is how many stand behind the head, or could take a leader's place where that does not show as a line.
func (v *lineView) behind() int {
	if h := v.model.detail().heirs; h != nil {
		return len(h.by)
	}
	_, behind := v.model.split()
	return behind
}

// herd finds claims that more sessions watch and wait behind than can go on when they go. Readers who wait for a writer
// may all go on. Who has given up leaves its watch behind, and is no part of it.
func (v *lineView) herd() {
	worst, most, reading := -1, 1, 0
	for i := range v.model.Claims {
		n, readers := v.together(&v.model.Claims[i]), 0
		for j := range v.turns {
			if n-readers <= most {
				break
			}
			if v.turns[j].watch == i && v.line.queue[j].reads() {
				readers++
			}
		}
		if n-readers > most {
			worst, most, reading = i, n-readers, readers
		}
	}
	if worst >= 0 {
		c := &v.model.Claims[worst]
		v.add(CodeHerd, herdSeverity(most), strconv.Itoa(most+reading)+" sessions watch the claim of "+Printable(c.Owner())+": all of them wake when it goes, and "+whoGoesOn(reading), c)
	}
}

// whoGoesOn says who of those that wake can go on.
func whoGoesOn(readers int) string {
	if readers == 0 {
		return "one can go on"
	}
	return "those that read can go on together (" + strconv.Itoa(readers) + "), or one of the others"
}

func herdSeverity(n int) Severity {
	if n >= 20 {
		return Medium
	}
	return Low
}

// together counts the sessions that watch a claim's znode at one time. The members' lists are of different moments, so
// that one round may list sessions that were never there together: those count that the round before had too.
func (v *lineView) together(c *Claim) int {
	watching := v.watchesOn(c)
	if !v.alone && len(watching) > 1 {
		watching = v.model.waitersAmong(watching)
	}
	most := v.watchers(watching, c.Session)
	if v.formerly == nil || most < 2 {
		return most
	}
	before := v.formerly[c.Path()]
	n := v.watchers(slices.DeleteFunc(slices.Clone(watching), func(id SessionID) bool { return !slices.Contains(before, id) }), c.Session)
	v.volatile = v.volatile || n < most // the next round tells
	return n
}

// waitersAmong returns those of some sessions that have a claim in the recipe that does not hold.
func (m *Model) waitersAmong(ids []SessionID) []SessionID {
	waits := make(map[SessionID]bool, len(m.Claims))
	for i := range m.Claims {
		if c := &m.Claims[i]; !holding(c.Role()) {
			waits[c.Session] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(ids), func(id SessionID) bool { return !waits[id] })
}

// watchesOn returns the sessions that watch a claim's znode.
func (d *decoder) watchesOn(c *Claim) []SessionID {
	if len(d.snap.Watches) == 0 {
		return nil
	}
	d.path = c.appendPath(d.path[:0])
	return d.snap.Watches[string(d.path)]
}

// watchers counts those of the sessions that watch a znode that are neither its owner nor ourselves.
func (d *decoder) watchers(watching []SessionID, owner SessionID) (n int) {
	for _, id := range watching {
		if id != owner && !slices.Contains(d.own, id) {
			n++
		}
	}
	return n
}

// unread tells what of the claims could not be read, and the directory if it was not listed.
func (v *builder) unread() {
	var hidden, unknown, large []*Claim
	for i := range v.model.Claims {
		c := &v.model.Claims[i]
		n := c.znode()
		switch {
		case n.Has(NameOnly):
		case n.Has(NoStat):
			unknown = append(unknown, c)
		case n.Has(Unreadable):
			hidden = append(hidden, c)
		case n.Has(DataOmitted), len(n.Data) > maxOwner && c.OwnerSource() != FromData:
			large = append(large, c)
		}
	}
	if len(unknown) > 0 {
		v.add(CodeUnreadable, Medium, plural(len(unknown), "claim", "claims")+" could not be read at all: whether a session owns "+
			choose(len(unknown), "it", "them")+" is not known", unknown...)
	}
	if len(hidden) > 0 {
		v.add(CodeUnreadable, Low, "no permission to read the data of "+plural(len(hidden), "claim", "claims")+": "+names(hidden), hidden...)
	}
	if len(large) > 0 {
		v.add(CodeTooLarge, Low, "the data of "+plural(len(large), "claim is", "claims are")+" too large for a name: "+names(large), large...)
	}
	v.namesOnly()
	if n := v.node; n.unlisted() {
		why := n.whyUnlisted()
		v.add(unlistedCodes[why], Medium, plural(int(n.NumChildren), "child", "children")+", "+notListed[why]+": who holds is not known")
	}
}
