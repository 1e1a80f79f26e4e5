package truth

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// memberAddrs are the members that the console is given. Behind all of them is the one server; each tells of its own
// clients only.
var memberAddrs = []string{"10.1.0.1:2181", "10.1.0.2:2181", "10.1.0.3:2181"}

// mood is how a member answers four-letter words.
type mood uint8

const (
	talks     mood = iota
	mute           // it takes connections and does not answer
	refuses        // its port is closed
	noWatches      // it does not list its watches
	cutsShort      // its lists of watches and connections break off
)

// members answers the console's questions as three members would: each knows the sessions, and lists the connections
// and watches of those that are connected to it. Answers take their time, so one round's lists are of different
// moments.
type members struct {
	server *zkserver.Server

	mu     sync.Mutex
	rngs   map[string]*rand.Rand // one for each member and word, so that answers do not depend on who is asked first
	seed   uint64
	rng    *rand.Rand
	moods  [3]mood
	home   map[int64]int                                                         // session: member; others are spread by their number
	slow   time.Duration                                                         // the longest that an answer takes to be made
	silent []span                                                                // when some member did not tell all
	heeded []span                                                                // for how long a refusal was heeded
	listed func(member int, mine func(session int64) bool, made, told time.Time) // told of every whole part of a list
	wg     sync.WaitGroup
}

func newMembers(srv *zkserver.Server, rng *rand.Rand, slow time.Duration) *members {
	return &members{server: srv, rng: rng, seed: rng.Uint64(), rngs: map[string]*rand.Rand{}, home: map[int64]int{}, slow: slow}
}

// feel changes how a member answers.
func (m *members) feel(i int, how mood, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.moods[i] = how
	veiled := m.moods != [3]mood{}
	n := len(m.silent)
	switch open := n > 0 && m.silent[n-1].to.IsZero(); {
	case veiled && !open:
		m.silent = append(m.silent, span{from: now})
	case !veiled && open:
		m.silent[n-1].to = now.Add(window / 2) // until the next round is over
	}
}

func (m *members) homeOf(id int64) int {
	if i, ok := m.home[id]; ok {
		return i
	}
	return int(uint64(id) % uint64(len(memberAddrs)))
}

// move connects a session to another member from its next connection on.
func (m *members) move(id int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.home[id] = m.rng.IntN(len(memberAddrs))
}

// dial is how the console reaches a member.
func (m *members) dial(_ context.Context, _, addr string) (net.Conn, error) {
	i := 0
	for i < len(memberAddrs)-1 && memberAddrs[i] != addr {
		i++
	}
	m.mu.Lock()
	how := m.moods[i]
	m.mu.Unlock()
	if how == refuses {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	}
	near, far := net.Pipe()
	m.wg.Add(1)
	guard.Go(func() {
		defer m.wg.Done()
		defer far.Close()
		var word [4]byte
		if _, err := io.ReadFull(far, word[:]); err != nil {
			return
		}
		if how == mute {
			_, _ = io.Copy(io.Discard, far) // until the other side gives up
			return
		}
		before, after := m.delays(i, string(word[:]))
		time.Sleep(before)
		text := m.answer(i, string(word[:]), how)
		m.note(i, string(word[:]), how, time.Now(), after)
		time.Sleep(after)
		_, _ = io.WriteString(far, text)
	})
	return near, nil
}

// heeds is for how long a console may leave a member alone that refused a word: servers log every such question.
const heeds = time.Minute

// note keeps what was answered about watches.
func (m *members) note(i int, word string, how mood, now time.Time, after time.Duration) {
	switch {
	case how == noWatches && (word == "wchs" || word == "wchp"):
		m.mu.Lock()
		m.heeded = append(m.heeded, span{from: now, to: now.Add(heeds + window/2)})
		m.mu.Unlock()
	case word == "wchp" && how == talks && m.listed != nil:
		m.listed(i, func(id int64) bool {
			m.mu.Lock()
			defer m.mu.Unlock()
			return m.homeOf(id) == i
		}, now, now.Add(after))
	}
}

// kept reports whether a member kept something back in a time, or had refused to list its watches not long before.
func (m *members) kept(from, to time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	overlaps := func(s span) bool { return s.from.Before(to) && (s.to.IsZero() || s.to.After(from)) }
	return slices.ContainsFunc(m.silent, overlaps) || slices.ContainsFunc(m.heeded, overlaps)
}

// delays are how long a member takes until it makes its answer, and until that arrives.
func (m *members) delays(i int, word string) (before, after time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := strconv.Itoa(i) + word
	rng := m.rngs[key]
	if rng == nil {
		rng = rand.New(rand.NewPCG(m.seed, uint64(i)<<32|uint64(word[0])<<16|uint64(word[1])<<8|uint64(word[3])))
		m.rngs[key] = rng
	}
	return time.Duration(rng.Int64N(int64(m.slow))), time.Duration(rng.Int64N(int64(m.slow)))
}

// answer is what one member says to a word.
func (m *members) answer(i int, word string, how mood) string {
	text := m.server.FourLetter(word)
	m.mu.Lock()
	defer m.mu.Unlock()
	mine := func(id string) bool {
		n, err := strconv.ParseUint(strings.TrimPrefix(id, "0x"), 16, 64)
		return err == nil && m.homeOf(int64(n)) == i
	}
	switch word {
	case "wchp", "wchs":
		if how == noWatches {
			return word + " is not executed because it is not in the whitelist.\n"
		}
	case "cons", "dump":
	}
	switch word {
	case "srvr", "mntr":
		mode := "follower"
		if i == 0 {
			mode = "leader"
		}
		text = strings.ReplaceAll(text, "standalone", mode)
	case "conf":
		text = strings.ReplaceAll(text, "serverId=0", "serverId="+strconv.Itoa(i+1))
	case "cons":
		text = onlyLines(text, func(line string) bool {
			_, rest, ok := strings.Cut(line, "sid=")
			id, _, _ := strings.Cut(rest, ",")
			return ok && mine(id)
		})
	case "wchp":
		text = watchesOf(text, mine)
	case "dump":
		text = dumpOf(text, i == 0, mine)
	}
	if how == cutsShort && (word == "wchp" || word == "cons") {
		text = text[:len(text)/2]
	}
	return text
}

func onlyLines(text string, keep func(string) bool) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" || keep(line) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// watchesOf keeps the watches of a member's own sessions.
func watchesOf(text string, mine func(string) bool) string {
	var b strings.Builder
	path, wrote := "", false
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "/"):
			path, wrote = line, false
		case strings.HasPrefix(line, "\t") && mine(strings.TrimSpace(line)):
			if !wrote {
				b.WriteString(path)
				wrote = true
			}
			b.WriteString(line)
		}
	}
	b.WriteString("\n")
	return b.String()
}

// dumpOf makes a member's dump of the server's: a follower lists sessions without their expiry, everyone its own
// connections.
func dumpOf(text string, leader bool, mine func(string) bool) string {
	head, rest, _ := strings.Cut(text, "ephemeral nodes dump:\n")
	owners, conns, _ := strings.Cut(rest, "Connections dump:\n")
	if !leader {
		var ids []string
		for line := range strings.Lines(head) {
			if strings.HasPrefix(line, "\t") {
				ids = append(ids, strings.TrimSpace(line))
			}
		}
		head = fmt.Sprintf("SessionTracker dump:\nGlobal Sessions(%d):\n", len(ids))
		for _, id := range ids {
			head += id + "\t10000ms\n"
		}
	}
	var kept []string
	for line := range strings.Lines(conns) {
		if _, id, ok := strings.Cut(strings.TrimSpace(line), "sessionId: "); ok && mine(id) {
			kept = append(kept, line)
		}
	}
	return head + "ephemeral nodes dump:\n" + owners + "Connections dump:\n" +
		fmt.Sprintf("Connections Sets (%d)/(%d):\n", min(1, len(kept)), len(kept)) + expiryLine(conns, len(kept)) + strings.Join(kept, "")
}

// expiryLine is the heading of the connections that are kept.
func expiryLine(conns string, n int) string {
	for line := range strings.Lines(conns) {
		if _, at, ok := strings.Cut(line, " expire at "); ok && n > 0 {
			return fmt.Sprintf("%d expire at %s", n, at)
		}
	}
	return ""
}
