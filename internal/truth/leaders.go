package truth

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/zkscope/zkscope/internal/wire"
)

func hexOf(id [16]byte) string { return hex.EncodeToString(id[:]) }

// crown is a leader that is one znode, with the members that can be promoted beside it.
type crown struct {
	line    *line
	leader  string // the leader's znode
	members string // where members register
	data    func(p *proc) string
	about   func(p *proc) string // a member's data

	paused bool // nobody stands: a bug, or a check that fails, on all of them; guarded by the oracle
}

// kafka is a controller among brokers.
func (w *world) kafka(n int) {
	base := w.dir("/"+w.name("kafka"), "")
	w.dir(base+"/brokers/ids", "")
	k := &crown{line: w.tr.line(base+"/controller", alone, 1), leader: base + "/controller", members: base + "/brokers/ids"}
	k.line.grace = 5 * time.Second
	k.data = func(p *proc) string {
		return fmt.Sprintf(`{"version":2,"brokerid":%s,"timestamp":"946684800000","kraftControllerEpoch":-1}`, p.name)
	}
	k.about = func(p *proc) string {
		return fmt.Sprintf(`{"listener_security_protocol_map":{"PLAINTEXT":"PLAINTEXT"},"endpoints":["PLAINTEXT://%s:9092"],"jmx_port":-1,"host":"%s","timestamp":"946684800000","port":9092,"version":5}`, p.host, p.host)
	}
	w.reign(k, n, func(i int) string { return fmt.Sprint(i + 1) })
}

// patroni is a leader among the members of a PostgreSQL cluster.
func (w *world) patroni(n int) {
	base := w.dir("/service/"+w.name("db"), "")
	w.dir(base+"/members", "")
	w.dir(base+"/initialize", "7301234567890123456")
	w.dir(base+"/config", `{"ttl":30,"loop_wait":10,"retry_timeout":10}`)
	k := &crown{line: w.tr.line(base+"/leader", alone, 1), leader: base + "/leader", members: base + "/members"}
	k.line.grace = 10 * time.Second // its members look every ten seconds
	k.data = func(p *proc) string { return p.name }
	k.about = func(p *proc) string {
		return fmt.Sprintf(`{"conn_url":"postgres://%s:5432/postgres","api_url":"http://%s:8008/patroni","state":"running","role":"replica","version":"3.0.2","xlog_location":67108960,"timeline":1}`, p.host, p.host)
	}
	w.reign(k, n, func(i int) string { return fmt.Sprintf("pg-%d", i+1) })
}

// reign starts the members, and now and then lets nobody be promoted for a while.
func (w *world) reign(k *crown, n int, name func(int) string) {
	k.line.elects = true
	w.tr.state("leaderless", k.line.path, true)
	var ps []*proc
	for i := range n {
		ps = append(ps, w.process(name(i), k.member))
	}
	w.job(func(rng *rand.Rand) {
		for w.rest(between(rng, 20*time.Second, 4*time.Minute)) {
			p := ps[rng.IntN(len(ps))]
			if rng.IntN(2) == 0 {
				w.tr.pause(k, true)
				p = w.leading(k, ps)
			}
			w.restart(p, rng, rng.IntN(2) == 0)
			if !w.rest(between(rng, 5*time.Second, time.Minute)) {
				return
			}
			w.tr.pause(k, false)
		}
	})
}

// leading is the process that leads; the first where none does.
func (w *world) leading(k *crown, ps []*proc) *proc {
	id := w.tr.leader(k)
	for _, p := range ps {
		if p.session().id == id {
			return p
		}
	}
	return ps[0]
}

// member registers and stands for leader whenever there is none.
func (k *crown) member(th *thread) {
	if !th.lag() {
		return
	}
	path, code, err := th.c.create(k.members+"/"+th.p.name, []byte(k.about(th.p)), wire.FlagEphemeral)
	for err == nil && code == wire.ErrNodeExists { // the old session's
		if !th.nap(time.Second, 2*time.Second) {
			return
		}
		path, code, err = th.c.create(k.members+"/"+th.p.name, []byte(k.about(th.p)), wire.FlagEphemeral)
	}
	if err != nil {
		return
	}
	th.w.tr.enrolled(k, path, true)
	for th.lag() {
		there, ch, err := th.c.exists(k.leader, true)
		if err != nil {
			continue
		}
		if !there && th.w.tr.free(k) {
			if _, code, err := th.c.create(k.leader, []byte(k.data(th.p)), wire.FlagEphemeral); err == nil && code == wire.OK {
				th.w.tr.crowned(k, th)
			}
			continue
		}
		if _, ok := th.await(ch, 10*time.Second); !ok {
			return
		}
	}
}

// pause tells that nobody may be promoted, or that everybody may again.
func (o *oracle) pause(k *crown, on bool) {
	o.mu.Lock()
	k.paused = on
	o.mu.Unlock()
}

// free reports whether somebody may be promoted.
func (o *oracle) free(k *crown) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return !k.paused
}

// leader is the session that leads; zero: nobody does.
func (o *oracle) leader(k *crown) int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, s := range k.line.stakes {
		return s.session
	}
	return 0
}

// enrolled tells that a member came or went.
func (o *oracle) enrolled(k *crown, path string, on bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	k.line.members[path] = on
	o.ranks[path] = k.line
	o.vacancy(k.line, o.now())
}

// crowned tells who leads.
func (o *oracle) crowned(k *crown, th *thread) {
	s := o.made(k.line, k.leader, th, th.c.id, 'x')
	o.holds(s)
	o.mu.Lock()
	k.line.seen = true
	o.vacancy(k.line, o.now())
	o.mu.Unlock()
}

// vacancy says whether nobody leads, and whether that is so where somebody could.
func (o *oracle) vacancy(l *line, now time.Time) {
	n := 0
	for _, on := range l.members {
		if on {
			n++
		}
	}
	o.facts.say("leaderless", l.path, "", len(l.stakes) == 0, now)
	o.facts.say("vacant", l.path, "", len(l.stakes) == 0 && n > 0 && l.seen, now)
}
