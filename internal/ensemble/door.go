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

// door is one client address and what is remembered of it from round to round, with the last round's answers. It
// belongs to whoever holds the Ensemble's turn, and within a round to one goroutine.
type door struct {
	addr    string
	words   string // where four-letter words are asked; empty: nowhere
	entry   *entry // the member that it was found to be; nil: not known
	guessed bool   // nobody named it: it is tried because the members' list leads there

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
func (e *Ensemble) visit(ctx context.Context, d *door, w Want) {
	d.answers = answers{why: map[string]error{}, conf: d.conf, buffer: d.buffer}
	found := e.seekAdmin(ctx, d)
	if e.firstWord(ctx, d) && d.conf == nil {
		if text, err := e.ask(ctx, d, wordConf); err == nil {
			if s, ok := parseConf(text); ok {
				d.conf = &s
			}
		}
	}
	if found != nil {
		d.adopt(<-found, e)
	}
	if d.admin != "" {
		e.askAdmin(ctx, d, w)
	}
	if d.up {
		e.askWords(ctx, d, w)
	}
	if d.silent++; d.up || !d.unanswered() {
		d.silent = 0
	}
	if d.idle++; !errors.Is(d.err, errIdle) || d.srvr != nil {
		d.idle = 0
	}
	if id, since, _ := e.self(); id != 0 {
		d.clockOfSelf(id, since)
	}
}

// unanswered reports whether nobody was there when the client port was asked. An address that the members' list leads to
// may be one that only they can reach: there it counts only where the host itself refuses.
func (d *door) unanswered() bool {
	var sys syscall.Errno
	var name *net.DNSError
	switch {
	case errors.Is(d.err, syscall.ECONNREFUSED):
		return true
	case d.guessed:
		return false
	case errors.As(d.err, &sys):
		return sys != syscall.ECONNRESET && sys != syscall.EPIPE // that of a connection that there was
	}
	return errors.Is(d.err, errSilent) || errors.As(d.err, &name)
}

// firstWord asks srvr, which every server answers unless its port is closed or speaks TLS.
func (e *Ensemble) firstWord(ctx context.Context, d *door) bool {
	text, err := e.ask(ctx, d, wordSrvr)
	if err != nil {
		d.err = err
		if errors.Is(err, errIdle) || errors.Is(err, errRefused) {
			d.up = true
		}
		return d.up
	}
	if h, ok := parseSrvr(text); ok {
		d.srvr, d.up = &h, true
		return true
	}
	d.err = errors.New("the answer to srvr is no ZooKeeper's")
	return false
}

// ask sends a word unless it was refused lately.
func (e *Ensemble) ask(ctx context.Context, d *door, word string) (string, error) {
	if d.words == "" {
		return "", errors.New("four-letter words are turned off")
	}
	if at, is := d.shut[word]; is && e.cfg.Now().Sub(at) < retryAfter {
		d.why[word] = errRefused
		return "", errRefused
	}
	text, err := e.word(ctx, d.words, word, d.lengths[word])
	d.lengths[word] = len(text)
	if err != nil {
		d.why[word] = err
		if errors.Is(err, errRefused) {
			d.shut[word] = e.cfg.Now()
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
func (e *Ensemble) seekAdmin(ctx context.Context, d *door) <-chan []adminServer {
	if now := e.cfg.Now(); d.admin != "" || off(e.cfg.Admin) || !d.adminTried.IsZero() && now.Sub(d.adminTried) < retryAfter {
		return nil
	} else {
		d.adminTried = now
	}
	candidates := e.adminCandidates(d)
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
func (d *door) adopt(list []adminServer, e *Ensemble) {
	id := int64(-1)
	if d.conf != nil {
		id = d.conf.id
	} else if d.entry != nil {
		id = d.entry.id
	}
	host, port, _ := net.SplitHostPort(d.addr)
	for _, a := range list {
		at := strings.TrimPrefix(strings.TrimPrefix(a.base, "http://"), "https://")
		where, _, _ := net.SplitHostPort(at[:strings.IndexByte(at, '/')])
		samePort := number(port) == a.clientPort || number(port) == a.securePort
		if d.conf != nil && a.clientPort > 0 && d.conf.clientPort == a.clientPort { // before 3.9 it does not tell its TLS port
			samePort = true
		}
		here := samePort && (sameHost(where, host) || len(list) == 1 && len(e.cfg.Admin) == 1)
		switch {
		case a.err != nil:
			if d.adminWhy == "" {
				d.adminWhy = a.base + ": " + oneLine(a.err)
			}
		case id > 0 && id == a.id, id <= 0 && here && (id < 0 || a.id == 0):
			d.admin, d.adminWhy, d.up = a.base, "", true
			if s := a.settings; d.conf == nil {
				d.conf = &s
			}
			return
		case d.adminWhy == "":
			d.adminWhy = a.base + " is another member's"
		}
	}
}

// adminCandidates lists where a member's AdminServer may be, most likely first.
func (e *Ensemble) adminCandidates(d *door) (out []string) {
	host, _, _ := net.SplitHostPort(d.addr)
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

// askAdmin asks the AdminServer. One that stopped answering is forgotten until the next time that doors are tried.
func (e *Ensemble) askAdmin(ctx context.Context, d *door, w Want) {
	var conns connectionsReply
	q := question{sent: e.cfg.Now()}
	date, err := e.command(ctx, d.admin, cmdConnections, &conns)
	q.heard = e.cfg.Now()
	if err != nil {
		d.why[cmdConnections] = err
		if !errors.Is(err, errIdle) {
			d.admin, d.adminTried, d.adminWhy = "", time.Time{}, oneLine(err)
		}
		return
	}
	d.up, d.hasConns, d.conns, d.connsBy = true, true, conns.list(), "admin"
	d.clock = clockOfDate(date, q)
	if d.srvr == nil {
		var stats statsReply
		if _, err := e.command(ctx, d.admin, cmdStats, &stats); err == nil {
			h := stats.health()
			d.srvr = &h
		}
	}
	e.adminDump(ctx, d)
	if w.Limits && d.buffer == "" {
		d.buffer = e.adminBuffer(ctx, d)
	}
	if !w.Watches {
		return
	}
	var sum struct {
		Connections int64 `json:"num_connections"`
		Paths       int64 `json:"num_paths"`
		Total       int64 `json:"num_total_watches"`
	}
	if _, err := e.command(ctx, d.admin, cmdSummary, &sum); err != nil {
		d.why[cmdSummary] = err
		return
	}
	d.sum = &summary{sum.Connections, sum.Paths, sum.Total}
	if sum.Total <= e.cfg.MaxWatches {
		e.adminWatches(ctx, d)
	}
}

// adminBuffer is the largest request that the member takes.
func (e *Ensemble) adminBuffer(ctx context.Context, d *door) string {
	var reply map[string]any
	if _, err := e.command(ctx, d.admin, cmdProperties, &reply); err != nil {
		return ""
	}
	if set, ok := reply["jute.maxbuffer"].(string); ok {
		return set
	}
	return "1048575 (default)"
}

func (e *Ensemble) adminDump(ctx context.Context, d *door) {
	var reply dumpReply
	q := question{sent: e.cfg.Now()}
	if _, err := e.command(ctx, d.admin, cmdDump, &reply); err != nil {
		d.why[cmdDump] = err
		return
	}
	q.heard = e.cfg.Now()
	one := reply.dump(d.leads(), d.last)
	d.dump, d.last, d.asked = &one, &one, q
}

func (e *Ensemble) adminWatches(ctx context.Context, d *door) {
	var reply struct {
		Paths map[string][]decimalID `json:"path_to_session_ids"`
	}
	if _, err := e.command(ctx, d.admin, cmdWatches, &reply); err != nil || reply.Paths == nil {
		d.why[cmdWatches] = err
		return
	}
	d.watches, d.listed = map[string][]znode.SessionID{}, true
	for path, ids := range reply.Paths {
		for _, id := range ids {
			d.watches[path] = append(d.watches[path], znode.SessionID(id))
		}
	}
}

// askWords asks by four-letter words what is not known yet.
func (e *Ensemble) askWords(ctx context.Context, d *door, w Want) {
	if d.words == "" || d.why[wordSrvr] != nil && !errors.Is(d.why[wordSrvr], errRefused) {
		return
	}
	e.wordConns(ctx, d)
	if d.dump == nil || d.dump.sessions == nil || d.dump.first.IsZero() && d.leads() {
		e.wordDump(ctx, d)
	}
	if w.Watches && !d.listed {
		e.wordWatches(ctx, d)
	}
}

func (d *door) leads() bool {
	return d.srvr != nil && (d.srvr.mode == "leader" || d.srvr.mode == "standalone")
}

func (e *Ensemble) wordConns(ctx context.Context, d *door) {
	if d.hasConns {
		return
	}
	if text, err := e.ask(ctx, d, wordCons); err == nil {
		d.conns, d.hasConns = parseCons(text)
		d.connsBy = "4lw"
		if !d.hasConns {
			d.why[wordCons] = errCut
		}
	}
}

// wordDump asks dump. Where the AdminServer has told of connections, only the rest counts.
func (e *Ensemble) wordDump(ctx context.Context, d *door) {
	q := question{sent: e.cfg.Now()}
	text, err := e.ask(ctx, d, wordDump)
	q.heard = e.cfg.Now()
	if err != nil && !errors.Is(err, errCut) {
		return
	}
	one := parseDump(text, q.middle(), d.last)
	if !one.whole {
		d.why[wordDump] = errCut
	}
	d.dump, d.last, d.asked = &one, &one, q
	if !d.hasConns && one.hasConns && errors.Is(d.why[wordCons], errRefused) {
		d.conns, d.hasConns, d.connsBy = one.conns, true, "4lw"
	}
}

func (e *Ensemble) wordWatches(ctx context.Context, d *door) {
	if d.sum == nil {
		text, err := e.ask(ctx, d, wordWchs)
		if err != nil {
			return
		}
		s, ok := parseWchs(text)
		if !ok {
			d.why[wordWchs] = errCut
			return
		}
		d.sum = &s
	}
	if d.sum.total > e.cfg.MaxWatches {
		return
	}
	text, err := e.ask(ctx, d, wordWchp)
	if err != nil {
		return
	}
	d.watches, d.listed = parseWchp(text)
	if !d.listed {
		d.why[wordWchp] = errCut
	}
}
