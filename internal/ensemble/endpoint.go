package ensemble

import (
	"context"
	"errors"
	"net"
	"strings"
	"syscall"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/guard"
)

// endpoint is one client address and what is remembered of it from round to round, with the last round's answers. It
// belongs to whoever holds the Ensemble's turn, and within a round to one goroutine.
type endpoint struct {
	addr       string
	fourLetter string            // where four-letter words are asked; empty: nowhere
	configured *configuredMember // the member that it was found to be; nil: not known
	foreign    string            // by what it is known to be of another ensemble; empty: it is not known to be
	missed     int               // in how many rounds in a row our session was on the server of our connection and not on this
	guessed    bool              // nobody named it: it is tried because the members' list leads there

	admin      string // base URL of its AdminServer; empty: none found
	adminTried time.Time
	adminWhy   string // why none was found
	shut       map[string]time.Time
	lengths    map[string]int // of the last reply to each word
	last       *dump          // the last that was told
	silent     int            // in how many rounds in a row nobody answered there
	idle       int            // in how many it answered that it serves nobody

	answers
}

// answers are what a member said in one round. Every part says by its flag whether it is known.
type answers struct {
	up       bool // it answered anything at all
	err      error
	srvr     *health
	conf     *settings
	conns    []connection
	hasConns bool
	connsBy  string // admin or 4lw
	dump     *dump
	asked    question // of the dump
	sum      *summary
	watches  map[string][]znode.SessionID
	listed   bool // watches are all there
	why      map[string]error
	clock    Clock
	buffer   string // jute.maxbuffer; empty: not told
}

// visit asks one member everything that a round wants. Its AdminServer is looked for while its client port is asked,
// so that ports that hang cost their time once.
func (e *Ensemble) visit(ctx context.Context, ep *endpoint, w Want) {
	ep.answers = answers{why: map[string]error{}, conf: ep.conf, buffer: ep.buffer}
	if ep.foreign != "" {
		ep.conf = nil // it may have joined meanwhile
	}
	found := e.seekAdmin(ctx, ep)
	if e.firstWord(ctx, ep) && ep.conf == nil {
		if text, err := e.ask(ctx, ep, wordConf); err == nil {
			if s, ok := parseConf(text); ok {
				ep.conf = &s
			}
		}
	}
	if found != nil {
		ep.adopt(<-found, e)
	}
	if ep.admin != "" {
		e.askAdmin(ctx, ep, w)
	}
	if ep.up {
		e.askFourLetter(ctx, ep, w)
	}
	if ep.silent++; ep.up || !ep.unanswered() {
		ep.silent = 0
	}
	if ep.idle++; !errors.Is(ep.err, errIdle) || ep.srvr != nil {
		ep.idle = 0
	}
	if id, since, _ := e.self(); id != 0 {
		ep.clockOfSelf(id, since)
	}
}

// unanswered reports whether nobody was there when the client port was asked. An address that the members' list leads to
// may be one that only they can reach: there it counts only where the host itself refuses.
func (ep *endpoint) unanswered() bool {
	var sys syscall.Errno
	var name *net.DNSError
	switch {
	case errors.Is(ep.err, syscall.ECONNREFUSED):
		return true
	case ep.guessed:
		return false
	case errors.As(ep.err, &sys):
		return sys != syscall.ECONNRESET && sys != syscall.EPIPE // that of a connection that there was
	}
	return errors.Is(ep.err, errSilent) || errors.As(ep.err, &name)
}

// firstWord asks srvr, which every server answers unless its port is closed or speaks TLS.
func (e *Ensemble) firstWord(ctx context.Context, ep *endpoint) bool {
	text, err := e.ask(ctx, ep, wordSrvr)
	if err != nil {
		ep.err = err
		if errors.Is(err, errIdle) || errors.Is(err, errRefused) {
			ep.up = true
		}
		return ep.up
	}
	if h, ok := parseSrvr(text); ok {
		ep.srvr, ep.up = &h, true
		return true
	}
	ep.err = errors.New("the answer to srvr is no ZooKeeper's")
	return false
}

// ask sends a word unless it was refused lately.
func (e *Ensemble) ask(ctx context.Context, ep *endpoint, word string) (string, error) {
	if ep.fourLetter == "" {
		return "", errors.New("four-letter words are turned off")
	}
	if at, is := ep.shut[word]; is && e.cfg.Now().Sub(at) < retryAfter {
		ep.why[word] = errRefused
		return "", errRefused
	}
	text, err := e.word(ctx, ep.fourLetter, word, ep.lengths[word])
	ep.lengths[word] = len(text)
	if err != nil {
		ep.why[word] = err
		if errors.Is(err, errRefused) {
			ep.shut[word] = e.cfg.Now()
		}
	}
	return text, err
}

// adminServer is an AdminServer that answers, and whose it says it is.
type adminServer struct {
	base string
	settings
	err error
}

// seekAdmin starts to look for the member's AdminServer: where the user says, else on its host's usual port. It
// returns nil when it is known or not due.
func (e *Ensemble) seekAdmin(ctx context.Context, ep *endpoint) <-chan []adminServer {
	if now := e.cfg.Now(); ep.admin != "" || off(e.cfg.Admin) || !ep.adminTried.IsZero() && now.Sub(ep.adminTried) < retryAfter {
		return nil
	} else {
		ep.adminTried = now
	}
	candidates := e.adminCandidates(ep)
	out := make(chan []adminServer, 1)
	guard.Go(func() {
		var list []adminServer
		for _, base := range candidates {
			var reply configurationReply
			_, err := e.command(ctx, base, cmdConfiguration, &reply)
			list = append(list, adminServer{base, reply.settings(), err})
			if errors.Is(err, errSilent) && len(e.cfg.Admin) == 0 {
				break // a port that hangs hangs for HTTPS too
			}
		}
		out <- list
	})
	return out
}

// adopt takes the AdminServer that belongs to the member: its server id says so, else its client port and host.
func (ep *endpoint) adopt(list []adminServer, e *Ensemble) {
	id := int64(-1)
	if ep.conf != nil {
		id = ep.conf.id
	} else if ep.configured != nil {
		id = ep.configured.id
	}
	host, port, _ := net.SplitHostPort(ep.addr)
	for _, a := range list {
		at := strings.TrimPrefix(strings.TrimPrefix(a.base, "http://"), "https://")
		where, _, _ := net.SplitHostPort(at[:strings.IndexByte(at, '/')])
		samePort := number(port) == a.clientPort || number(port) == a.securePort
		if ep.conf != nil && a.clientPort > 0 && ep.conf.clientPort == a.clientPort { // before 3.9 it does not tell its TLS port
			samePort = true
		}
		here := samePort && (sameHost(where, host) || len(list) == 1 && len(e.cfg.Admin) == 1)
		switch {
		case a.err != nil:
			if ep.adminWhy == "" {
				ep.adminWhy = a.base + ": " + oneLine(a.err)
			}
		case id > 0 && id == a.id, id <= 0 && here && (id < 0 || a.id == 0):
			ep.admin, ep.adminWhy, ep.up = a.base, "", true
			if s := a.settings; ep.conf == nil {
				ep.conf = &s
			}
			return
		case ep.adminWhy == "":
			ep.adminWhy = a.base + " is another member's"
		}
	}
}

// adminCandidates lists where a member's AdminServer may be, most likely first.
func (e *Ensemble) adminCandidates(ep *endpoint) (out []string) {
	host, _, _ := net.SplitHostPort(ep.addr)
	for _, a := range e.cfg.Admin {
		if base, err := adminURL(a); err == nil {
			out = append(out, base)
		}
	}
	if len(out) > 0 {
		return out
	}
	at := net.JoinHostPort(host, adminPort) + "/commands"
	return []string{"http://" + at, "https://" + at}
}

// askAdmin asks the AdminServer. One that stopped answering is forgotten until the next time that endpoints are tried.
func (e *Ensemble) askAdmin(ctx context.Context, ep *endpoint, w Want) {
	var conns connectionsReply
	q := question{sent: e.cfg.Now()}
	date, err := e.command(ctx, ep.admin, cmdConnections, &conns)
	q.heard = e.cfg.Now()
	if err != nil {
		ep.why[cmdConnections] = err
		if !errors.Is(err, errIdle) {
			ep.admin, ep.adminTried, ep.adminWhy = "", time.Time{}, oneLine(err)
		}
		return
	}
	ep.up, ep.hasConns, ep.conns, ep.connsBy = true, true, conns.list(), "admin"
	ep.clock = clockOfDate(date, q)
	if ep.srvr == nil {
		var stats statsReply
		if _, err := e.command(ctx, ep.admin, cmdStats, &stats); err == nil {
			h := stats.health()
			ep.srvr = &h
		}
	}
	e.adminDump(ctx, ep)
	if w.Limits && ep.buffer == "" {
		ep.buffer = e.adminBuffer(ctx, ep)
	}
	if !w.Watches {
		return
	}
	var sum struct {
		Connections int64 `json:"num_connections"`
		Paths       int64 `json:"num_paths"`
		Total       int64 `json:"num_total_watches"`
	}
	if _, err := e.command(ctx, ep.admin, cmdSummary, &sum); err != nil {
		ep.why[cmdSummary] = err
		return
	}
	ep.sum = &summary{sum.Connections, sum.Paths, sum.Total}
	if sum.Total <= e.cfg.MaxWatches {
		e.adminWatches(ctx, ep)
	}
}

// adminBuffer is the largest request that the member takes.
func (e *Ensemble) adminBuffer(ctx context.Context, ep *endpoint) string {
	var reply map[string]any
	if _, err := e.command(ctx, ep.admin, cmdProperties, &reply); err != nil {
		return ""
	}
	if set, ok := reply["jute.maxbuffer"].(string); ok {
		return set
	}
	return "1048575 (default)"
}

func (e *Ensemble) adminDump(ctx context.Context, ep *endpoint) {
	var reply dumpReply
	q := question{sent: e.cfg.Now()}
	if _, err := e.command(ctx, ep.admin, cmdDump, &reply); err != nil {
		ep.why[cmdDump] = err
		return
	}
	q.heard = e.cfg.Now()
	one := reply.dump(ep.leads(), ep.last)
	ep.dump, ep.last, ep.asked = &one, &one, q
}

func (e *Ensemble) adminWatches(ctx context.Context, ep *endpoint) {
	var reply struct {
		Paths map[string][]decimalID `json:"path_to_session_ids"`
	}
	if _, err := e.command(ctx, ep.admin, cmdWatches, &reply); err != nil || reply.Paths == nil {
		ep.why[cmdWatches] = err
		return
	}
	ep.watches, ep.listed = map[string][]znode.SessionID{}, true
	for path, ids := range reply.Paths {
		for _, id := range ids {
			ep.watches[path] = append(ep.watches[path], znode.SessionID(id))
		}
	}
}

// askFourLetter asks by four-letter words what is not known yet.
func (e *Ensemble) askFourLetter(ctx context.Context, ep *endpoint, w Want) {
	if ep.fourLetter == "" || ep.why[wordSrvr] != nil && !errors.Is(ep.why[wordSrvr], errRefused) {
		return
	}
	e.wordConns(ctx, ep)
	if ep.dump == nil || ep.dump.sessions == nil || ep.dump.first.IsZero() && ep.leads() {
		e.wordDump(ctx, ep)
	}
	if w.Watches && !ep.listed {
		e.wordWatches(ctx, ep)
	}
}

func (ep *endpoint) leads() bool {
	return ep.srvr != nil && (ep.srvr.mode == "leader" || ep.srvr.mode == "standalone")
}

func (e *Ensemble) wordConns(ctx context.Context, ep *endpoint) {
	if ep.hasConns {
		return
	}
	if text, err := e.ask(ctx, ep, wordCons); err == nil {
		ep.conns, ep.hasConns = parseCons(text)
		ep.connsBy = "4lw"
		if !ep.hasConns {
			ep.why[wordCons] = errCut
		}
	}
}

// wordDump asks dump. Where the AdminServer has told of connections, only the rest counts.
func (e *Ensemble) wordDump(ctx context.Context, ep *endpoint) {
	q := question{sent: e.cfg.Now()}
	text, err := e.ask(ctx, ep, wordDump)
	q.heard = e.cfg.Now()
	if err != nil && !errors.Is(err, errCut) {
		return
	}
	one := parseDump(text, q.middle(), ep.last)
	if !one.whole {
		ep.why[wordDump] = errCut
	}
	ep.dump, ep.last, ep.asked = &one, &one, q
	if !ep.hasConns && one.hasConns && errors.Is(ep.why[wordCons], errRefused) {
		ep.conns, ep.hasConns, ep.connsBy = one.conns, true, "4lw"
	}
}

func (e *Ensemble) wordWatches(ctx context.Context, ep *endpoint) {
	if ep.sum == nil {
		text, err := e.ask(ctx, ep, wordWchs)
		if err != nil {
			return
		}
		s, ok := parseWchs(text)
		if !ok {
			ep.why[wordWchs] = errCut
			return
		}
		ep.sum = &s
	}
	if ep.sum.total > e.cfg.MaxWatches {
		return
	}
	text, err := e.ask(ctx, ep, wordWchp)
	if err != nil {
		return
	}
	ep.watches, ep.listed = parseWchp(text)
	if !ep.listed {
		ep.why[wordWchp] = errCut
	}
}
