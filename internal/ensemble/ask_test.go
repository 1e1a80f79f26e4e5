package ensemble

import (
	"context"
	"crypto/tls"
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// member is a made-up server: it answers four-letter words as it is told and records what it was asked.
type member struct {
	t    *testing.T
	l    net.Listener
	wg   sync.WaitGroup
	addr string

	mu      sync.Mutex
	replies map[string]string // a missing word is refused; "hang" is answered by silence, "close" by the end
	asked   []string
	open    map[net.Conn]bool
}

const refused = " is not executed because it is not in the whitelist.\n"

func newMember(t *testing.T, on string, replies map[string]string, secure *tls.Config) *member {
	t.Helper()
	l, err := net.Listen("tcp", on)
	if err != nil {
		t.Skip(err) // no IPv6 here
	}
	if secure != nil {
		l = tls.NewListener(l, secure)
	}
	m := &member{t: t, l: l, addr: l.Addr().String(), replies: replies, open: map[net.Conn]bool{}}
	m.wg.Add(1)
	go m.accept()
	t.Cleanup(m.close)
	return m
}

func (m *member) accept() {
	defer m.wg.Done()
	for {
		c, err := m.l.Accept()
		if err != nil {
			return
		}
		m.mu.Lock()
		m.open[c] = true
		m.mu.Unlock()
		m.wg.Add(1)
		go m.serve(c)
	}
}

func (m *member) serve(c net.Conn) {
	defer m.wg.Done()
	defer c.Close()
	head := make([]byte, 4)
	if _, err := io.ReadFull(c, head); err != nil {
		return
	}
	word := string(head)
	m.mu.Lock()
	m.asked = append(m.asked, word)
	reply, ok := m.replies[word]
	m.mu.Unlock()
	switch {
	case !ok:
		reply = word + refused
	case reply == "hang":
		_, _ = io.ReadAll(c)
		return
	case reply == "close":
		return
	}
	_, _ = io.WriteString(c, reply)
}

func (m *member) close() {
	m.l.Close()
	m.mu.Lock()
	for c := range m.open {
		c.Close()
	}
	m.mu.Unlock()
	m.wg.Wait()
}

func (m *member) heard() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.asked)
}

func (m *member) set(word, reply string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.replies[word] = reply
}

// replies are what a server of an ensemble of three says.
func replies(t *testing.T, dir string) map[string]string {
	out := map[string]string{}
	for _, w := range []string{"srvr", "conf", "cons", "dump", "wchs", "wchp"} {
		out[w] = strings.TrimRight(captured(t, dir+w+".txt"), "\n") + "\n"
		if w == "cons" || w == "wchp" {
			out[w] += "\n"
		}
	}
	return out
}

// loopback dials addresses here alone: a name that a test's servers list is asked of nobody.
func loopback(ctx context.Context, network, addr string) (net.Conn, error) {
	if host, _, err := net.SplitHostPort(addr); err != nil || net.ParseIP(host) == nil {
		return nil, &net.OpError{Op: "dial", Net: network, Err: &net.DNSError{Err: "no such host", Name: addr, IsNotFound: true}}
	}
	return new(net.Dialer).DialContext(ctx, network, addr)
}

func open(t *testing.T, cfg Config) *Ensemble {
	t.Helper()
	if cfg.Dial == nil {
		cfg.Dial = loopback
	}
	if cfg.Admin == nil {
		cfg.Admin = []string{"off"}
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = 3 * time.Second
	}
	e, err := Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

func TestThreeMembersMakeOneStatus(t *testing.T) {
	var servers []string
	var all []*member
	for _, s := range []string{"ens/s1_", "ens/s2_", "ens/s3_"} {
		m := newMember(t, "127.0.0.1:0", replies(t, s), nil)
		all = append(all, m)
		servers = append(servers, m.addr)
	}
	e := open(t, Config{Servers: servers, Chroot: "/ens"})
	st := e.Ask(context.Background(), Want{Watches: true})
	if len(st.Members) != 3 || st.Answered() != 3 || !st.WholeConns || !st.WholeWatches {
		t.Fatalf("%+v", st.Members)
	}
	ids := sortedIDs(st.Sessions)
	if !slices.Contains(ids, 0x100000a32520000) || !slices.Contains(ids, 0x200000a7e290001) || !slices.Contains(ids, 0x300000a327b0000) {
		t.Error(ids)
	}
	one := st.Sessions[0x100000a32520000]
	if one.Addr != "127.0.0.1:58666" || one.Server != servers[0] || one.Timeout != 10*time.Second || one.ExpiresAt.IsZero() || one.Connected == nil || !*one.Connected {
		t.Errorf("%+v", one)
	}
	if w := st.Watches["/e2"]; len(w) != 1 || w[0] != 0x100000a32520000 {
		t.Errorf("watches below the chroot: %v", st.Watches)
	}
	all[2].close()
	st = e.Ask(context.Background(), Want{Watches: true})
	if st.Answered() != 2 || st.WholeConns || st.WholeWatches {
		t.Fatalf("with one down: %d answered, %v %v", st.Answered(), st.WholeConns, st.WholeWatches)
	}
	if s := st.Sessions[0x300000a327b0000]; s.Connected != nil || s.ID == 0 {
		t.Errorf("what only the third knows is claimed: %+v", s)
	}
	snap := st.Onto(&znode.Snapshot{Root: &znode.Node{}, Base: "/"})
	if !snap.SessionsPartial || !snap.WatchesPartial || len(snap.Servers) != 3 || snap.Servers[2].Answered {
		t.Errorf("%+v", snap.Servers)
	}
	for _, m := range all {
		for _, w := range m.heard() {
			if !slices.Contains([]string{"srvr", "conf", "cons", "dump", "wchs", "wchp"}, w) {
				t.Errorf("a server was sent %q", w)
			}
		}
	}
}

// Nothing that resets or changes a server can be sent, whatever asks for it.
func TestNothingIsEverReset(t *testing.T) {
	m := newMember(t, "127.0.0.1:0", map[string]string{}, nil)
	e := open(t, Config{Servers: []string{m.addr}})
	for _, w := range []string{"srst", "crst", "stmk", "kill", "ruok; srst", ""} {
		if _, err := e.word(context.Background(), m.addr, w, 0); err == nil || harmless[w] {
			t.Errorf("%q is sent", w)
		}
	}
	for _, c := range []string{"stat_reset", "srst", "connection_stat_reset", "crst", "set_trace_mask", "stmk", "observer_connection_stat_reset", "orst", "shed_connections", "snapshot", "restore"} {
		if _, err := e.command(context.Background(), "http://"+m.addr+"/commands", c, new(any)); err == nil || harmlessCommands[c] {
			t.Errorf("%q is asked for", c)
		}
	}
	if heard := m.heard(); len(heard) != 0 {
		t.Errorf("the server heard %v", heard)
	}
	for w := range harmless {
		if strings.Contains(w, "rst") || w == "stmk" {
			t.Errorf("%q is no harmless word", w)
		}
	}
	for c := range harmlessCommands {
		for _, bad := range []string{"reset", "restore", "snapshot", "shed", "set_"} {
			if strings.Contains(c, bad) {
				t.Errorf("%q is no harmless command", c)
			}
		}
	}
}

func TestADefaultServerSaysWhatToOpen(t *testing.T) {
	m := newMember(t, "127.0.0.1:0", map[string]string{"srvr": captured(t, "srvr.txt")}, nil)
	e := open(t, Config{Servers: []string{m.addr}, Admin: []string{"127.0.0.1:1"}})
	st := e.Ask(context.Background(), Want{Watches: true})
	got := st.Members[0]
	if !got.Up || got.Tier != TierNone || got.Version != "3.8.0" || got.Connections || st.Sessions != nil || st.Watches != nil {
		t.Fatalf("%+v, sessions %v", got, st.Sessions)
	}
	lines := strings.Join(st.Advice(), "\n")
	for _, w := range []string{"4lw.commands.whitelist=srvr,cons,dump,conf,wchs,wchp", "admin.enableServer=true", "who is connected from where"} {
		if !strings.Contains(lines, w) {
			t.Errorf("no %q in %s", w, lines)
		}
	}
	before := len(m.heard())
	e.Ask(context.Background(), Want{Watches: true})
	if again := m.heard()[before:]; !slices.Equal(again, []string{"srvr"}) {
		t.Errorf("refused words are asked again at once: %v", again)
	}
}

func TestAPortThatHangsCostsItsTimeOnce(t *testing.T) {
	dead := newMember(t, "127.0.0.1:0", map[string]string{"srvr": "hang", "conf": "hang", "cons": "hang", "dump": "hang"}, nil)
	good := newMember(t, "127.0.0.1:0", replies(t, ""), nil)
	e := open(t, Config{Servers: []string{dead.addr, good.addr}, Timeout: 200 * time.Millisecond})
	st := e.Ask(context.Background(), Want{Watches: true})
	if st.Answered() != 1 || st.Members[0].Err != errSilent.Error() || st.WholeConns {
		t.Errorf("%+v", st.Members[0])
	}
	if words := dead.heard(); len(words) > 2 {
		t.Errorf("a silent server was asked %v", words)
	}
	if len(st.Sessions) != 9 {
		t.Errorf("%d sessions of the other one", len(st.Sessions))
	}
}

func TestRepliesThatAreCutOffOrNoReplies(t *testing.T) {
	r := replies(t, "")
	r["cons"] = r["cons"][:300]
	r["dump"] = r["dump"][:700]
	r["wchp"] = "close"
	m := newMember(t, "127.0.0.1:0", r, nil)
	st := open(t, Config{Servers: []string{m.addr}}).Ask(context.Background(), Want{Watches: true})
	if st.WholeConns || st.WholeWatches || st.tracked || st.Members[0].Connections || st.Members[0].Sessions {
		t.Errorf("cut replies count as whole: %+v", st.Members[0])
	}
	for id, s := range st.Sessions {
		if s.Connected != nil && !*s.Connected {
			t.Errorf("%v is said to be gone", id)
		}
	}
	idle := newMember(t, "127.0.0.1:0", map[string]string{"srvr": "This ZooKeeper instance is not currently serving requests\n"}, nil)
	st = open(t, Config{Servers: []string{idle.addr}}).Ask(context.Background(), Want{})
	if !st.Members[0].Up || !strings.Contains(st.Members[0].Err, "no quorum") {
		t.Errorf("%+v", st.Members[0])
	}
	other := newMember(t, "127.0.0.1:0", map[string]string{"srvr": "HTTP/1.1 400 Bad Request\r\n\r\n"}, nil)
	st = open(t, Config{Servers: []string{other.addr}}).Ask(context.Background(), Want{})
	if st.Members[0].Up || st.Members[0].Err == "" {
		t.Errorf("%+v", st.Members[0])
	}
}

func TestManyWatchesAreNotListed(t *testing.T) {
	r := replies(t, "")
	r["wchs"] = "8 connections watching 24 paths\nTotal watches:50001\n"
	m := newMember(t, "127.0.0.1:0", r, nil)
	st := open(t, Config{Servers: []string{m.addr}}).Ask(context.Background(), Want{Watches: true})
	if slices.Contains(m.heard(), "wchp") || st.Watches != nil || st.WholeWatches || st.Members[0].Watching != 50001 {
		t.Errorf("asked %v, %+v", m.heard(), st.Members[0])
	}
	m.set("wchs", "8 connections watching 24 paths\nTotal watches:50000\n")
	st = open(t, Config{Servers: []string{m.addr}}).Ask(context.Background(), Want{Watches: true})
	if !slices.Contains(m.heard(), "wchp") || len(st.Watches) != 24 {
		t.Errorf("asked %v", m.heard())
	}
	if open(t, Config{Servers: []string{m.addr}}).Ask(context.Background(), Want{}); len(m.heard()) == 0 || m.heard()[len(m.heard())-1] == "wchp" {
		t.Error("watches were listed though nobody wanted them")
	}
}

func TestRepliesAreBounded(t *testing.T) {
	r := replies(t, "")
	r["cons"] = strings.Repeat(" /10.0.0.1:1[1](queued=0,sid=0x1)\n", 2000) + "\n"
	m := newMember(t, "127.0.0.1:0", r, nil)
	st := open(t, Config{Servers: []string{m.addr}, MaxBytes: 20000}).Ask(context.Background(), Want{})
	if st.Members[0].Connections || st.WholeConns {
		t.Errorf("%+v", st.Members[0])
	}
}

func TestWordsOverTLSAndIPv6(t *testing.T) {
	pair := httptest.NewUnstartedServer(nil)
	pair.StartTLS()
	cert, pool := pair.TLS.Certificates[0], pair.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	pair.Close()
	if pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert.Certificate[0]}) == nil {
		t.Fatal("no certificate")
	}
	m := newMember(t, "[::1]:0", replies(t, ""), &tls.Config{Certificates: []tls.Certificate{cert}})
	st := open(t, Config{Servers: []string{m.addr}, TLS: &tls.Config{RootCAs: pool}}).Ask(context.Background(), Want{Watches: true})
	if !st.WholeConns || len(st.Sessions) != 9 || st.Members[0].Tier != TierFourLetter {
		t.Errorf("%+v", st.Members[0])
	}
	st = open(t, Config{Servers: []string{m.addr}, Timeout: 500 * time.Millisecond}).Ask(context.Background(), Want{})
	if st.Members[0].Up || st.Members[0].Err == "" {
		t.Errorf("plain words at a TLS port: %+v", st.Members[0])
	}
}

// Two servers that are no ensemble may have the same path for different sessions.
func TestServersThatDisagreeOnTheOwnerAreNamed(t *testing.T) {
	a, b := replies(t, "ens/s1_"), replies(t, "ens/s2_")
	b["dump"] = strings.Replace(b["dump"], "0x100000a32520000:\n\t/ens/e1\n", "0x900000a32520000:\n\t/ens/e1\n", 1)
	one, two := newMember(t, "127.0.0.1:0", a, nil), newMember(t, "127.0.0.1:0", b, nil)
	st := open(t, Config{Servers: []string{one.addr, two.addr}}).Ask(context.Background(), Want{})
	if len(st.Disagree) != 2 {
		t.Fatalf("%+v", st.Disagree)
	}
	for i, want := range []Disagreement{
		{Path: "/ens/e1", Owner: 0x100000a32520000, On: []string{one.addr}, Off: []string{two.addr}},
		{Path: "/ens/e1", Owner: 0x900000a32520000, On: []string{two.addr}, Off: []string{one.addr}},
	} {
		if got := st.Disagree[i]; got.Path != want.Path || got.Owner != want.Owner || !slices.Equal(got.On, want.On) || !slices.Equal(got.Off, want.Off) {
			t.Errorf("%+v, not %+v", got, want)
		}
	}
}

func TestServersThatDisagreeAreNamed(t *testing.T) {
	a, b := replies(t, "ens/s1_"), replies(t, "ens/s2_")
	b["dump"] = strings.Replace(strings.Replace(b["dump"], "0x100000a32520000:\n\t/ens/e1\n", "", 1), "Ephemerals (3)", "Ephemerals (2)", 1)
	one, two := newMember(t, "127.0.0.1:0", a, nil), newMember(t, "127.0.0.1:0", b, nil)
	e := open(t, Config{Servers: []string{one.addr, two.addr}})
	st := e.Ask(context.Background(), Want{})
	if len(st.Disagree) != 1 || st.Disagree[0].Path != "/ens/e1" || !slices.Equal(st.Disagree[0].On, []string{one.addr}) || !slices.Equal(st.Disagree[0].Off, []string{two.addr}) {
		t.Fatalf("%+v", st.Disagree)
	}
	f := st.Findings()
	if len(f) == 0 || f[0].Code != model.CodeServersDisagree || !strings.Contains(f[0].Text, two.addr) {
		t.Errorf("%+v", f)
	}
}

// admin serves captured replies as an AdminServer does.
func admin(t *testing.T, dir string, client string, secure bool) *httptest.Server {
	t.Helper()
	_, port, _ := net.SplitHostPort(client)
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/commands/")
		if name == r.URL.Path || r.Method != http.MethodGet {
			http.NotFound(w, r)
			return
		}
		body := `{"command":"` + name + `","error":null}`
		switch name {
		case cmdConfiguration:
			body = `{"client_port":` + port + `,"secure_client_port":-1,"server_id":0,"tick_time":2000,"max_session_timeout":40000,"command":"configuration","error":null}`
		case cmdConnections, cmdDump, cmdStats, cmdSummary, cmdWatches:
			body = captured(t, dir+"admin_"+name+".json")
		}
		_, _ = io.WriteString(w, body)
	})
	s := httptest.NewUnstartedServer(h)
	if secure {
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	return s
}

func TestTheAdminServerOverHTTPAndHTTPS(t *testing.T) {
	for _, secure := range []bool{false, true} {
		m := newMember(t, "127.0.0.1:0", map[string]string{"srvr": captured(t, "srvr.txt")}, nil)
		s := admin(t, "", m.addr, secure)
		e := open(t, Config{Servers: []string{m.addr}, Admin: []string{s.URL}})
		e.pool.TLSClientConfig = s.Client().Transport.(*http.Transport).TLSClientConfig
		st := e.Ask(context.Background(), Want{Watches: true})
		got := st.Members[0]
		if got.Tier != TierAdmin || !st.WholeConns || !st.WholeWatches || len(st.Sessions) != 9 || len(st.Watches) != 24 || got.Watching != 31 {
			t.Errorf("secure %v: %+v, %d sessions", secure, got, len(st.Sessions))
		}
		if id := znode.SessionID(0x10000062bb70004); st.Sessions[id].ExpiresAt.IsZero() || st.Sessions[id].Within == 0 {
			t.Errorf("no expiry: %+v", st.Sessions[id])
		}
		if !got.Clock.Known || got.Clock.Off() {
			t.Errorf("clock %+v", got.Clock)
		}
		s.Client().CloseIdleConnections()
	}
}

// What listens at an AdminServer's usual port may be anything, or another member's.
func TestAnotherServiceIsNoAdminServer(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>hello</html>") }))
	t.Cleanup(other.Close)
	m := newMember(t, "127.0.0.1:0", replies(t, ""), nil)
	for _, url := range []string{other.URL, admin(t, "", "127.0.0.1:9", false).URL} {
		st := open(t, Config{Servers: []string{m.addr}, Admin: []string{url, "127.0.0.1:1"}}).Ask(context.Background(), Want{})
		if st.Members[0].Tier != TierFourLetter || st.Members[0].Admin != "" || len(st.Sessions) != 9 {
			t.Errorf("%s: %+v", url, st.Members[0])
		}
	}
}

// A static configuration names no client ports: the members that nothing leads to are named as missing.
func TestAStaticConfigurationLeavesMembersMissing(t *testing.T) {
	m := newMember(t, "127.0.0.1:0", replies(t, "ens/s1_"), nil)
	cfg := Config{Servers: []string{m.addr}, Members: func(context.Context) ([]byte, error) {
		return []byte("server.1=127.0.0.1:21921:22021:participant\nserver.2=127.0.0.1:21922:22022:participant\nserver.3=127.0.0.1:21923:22023:participant\nversion=0"), nil
	}}
	st := open(t, cfg).Ask(context.Background(), Want{Watches: true})
	if len(st.Members) != 3 || st.Answered() != 1 || st.Members[0].ID != 1 || st.WholeConns {
		t.Fatalf("%+v", st.Members)
	}
	if !strings.Contains(st.Members[1].Err, "--4lw") || st.Members[1].ID != 2 {
		t.Errorf("%+v", st.Members[1])
	}
	two := newMember(t, "127.0.0.1:0", replies(t, "ens/s2_"), nil)
	cfg.FourLetter = []string{two.addr}
	st = open(t, cfg).Ask(context.Background(), Want{Watches: true})
	if st.Answered() != 2 || st.Members[1].ID != 2 || st.Members[1].Addr != two.addr {
		t.Errorf("%+v", st.Members)
	}
	cfg.Members = nil // conf tells as well
	if st = open(t, cfg).Ask(context.Background(), Want{}); len(st.Members) != 3 || st.Answered() != 2 {
		t.Errorf("%+v", st.Members)
	}
}

func TestADynamicConfigurationLeadsToAllMembers(t *testing.T) {
	var all []*member
	lines := ""
	for i, dir := range []string{"ens/s1_", "ens/s2_", "ens/s3_"} {
		m := newMember(t, "127.0.0.1:0", replies(t, dir), nil)
		_, port, _ := net.SplitHostPort(m.addr)
		lines += "server." + string(rune('1'+i)) + "=127.0.0.1:2192" + string(rune('1'+i)) + ":3888:participant;0.0.0.0:" + port + "\n"
		all = append(all, m)
	}
	st := open(t, Config{Servers: []string{all[1].addr}, Members: func(context.Context) ([]byte, error) { return []byte(lines), nil }}).Ask(context.Background(), Want{Watches: true})
	if st.Answered() != 3 || len(st.Members) != 3 || !st.WholeWatches {
		t.Errorf("%+v", st.Members)
	}
}

func TestTheWatcherAsksAgainAndEnds(t *testing.T) {
	m := newMember(t, "127.0.0.1:0", replies(t, ""), nil)
	w := Watch(open(t, Config{Servers: []string{m.addr}}), time.Hour)
	defer w.Close()
	for range 2 {
		select {
		case <-w.Changed():
		case <-time.After(20 * time.Second):
			t.Fatal("no status")
		}
		if st := w.Status(); st == nil || len(st.Sessions) != 9 {
			t.Fatalf("%+v", st)
		}
		w.Refresh()
	}
}

// A member that does not answer, twice in a row, is told of, with how many more may fail.
func TestAMemberThatDoesNotAnswerIsTold(t *testing.T) {
	var all []*member
	lines := ""
	for i, dir := range []string{"ens/s1_", "ens/s2_", "ens/s3_"} {
		m := newMember(t, "127.0.0.1:0", replies(t, dir), nil)
		_, port, _ := net.SplitHostPort(m.addr)
		lines += "server." + string(rune('1'+i)) + "=127.0.0.1:2192" + string(rune('1'+i)) + ":3888:participant;0.0.0.0:" + port + "\n"
		all = append(all, m)
	}
	told := func(cfg Config) string {
		st := open(t, cfg).Ask(context.Background(), Want{})
		for _, f := range st.Findings() {
			if f.Code == model.CodeServerUnreachable {
				return f.Severity.String() + ": " + f.Text
			}
		}
		return ""
	}
	list := func(context.Context) ([]byte, error) { return []byte(lines), nil }
	cfg := Config{Servers: []string{all[0].addr}, Members: list, Timeout: 200 * time.Millisecond}
	if got := told(cfg); got != "" {
		t.Errorf("all answer: %s", got)
	}
	all[2].set("srvr", "hang")
	if got := told(cfg); got != "" { // nobody named it: it may be out of our reach alone
		t.Errorf("a name from the members' list: %s", got)
	}
	cfg.Servers = []string{all[0].addr, all[1].addr, all[2].addr}
	want := "medium: 1 of 3 servers does not answer, " + all[2].addr + " (no answer in time): if it is down, one more failure loses the quorum"
	if got := told(cfg); got != want {
		t.Errorf("it hangs: %s", got)
	}
	all[2].close()
	want = "medium: 1 of 3 servers does not answer, " + all[2].addr + " (connection refused): if it is down, one more failure loses the quorum"
	if got := told(cfg); got != want {
		t.Errorf("it refuses: %s", got)
	}
	cfg.Servers = cfg.Servers[:1]
	if got := told(cfg); got != want {
		t.Errorf("it refuses, and the members' list names it: %s", got)
	}
	cfg.FourLetter = []string{"off"}
	if got := told(cfg); got != "" {
		t.Errorf("nobody asked: %s", got)
	}
}

// Members that the list names otherwise than the user does are the same where nothing else can be.
func TestAnAliasThatDoesNotAnswerIsAMember(t *testing.T) {
	up := newMember(t, "127.0.0.1:0", replies(t, "ens/s1_"), nil)
	gone := newMember(t, "127.0.0.1:0", nil, nil)
	gone.close()
	st := open(t, Config{Servers: []string{up.addr, gone.addr}, Timeout: 200 * time.Millisecond, Members: func(context.Context) ([]byte, error) {
		return []byte("server.1=127.0.0.1:21921:22021:participant\nserver.2=zk-two.invalid:1:2:participant\n"), nil
	}}).Ask(context.Background(), Want{})
	fs := st.Findings()
	if len(fs) != 1 || fs[0].Severity != model.Medium ||
		fs[0].Text != "1 of 2 servers does not answer, "+gone.addr+" (connection refused): "+up.addr+" serves, and without a quorum it stops within seconds; if this lasts, check the network from here to the others" {
		t.Errorf("%+v\n%+v", fs, st.Members)
	}
}

// Members that answer and serve nobody are told of where nothing else is, too: there is no quorum.
func TestMembersThatServeNobodyAreTold(t *testing.T) {
	idle := map[string]string{"srvr": "This ZooKeeper instance is not currently serving requests\n"}
	var all []*member
	lines := ""
	for i := range 3 {
		m := newMember(t, "127.0.0.1:0", idle, nil)
		_, port, _ := net.SplitHostPort(m.addr)
		lines += "server." + string(rune('1'+i)) + "=127.0.0.1:2192" + string(rune('1'+i)) + ":3888:participant;0.0.0.0:" + port + "\n"
		all = append(all, m)
	}
	st := open(t, Config{Servers: []string{all[0].addr, all[1].addr, all[2].addr}, Timeout: 200 * time.Millisecond,
		Members: func(context.Context) ([]byte, error) { return []byte(lines), nil }}).Ask(context.Background(), Want{})
	fs := st.Findings()
	want := "no quorum, nothing can be written: 3 of 3 answer and serve nobody, " + all[0].addr + ", " + all[1].addr + ", " + all[2].addr
	if len(fs) != 1 || fs[0].Severity != model.High || fs[0].Text != want {
		t.Errorf("%+v\n%+v", fs, st.Members)
	}
}
