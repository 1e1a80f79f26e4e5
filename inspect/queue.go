package inspect

import (
	"slices"
	"strconv"
	"time"
)

// The queue: items wait to be taken, first come first served.
//
// Layouts:
//
//	queue-<seq>                    the recipe document; Curator DistributedQueue, whose items begin 00 01 00 01
//	queue-|<id>|<seq>              Curator DistributedIdQueue: by the number alone
//	queue-<uuid>/queue-<seq>       Curator QueueSharder: see shards.go
//	qn-<seq>                       ZooKeeper's DistributedQueue, Curator SimpleDistributedQueue, rust-zookeeper;
//	                               Solr's overseer, with answers in qnr-<seq>
//	message<seq>, or a title       zk-ruby
//	log-<seq>, queue-<seq>         ClickHouse's log and the queues of its replicas
//	query-<seq>                    ClickHouse's distributed statements
//	<word>_change_<seq>, …         Kafka's change notifications
//	mutations/<seq>                ClickHouse's mutations
//	job<seq>, job<seq>.lock        taskflow's job board: see taskflow.go
//
// The recipe document has items made ephemeral: then they vanish with their producer's session, which is
// why real queues make them persistent. Both are read.
//
// Curator can mark the items in work: a child of the same name in a lock path of the user's choice, which
// is looked for beside and below the queue under the usual names. The mark's session is the consumer's.
// Without marks an item goes before it is worked on and leaves no trace.
var queueKind = kindRow{kind: Queue, weigh: weighQueue, build: buildQueue}

func weighQueue(x *dir) []Evidence {
	if n := x.shards(); n > 0 {
		return []Evidence{{Queue, 2, plural(n, "child is a shard", "children are shards") + " of Curator's QueueSharder"}}
	}
	return x.weighItems(Queue)
}

func buildQueue(x *dir, why []Evidence) *Model {
	if x.shards() > 0 {
		return x.buildShards(why)
	}
	return x.queueOf(Queue, why).build()
}

// weighItems is the evidence of items that are spelled as those of a kind of queue.
func (x *dir) weighItems(k Kind) []Evidence {
	n := 0
	var row *Layout
	for i := range x.set {
		if x.itemKind(&x.set[i]) == k {
			n++
			row = x.set[i].layout
		}
	}
	if n == 0 {
		return nil
	}
	weight := float64(n) / float64(len(x.set))
	return []Evidence{{k, weight, plural(n, "child is", "children are") + " spelled like " + row.About}}
}

// itemKind tells the delay queue from the queue with ids, which are spelled alike: a delay queue's ids are
// moments in plausible years.
func (x *dir) itemKind(p *place) Kind {
	if p.layout.Kind != DelayQueue {
		return p.layout.Kind
	}
	if _, ok := p.due(); ok {
		return DelayQueue
	}
	return Queue
}

// due reads the moment in the name of a delay queue's item: milliseconds since the epoch in capital
// hexadecimal digits, of the years 1990 to 2200.
func (p *place) due() (time.Time, bool) {
	if len(p.GUID) < 8 || len(p.GUID) > 16 || !isUpperHex(p.GUID) {
		return time.Time{}, false
	}
	ms, err := strconv.ParseInt(p.GUID, 16, 64)
	if err != nil || ms < 631152000000 || ms > 7258118400000 {
		return time.Time{}, false
	}
	return time.UnixMilli(ms).UTC(), true
}

// itemView is a queue being turned into a model: what the three kinds of queue share.
type itemView struct {
	*builder
	items []place
	base  string           // the directory that the items are in
	marks map[string]*Node // by item: who works on it; nil: this queue has no marks
	at    string           // the directory that the marks are in
}

// queueOf prepares a queue from the children that are items.
func (x *dir) queueOf(k Kind, why []Evidence) *itemView {
	row := &Layout{Dialect: ZooKeeper, Sure: 0.5, Order: ByName}
	for i := range x.set {
		if isMarker(x.set[i].layout) && (row.ID == "" || x.set[i].layout.Dialect == Curator) {
			row = x.set[i].layout
		}
	}
	d := row.Dialect
	if row.ID == "ZK-DOC-QUEUE" && bareAddress(string(x.node.Data)) {
		d = Curator
	}
	if row.ID == "ZK-QUEUE" && string(x.node.Data) == "\x00" {
		d = RustZooKeeper
	}
	switch {
	case row.ID != "":
	case len(x.node.Children) == 0 && x.prev != nil:
		d = x.prev.Dialect
	case len(x.node.Children) > 0:
		d = Generic
	}
	v := &itemView{builder: x.recipe(k, x.placed(d), row.Sure, why), base: x.path}
	for i := range x.set {
		if isMarker(x.set[i].layout) {
			v.items = append(v.items, x.set[i])
		}
	}
	if len(v.items) == 0 && x.hint.kind() == k || row.ID == "RB-QUEUE" || x.place != nil && x.place.ID == "RB-QUEUE" {
		v.otherItems()
	}
	order := row.Order
	if k == Queue && row.ID == "CUR-DQUEUE" {
		order = ByNumber // ids have no order
	}
	slices.SortFunc(v.items, func(a, b place) int { return order.compare(&a, &b) })
	if row.ID == "TASKFLOW" || x.place != nil && x.place.ID == "TASKFLOW" {
		v.claimsOf()
	} else {
		v.findMarks()
	}
	if row.ID == "CH-DDL" {
		x.parts = all // who runs a statement, and who has run it
	}
	return v
}

// otherItems takes every child for an item, whatever its name: a hint says so, or zk-ruby's queue, whose messages
// may have titles.
func (v *itemView) otherItems() {
	isItem := v.isItem()
	for _, c := range v.node.Children {
		if !furniture[c.Name] && !isItem(c) {
			v.items = append(v.items, place{Name: ParseName(c.Name), node: c, czxid: c.Czxid, session: c.Owner, layout: &generic})
		}
	}
}

// findMarks looks for the lock path of one of Curator's queues.
func (v *itemView) findMarks() {
	if v.model.Dialect != Curator && v.model.Dialect != ZooKeeper {
		return
	}
	for _, suffix := range markerSuffixes {
		n := v.dependOn(v.path + suffix)
		if n == nil || len(n.Children) > 0 && !n.Children[0].Ephemeral() {
			continue
		}
		v.mark(n, v.path+suffix)
		return
	}
}

func (v *itemView) mark(n *Node, at string) {
	v.at, v.marks = at, make(map[string]*Node, len(n.Children))
	for _, c := range n.Children {
		v.marks[c.Name] = c
	}
}

// build makes the model: items in the order in which they will be taken, those in work marked as such.
func (v *itemView) build() *Model {
	v.payload = true
	for i := range v.items {
		v.put(&v.items[i], i)
	}
	v.countItems()
	v.counter()
	v.orphans()
	v.poison()
	isItem := v.isItem()
	v.outsiders(isItem)
	v.foreignNote(v.harm())
	v.wrappedItems()
	return v.finish(v.itemState())
}

func (v *itemView) isItem() func(*Node) bool {
	items := make(map[*Node]bool, len(v.items))
	for i := range v.items {
		items[v.items[i].node] = true
	}
	return func(c *Node) bool {
		return items[c] || v.model.Dialect == Solr && len(c.Name) > 4 && c.Name[:4] == "qnr-" || v.model.Dialect == Taskflow && onBoard(c)
	}
}

// put adds the claim of an item.
func (v *itemView) put(p *place, i int) {
	why, own := nextItem, ""
	if i > 0 {
		why = itemsAhead
	}
	role := Item
	if at, ok := p.due(); ok && v.model.Kind == DelayQueue {
		role, own = v.dueRole(at)
	}
	mark := v.marks[p.Text]
	if mark != nil {
		role = Taken
	}
	c := v.item(p.node, Join(v.base, p.Text), role, why)
	c.seq(&p.Name)
	if own != "" {
		c.say(own)
	}
	if prio, ok := p.Priority(); ok {
		c.rarely().priority = &prio
	}
	if mark != nil {
		v.on(c, mark)
		c.say("in work by " + Printable(c.Owner()))
		v.delivered(c)
	}
}

// dueRole tells an item that is due from one that is not, and has the queue decoded again at that moment.
func (v *itemView) dueRole(at time.Time) (Role, string) {
	if now := v.snap.TakenAt; at.After(now) {
		v.dir.due = sooner(v.dir.due, at)
		return Item, "due at " + at.Format("2006-01-02 15:04:05") + " UTC"
	}
	return Ready, "due since " + at.Format("2006-01-02 15:04:05") + " UTC"
}

// delivered remembers who worked on an item and notes that it changed hands.
func (v *itemView) delivered(c *Claim) {
	c.rarely().taker = c.Session
	was := v.memo.find(c)
	if was == nil {
		return
	}
	if taker := was.taker(); taker != 0 && taker != c.Session {
		v.add(CodeRedelivered, Medium, visible(c.Node())+" was in work by another session ("+taker.String()+") and is now by "+
			Printable(c.Owner())+": its work may be done twice", c)
	}
}

// countItems notes how many items there are, and are in work.
func (v *itemView) countItems() {
	taken, due := 0, 0
	for i := range v.model.Claims {
		c := &v.model.Claims[i]
		if was := v.memo.find(c); c.taker() == 0 && was != nil && was.taker() != 0 {
			c.rarely().taker = was.taker() // it may be handed out again
		}
		switch c.Role() {
		case Taken:
			taken++
		case Ready:
			due++
		}
	}
	all := len(v.model.Claims)
	v.number("depth", all)
	v.number("available", all-taken)
	if v.marks != nil {
		v.number("taken", taken)
	}
	if v.model.Kind == DelayQueue {
		v.number("due", due)
		v.number("available", due)
	}
}

// counter notes the next sequence number and warns before the counter ends.
func (v *itemView) counter() {
	at := v.node
	if v.base != v.path {
		at = v.node.Child("entries")
	}
	next, certain, known := at.NextSequence()
	if !known || v.wrapped() {
		return
	}
	v.model.Numbers.set("nextSeq", next)
	v.model.Numbers.set("seqLeft", 1<<31-next)
	if left := int64(1<<31) - next; left <= nearLimit {
		v.add(CodeSeqNearLimit, Medium, endOfCounter(left, certain)+": drain the queue, then delete and recreate the directory")
	}
}

func (v *itemView) wrapped() bool {
	for i := range v.items {
		if v.items[i].Seq < 0 {
			return true
		}
	}
	return false
}

// orphans finds marks of items that are no more.
func (v *itemView) orphans() {
	if v.marks == nil {
		return
	}
	items := make(map[string]bool, len(v.items))
	for i := range v.items {
		items[v.items[i].Text] = true
	}
	var names []string
	f := Finding{Code: CodeOrphanTaken, Severity: Low}
	for name, n := range v.marks {
		if items[name] || furniture[name] {
			continue
		}
		names = append(names, name)
		if !n.Ephemeral() {
			f.Severity = Medium
		}
	}
	v.number("orphans", len(names))
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	for _, name := range names[:min(len(names), 10)] {
		f.Paths = append(f.Paths, Join(v.at, v.marks[name].Name))
		if id := v.marks[name].Owner; id != 0 && !slices.Contains(f.Sessions, id) {
			f.Sessions = append(f.Sessions, id)
		}
	}
	f.Text = plural(len(names), "mark says", "marks say") + " that an item is in work which is no more: " + list(names)
	v.model.Findings = append(v.model.Findings, f)
}

// harm is what foreign children do to a queue's consumers.
func (v *itemView) harm() (Severity, string) {
	if v.model.Dialect == Curator || v.model.Dialect == ZooKeeper {
		return Medium, "Curator's consumers can spin on such a child"
	}
	return Low, "its consumers pass over them"
}

// wrappedItems says that the counter turned negative: such items are served before older ones.
func (v *itemView) wrappedItems() {
	for i := range v.items {
		p := &v.items[i]
		switch {
		case p.Seq < 0 && v.model.finding(CodeSeqWrapped) == nil:
			v.model.Confidence = min(v.model.Confidence, 0.5)
			v.add(CodeSeqWrapped, High, "the sequence counter has wrapped: "+visible(p.Text)+
				" is not served in the order of its arrival; drain the queue, then delete and recreate the directory", &v.model.Claims[i])
		case p.requeued && v.model.finding(CodeRequeuedName) == nil:
			v.add(CodeRequeuedName, Low, visible(p.Text)+" was put back under a name with its old number in it: the first number decides its place", &v.model.Claims[i])
		}
	}
}
