package actions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/recipes"
)

// VerbJoin is taking a place in a recipe, as the audit log has it. It is no offer: nothing of anybody else's is changed.
const VerbJoin Verb = "join"

// Part is how one takes part in a recipe; which kinds have which parts is told by Parts.
type Part string

// The parts. A kind with a single one leaves it empty.
const (
	PartRead        Part = "read"
	PartWrite       Part = "write"
	PartWait        Part = "wait"
	PartSet         Part = "set"
	PartFill        Part = "fill"
	PartProducer    Part = "producer"
	PartConsumer    Part = "consumer"
	PartCoordinator Part = "coordinator"
	PartSite        Part = "site"
)

// Join says in which recipe to take part, and how. Only Kind and Path are always needed.
type Join struct {
	Kind    layout.Kind
	Path    string
	Part    Part           // Optional; default: the first of the kind's Parts
	Dialect layout.Dialect // Optional; default: what stands at the path, else the kind's own
	Name    string         // Optional; who we are; of a site or an instance, its name
	Data    []byte         // Optional; what is put, set, added or filled in; of a claim, what its znode holds

	Count     int           // how many members a double barrier needs, or sites a transaction has
	Limit     int           // Optional; how many may hold a semaphore; default: what is stored there, else 1
	Priority  int64         // of an item that is put
	Delay     time.Duration // of an item that is put: how long until it is due
	Sites     []string      // of a transaction that is begun; default: s_1 and so on up to Count
	Own       bool          // the transaction's sites make their own znodes
	Decision  bool          // only the transaction's coordinator counts votes, and writes the decision down
	Revocable bool          // hear requests to let go
	Single    bool          // the lock or leader is the znode at Path itself; so it is where one stands there
	Reason    string        // Optional; why, in the operator's own words, for the audit log
}

// JoinPhase is where one stands on the way through a recipe.
type JoinPhase string

// The phases. The last four are final.
const (
	JoinConnecting JoinPhase = "connecting" // a session is being opened
	JoinWaiting    JoinPhase = "waiting"    // a znode stands, or is about to; somebody has to go first
	JoinHolding    JoinPhase = "holding"    // it is granted
	JoinAsked      JoinPhase = "asked"      // it is granted, and somebody asks us to let go
	JoinLeaving    JoinPhase = "leaving"    // the clean-up is under way
	JoinDone       JoinPhase = "done"       // it has come to its end by itself: put, set, voted and decided, open
	JoinLeft       JoinPhase = "left"       // it was given up; see JoinState.Stays
	JoinLost       JoinPhase = "lost"       // it was granted and is no more, though nobody here gave it up
	JoinFailed     JoinPhase = "failed"     // it was never granted
)

// Over reports whether a phase is final.
func (p JoinPhase) Over() bool {
	return p == JoinDone || p == JoinLeft || p == JoinLost || p == JoinFailed
}

// JoinState is a moment of a Place: a plain value.
type JoinState struct {
	Phase JoinPhase
	Since time.Time // when the phase began
	Text  string    // one complete line, for people

	Dialect  layout.Dialect  // empty: not known yet, or the kind has none
	Session  znode.SessionID // 0: none yet
	Timeout  time.Duration   // that session's, as the server granted it
	Node     string          // path of our znode; empty: none
	Token    int64           // the fencing token of what is granted; 0: nothing is
	Position int             // while waiting in a line: 0-based, holders included
	Of       int             // how many stand in the line; 0: it is no line, or not known
	Behind   string          // the owner, or else the znode, that has to go first; empty: not known
	Refused  bool            // somebody asked us to let go, and the answer was no

	Data   []byte // an item, a value, or what a transaction is about
	Result string // a verdict; empty: none
	Stays  string // what stays behind in ZooKeeper and until when, one line; empty: nothing
	Err    error  // the cause, of lost and failed, and of left where something stays

	// Unlogged is why a record after the first, of the grant or the end, is not in the audit log; nil: none is missing.
	Unlogged error
}

// Joiner takes part in recipes on behalf of a person, each time on a session of its own.
type Joiner struct {
	cfg Config

	mu     sync.Mutex
	places []*Place
	over   bool
}

// JoinLimits bound what a Joiner waits for.
const (
	// LeaveWithin is how long LeaveAll waits for clean-ups when its context sets no earlier end.
	LeaveWithin = 5 * time.Second
	// lineEvery is how often somebody who waits looks where he stands: two or three reads each time.
	lineEvery = 5 * time.Second
)

// NewJoiner prepares a Joiner. It does not connect. With Config.ReadOnly every Join is refused.
func NewJoiner(cfg Config) (*Joiner, error) {
	if cfg.Audit == nil && !cfg.ReadOnly {
		return nil, errors.New("taking part needs an audit log")
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Joiner{cfg: cfg}, nil
}

// ErrRefused reports a Join or vote that was not even tried, and errors that amount to that: read-only, or
// somebody else's recipe stands at the path.
var ErrRefused = errors.New("refused")

// refusal is a reason that matches ErrRefused.
type refusal struct{ text string }

func (r refusal) Error() string        { return r.text }
func (r refusal) Is(target error) bool { return target == ErrRefused }

func refused(format string, args ...any) error { return refusal{fmt.Sprintf(format, args...)} }

// Lacking says what is missing from a Join or wrong with it, in one line; empty when nothing is. It is pure.
func (r Join) Lacking() string {
	p, why := r.part()
	switch {
	case why != "":
		return why
	case r.Dialect != "" && !slices.Contains(recipes.Dialects(""), recipes.Dialect(r.Dialect)):
		_, err := recipes.DialectOf(r.Dialect)
		return err.Error()
	case len(r.Path) < 2 || r.Path[0] != '/':
		return "a path is missing: it begins with a slash and is not the root"
	}
	if err := zkc.CheckPath(r.Path); err != nil {
		return "the path " + err.Error()
	}
	if p.lacks != nil {
		return p.lacks(r)
	}
	return ""
}

// Join begins to take part and returns at once; the Place tells how it goes.
func (j *Joiner) Join(r Join) (*Place, error) {
	if why := r.Lacking(); why != "" {
		return nil, errors.New(why)
	}
	if j.cfg.ReadOnly {
		return nil, refused("read-only: nothing is joined")
	}
	if why := Reserved(j.cfg.Conn.Chroot, r.Path); why != "" {
		return nil, refused("not joined: %s", why)
	}
	part, _ := r.part()
	r.Part = part.part
	p := newPlace(j, r, part)
	if err := j.note("intent", VerbJoin, r, p.State()); err != nil {
		return nil, fmt.Errorf("not joined: %w", err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.over {
		err := refused("not joined: everything is being left")
		st := JoinState{Text: err.Error()}
		return nil, errors.Join(err, j.note(string(JoinFailed), VerbJoin, r, st))
	}
	j.places = append(j.places, p)
	guard.Go(p.run)
	return p, nil
}

// Places lists what has not come to its end, oldest first.
func (j *Joiner) Places() []*Place {
	j.mu.Lock()
	defer j.mu.Unlock()
	return append([]*Place(nil), j.places...)
}

// forget drops a place that is over.
func (j *Joiner) forget(p *Place) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for i := range j.places {
		if j.places[i] == p {
			j.places = append(j.places[:i:i], j.places[i+1:]...)
			return
		}
	}
}

// LeaveAll leaves every place, all at once, and returns how each ended. Afterwards nothing can be joined. It
// returns within two seconds of ctx's end, or of LeaveWithin.
func (j *Joiner) LeaveAll(ctx context.Context) []JoinState {
	j.mu.Lock()
	j.over = true
	places := append([]*Place(nil), j.places...)
	j.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, LeaveWithin)
	defer cancel()
	out := make([]JoinState, len(places))
	var wg sync.WaitGroup
	for i, p := range places {
		wg.Go(guard.Func(func() { out[i] = p.Leave(ctx) }))
	}
	wg.Wait()
	return out
}

// dial opens a session of its own.
func (j *Joiner) dial(ctx context.Context) (*recipes.Session, error) {
	patience := j.cfg.Patience
	if patience == 0 {
		patience = 15 * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return recipes.Dial(ctx, j.cfg.Conn)
}

// note writes to the audit log.
func (j *Joiner) note(stage string, v Verb, r Join, st JoinState) error {
	path := st.Node
	if path == "" {
		path = r.Path
	}
	rec := record(stage, j.cfg.Name, st.Session.String(), Plan{Verb: v, Recipe: r.Path, Kind: r.Kind, Name: r.Name,
		Target: Target{Path: path, Czxid: znode.Zxid(st.Token), Owner: st.Session}, NewData: r.Data, Reason: r.Reason}, j.cfg.Now())
	if rec.Text = st.Text; st.Stays != "" {
		rec.Text += "; " + st.Stays
	}
	return j.cfg.Audit.Append(rec)
}
