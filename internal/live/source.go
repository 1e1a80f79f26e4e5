package live

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/ensemble"
	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/mirror"
	"github.com/zkscope/zkscope/internal/zkc"
	"github.com/zkscope/zkscope/tui/backend"
)

// slow is how long answers take when the age of what is shown is worth a word.
const slow = time.Second

// Source is what the console shows of an ensemble: the tree that a mirror holds, with what the members say. It implements
// backend.Source, backend.Reader, backend.Witness and backend.Judge.
type Source struct {
	tree     *mirror.Mirror
	members  *ensemble.Watcher
	news     *news
	name     string
	readOnly bool
	now      func() time.Time
	judge    func(*model.Result) *model.Result
	called   namer

	changed chan struct{}
	stop    chan struct{}
	done    chan struct{}
	asked   atomic.Int64 // when Refresh last asked, in nanoseconds
}

// Open begins to follow an ensemble; name is what the user calls it, and readOnly that the console is to show that nothing can
// be written. What becomes of the connection is told to Conn.Log. Errors are those of Look. The caller closes the result.
func Open(ctx context.Context, c Config, name string, readOnly bool) (*Source, error) {
	conn := c.Conn
	s := &Source{news: &news{now: c.Now, log: conn.Log}, name: name, readOnly: readOnly, now: c.Now, judge: c.Judge, called: namer{names: c.Names},
		changed: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{})}
	if s.news.log == nil {
		s.news.log = slog.New(slog.DiscardHandler)
	}
	conn.OnState = s.news.take
	var err error
	if s.tree, err = mirror.Start(ctx, conn, c.Tree); err != nil {
		return nil, err
	}
	ens, err := c.members(c.configuration, s.self, s.home)
	if err != nil {
		s.tree.Close()
		return nil, err
	}
	s.members = ensemble.Watch(ens, 0)
	guard.Go(s.forward)
	return s, nil
}

// configuration reads the ensemble's own over a connection of its own: the mirror's reads nothing but its tree.
func (c Config) configuration(ctx context.Context) ([]byte, error) {
	short := c.Conn
	short.GiveUp = 1
	conn, err := zkc.Dial(ctx, short)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	return conn.EnsembleConfig(ctx)
}

// self is the mirror's session.
func (s *Source) self() (int64, time.Time, time.Time) {
	st := s.tree.Status()
	return st.State.Session, st.State.Since, st.Heard
}

// home is the server that the connection is to.
func (s *Source) home() string { return s.tree.Status().State.Server }

// forward tells of changes until Close.
func (s *Source) forward() {
	defer close(s.done)
	for connects := 0; ; {
		select {
		case <-s.tree.Changed():
			if n := s.tree.Status().State.Connects; n > connects {
				if connects > 0 {
					s.members.Refresh() // they may have been left alone for a while
				}
				connects = n
			}
		case <-s.members.Changed():
		case <-s.stop:
			return
		}
		select {
		case s.changed <- struct{}{}:
		default:
		}
	}
}

// Changed has a value when the tree or what the servers say has changed.
func (s *Source) Changed() <-chan struct{} { return s.changed }

// Now is the time by our clock.
func (s *Source) Now() time.Time { return s.now() }

// Read has a znode read by itself of which only the name was read.
func (s *Source) Read(path string) { s.tree.Read(path) }

// Take returns the newest snapshot with the newest evidence, and how the connection stands.
func (s *Source) Take() (*znode.Snapshot, backend.Link) {
	link, snap := s.link(s.tree.Status()), s.tree.Snapshot()
	if st := s.members.Status(); st != nil {
		snap, link.Advice = s.called.on(onto(st, snap)), st.Advice()
	}
	return snap, link
}

// link says how the connection stands.
func (s *Source) link(st mirror.Status) backend.Link {
	link := backend.Link{Ensemble: s.name, Requests: st.Counters.Requests, BytesIn: st.Counters.BytesIn, Watches: st.Counters.Watches,
		Err: st.Err, ReadOnly: s.readOnly}
	link.Happened, link.Count = s.news.told()
	if st.State.Err != nil {
		link.Cause = st.State.Err.Error()
	}
	if st.State.Phase == zkc.Connected {
		link.Server, link.Session = st.State.Server, znode.SessionID(st.State.Session)
		if silent := s.now().Sub(st.Heard); !st.Heard.IsZero() && silent > st.Trip+st.State.Timeout/2 {
			link.Silent = silent // the client pings every third of the timeout: something is wrong
		}
		if link.Late = st.Late; st.Delay >= slow {
			link.Delay = st.Delay
			link.Old = max(2*st.Delay, s.now().Sub(st.Heard)) // an event is under way, and then what it made us ask; nothing came since Heard
		}
	}
	return link
}

// Servers returns the members of the ensemble as they were last seen; nil before that.
func (s *Source) Servers() []waits.ServerState { return s.members.Status().States() }

// Extra returns the findings that only the members together tell: those that do not answer, znodes that they disagree on,
// clocks that are off.
func (s *Source) Extra() []model.Finding { return s.members.Status().Findings() }

// Judge returns a picture as Config.Judge weighs it.
func (s *Source) Judge(r *model.Result) *model.Result {
	if s.judge == nil {
		return r
	}
	return s.judge(r)
}

// Judges reports whether there is anything that weighs pictures.
func (s *Source) Judges() bool { return s.judge != nil }

// Refresh asks the members soon: once a second at most, whoever calls.
func (s *Source) Refresh() {
	now, last := time.Now().UnixNano(), s.asked.Load()
	if now-last >= int64(time.Second) && s.asked.CompareAndSwap(last, now) {
		s.members.Refresh()
	}
}

// Close ends the following.
func (s *Source) Close() {
	close(s.stop)
	<-s.done
	s.members.Close()
	s.tree.Close()
}
