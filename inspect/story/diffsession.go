package story

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// EventSessionEnded is a session that took many claims with it. What mattered most of that, locks and leaderships lost,
// is told by events of their own before it.
const EventSessionEnded = "session-ended"

const (
	manyGone   = 5                // so many claims that go with their session are told in one line
	mostLosses = 10               // so many locks and leaderships are told by themselves
	oneEnd     = 10 * time.Second // what goes within that time goes with the same end
)

// departs are the events of claims that are no more.
var departs = map[string]bool{EventLost: true, EventGone: true, EventReleased: true,
	EventSessionClosed: true, EventLetGo: true, EventLeft: true, EventRevokeObeyed: true, EventFreed: true,
	EventRemoved: true}

// onlySession is the session that all claims of a recipe belong to; 0 where there is no such one.
func onlySession(m *model.Model) (id znode.SessionID) {
	for i := range m.Claims {
		if c := &m.Claims[i]; i > 0 && c.Session != id {
			return 0
		} else if id = c.Session; id == 0 {
			return 0
		}
	}
	return id
}

// endings tells the end of a session that had many claims in one line, after those that mattered.
func (d *differ) endings(next *model.Result) {
	count := map[znode.SessionID]int{}
	for i := range d.events {
		if e := &d.events[i]; e.Session != 0 && departs[e.What] {
			count[e.Session]++
		}
	}
	ended := map[znode.SessionID]*Event{}
	for id, n := range count {
		if n >= manyGone {
			ended[id] = nil
		}
	}
	if d.leaveLiving(ended, next); len(ended) == 0 {
		return
	}
	told, order := map[znode.SessionID]int{}, []znode.SessionID{}
	d.events = slices.DeleteFunc(d.events, func(e Event) bool {
		sum, many := ended[e.Session]
		switch {
		case !many || !departs[e.What]:
			return false
		case e.Kind.Waits() && e.What != EventLeft && e.What != EventRemoved && told[e.Session] < mostLosses:
			told[e.Session]++
			return false
		case sum == nil:
			first := e
			first.What, first.Claim, first.Held, first.Waited, first.Count = EventSessionEnded, model.ClaimID{}, 0, 0, 1
			ended[e.Session], order = &first, append(order, e.Session)
			return true
		}
		sum.Count, sum.Path = sum.Count+1, commonPath(sum.Path, e.Path)
		return true
	})
	for _, id := range order {
		e := ended[id]
		e.Text = endingText(e)
		d.events = append(d.events, *e)
	}
}

// leaveLiving drops the sessions that still have a claim.
func (d *differ) leaveLiving(ended map[znode.SessionID]*Event, next *model.Result) {
	for m := range next.Models.All() {
		if len(ended) == 0 {
			return
		}
		for i := range m.Claims {
			delete(ended, m.Claims[i].Session)
		}
	}
}

func endingText(e *Event) string {
	who := "session " + e.Session.String()
	if e.Owner != e.Session.String() {
		who = say.Printable(e.Owner) + " (" + e.Session.String() + ")"
	}
	return who + ": the session has ended, and " + say.Plural(e.Count, "more claim", "more claims") + " went with it"
}

// With returns an event that tells of a later one too, where both are of the end of one session, or of claims that
// joined one recipe within a moment; else ok is false.
func (e Event) With(o Event) (sum Event, ok bool) {
	if e.What == EventJoined && o.What == EventJoined {
		return e.joinedWith(o)
	}
	if e.What != EventSessionEnded || o.What != EventSessionEnded || e.Session != o.Session || o.At.Sub(e.At) > oneEnd {
		return e, false
	}
	e.Count, e.Path = e.Count+o.Count, commonPath(e.Path, o.Path)
	e.Text = endingText(&e)
	return e, true
}

// joinedWith is With for claims that joined: whoever came first is named.
func (e Event) joinedWith(o Event) (sum Event, ok bool) {
	if e.Path != o.Path || !e.From.Equal(o.From) || o.At.Sub(e.At) > oneEnd {
		return e, false
	}
	alone := strings.TrimSuffix(e.Text, moreJoined(e.Count))
	e.Count = max(e.Count, 1) + max(o.Count, 1)
	e.Text = alone + moreJoined(e.Count)
	return e, true
}

// moreJoined says how many joined besides the first.
func moreJoined(n int) string {
	if n < 2 {
		return ""
	}
	return ", and " + strconv.Itoa(n-1) + " more"
}

// commonPath is the deepest znode above or at two paths.
func commonPath(a, b string) string {
	for a != "/" && a != b && !strings.HasPrefix(b, a+"/") {
		a, _ = znode.Split(a)
	}
	return a
}
