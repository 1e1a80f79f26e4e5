package lines

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/order"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/survey"
	"github.com/zkscope/zkscope/inspect/znode"
)

// lineChecks are the checks of a line, in the order in which equally severe findings are told.
var lineChecks = []func(*lineView){
	(*lineView).wrappedCounter,
	(*lineView).twice,
	(*lineView).lostWaiters,
	(*lineView).leaked,
	func(v *lineView) { v.CheckOwners() },
	(*lineView).persistent,
	(*lineView).demoted,
	(*lineView).mixedDialects,
	(*lineView).counterEnd,
	(*lineView).foreigners,
	func(v *lineView) { revokePending(&v.Builder) },
	func(v *lineView) { v.CheckDuplicates() },
	(*lineView).sessionsInNames,
	(*lineView).standby,
	func(v *lineView) { v.CheckExpected() },
	(*lineView).herd,
	(*lineView).CheckFlapping,
	func(v *lineView) { v.CheckUnread() },
}

// wrappedCounter names whom each rule would admit once the counter has turned negative.
func (v *lineView) wrappedCounter() {
	if !v.Line.Wrapped() {
		return
	}
	orders := []layout.Order{layout.ByArrival, layout.ByNumber, layout.ByText}
	if v.Line.Order == layout.ByMagnitude {
		orders = append(orders, layout.ByMagnitude)
	}
	admitted := make([]string, len(orders))
	var claims []*model.Claim
	for i, o := range orders {
		c := v.admitted(o)
		admitted[i] = o.String() + " admits " + say.Printable(c.Owner()) + " (" + strconv.FormatInt(c.Seq, 10) + ")"
		if !slices.Contains(claims, c) {
			claims = append(claims, c)
		}
	}
	severity, what := model.High, "the sequence counter has wrapped and clients disagree: "
	if len(claims) == 1 {
		severity, what = model.Medium, "the sequence counter has wrapped: "
	}
	v.AddFinding(model.CodeSeqWrapped, severity, what+strings.Join(admitted, ", ")+
		"; drain the line, then delete and recreate the directory", claims...)
}

func (v *lineView) admitted(o layout.Order) *model.Claim {
	first := 0
	for i := range v.Line.Queue {
		if order.Compare(o, &v.Line.Queue[i], &v.Line.Queue[first]) < 0 {
			first = i
		}
	}
	return &v.Model.Claims[first]
}

// stillFor is for how long a client that does not set its next watch may only stand still: its process hangs while its
// library keeps the session, and goes on where it was.
const stillFor = time.Minute

// standsStill reports whether the client of a claim may only stand still since a moment: nothing was seen of its work
// since, or its session was not heard.
func (v *lineView) standsStill(c *model.Claim, since time.Time) bool {
	if v.Snap.AskedAt.IsZero() {
		return false // a file: what it says is all there is
	}
	return !v.HeardAfter(c.Session, since) || !c.HasNote(model.NoteLively) && v.Snap.AsOf().Sub(since) < stillFor
}

// ownWay reports whether those who wait in the line may learn of their turn by other means: the recipe document's names
// are anybody's, and of a program that polls or watches the directory, which no server lists, nobody is ever seen to
// watch the claim ahead.
func (v *lineView) ownWay() bool {
	if v.Model.Dialect != layout.ZooKeeper {
		return false
	}
	if v.Memo.Old != nil && v.Memo.Old.Detail().Watched {
		v.Model.MakeDetail().Watched = true
	}
	for i := range v.Model.Claims {
		if v.Model.Claims[i].Proof() == model.Proven {
			v.Model.MakeDetail().Watched = true
		}
	}
	return !v.Model.Detail().Watched
}

// lostWaiters names those that are known not to watch what they wait for. A client that stands still altogether sets
// its watch when it goes on: it weighs less until something is seen of its work, or that took too long.
func (v *lineView) lostWaiters() {
	var lost, idle, others []*model.Claim
	ownWay := v.ownWay()
	for i := range v.Model.Claims {
		switch c := &v.Model.Claims[i]; {
		case c.Proof() != model.Refuted:
		case ownWay:
			c.SetNote(model.NoteMayStandStill, true)
			others = append(others, c)
		case v.standsStill(c, c.BlockedSince.Time()):
			c.SetNote(model.NoteMayStandStill, true)
			idle = append(idle, c)
		default:
			lost = append(lost, c)
		}
	}
	text := func(of []*model.Claim) string {
		return model.Names(of) + say.Choose(len(of), " waits", " wait") +
			" without a watch on the claim ahead: it will not wake by itself when that goes"
	}
	if len(lost) > 0 {
		v.AddFinding(model.CodeLostWaiter, model.High, text(lost)+", unless its client hangs and goes on", lost...)
	}
	if len(others) > 0 {
		v.AddFinding(model.CodeLostWaiter, model.Medium, text(others)+
			", unless its client watches the directory or polls: nobody in this line was seen to watch the claim ahead",
			others...)
	}
	if len(idle) > 0 {
		v.Volatile = true
		v.AddFinding(model.CodeLostWaiter, model.Medium, text(idle)+
			", unless its client only stands still: nothing was seen of its work since it came to wait there", idle...)
	}
}

// leaked names holders whose turn came while they did not watch for it: a client whose patience ended can leave its
// znode behind, which then keeps everybody waiting as long as its session lives. It weighs less for a while where its
// client may only stand still, or something else hid its watch at the end.
func (v *lineView) leaked() {
	var claims, idle []*model.Claim
	for i := range v.Model.Claims {
		c := &v.Model.Claims[i]
		was := v.Memo.Find(c)
		if c.TurnUnwatched = was != nil && model.Holding(c.Role()) && c.Reason != model.Downgraded &&
			(was.TurnUnwatched || was.HasNote(model.NoteDoubted)); !c.TurnUnwatched {
			continue
		}
		c.SetNote(model.NoteMayStandStill, was.HasNote(model.NoteMayStandStill) ||
			!was.TurnUnwatched && was.Proof() != model.Refuted)
		if c.RoleChangeSeen && (!v.HeardAfter(c.Session, c.Since()) ||
			c.HasNote(model.NoteMayStandStill) && v.Snap.AsOf().Sub(c.Since()) < stillFor) {
			idle = append(idle, c)
		} else {
			claims = append(claims, c)
		}
	}
	text := func(of []*model.Claim) string {
		return model.Names(of) + say.Choose(len(of), " holds", " hold") +
			" now and did not watch for it: the client has probably given up and forgotten its znode"
	}
	if len(claims) > 0 {
		v.AddFinding(model.CodeLeakedClaim, v.Blocking(claims), text(claims), claims...)
	}
	if len(idle) > 0 {
		v.Volatile = true
		v.AddFinding(model.CodeLeakedClaim, model.Medium, text(idle)+
			", unless it only stands still: nothing was seen of its work since", idle...)
	}
}

// demoted names claims that held and now wait although their znode is the same: their clients may not
// know it.
func (v *lineView) demoted() {
	for i := range v.Model.Claims {
		if c := &v.Model.Claims[i]; c.HeldBefore {
			v.AddFinding(model.CodeDowngraded, model.High, say.Printable(c.Owner())+" held until "+
				c.Since().UTC().Format("15:04:05")+
				" UTC and waits now by the order of the znodes; its client may believe that it still holds", c)
		}
	}
}

// counterEnd warns before the sequence counter ends, and when it has.
func (v *lineView) counterEnd() {
	if v.Line.Wrapped() {
		return
	}
	var last *model.Claim
	for i := range v.Model.Claims {
		if c := &v.Model.Claims[i]; last == nil || c.Seq > last.Seq {
			last = c
		}
	}
	if last != nil && last.Seq == math.MaxInt32 {
		v.AddFinding(model.CodeSeqStuck, model.High, say.Printable(last.Owner())+
			" has the last sequence number, 2147483647: nobody can join before its znode is gone (old servers count on from -2147483648)", last)
		return
	}
	next, certain, _ := layout.NextSequence(v.Node)
	if last != nil && last.Seq >= next {
		next, certain = last.Seq+1, true
	}
	left := int64(1<<31) - next
	if left > NearLimit {
		return
	}
	v.AddFinding(model.CodeSeqNearLimit, model.Medium, EndOfCounter(left, certain)+
		": drain the line, then delete and recreate the directory")
}

// EndOfCounter says how far the end of a sequence counter is.
func EndOfCounter(left int64, certain bool) string {
	text := say.Plural(int(left), "create", "creates") +
		" left before the counter goes negative or, on current servers, sticks at 2147483647"
	if !certain {
		text += " (or it has wrapped already)"
	}
	return text
}

// NearLimit is how many sequence numbers left are worth a warning: one in a hundred.
const NearLimit = 1 << 31 / 100

// revokePending names holders that were asked to let go.
func revokePending(v *survey.Builder) {
	for i := range v.Model.Claims {
		c := &v.Model.Claims[i]
		if !c.Revoked || !model.Holding(c.Role()) {
			continue
		}
		text := say.Printable(c.Owner()) + " was asked to let go and still holds"
		if c.Hears() == model.HearsUnlikely {
			text += "; it shows no sign of listening"
		}
		v.AddFinding(model.CodeRevokePending, model.Medium, text, c)
	}
}

// sessionsInNames checks names that mention a session against the owner, which is what counts.
func (v *lineView) sessionsInNames() {
	for i := range v.Line.Queue {
		p, c := &v.Line.Queue[i], &v.Model.Claims[i]
		if p.Guard&(layout.SessionGuard|layout.HexSessionGuard) == 0 || p.Owner == 0 || p.Session == p.Owner {
			continue
		}
		if d, err := strconv.ParseInt(p.GUID, 10, 64); err == nil && znode.SessionID(d) == p.Owner {
			continue // sixteen digits that were meant to be decimal
		}
		v.AddFinding(model.CodeNameSessionMismatch, model.Low, say.Visible(c.Node())+
			" mentions session "+p.Session.String()+
			", but "+c.Session.String()+" owns it", c)
	}
}

// standby compares the line behind its head with what a hint expects.
func (v *lineView) standby() {
	if v.Hint == nil || v.Hint.Standby == 0 {
		return
	}
	if behind := v.behind(); behind < v.Hint.Standby {
		v.AddFinding(model.CodeNoStandby, model.Medium, say.Plural(behind, "standby", "standbys")+", "+
			strconv.Itoa(v.Hint.Standby)+" expected")
	}
}

// behind is how many stand behind the head, or could take a leader's place where that does not show as a line.
func (v *lineView) behind() int {
	if h := v.Model.Detail().Heirs; h != nil {
		return len(h.By)
	}
	_, behind := v.Model.Split()
	return behind
}

// herd finds claims that more sessions watch and wait behind than can go on when they go. Readers who wait for a writer
// may all go on. Who has given up leaves its watch behind, and is no part of it.
func (v *lineView) herd() {
	worst, most, reading := -1, 1, 0
	for i := range v.Model.Claims {
		n, readers := v.together(&v.Model.Claims[i]), 0
		for j := range v.turns {
			if n-readers <= most {
				break
			}
			if v.turns[j].Watch == i && v.Line.Queue[j].Reads() {
				readers++
			}
		}
		if n-readers > most {
			worst, most, reading = i, n-readers, readers
		}
	}
	if worst >= 0 {
		c := &v.Model.Claims[worst]
		v.AddFinding(model.CodeHerd, herdSeverity(most), strconv.Itoa(most+reading)+" sessions watch the claim of "+
			say.Printable(c.Owner())+": all of them wake when it goes, and "+whoGoesOn(reading), c)
	}
}

// whoGoesOn says who of those that wake can go on.
func whoGoesOn(readers int) string {
	if readers == 0 {
		return "one can go on"
	}
	return "those that read can go on together (" + strconv.Itoa(readers) + "), or one of the others"
}

func herdSeverity(n int) model.Severity {
	if n >= 20 {
		return model.Medium
	}
	return model.Low
}

// together counts the sessions that watch a claim's znode at one time. The members' lists are of different moments, so
// that one round may list sessions that were never there together: those count that the round before had too.
func (v *lineView) together(c *model.Claim) int {
	watching := v.WatchesOn(c)
	if !v.alone && len(watching) > 1 {
		watching = v.Model.WaitersAmong(watching, c)
	}
	most := v.Watchers(watching, c.Session)
	if v.Formerly == nil || most < 2 {
		return most
	}
	before := v.Formerly[c.Path()]
	n := v.Watchers(slices.DeleteFunc(slices.Clone(watching),
		func(id znode.SessionID) bool { return !slices.Contains(before, id) }), c.Session)
	v.Volatile = v.Volatile || n < most // the next round tells
	return n
}
