package lines

import (
	"slices"
	"strconv"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/order"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/survey"
	"github.com/zkscope/zkscope/inspect/znode"
)

// The semaphore: up to a limit hold together, the others wait.
//
// Layouts:
//
//	P/leases/_c_<uuid>-lease-<seq>       Curator InterProcessSemaphoreV2 and InterProcessSemaphoreMutex: who
//	P/locks/_c_<uuid>-lock-<seq>         holds, and the line in which clients come to ask for a lease
//	P/<32 hex>, the limit as P's data    kazoo Semaphore: who holds;
//	P-__lock__/<32 hex>__lock__<seq>     beside it the line for the next lease
//	sem<seq>                             zk-ruby
//	semaphore-<seq>                      madelson: the data ACQUIRED marks who holds
//	any spelling of a lock               by a hint with a limit: the first ones hold
//
// Only kazoo stores its limit. In Curator's layout a client asks for its lease while it heads the line and
// keeps that place until the lease is granted: where the head of the line owns the newest lease, that
// lease waits still, and the limit is one less than there are leases. The only lease holds, since a limit is at
// least 1: its place in line is about to go. Otherwise every lease holds and the limit is not known. A session may
// hold several leases. Which places in kazoo's line are about to go, leaseplace.go tells.
var SemaphoreKind = survey.KindRow{Kind: layout.Semaphore, Weigh: weighSemaphore, Build: buildSemaphore}

func weighSemaphore(x *survey.Dir) []survey.Evidence {
	switch {
	case isCuratorSemaphore(x):
		return []survey.Evidence{{Kind: layout.Semaphore, Weight: 2,
			Why: "it has the locks and leases of Curator's InterProcessSemaphoreV2"}}
	case isKazooSemaphore(x):
		text := "its children are bare ids and its data is a limit"
		if _, ok := decimal(x.Node.Data); !ok {
			text = "its children are bare ids and the line for them stands beside it"
		}
		return []survey.Evidence{{Kind: layout.Semaphore, Weight: 2, Why: text + ", as kazoo's Semaphore has it"}}
	}
	if n := x.SetOf(layout.Semaphore); n > 0 {
		return []survey.Evidence{{Kind: layout.Semaphore, Weight: 1, Why: say.Plural(n, "child is", "children are") +
			" spelled like " + x.Set[0].Layout.About}}
	}
	return nil
}

// setHas reports whether a child of another spelling is of a row.
func setHas(x *survey.Dir, id string) bool {
	return slices.ContainsFunc(x.Set, func(p order.Place) bool { return p.Layout.ID == id })
}

// isCuratorSemaphore reports whether the directory has leases and, where it has them, locks of Curator's.
func isCuratorSemaphore(x *survey.Dir) bool {
	leases, locks := x.Node.Child("leases"), x.Node.Child("locks")
	if leases == nil || !spelled(leases, "lease-") || locks != nil && !spelled(locks, "lock-") {
		return false
	}
	return locks != nil || len(leases.Children) > 0
}

// spelled reports whether some children carry Curator's guard and a word, or there are none.
func spelled(n *znode.Node, word string) bool {
	if n.Ephemeral() {
		return false
	}
	return len(n.Children) == 0 || slices.ContainsFunc(n.Children, func(c *znode.Node) bool {
		name := layout.ParseName(c.Name)
		return name.Guard == layout.CuratorGuard && name.Word == word
	})
}

// isKazooSemaphore reports whether the children are bare ids and the data is a limit, or a line for them
// stands beside the directory.
func isKazooSemaphore(x *survey.Dir) bool {
	s := x.Count()
	if s.BareHex+s.BareUUID == 0 || s.BareHex+s.BareUUID != s.Ephemeral {
		return false
	}
	if _, ok := decimal(x.Node.Data); ok {
		return true
	}
	return x.DependOn(x.Path+layout.LineSuffix) != nil
}

// decimal reads data that is a small decimal number and nothing else.
func decimal(data []byte) (int, bool) {
	if len(data) == 0 || len(data) > 9 || !layout.IsDigits(string(data)) {
		return 0, false
	}
	n, err := strconv.Atoi(string(data))
	return n, err == nil
}

func buildSemaphore(x *survey.Dir, why []survey.Evidence) *model.Model {
	switch {
	case isCuratorSemaphore(x):
		return buildCuratorSemaphore(x, why)
	case x.SetOf(layout.Semaphore) > 0:
		return buildMarkedSemaphore(x, why)
	case len(x.Line.Queue) > 0:
		m := buildLine(x, layout.Semaphore, why)
		if x.Line.Limit > 1 {
			m.Numbers.Set("limit", int64(x.Line.Limit))
		}
		first, _ := m.Split()
		m.State = semaphoreState(len(first), x.Line.Limit, x.Line.Limit > 1)
		return m
	}
	return buildKazooSemaphore(x, why)
}

// semaphoreState is the state of a semaphore of which n leases hold.
func semaphoreState(n, limit int, known bool) model.State {
	switch {
	case n == 0:
		return model.Free
	case !known || n < limit:
		return model.Held
	case n == limit:
		return model.Full
	}
	return model.Over
}

// semaphoreLimit returns the hinted limit, else the given one.
func semaphoreLimit(b *survey.Builder, limit int, known bool) (int, bool) {
	if b.Hint != nil && b.Hint.Limit > 0 {
		limit, known = b.Hint.Limit, true
	}
	if known {
		b.Number("limit", limit)
	}
	return limit, known
}

// settleSemaphore ends a semaphore whose holders come first: the waiters' turn, the limit, the state.
func settleSemaphore(b *survey.Builder, limit int, known bool, head string) *model.Model {
	m := b.Model
	first, _ := m.Split()
	if known && len(first) > limit {
		b.AddFinding(model.CodeOverLimit, model.High, strconv.Itoa(len(first))+
			" hold and the limit is "+strconv.Itoa(limit)+
			": over-subscribed by "+strconv.Itoa(len(first)-limit), first[limit:]...)
	}
	explainWaiters(b, len(first), head)
	var kept []*model.Claim
	for _, c := range first {
		if c.Session == 0 && !c.Znode().Has(znode.NoStat) {
			kept = append(kept, c)
		}
	}
	CheckPersistent(b, kept)
	return b.Finish(semaphoreState(len(first), limit, known))
}

// explainWaiters explains those who stand behind n holders: the first waits for any of them to let go, the others
// for the one ahead. head is the znode by which the first stands in line where its claim is another; empty: it is not.
func explainWaiters(b *survey.Builder, n int, head string) {
	m := b.Model
	for i := n; i < len(m.Claims); i++ {
		c := &m.Claims[i]
		c.SetProof(model.Likely)
		switch {
		case i > n:
			c.Reason = model.BehindInLine
			c.SetBlockers(i-1, i)
			path := c.Ahead().Path()
			if i == n+1 && head != "" {
				path = head
			}
			proveInLine(b, c, path)
		case n > 0:
			c.Reason = model.FirstBehindHolders
			c.SetBlockers(0, n)
		default:
			c.Reason = model.FirstForLease
		}
	}
}

// proveInLine raises a wait to proven where its session is seen watching the znode ahead, and did not watch it before
// the claim came to stand behind that. That no such watch is seen refutes nothing.
func proveInLine(b *survey.Builder, c *model.Claim, path string) {
	was := b.Memo.Find(c)
	if was != nil && was.Ahead() != nil && was.Ahead().At(c.Ahead()) {
		c.SetNote(model.NoteEarlierWatch, was.HasNote(model.NoteEarlierWatch))
	} else if !b.First {
		c.SetNote(model.NoteEarlierWatch, slices.Contains(b.Decoder.Prev.Snapshot.Watches[path], c.Session))
	}
	switch {
	case c.Session == 0 || !slices.Contains(b.Snap.Watches[path], c.Session):
		c.SetNote(model.NoteEarlierWatch, false)
	case !c.HasNote(model.NoteEarlierWatch):
		c.SetProof(model.Proven)
	}
}

func buildCuratorSemaphore(x *survey.Dir, why []survey.Evidence) *model.Model {
	b := x.Recipe(layout.Semaphore, x.DialectOr(layout.Curator), 0.95, why)
	x.Parts = survey.FurnitureOnly
	leases, lines := x.Node.Child("leases"), x.Node.Child("locks")
	held := ChildrenWith(leases, "lease-")
	var queue []order.Place
	if lines != nil {
		queue = ChildrenWith(lines, "lock-")
	}
	if len(held)+len(queue) == 0 {
		b.Model.Confidence = min(b.Model.Confidence, 0.6)
	}
	asks := len(queue) > 0 && len(held) > 0 && queue[0].Owner != 0 && queue[0].Owner == held[len(held)-1].Owner
	waits := asks && len(held) > 1
	limit, known := 0, false
	if waits {
		limit, known = len(held)-1, true
	}
	for i := range held {
		role := model.Holder
		if waits && i == len(held)-1 {
			role = model.Waiter
		}
		b.Claim(held[i].Node, x.Path+"/leases/"+held[i].Text, role, model.HasLeaseNow).SetSeq(&held[i].Name)
	}
	head := ""
	if waits {
		head = znode.Join(x.Path+"/locks", queue[0].Text)
	}
	if asks {
		queue = queue[1:]
	}
	if waits {
		b.Model.Why = append(b.Model.Why,
			"the limit is inferred: the head of the line asked for the newest lease and waits still")
	}
	for i := range queue {
		b.Claim(queue[i].Node, znode.Join(x.Path+"/locks", queue[i].Text), model.Waiter,
			model.Unsaid).SetSeq(&queue[i].Name)
	}
	b.ListForeign(func(*znode.Node) bool { return false })
	limit, known = semaphoreLimit(b, limit, known)
	return settleSemaphore(b, limit, known, head)
}

// ChildrenWith reads the children of a directory that carry a word, in Curator's order.
func ChildrenWith(n *znode.Node, word string) (out []order.Place) {
	for _, c := range n.Children {
		if name := layout.ParseName(c.Name); name.HasSeq && name.Word == word {
			out = append(out, order.Place{Name: name, Node: c, Czxid: c.Czxid, Owner: c.Owner,
				Layout: layout.KazooLeaseRow}) // of any client: order.Compare asks it for the mode, and none of them reads
		}
	}
	slices.SortFunc(out, func(a, b order.Place) int { return order.Compare(layout.ByText, &a, &b) })
	return out
}

func buildKazooSemaphore(x *survey.Dir, why []survey.Evidence) *model.Model {
	d, hinted := layout.Kazoo, x.Hint.KindOf() == layout.Semaphore
	if s := x.Count(); hinted && s.BareHex+s.BareUUID == 0 {
		d = layout.Generic
	}
	b := x.Recipe(layout.Semaphore, d, 0.9, why)
	var held []*znode.Node
	isLease := func(c *znode.Node) bool {
		return c.Ephemeral() && (hinted || layout.IsBareHex(c.Name) || layout.IsUUID(c.Name))
	}
	for _, c := range x.Node.Children {
		if isLease(c) {
			held = append(held, c)
		}
	}
	survey.ByArrival(held)
	for _, c := range held {
		b.Claim(c, znode.Join(x.Path, c.Name), model.Holder, model.HasLeaseNow)
	}
	if line := x.DependOn(x.Path + layout.LineSuffix); line != nil {
		queue := ChildrenWith(line, "__lock__")
		for i := range queue {
			path := znode.Join(x.Path+layout.LineSuffix, queue[i].Text)
			c := b.Claim(queue[i].Node, path, model.Waiter, model.Unsaid)
			if c.SetSeq(&queue[i].Name); i == 0 && hasLease(b, line, c) {
				b.Model.Claims = b.Model.Claims[:len(held)] // it waits no more
			}
		}
	}
	b.ListForeign(isLease)
	limit, known := decimal(x.Node.Data)
	limit, known = semaphoreLimit(b, limit, known)
	return settleSemaphore(b, limit, known, "")
}

// buildMarkedSemaphore builds a semaphore whose holders and waiters stand side by side.
func buildMarkedSemaphore(x *survey.Dir, why []survey.Evidence) *model.Model {
	row := x.Set[0].Layout
	b := x.Recipe(layout.Semaphore, x.DialectOr(row.Dialect), row.Sure, why)
	limit, known := semaphoreLimit(b, 0, false)
	queue := slices.Clone(x.Set)
	slices.SortFunc(queue, func(a, b order.Place) int { return order.Compare(row.Order, &a, &b) })
	marked := row.ID == "NET-MADELSON-SEM"
	holds := func(i int) bool {
		if marked {
			return string(queue[i].Node.Data) == "ACQUIRED"
		}
		return !known || i < limit
	}
	holding := map[bool]model.Reason{true: model.DataSays, false: model.LimitUnknown}[marked]
	if known && !marked {
		holding = model.AmongFirst
	}
	for _, want := range []bool{true, false} {
		for i := range queue {
			if holds(i) == want {
				role := map[bool]model.Role{true: model.Holder, false: model.Waiter}[want]
				c := b.Claim(queue[i].Node, znode.Join(x.Path, queue[i].Text), role, holding)
				b.NameAfter(c, queue[i].Node, row)
				c.SetSeq(&queue[i].Name)
			}
		}
	}
	isMine := func(c *znode.Node) bool {
		return slices.ContainsFunc(queue, func(p order.Place) bool { return p.Node == c })
	}
	b.ListForeign(isMine)
	b.NoteForeign(model.Low, "its clients ignore them")
	return settleSemaphore(b, limit, known, "")
}
