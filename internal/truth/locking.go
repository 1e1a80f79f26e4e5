package truth

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
)

// flavour is how a library spells and watches its claims on a line.
type flavour struct {
	name  string
	word  map[byte]string // by mode
	guard func(id [16]byte) string
	gets  bool // it watches with getData, else with exists
	data  func(p *proc, th *thread) string
	first bool // its readers watch the first writer of the line, not the nearest
}

func uuid(b [16]byte) string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func hostData(p *proc, _ *thread) string { return p.host }

// threadData is what processes write whose threads have names.
func threadData(p *proc, th *thread) string {
	if p.names {
		return fmt.Sprintf("%s-thread-%d", p.name, th.number)
	}
	return p.name
}

// flavours are the libraries whose lines the worlds have.
var flavours = []*flavour{
	{name: "ours", guard: func(b [16]byte) string { return uuid(b) + "-" }, word: map[byte]string{'x': "lock-", 'r': "read-", 'w': "write-"}, data: threadData},
	{name: "curator", guard: func(b [16]byte) string { return "_c_" + uuid(b) + "-" }, word: map[byte]string{'x': "lock-", 'r': "__READ__", 'w': "__WRIT__"}, gets: true, first: true, data: hostData},
	{name: "kazoo", guard: func(b [16]byte) string { return fmt.Sprintf("%x", b) }, word: map[byte]string{'x': "__lock__", 'r': "__rlock__", 'w': "__lock__"}, data: threadData},
	{name: "go-zookeeper", guard: func(b [16]byte) string { return fmt.Sprintf("_c_%x-", b) }, word: map[byte]string{'x': "lock-"}, gets: true, data: func(*proc, *thread) string { return "" }},
}

// vow is what a thread means to do on a line, and what goes wrong.
type vow struct {
	mode     byte
	patience time.Duration // it gives up after this long; zero: never
	leaks    int           // once in so many it forgets its claim when it gives up or its answer is lost; zero: never
	deaf     int           // once in so many it waits without a watch; zero: never
	word     string        // instead of the flavour's: for elections
}

// number is the sequence at the end of a name.
func number(name string) string { return name[max(0, len(name)-10):] }

// acquire takes a place in a line and waits for its turn; nil when it gave up, or the session is over.
func (th *thread) acquire(l *line, f *flavour, v vow) *stake {
	if v.mode == 0 {
		v.mode = 'x'
	}
	if !th.lag() {
		return nil
	}
	s := th.enter(l, f, v)
	if s == nil {
		return nil
	}
	if v.leaks > 0 && th.sometimes(v.leaks) {
		th.w.tr.forgets(s, false) // the answer was lost, and it looks for nothing
		if th.sometimes(2) {
			return nil
		}
		if s = th.enter(l, f, v); s == nil {
			return nil
		}
	}
	return th.queue(s, f, v)
}

// enter makes a claim.
func (th *thread) enter(l *line, f *flavour, v vow) *stake {
	id := th.id()
	word := f.word[v.mode]
	if v.word != "" {
		word = v.word
	}
	path, code, err := th.c.create(l.dir()+"/"+f.guard(id)+word, []byte(f.data(th.p, th)), wire.FlagEphemeralSequence)
	if err != nil || code != wire.OK {
		return nil
	}
	return th.w.tr.made(l, path, th, th.c.id, v.mode)
}

// dir is where a line's claims stand.
func (l *line) dir() string { return l.path }

// queue waits until a claim's turn has come.
func (th *thread) queue(s *stake, f *flavour, v vow) *stake {
	begun := time.Now()
	for {
		if !th.lag() {
			return nil
		}
		names, _, err := th.c.children(s.line.dir(), false)
		if err != nil {
			if th.c.isOver() {
				return nil
			}
			continue
		}
		ahead, there := turn(names, s, f.first)
		if !there {
			return nil
		}
		if ahead == "" {
			th.w.tr.holds(s)
			return s
		}
		came, ok := th.behind(s, f, v, ahead, begun)
		if !ok {
			return nil
		}
		if !came && v.patience > 0 && time.Since(begun) >= v.patience {
			th.giveUp(s, v)
			return nil
		}
	}
}

// behind waits for the claim ahead to go.
func (th *thread) behind(s *stake, f *flavour, v vow, ahead string, begun time.Time) (came, ok bool) {
	left := time.Duration(0)
	if v.patience > 0 {
		left = max(time.Millisecond, v.patience-time.Since(begun))
	}
	if v.deaf > 0 && th.sometimes(v.deaf) {
		th.w.tr.waits(s, true)
		return th.await(nil, left)
	}
	if !th.lag() {
		return false, false
	}
	path := s.line.dir() + "/" + ahead
	var ch chan struct{}
	if f.gets {
		_, _, ch, _ = th.c.get(path, true)
	} else if there, c, _ := th.c.exists(path, true); there {
		ch = c
	} else if c != nil {
		th.c.unwatch(dataTable, path, c)
	}
	if ch == nil {
		return true, !th.c.isOver()
	}
	th.w.tr.waits(s, false)
	came, ok = th.await(ch, left)
	if !came {
		th.c.unwatch(dataTable, path, ch)
	}
	return came, ok
}

// giveUp takes a claim back, or forgets it.
func (th *thread) giveUp(s *stake, v vow) {
	if v.leaks > 0 && th.sometimes(v.leaks) {
		th.w.tr.forgets(s, true)
		return
	}
	th.release(s)
}

// release takes a claim back.
func (th *thread) release(s *stake) {
	for !th.c.isOver() {
		if _, err := th.c.remove(s.path); err == nil {
			return
		}
	}
}

// turn says which name a claim waits for, as clients decide it; empty when its turn has come.
func turn(names []string, s *stake, first bool) (ahead string, there bool) {
	own := s.path[strings.LastIndexByte(s.path, '/')+1:]
	list := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return modeOf(n) == 0 })
	slices.SortFunc(list, func(a, b string) int { return strings.Compare(number(a), number(b)) })
	for _, n := range list {
		if n == own {
			return ahead, true
		}
		if s.mode != 'r' || modeOf(n) != 'r' && (ahead == "" || !first) {
			ahead = n
		}
	}
	return "", false
}

// modeOf tells what a name in a line is; zero: nothing.
func modeOf(name string) byte {
	switch {
	case strings.Contains(name, "read-"), strings.Contains(name, "__READ__"), strings.Contains(name, "__rlock__"):
		return 'r'
	case strings.Contains(name, "write-"), strings.Contains(name, "__WRIT__"):
		return 'w'
	case strings.Contains(name, "lock"), strings.Contains(name, "latch-"), strings.Contains(name, "n_"):
		return 'x'
	}
	return 0
}
