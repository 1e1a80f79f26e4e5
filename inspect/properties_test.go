package inspect_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/script"

	"pgregory.net/rapid"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// breed is a kind of recipe in one library's spelling, for properties that hold of all: how one participant is called,
// and what else its recipe is made of.
type breed struct {
	kind   layout.Kind
	names  []string // of participants; %s is the number, %x an id of 32 digits, %u a uuid, %d a small number
	owned  bool     // participants are ephemeral
	data   []string
	with   map[string]string // further znodes below the recipe, with data
	order  layout.Order      // how it is served; breeds without numbers are served by arrival
	plural bool              // several may hold
	below  string            // where in the recipe the participants are
	hint   *model.Hint
}

// breeds are recipes of every kind.
var breeds = map[string]breed{
	"curator lock": {kind: layout.Lock, names: []string{"_c_%u-lock-%s"}, owned: true, order: layout.ByText},
	"kazoo lock":   {kind: layout.Lock, names: []string{"%x__lock__%s"}, owned: true, order: layout.ByText},
	"go lock":      {kind: layout.Lock, names: []string{"_c_%x-lock-%s"}, owned: true, order: layout.ByNumber},
	"document lock": {kind: layout.Lock, names: []string{"%u-lock-%s", "lock-%s"}, owned: true,
		order: layout.ByNumber},
	"java lock": {kind: layout.Lock, names: []string{"x-72058288526786561-%s"}, owned: true,
		order: layout.ByNumber},
	"c lock": {kind: layout.Lock, names: []string{"x-010000a1b2c30001-%s"}, owned: true,
		order: layout.ByMagnitude},
	"zktools lock":  {kind: layout.Lock, names: []string{"%x-lock--%s"}, owned: true, order: layout.ByMagnitude},
	"accumulo lock": {kind: layout.Lock, names: []string{"zlock#%u#%s"}, owned: true, order: layout.ByNumber},
	"unknown lock":  {kind: layout.Lock, names: []string{"any %s"}, owned: true, order: layout.ByArrival},
	"curator rw": {kind: layout.SharedLock, names: []string{"_c_%u-__READ__%s", "_c_%u-__WRIT__%s"},
		owned: true, order: layout.ByText},
	"kazoo rw": {kind: layout.SharedLock, names: []string{"%x__rlock__%s", "%x__lock__%s"},
		owned: true, order: layout.ByText},
	"document rw": {kind: layout.SharedLock, names: []string{"%u-read-%s", "%u-write-%s"}, owned: true,
		order: layout.ByNumber},
	"ruby rw": {kind: layout.SharedLock, names: []string{"sh%s", "ex%s"}, owned: true,
		order: layout.ByMagnitude},
	"latch":         {kind: layout.Election, names: []string{"_c_%u-latch-%s"}, owned: true, order: layout.ByText},
	"document vote": {kind: layout.Election, names: []string{"%u-n_%s", "n_%s"}, owned: true, order: layout.ByNumber},
	"ballot":        {kind: layout.Election, names: []string{"ballot%s"}, owned: true, order: layout.ByMagnitude},
	"auditor":       {kind: layout.Election, names: []string{"V_%s"}, owned: true, order: layout.ByNumber},
	"madelson": {kind: layout.Semaphore, names: []string{"semaphore-%s"}, owned: true,
		data: []string{"ACQUIRED"}, order: layout.ByNumber, plural: true},
	"kazoo semaphore": {kind: layout.Semaphore, names: []string{"%x"}, owned: true,
		with: map[string]string{"": "99"}, plural: true},
	"leases": {kind: layout.Semaphore, names: []string{"_c_%u-lease-%s"}, owned: true, below: "/leases",
		with:  map[string]string{"/locks": ""},
		order: layout.ByText, plural: true},
	"queue":          {kind: layout.Queue, names: []string{"queue-%s"}, order: layout.ByName},
	"document queue": {kind: layout.Queue, names: []string{"qn-%s"}, order: layout.ByNumber},
	"curator queue": {kind: layout.Queue, names: []string{"queue-%s"},
		data: []string{"\x00\x01\x00\x01\x02"}, order: layout.ByName},
	"id queue":       {kind: layout.Queue, names: []string{"queue-|id|%s"}, order: layout.ByNumber},
	"delay queue":    {kind: layout.DelayQueue, names: []string{"queue-|1A21F4595%d|%s"}, order: layout.ByName},
	"priority queue": {kind: layout.PriorityQueue, names: []string{"queue-1000000%d%s"}, order: layout.ByName},
	"kazoo queue":    {kind: layout.PriorityQueue, names: []string{"entry-1%d-%s"}, order: layout.ByName},
	"locking queue": {kind: layout.PriorityQueue, names: []string{"entry-1%d-%s"}, below: "/entries",
		with: map[string]string{"/taken": ""}, order: layout.ByName},
	"votes": {kind: layout.TwoPhase, names: []string{"s_%x"},
		data: []string{"commit", "abort"}, plural: true},
	"party":         {kind: layout.Membership, names: []string{"%x__party__"}, owned: true, plural: true},
	"shallow party": {kind: layout.Membership, names: []string{"%x-web"}, owned: true, plural: true},
	"curator barrier": {kind: layout.DoubleBarrier, names: []string{"%u"}, owned: true,
		with: map[string]string{"/ready": ""}, plural: true},
	"kazoo barrier": {kind: layout.DoubleBarrier, names: []string{"%x"}, owned: true,
		data: []string{"web-1-4711"}, plural: true},
	"discovery": {kind: layout.Service, names: []string{"%u"}, owned: true,
		data: []string{`{"serviceType":"DYNAMIC","address":"a","port":1}`}, plural: true},
	"leases of slots": {kind: layout.Lease, names: []string{"%d/lease_holder"},
		data: []string{`{"holder":"h","end":"1970-01-01T02:00:00"}`}, plural: true},
	"config": {kind: layout.Config, names: []string{"%x"}, data: []string{"8"}, plural: true,
		hint: &model.Hint{Path: "/app/r/*", Kind: layout.Config}},
	"counter": {kind: layout.Counter, names: []string{"%x"}, data: []string{"8"}, plural: true,
		hint: &model.Hint{Path: "/app/r/*", Kind: layout.Counter}},
	"rendezvous": {kind: layout.Rendezvous, names: []string{"%x"}, data: []string{"8"}, plural: true,
		hint: &model.Hint{Path: "/app/r/*", Kind: layout.Rendezvous}},
	"barrier": {kind: layout.Barrier, names: []string{"%x"}, plural: true,
		hint: &model.Hint{Path: "/app/r/*", Kind: layout.Barrier}},
}

// litter is one recipe of a breed: the znodes by path below it.
type litter struct {
	breed
	nodes map[string]*znode.Node
	names []string // of the participants, by path below the recipe
}

// drawLitter draws a recipe: some participants, with numbers from everywhere, the end of the counter and negative
// ones among them.
func drawLitter(t *rapid.T, b breed) *litter {
	l := &litter{breed: b, nodes: make(map[string]*znode.Node)}
	for path, data := range b.with {
		l.nodes[path] = &znode.Node{Data: []byte(data), Czxid: 1, Ctime: 1}
	}
	seqs := rapid.SliceOfNDistinct(rapid.OneOf(rapid.Int32Range(0, 20), rapid.Int32(), rapid.Just[int32](math.MaxInt32),
		rapid.Int32Range(math.MinInt32, math.MinInt32+3), rapid.Int32Range(-12, -1)), 1, 9,
		rapid.ID[int32]).Draw(t, "seqs")
	for i, seq := range seqs {
		id := strings.Repeat("0", 31) + strconv.FormatInt(int64(i), 16)
		uuid := id[:8] + "-" + id[8:12] + "-" + id[12:16] + "-" + id[16:20] + "-" + id[20:]
		digit := fmt.Sprintf("%02d", rapid.IntRange(10, 99).Draw(t, "digit"))
		name := strings.NewReplacer("%s", layout.SequenceText(seq), "%x", id, "%u", uuid, "%d",
			digit).Replace(l.pattern(t, i))
		n := &znode.Node{Czxid: znode.Zxid(10 + i), Ctime: znode.Millis(1000 + i)}
		if b.owned {
			n.Owner = znode.SessionID(100 + i)
		}
		if b.data != nil {
			n.Data = []byte(rapid.SampledFrom(b.data).Draw(t, "data"))
		}
		path := b.below + "/" + name
		if l.nodes[path] == nil {
			l.names = append(l.names, path)
		}
		l.nodes[path] = n
	}
	return l
}

// pattern draws how a participant is spelled; the first one in the way that tells the breed.
func (l *litter) pattern(t *rapid.T, i int) string {
	if i == 0 {
		return l.breed.names[0]
	}
	return rapid.SampledFrom(l.breed.names).Draw(t, "name")
}

// decode decodes the recipe at /app/r, its znodes put into the tree in the given order.
func (l *litter) decode(order []string, foreign ...string) *model.Result {
	tree := znode.NewTreeBuilder("/")
	for _, path := range order {
		n := *l.nodes[path]
		tree.Add("/app/r"+path, &n, nil)
	}
	for i, name := range foreign {
		tree.Add("/app/r/"+name, &znode.Node{Czxid: znode.Zxid(500 + i), Data: []byte("x")}, nil)
	}
	var h model.Hints
	if l.hint != nil {
		h.Rules = []model.Hint{*l.hint}
	}
	return inspect.Decode(&znode.Snapshot{Root: tree.Build(), Base: "/", TakenAt: time.Unix(3600, 0).UTC(),
		Complete: true}, nil, h)
}

func (l *litter) paths() (out []string) {
	for path := range l.nodes {
		out = append(out, path)
	}
	slices.Sort(out)
	return out
}

func eachBreed(t *testing.T, check func(*rapid.T, *litter)) {
	for name, b := range breeds {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { check(t, drawLitter(t, b)) })
		})
	}
}

func TestEveryKindHasABreed(t *testing.T) {
	for _, k := range layout.Kinds() {
		found := false
		for _, b := range breeds {
			found = found || b.kind == k
		}
		if !found {
			t.Errorf("no breed is of kind %s", k)
		}
	}
}

// Every breed is recognised, every participant is a claim once, and the order in which its znodes came to be known
// makes no difference.
func TestAnyOrderGivesTheSameModel(t *testing.T) {
	eachBreed(t, func(t *rapid.T, l *litter) {
		paths := l.paths()
		r := l.decode(paths)
		var claims []string
		for m := range r.Models.All() {
			if m.Kind != l.kind {
				t.Fatalf("%s at %s, want %s", m.Kind, m.Path, l.kind)
			}
			for i := range m.Claims {
				claims = append(claims, strings.TrimPrefix(m.Claims[i].Path(), "/app/r"))
			}
		}
		slices.Sort(claims)
		want := slices.Sorted(slices.Values(l.names))
		if !slices.Equal(claims, want) {
			t.Fatalf("claims %q, want %q", claims, want)
		}
		shuffled := rapid.Permutation(paths).Draw(t, "shuffled")
		if again := l.decode(shuffled); script.ResultText(again) != script.ResultText(r) {
			t.Fatalf("%s\nin another order:\n%s", script.ResultText(r), script.ResultText(again))
		}
	})
}

// strangers are names that no recipe gives its znodes.
var strangers = []string{"config", "0", "-", "zz", "readme-0000000001.txt", "a b", "~", "lock", "!first", "é"}

// A child that is not part of a recipe never changes who holds, who waits for whom, and in what order.
func TestForeignChildrenChangeNothing(t *testing.T) {
	eachBreed(t, func(t *rapid.T, l *litter) {
		stranger := rapid.SampledFrom(strangers).Draw(t, "stranger")
		before, after := l.decode(l.paths()), l.decode(l.paths(), stranger)
		for m := range before.Models.All() {
			now := after.ByPath(m.Path)
			if now == nil {
				t.Fatalf("%s is no %s beside %q", m.Path, m.Kind, stranger)
			}
			if a, b := script.OrderText(m), script.OrderText(now); a != b {
				t.Fatalf("%s\nbeside %q:\n%s", a, stranger, b)
			}
		}
	})
}

// At most one claim excludes others and holds; readers hold together up to the first that is no reader, and only they.
func TestExclusion(t *testing.T) {
	eachBreed(t, func(t *rapid.T, l *litter) {
		if l.plural || l.kind == layout.Queue || l.kind == layout.PriorityQueue || l.kind == layout.DelayQueue {
			return
		}
		m := l.decode(l.paths()).ByPath("/app/r")
		readers := true
		for i := range m.Claims {
			c := &m.Claims[i]
			readers = readers && c.Mode() == layout.Read
			want := i == 0 || readers
			if model.Holding(c.Role()) != want {
				t.Fatalf("%s at %d is %s: %s", c.Node(), i, c.Role(), script.ResultText(l.decode(l.paths())))
			}
		}
	})
}

// A claim's znode is the one in the snapshot that was decoded, also where an equal one was decoded before.
func TestAClaimsZnodeIsTheTrees(t *testing.T) {
	eachBreed(t, func(t *rapid.T, l *litter) {
		first, fresh := l.decode(l.paths()), l.decode(l.paths())
		for _, r := range []*model.Result{first, inspect.Decode(fresh.Snapshot, first, model.Hints{})} {
			for m := range r.Models.All() {
				for i := range m.Claims {
					if c := &m.Claims[i]; r.Snapshot.At(c.Path()) != c.Znode() {
						t.Fatalf("%s: not the tree's own", c.Path())
					}
				}
			}
		}
	})
}

// Claims stand in the order of their library's rule, as a naive sort has it; what has no numbers stands as it came.
func TestOrderIsTheRules(t *testing.T) {
	eachBreed(t, func(t *rapid.T, l *litter) {
		if l.hint != nil || l.kind == layout.Lease {
			return
		}
		m := l.decode(l.paths()).ByPath("/app/r")
		var got []string
		for i := range m.Claims {
			got = append(got, strings.TrimPrefix(m.Claims[i].Path(), "/app/r"))
		}
		want := slices.Clone(l.names)
		slices.SortFunc(want, func(a, b string) int { return l.naively(a, b) })
		if l.kind == layout.Semaphore && l.data != nil || l.kind == layout.DelayQueue {
			slices.Sort(got)
			slices.Sort(want) // holders stand before waiters, due items where they are due
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q, want %q", got, want)
		}
	})
}

// naively compares two names by the breed's rule, with nothing but the text of the names.
func (l *litter) naively(a, b string) int {
	arrival := cmp.Compare(l.nodes[a].Czxid, l.nodes[b].Czxid)
	suffix := func(name string) string {
		i := len(name) - 10
		if i > 0 && name[i-1] == '-' && l.minus(name[:i-1]) {
			i--
		}
		if name[i] != '-' && i > 0 && len(name)-i == 10 && !layout.IsDigits(name[i:]) {
			i++
		}
		return name[i:]
	}
	if l.names == nil || !strings.Contains(l.breed.names[0], "%s") {
		return arrival
	}
	x, y := suffix(a), suffix(b)
	switch l.order {
	case layout.ByNumber:
		v, _ := strconv.ParseInt(x, 10, 64)
		w, _ := strconv.ParseInt(y, 10, 64)
		return cmp.Or(cmp.Compare(v, w), arrival)
	case layout.ByText:
		return cmp.Or(strings.Compare(x, y), arrival)
	case layout.ByMagnitude:
		return cmp.Or(strings.Compare(strings.TrimPrefix(x, "-"), strings.TrimPrefix(y, "-")), arrival)
	case layout.ByName:
		return strings.Compare(a, b)
	}
	return arrival
}

// minus reports whether a dash after the text is a sign: the text ends as the spelling does before the number.
func (l *litter) minus(text string) bool {
	for _, pattern := range l.breed.names {
		stem, _, _ := strings.Cut(pattern, "%s")
		end := stem[strings.LastIndexByte(stem, '%')+1:]
		if len(stem) > len(end) {
			end = end[1:] // the letter of the verb
		}
		if end != "" && strings.HasSuffix(text, end) {
			return true
		}
	}
	return false
}
