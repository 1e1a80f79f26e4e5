package ensemble

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
)

// scripted is what a server says of itself; list is what it lists, in conf, and empty where it stands alone.
func scripted(mode string, id int, dir, list string) map[string]string {
	return map[string]string{"srvr": "Zookeeper version: 3.8.4-x, built on 2024\nLatency min/avg/max: 0/0.1/1\nZxid: 0x5\nMode: " + mode + "\nNode count: 5\n",
		"conf": fmt.Sprintf("clientPort=2181\nsecureClientPort=-1\ndataDir=%s\ntickTime=2000\nserverId=%d\n%s", dir, id, list)}
}

// members writes a list of members on hosts, with the ids 1, 2, ...
func membersAt(port int, hosts ...string) (out string) {
	for i, h := range hosts {
		out += fmt.Sprintf("server.%d=%s:%d:3888:participant\n", i+1, h, port)
	}
	return out
}

// A server of another ensemble is told where its configuration, or its mode, says so, and nothing of it is taken for a member's;
// a member by another name is none, and where nothing tells nothing is said.
func TestServersOfAnotherEnsembleAreStrangers(t *testing.T) {
	a, b := membersAt(2888, "a1", "a2", "a3"), membersAt(2888, "b1", "b2", "b3")
	self := func(list string, id int) string { // as a server in a container lists itself
		lines := strings.Split(list, "\n")
		_, rest, _ := strings.Cut(lines[id-1], ":")
		lines[id-1] = fmt.Sprintf("server.%d=0.0.0.0:%s", id, rest)
		return strings.Join(lines, "\n")
	}
	no := func(m map[string]string) map[string]string { delete(m, "conf"); return m }
	for name, x := range map[string]struct {
		home, other map[string]string
		more        map[string]string // a third one
		read        string            // what the connection reads of its ensemble; empty: nothing
		says        string            // empty: it is no stranger
	}{
		"one alone, beside a member":       {scripted("leader", 1, "/d", a), scripted("standalone", 0, "/d", ""), nil, a, "it stands alone, and HOME is a member"},
		"one alone that only tells so":     {no(scripted("leader", 1, "/d", a)), no(scripted("standalone", 0, "/d", "")), nil, "", "it stands alone, and HOME is a member"},
		"a member, beside one alone":       {scripted("standalone", 0, "/d", ""), scripted("follower", 2, "/d", a), nil, "", "it is a member of an ensemble, and HOME stands alone"},
		"a member that only tells so":      {no(scripted("standalone", 0, "/d", "")), no(scripted("follower", 2, "/d", a)), nil, "", "it is a member of an ensemble, and HOME stands alone"},
		"two alone":                        {scripted("standalone", 0, "/d", ""), scripted("standalone", 0, "/e", ""), nil, "", "both stand alone, HOME with the data in /d"},
		"one alone, by two names":          {scripted("standalone", 0, "/d", ""), scripted("standalone", 0, "/d", ""), nil, "", ""},
		"two alone that do not tell":       {no(scripted("standalone", 0, "/d", "")), no(scripted("standalone", 0, "/e", "")), nil, "", ""},
		"members of one":                   {scripted("leader", 1, "/d", a), scripted("follower", 2, "/d", a), nil, a, ""},
		"of one, by conf alone":            {scripted("leader", 1, "/d", a), scripted("follower", 2, "/d", a), nil, "", ""},
		"one member, by two names":         {scripted("leader", 1, "/d", a), scripted("leader", 1, "/d", a), nil, a, ""},
		"an observer":                      {scripted("leader", 1, "/d", a), scripted("observer", 9, "/d", a+"server.9=o9:2888:3888:observer\n"), nil, a, ""},
		"with a longer list":               {scripted("leader", 1, "/d", a), scripted("follower", 5, "/d", membersAt(2888, "a1", "a2", "a3", "a4", "a5")), nil, a, ""},
		"each lists itself as any address": {scripted("leader", 1, "/d", self(a, 1)), scripted("follower", 2, "/d", self(a, 2)), nil, self(a, 1), ""},
		"of two, each as any address":      {scripted("leader", 1, "/d", self(membersAt(2888, "a1", "a2"), 1)), scripted("follower", 2, "/d", self(membersAt(2888, "a1", "a2"), 2)), nil, "", ""},
		"lists by other names":             {scripted("leader", 1, "/d", a), scripted("follower", 2, "/d", membersAt(2888, "10.0.0.1", "10.0.0.2", "10.0.0.3")), nil, a, ""},
		"of another, with the same id":     {scripted("leader", 1, "/d", a), scripted("leader", 1, "/d", b), nil, a, "it has the id 1, as HOME has, and lists none of the members"},
		"of another, with another's id":    {scripted("leader", 1, "/d", a), scripted("leader", 2, "/d", b), scripted("follower", 2, "/d", a), a, "it has the id 2, as MORE has"},
		"of another, at other ports":       {scripted("leader", 1, "/d", a), scripted("follower", 2, "/d", membersAt(2999, "b1", "b2", "b3")), nil, a, "it lists other members: server.1=b1:2999"},
		"of another, with other ids":       {scripted("leader", 1, "/d", a), scripted("follower", 7, "/d", "server.7=b7:2888:3888\nserver.1=b1:2888:3888\n"), nil, a, "it lists other members: server.7=b7:2888"},
		"a list that tells nothing":        {scripted("leader", 1, "/d", a), no(scripted("follower", 2, "/d", b)), nil, a, ""},
		"a connection that has moved":      {scripted("leader", 1, "/d", a), scripted("leader", 1, "/d", b), nil, b, "it has the id 1, as HOME has"},
	} {
		t.Run(name, func(t *testing.T) {
			home, other := newMember(t, "127.0.0.1:0", x.home, nil), newMember(t, "127.0.0.1:0", x.other, nil)
			cfg := Config{Servers: []string{other.addr, home.addr}, Home: func() string { return home.addr }}
			says := strings.ReplaceAll(x.says, "HOME", home.addr)
			if x.more != nil {
				more := newMember(t, "127.0.0.1:0", x.more, nil)
				cfg.Servers = append(cfg.Servers, more.addr)
				says = strings.ReplaceAll(says, "MORE", more.addr)
			}
			if x.read != "" {
				cfg.Members = func(context.Context) ([]byte, error) { return []byte(x.read), nil }
			}
			e := open(t, cfg)
			for range 2 { // it stays one
				strange(t, e.Ask(context.Background(), Want{}), home.addr, other.addr, says)
			}
		})
	}
}

// strange holds a status against what a stranger is to be told by; empty: there is to be none.
func strange(t *testing.T, st *Status, home, other, says string) {
	t.Helper()
	at := slices.IndexFunc(st.Findings(), func(f model.Finding) bool { return strings.Contains(f.Text, "are not of one ensemble") })
	member := slices.ContainsFunc(st.Members, func(m Member) bool { return m.Addr == other })
	if says == "" {
		if at >= 0 || len(st.Strangers) > 0 {
			t.Errorf("a stranger: %+v", st.Strangers)
		}
		return
	}
	if at < 0 || member || len(st.Strangers) != 1 || !slices.ContainsFunc(st.Members, func(m Member) bool { return m.Addr == home }) {
		t.Fatalf("findings %+v\nmembers %+v\nstrangers %+v", st.Findings(), st.Members, st.Strangers)
	}
	f := st.Findings()[at]
	if f.Code != model.CodeServersDisagree || f.Severity != model.High || !strings.Contains(f.Text, other+" ("+says) || !strings.Contains(f.Text, "What is shown is of "+home) {
		t.Errorf("%+v", f)
	}
	states := st.States()
	if last := states[len(states)-1]; last.Addr != other || last.Foreign == nil || !strings.Contains(last.Line(), says) {
		t.Errorf("%+v", last)
	}
}

// Two servers that stand alone and are configured alike are told apart by our own session, which is on one of them.
func TestServersThatStandAloneAreToldApartByOurSession(t *testing.T) {
	cons := func(sid string) map[string]string {
		m := scripted("standalone", 0, "/d", "")
		m["cons"] = " /127.0.0.1:5000[1](queued=0,recved=1,sent=1,sid=" + sid + ",lop=PING,est=1764000000000,to=30000,lresp=5)\n\n"
		return m
	}
	for _, x := range []struct{ sid, says string }{{"0x8", "both stand alone, and our session is on "}, {"0x7", ""}} {
		home, other := newMember(t, "127.0.0.1:0", cons("0x7"), nil), newMember(t, "127.0.0.1:0", cons(x.sid), nil)
		e := open(t, Config{Servers: []string{other.addr, home.addr}, Home: func() string { return home.addr },
			Self: func() (int64, time.Time, time.Time) { return 7, time.Now(), time.Now() }})
		for range 2 {
			strange(t, e.Ask(context.Background(), Want{}), home.addr, other.addr, x.says)
		}
	}
}

// A stranger that joins is a member from then on.
func TestAStrangerMayJoin(t *testing.T) {
	a := membersAt(2888, "a1", "a2")
	home, other := newMember(t, "127.0.0.1:0", scripted("leader", 1, "/d", a), nil), newMember(t, "127.0.0.1:0", scripted("standalone", 0, "/d", ""), nil)
	e := open(t, Config{Servers: []string{home.addr, other.addr}, Home: func() string { return home.addr }})
	if st := e.Ask(context.Background(), Want{}); len(st.Strangers) != 1 {
		t.Fatalf("%+v", st.Members)
	}
	for word, reply := range scripted("follower", 2, "/d", a) {
		other.set(word, reply)
	}
	if st := e.Ask(context.Background(), Want{}); len(st.Strangers) != 0 || len(st.Members) != 2 || st.Members[1].ID != 2 {
		t.Errorf("%+v\n%+v", st.Members, st.Strangers)
	}
}

// Names that only a map leads anywhere are compared with nothing: what the servers list is.
func TestForwardedPortsAreNoStrangers(t *testing.T) {
	a := membersAt(2888, "zk-0.zk", "zk-1.zk")
	one, two := newMember(t, "127.0.0.1:0", scripted("leader", 1, "/d", a), nil), newMember(t, "127.0.0.1:0", scripted("follower", 2, "/d", a), nil)
	to := map[string]string{"first:2181": one.addr, "second:2181": two.addr}
	e := open(t, Config{Servers: []string{"first:2181", "second:2181"}, Home: func() string { return "second:2181" },
		Members: func(context.Context) ([]byte, error) { return []byte(a), nil },
		Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, to[addr])
		}})
	if st := e.Ask(context.Background(), Want{}); len(st.Strangers) != 0 || st.Answered() != 2 {
		t.Errorf("%+v\n%+v", st.Members, st.Strangers)
	}
}
