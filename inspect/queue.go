package inspect

import (
	"slices"
	"strconv"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/lines"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/order"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/survey"
	"github.com/zkscope/zkscope/inspect/znode"
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
var queueKind = survey.KindRow{Kind: layout.Queue, Weigh: weighQueue, Build: buildQueue}

func weighQueue(x *survey.Dir) []survey.Evidence {
	if n := shards(x); n > 0 {
		return []survey.Evidence{{Kind: layout.Queue, Weight: 2,
			Why: say.Plural(n, "child is a shard", "children are shards") + " of Curator's QueueSharder"}}
	}
	return weighItems(x, layout.Queue)
}

// queueAt prepares the model of a queue whose items are in several directories.
func queueAt(x *survey.Dir, d layout.Dialect, sure float64, why []survey.Evidence) *survey.Builder {
	return x.Recipe(layout.Queue, d, sure, why)
}

func buildQueue(x *survey.Dir, why []survey.Evidence) *model.Model {
	if shards(x) > 0 {
		return buildShards(x, why)
	}
	return queueOf(x, layout.Queue, why).build()
}

// weighItems is the evidence of items that are spelled as those of a kind of queue.
func weighItems(x *survey.Dir, k layout.Kind) []survey.Evidence {
	n := 0
	var row *layout.Layout
	for i := range x.Set {
		if itemKind(x, &x.Set[i]) == k {
			n++
			row = x.Set[i].Layout
		}
	}
	if n == 0 {
		return nil
	}
	weight := float64(n) / float64(len(x.Set))
	return []survey.Evidence{{Kind: k, Weight: weight, Why: say.Plural(n, "child is", "children are") +
		" spelled like " + row.About}}
}

// itemKind tells the delay queue from the queue with ids, which are spelled alike: a delay queue's ids are
// moments in plausible years.
func itemKind(x *survey.Dir, p *order.Place) layout.Kind {
	if p.Layout.Kind.FallDue() {
		if _, ok := dueAt(p); !ok {
			return layout.Queue
		}
	}
	return p.Layout.Kind
}

// dueAt reads the moment in the name of a delay queue's item: milliseconds since the epoch in capital
// hexadecimal digits, of the years 1990 to 2200.
func dueAt(p *order.Place) (time.Time, bool) {
	if len(p.GUID) < 8 || len(p.GUID) > 16 || !layout.IsUpperHex(p.GUID) {
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
	*survey.Builder
	items []order.Place
	base  string                 // the directory that the items are in
	marks map[string]*znode.Node // by item: who works on it; nil: this queue has no marks
	at    string                 // the directory that the marks are in
}

// queueOf prepares a queue from the children that are items.
func queueOf(x *survey.Dir, k layout.Kind, why []survey.Evidence) *itemView {
	row := &layout.Layout{Dialect: layout.ZooKeeper, Sure: 0.5, Order: layout.ByName}
	for i := range x.Set {
		if layout.IsMarker(x.Set[i].Layout) && (row.ID == "" || x.Set[i].Layout.Dialect == layout.Curator) {
			row = x.Set[i].Layout
		}
	}
	d := row.Dialect
	if row.ID == "ZK-DOC-QUEUE" && layout.IsAddress(string(x.Node.Data)) {
		d = layout.Curator
	}
	if row.ID == "ZK-QUEUE" && string(x.Node.Data) == "\x00" {
		d = layout.RustZooKeeper
	}
	switch {
	case row.ID != "":
	case len(x.Node.Children) == 0 && x.Prev != nil:
		d = x.Prev.Dialect
	case len(x.Node.Children) > 0:
		d = layout.Generic
	}
	v := &itemView{Builder: x.Recipe(k, x.DialectOr(d), row.Sure, why), base: x.Path}
	for i := range x.Set {
		if layout.IsMarker(x.Set[i].Layout) {
			v.items = append(v.items, x.Set[i])
		}
	}
	if len(v.items) == 0 && x.Hint.KindOf() == k || row.ID == "RB-QUEUE" || x.Place != nil && x.Place.ID == "RB-QUEUE" {
		v.otherItems()
	}
	ordered := row.Order
	if k == layout.Queue && row.ID == "CUR-DQUEUE" {
		ordered = layout.ByNumber // ids have no order
	}
	slices.SortFunc(v.items, func(a, b order.Place) int { return order.Compare(ordered, &a, &b) })
	if row.ID == "TASKFLOW" || x.Place != nil && x.Place.ID == "TASKFLOW" {
		v.claimsOf()
	} else {
		v.findMarks()
	}
	if row.ID == "CH-DDL" {
		x.Parts = survey.AllChildren // who runs a statement, and who has run it
	}
	return v
}

// otherItems takes every child for an item, whatever its name: a hint says so, or zk-ruby's queue, whose messages
// may have titles.
func (v *itemView) otherItems() {
	isItem := v.isItem()
	for _, c := range v.Node.Children {
		if !layout.IsFurniture(c.Name) && !isItem(c) {
			v.items = append(v.items, order.Place{Name: layout.ParseName(c.Name), Node: c, Czxid: c.Czxid,
				Owner: c.Owner, Layout: &layout.NumberedRow})
		}
	}
}

// findMarks looks for the lock path of one of Curator's queues.
func (v *itemView) findMarks() {
	if v.Model.Dialect != layout.Curator && v.Model.Dialect != layout.ZooKeeper {
		return
	}
	for suffix := range layout.MarkerSuffixes() {
		n := v.DependOn(v.Path + suffix)
		if n == nil || len(n.Children) > 0 && !n.Children[0].Ephemeral() {
			continue
		}
		v.mark(n, v.Path+suffix)
		return
	}
}

func (v *itemView) mark(n *znode.Node, at string) {
	v.at, v.marks = at, make(map[string]*znode.Node, len(n.Children))
	for _, c := range n.Children {
		v.marks[c.Name] = c
	}
}

// build makes the model: items in the order in which they will be taken, those in work marked as such.
func (v *itemView) build() *model.Model {
	v.Payload = true
	for i := range v.items {
		v.put(&v.items[i], i)
	}
	v.countItems()
	v.counter()
	v.orphans()
	v.poison()
	isItem := v.isItem()
	v.ListForeign(isItem)
	v.NoteForeign(v.harm())
	v.wrappedItems()
	return v.Finish(v.itemState())
}

func (v *itemView) isItem() func(*znode.Node) bool {
	items := make(map[*znode.Node]bool, len(v.items))
	for i := range v.items {
		items[v.items[i].Node] = true
	}
	return func(c *znode.Node) bool {
		return items[c] || v.Model.Dialect == layout.Solr && len(c.Name) > 4 && c.Name[:4] == "qnr-" ||
			v.Model.Dialect == layout.Taskflow && onBoard(c)
	}
}

// put adds the claim of an item.
func (v *itemView) put(p *order.Place, i int) {
	why, own := model.NextItem, ""
	if i > 0 {
		why = model.ItemsAhead
	}
	role := model.Item
	if at, ok := dueAt(p); ok && v.Model.Kind.FallDue() {
		role, own = v.dueRole(at)
	}
	mark := v.marks[p.Text]
	if mark != nil {
		role = model.Taken
	}
	c := v.Item(p.Node, znode.Join(v.base, p.Text), role, why)
	c.SetSeq(&p.Name)
	if own != "" {
		c.SetWhy(own)
	}
	if prio, ok := p.Priority(); ok {
		c.MakeRare().Priority = &prio
	}
	if mark != nil {
		v.GiveTo(c, mark)
		c.SetWhy("taken by " + say.Printable(c.Owner()))
		v.delivered(c)
	}
}

// dueRole tells an item that is due from one that is not, and has the queue decoded again at that moment.
func (v *itemView) dueRole(at time.Time) (model.Role, string) {
	if now := v.Snap.TakenAt; at.After(now) {
		v.Dir.Due = survey.Sooner(v.Dir.Due, at)
		return model.Item, "due at " + at.Format("2006-01-02 15:04:05") + " UTC"
	}
	return model.Ready, "due since " + at.Format("2006-01-02 15:04:05") + " UTC"
}

// delivered remembers who worked on an item and notes that it changed hands.
func (v *itemView) delivered(c *model.Claim) {
	c.MakeRare().Taker = c.Session
	was := v.Memo.Find(c)
	if was == nil {
		return
	}
	if taker := was.Taker(); taker != 0 && taker != c.Session {
		v.AddFinding(model.CodeRedelivered, model.Medium, say.Visible(c.Node())+" was taken by another session ("+
			taker.String()+") and is now by "+
			say.Printable(c.Owner())+": its work may be done twice", c)
	}
}

// countItems notes how many items there are, and are in work.
func (v *itemView) countItems() {
	taken, due := 0, 0
	for i := range v.Model.Claims {
		c := &v.Model.Claims[i]
		if was := v.Memo.Find(c); c.Taker() == 0 && was != nil && was.Taker() != 0 {
			c.MakeRare().Taker = was.Taker() // it may be handed out again
		}
		switch c.Role() {
		case model.Taken:
			taken++
		case model.Ready:
			due++
		}
	}
	all := len(v.Model.Claims)
	v.Number("depth", all)
	v.Number("available", all-taken)
	if v.marks != nil {
		v.Number("taken", taken)
	}
	if v.Model.Kind.FallDue() {
		v.Number("due", due)
		v.Number("available", due)
	}
}

// counter notes the next sequence number and warns before the counter ends.
func (v *itemView) counter() {
	at := v.Node
	if v.base != v.Path {
		at = v.Node.Child("entries")
	}
	next, certain, known := layout.NextSequence(at)
	if !known || v.wrapped() {
		return
	}
	v.Model.Numbers.Set("nextSeq", next)
	v.Model.Numbers.Set("seqLeft", 1<<31-next)
	if left := int64(1<<31) - next; left <= lines.NearLimit {
		v.AddFinding(model.CodeSeqNearLimit, model.Medium, lines.EndOfCounter(left, certain)+
			": drain the queue, then delete and recreate the directory")
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
	f := model.Finding{Code: model.CodeOrphanTaken, Severity: model.Low}
	for name, n := range v.marks {
		if items[name] || layout.IsFurniture(name) {
			continue
		}
		names = append(names, name)
		if !n.Ephemeral() {
			f.Severity = model.Medium
		}
	}
	v.Number("orphans", len(names))
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	for _, name := range names[:min(len(names), 10)] {
		f.Paths = append(f.Paths, znode.Join(v.at, v.marks[name].Name))
		if id := v.marks[name].Owner; id != 0 && !slices.Contains(f.Sessions, id) {
			f.Sessions = append(f.Sessions, id)
		}
	}
	f.Text = say.Plural(len(names), "mark says", "marks say") + " that an item is in progress that is gone: " +
		say.List(names)
	v.Model.Findings = append(v.Model.Findings, f)
}

// harm is what foreign children do to a queue's consumers.
func (v *itemView) harm() (model.Severity, string) {
	if v.Model.Dialect == layout.Curator || v.Model.Dialect == layout.ZooKeeper {
		return model.Medium, "Curator's consumers can spin on such a child"
	}
	return model.Low, "its consumers pass over them"
}

// wrappedItems says that the counter turned negative: such items are served before older ones.
func (v *itemView) wrappedItems() {
	for i := range v.items {
		p := &v.items[i]
		switch {
		case p.Seq < 0 && v.Model.Finding(model.CodeSeqWrapped) == nil:
			v.Model.Confidence = min(v.Model.Confidence, 0.5)
			v.AddFinding(model.CodeSeqWrapped, model.High, "the sequence counter has wrapped: "+say.Visible(p.Text)+
				" is not served in the order of its arrival; drain the queue, then delete and recreate the directory",
				&v.Model.Claims[i])
		case p.Requeued && v.Model.Finding(model.CodeRequeuedName) == nil:
			v.AddFinding(model.CodeRequeuedName, model.Low, say.Visible(p.Text)+
				" was put back under a name with its old number in it: the first number decides its place",
				&v.Model.Claims[i])
		}
	}
}
