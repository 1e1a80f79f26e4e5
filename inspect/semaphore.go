package inspect

import (
	"slices"
	"strconv"
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
// hold several leases.
var semaphoreKind = kindRow{kind: Semaphore, weigh: weighSemaphore, build: buildSemaphore}

// bareRow is kazoo's lease: a name without a word.
var bareRow = Layout{ID: "KZ-SEM", Dialect: Kazoo, Kind: Semaphore, Guard: HexGuard, Sure: 0.9, About: "a lease of kazoo's Semaphore"}

func weighSemaphore(x *dir) []Evidence {
	switch {
	case x.isCuratorSemaphore():
		return []Evidence{{Semaphore, 2, "it has the locks and leases of Curator's InterProcessSemaphoreV2"}}
	case x.isKazooSemaphore():
		text := "its children are bare ids and its data is a limit"
		if _, ok := decimal(x.node.Data); !ok {
			text = "its children are bare ids and the line for them stands beside it"
		}
		return []Evidence{{Semaphore, 2, text + ", as kazoo's Semaphore has it"}}
	}
	if n := x.setOf(Semaphore); n > 0 {
		return []Evidence{{Semaphore, 1, plural(n, "child is", "children are") + " spelled like " + x.set[0].layout.About}}
	}
	return nil
}

// setOf counts the children of other spellings that are of a kind.
func (x *dir) setOf(k Kind) (n int) {
	for i := range x.set {
		if x.set[i].layout.Kind == k {
			n++
		}
	}
	return n
}

// setHas reports whether a child of another spelling is of a row.
func (x *dir) setHas(id string) bool {
	return slices.ContainsFunc(x.set, func(p place) bool { return p.layout.ID == id })
}

// isCuratorSemaphore reports whether the directory has leases and, where it has them, locks of Curator's.
func (x *dir) isCuratorSemaphore() bool {
	leases, locks := x.node.Child("leases"), x.node.Child("locks")
	if leases == nil || !spelled(leases, "lease-") || locks != nil && !spelled(locks, "lock-") {
		return false
	}
	return locks != nil || len(leases.Children) > 0
}

// spelled reports whether some children carry Curator's guard and a word, or there are none.
func spelled(n *Node, word string) bool {
	if n.Ephemeral() {
		return false
	}
	return len(n.Children) == 0 || slices.ContainsFunc(n.Children, func(c *Node) bool {
		name := ParseName(c.Name)
		return name.Guard == CuratorGuard && name.Word == word
	})
}

// isKazooSemaphore reports whether the children are bare ids and the data is a limit, or a line for them
// stands beside the directory.
func (x *dir) isKazooSemaphore() bool {
	s := x.count()
	if s.bareHex+s.bareUUID == 0 || s.bareHex+s.bareUUID != s.ephemeral {
		return false
	}
	if _, ok := decimal(x.node.Data); ok {
		return true
	}
	return x.dependOn(x.path+lineSuffix) != nil
}

// decimal reads data that is a small decimal number and nothing else.
func decimal(data []byte) (int, bool) {
	if len(data) == 0 || len(data) > 9 || !allDigits(string(data)) {
		return 0, false
	}
	n, err := strconv.Atoi(string(data))
	return n, err == nil
}

func buildSemaphore(x *dir, why []Evidence) *Model {
	switch {
	case x.isCuratorSemaphore():
		return x.buildCuratorSemaphore(why)
	case x.setOf(Semaphore) > 0:
		return x.buildMarkedSemaphore(why)
	case len(x.line.queue) > 0:
		m := x.buildLine(Semaphore, why)
		if x.line.limit > 1 {
			m.Numbers.set("limit", int64(x.line.limit))
		}
		first, _ := m.split()
		m.State = semaphoreState(len(first), x.line.limit, x.line.limit > 1)
		return m
	}
	return x.buildKazooSemaphore(why)
}

// semaphoreState is the state of a semaphore of which n leases hold.
func semaphoreState(n, limit int, known bool) State {
	switch {
	case n == 0:
		return Free
	case !known || n < limit:
		return Held
	case n == limit:
		return Full
	}
	return Over
}

// semaphoreLimit returns the hinted limit, else the given one.
func (b *builder) semaphoreLimit(limit int, known bool) (int, bool) {
	if b.hint != nil && b.hint.Limit > 0 {
		limit, known = b.hint.Limit, true
	}
	if known {
		b.number("limit", limit)
	}
	return limit, known
}

// settleSemaphore ends a semaphore whose holders come first: the waiters' turn, the limit, the state.
func (b *builder) settleSemaphore(limit int, known bool) *Model {
	m := b.model
	first, _ := m.split()
	if known && len(first) > limit {
		b.add(CodeOverLimit, High, strconv.Itoa(len(first))+" hold and the limit is "+strconv.Itoa(limit)+
			": over-subscribed by "+strconv.Itoa(len(first)-limit), first[limit:]...)
	}
	b.explainWaiters(len(first))
	var kept []*Claim
	for _, c := range first {
		if c.Session == 0 && !c.znode().Has(NoStat) {
			kept = append(kept, c)
		}
	}
	b.unowned(kept)
	return b.finish(semaphoreState(len(first), limit, known))
}

// explainWaiters explains those who stand behind n holders: the first waits for any of them to let go, the others
// for the one ahead.
func (b *builder) explainWaiters(n int) {
	m := b.model
	for i := n; i < len(m.Claims); i++ {
		c := &m.Claims[i]
		c.proof = placeIn(proofWords, Likely)
		switch {
		case i > n:
			c.reason = behindInLine
			c.blocked(i-1, i)
		case n > 0:
			c.reason = firstBehindHolders
			c.blocked(0, n)
		default:
			c.reason = firstForLease
		}
	}
}

func (x *dir) buildCuratorSemaphore(why []Evidence) *Model {
	b := x.recipe(Semaphore, x.placed(Curator), 0.95, why)
	x.parts = furnished
	leases, lines := x.node.Child("leases"), x.node.Child("locks")
	held := namesIn(leases, "lease-")
	var queue []place
	if lines != nil {
		queue = namesIn(lines, "lock-")
	}
	if len(held)+len(queue) == 0 {
		b.model.Confidence = min(b.model.Confidence, 0.6)
	}
	asks := len(queue) > 0 && len(held) > 0 && queue[0].session != 0 && queue[0].session == held[len(held)-1].session
	waits := asks && len(held) > 1
	limit, known := 0, false
	if waits {
		limit, known = len(held)-1, true
	}
	for i := range held {
		role := Holder
		if waits && i == len(held)-1 {
			role = Waiter
		}
		b.claim(held[i].node, x.path+"/leases/"+held[i].Text, role, hasLeaseNow).seq(&held[i].Name)
	}
	if asks {
		queue = queue[1:]
	}
	if waits {
		b.model.Why = append(b.model.Why, "the limit is inferred: the head of the line asked for the newest lease and waits still")
	}
	for i := range queue {
		b.claim(queue[i].node, Join(x.path+"/locks", queue[i].Text), Waiter, unsaid).seq(&queue[i].Name)
	}
	b.outsiders(func(*Node) bool { return false })
	limit, known = b.semaphoreLimit(limit, known)
	return b.settleSemaphore(limit, known)
}

// namesIn reads the children of a directory that carry a word, in Curator's order.
func namesIn(n *Node, word string) (out []place) {
	for _, c := range n.Children {
		if name := ParseName(c.Name); name.HasSeq && name.Word == word {
			out = append(out, place{Name: name, node: c, czxid: c.Czxid, session: c.Owner, layout: &bareRow})
		}
	}
	slices.SortFunc(out, func(a, b place) int { return ByText.compare(&a, &b) })
	return out
}

func (x *dir) buildKazooSemaphore(why []Evidence) *Model {
	d, hinted := Kazoo, x.hint.kind() == Semaphore
	if s := x.count(); hinted && s.bareHex+s.bareUUID == 0 {
		d = Generic
	}
	b := x.recipe(Semaphore, d, 0.9, why)
	var held []*Node
	isLease := func(c *Node) bool { return c.Ephemeral() && (hinted || isBareHex(c.Name) || isUUID(c.Name)) }
	for _, c := range x.node.Children {
		if isLease(c) {
			held = append(held, c)
		}
	}
	byArrival(held)
	for _, c := range held {
		b.claim(c, Join(x.path, c.Name), Holder, hasLeaseNow)
	}
	if line := x.dependOn(x.path + lineSuffix); line != nil {
		queue := namesIn(line, "__lock__")
		for i := range queue {
			b.claim(queue[i].node, Join(x.path+lineSuffix, queue[i].Text), Waiter, unsaid).seq(&queue[i].Name)
		}
	}
	b.outsiders(isLease)
	limit, known := decimal(x.node.Data)
	limit, known = b.semaphoreLimit(limit, known)
	return b.settleSemaphore(limit, known)
}

// buildMarkedSemaphore builds a semaphore whose holders and waiters stand side by side.
func (x *dir) buildMarkedSemaphore(why []Evidence) *Model {
	row := x.set[0].layout
	b := x.recipe(Semaphore, x.placed(row.Dialect), row.Sure, why)
	limit, known := b.semaphoreLimit(0, false)
	queue := slices.Clone(x.set)
	slices.SortFunc(queue, func(a, b place) int { return row.Order.compare(&a, &b) })
	marked := row.ID == "NET-MADELSON-SEM"
	holds := func(i int) bool {
		if marked {
			return string(queue[i].node.Data) == "ACQUIRED"
		}
		return !known || i < limit
	}
	holding := map[bool]reason{true: dataSays, false: limitUnknown}[marked]
	if known && !marked {
		holding = amongFirst
	}
	for _, want := range []bool{true, false} {
		for i := range queue {
			if holds(i) == want {
				role := map[bool]Role{true: Holder, false: Waiter}[want]
				c := b.claim(queue[i].node, Join(x.path, queue[i].Text), role, holding)
				b.callAfter(c, queue[i].node, row)
				c.seq(&queue[i].Name)
			}
		}
	}
	isMine := func(c *Node) bool { return slices.ContainsFunc(queue, func(p place) bool { return p.node == c }) }
	b.outsiders(isMine)
	b.foreignNote(Low, "its clients ignore them")
	return b.settleSemaphore(limit, known)
}
