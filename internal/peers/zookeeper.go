package peers

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Options of a real server.
type Options struct {
	Tick      time.Duration // Optional; default 500 ms, so that short sessions are possible
	ExtraCfg  string        // Optional; lines for zoo.cfg
	JVMFlags  []string      // Optional
	Heap      string        // Optional; default 512m
	Admin     bool          // serve the AdminServer on AdminPort
	Secure    bool          // take clients by TLS on Server.Secure too; the stores are ExtraCfg's
	NoFourLW  bool          // leave the four-letter words off, as servers do by default
	SyncLimit int           // Optional; default 5 ticks
	CanLag    bool          // of an ensemble: its first member can be held behind the others, see Server.Lag
}

// Server is one real ZooKeeper server.
type Server struct {
	Addr      string // host:port
	AdminPort int    // 0: off
	Secure    string // host:port that speaks TLS; empty: off

	t    testing.TB
	dir  string
	opts Options
	proc *Proc
	mode string // what srvr must say before the server counts as up
	lag  []*valve
}

// ZooKeeper starts a standalone server and waits until it answers.
func ZooKeeper(t testing.TB, o Options) *Server {
	t.Helper()
	Require(t, NeedJava, NeedZooKeeper)
	for try := 0; ; try++ {
		s := newServer(t, o, FreePort(t), "")
		s.mode = "standalone"
		if s.start() == nil {
			return s
		}
		if try == 3 {
			t.Fatalf("ZooKeeper does not start:\n%s", s.proc.Output())
		}
	}
}

// Ensemble starts n servers that form one ensemble, and waits until all serve.
func Ensemble(t testing.TB, n int, o Options) []*Server {
	t.Helper()
	Require(t, NeedJava, NeedZooKeeper)
	var quorum, election, ports []int
	for range n {
		quorum, election, ports = append(quorum, FreePort(t)), append(election, FreePort(t)), append(ports, FreePort(t))
	}
	var out []*Server
	for i := range n {
		view, lag := slices.Clone(quorum), []*valve(nil)
		for k := 1; k < n && i == 0 && o.CanLag; k++ { // whoever leads, what it tells the first goes through a valve
			v := newValve(t, fmt.Sprintf("127.0.0.1:%d", quorum[k]))
			view[k], lag = v.port(), append(lag, v)
		}
		var members strings.Builder
		for k := range n {
			fmt.Fprintf(&members, "server.%d=127.0.0.1:%d:%d\n", k+1, view[k], election[k])
		}
		s := newServer(t, o, ports[i], members.String())
		s.mode, s.lag = "leader|follower", lag
		must(t, os.WriteFile(filepath.Join(s.dir, "data", "myid"), []byte(strconv.Itoa(i+1)), 0o600))
		s.launch()
		out = append(out, s)
	}
	for _, s := range out {
		if !s.up(30 * time.Second) {
			t.Fatalf("%s does not serve:\n%s", s.Addr, s.proc.Output())
		}
	}
	return out
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newServer(t testing.TB, o Options, port int, members string) *Server {
	t.Helper()
	if o.Tick == 0 {
		o.Tick = 500 * time.Millisecond
	}
	if o.SyncLimit == 0 {
		o.SyncLimit = 5
	}
	s := &Server{t: t, dir: t.TempDir(), opts: o, Addr: fmt.Sprintf("127.0.0.1:%d", port)}
	must(t, os.Mkdir(filepath.Join(s.dir, "data"), 0o700))
	words := "*"
	if o.NoFourLW {
		words = "srvr"
	}
	cfg := fmt.Sprintf("tickTime=%d\ninitLimit=20\nsyncLimit=%d\ndataDir=%s\nclientPort=%d\nclientPortAddress=127.0.0.1\n"+
		"maxClientCnxns=0\n4lw.commands.whitelist=%s\n%s\n%s\n", o.Tick.Milliseconds(), o.SyncLimit, filepath.Join(s.dir, "data"), port, words, o.ExtraCfg, members)
	if o.Admin {
		s.AdminPort = FreePort(t)
		cfg += fmt.Sprintf("admin.enableServer=true\nadmin.serverAddress=127.0.0.1\nadmin.serverPort=%d\n", s.AdminPort)
	} else {
		cfg += "admin.enableServer=false\n"
	}
	if o.Secure {
		secure := FreePort(t)
		s.Secure = fmt.Sprintf("127.0.0.1:%d", secure)
		cfg += fmt.Sprintf("secureClientPort=%d\nsecureClientPortAddress=127.0.0.1\n", secure)
	}
	must(t, os.WriteFile(filepath.Join(s.dir, "zoo.cfg"), []byte(cfg), 0o600))
	return s
}

// ClassPath is what a server's class path must hold.
func ClassPath() string {
	var cp []string
	for _, jar := range []string{"zookeeper", "zookeeper-jute", "servlet-api", "slf4j-simple", "netty-codec", "netty-resolver",
		"netty-transport-native-unix-common"} {
		cp = append(cp, javaDir+jar+".jar")
	}
	return strings.Join(cp, ":")
}

func (s *Server) launch() {
	heap := s.opts.Heap
	if heap == "" {
		heap = "512m"
	}
	args := []string{"-Xmx" + heap, "-XX:+UseSerialGC", "-Dzookeeper.extendedTypesEnabled=true",
		"-Dznode.container.checkIntervalMs=1000", "-Dzookeeper.jmx.log4j.disable=true", "-Dzookeeper.forceSync=no",
		"-Dzookeeper.DigestAuthenticationProvider.superDigest=super:xQJmxLMiHGwaqBvst5y6rkB6HQs=",
		"-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"}
	if _, bench := s.t.(*testing.B); !bench {
		args = append(args, "-XX:TieredStopAtLevel=1") // starts in less, and is not measured
	}
	if s.Secure != "" {
		args = append(args, "-Dzookeeper.serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory")
	}
	args = append(append(args, s.opts.JVMFlags...), "-cp", ClassPath(),
		"org.apache.zookeeper.server.quorum.QuorumPeerMain", filepath.Join(s.dir, "zoo.cfg"))
	s.proc = Start(s.t, s.dir, nil, "java", args...)
}

func (s *Server) start() error {
	s.launch()
	if !s.up(30 * time.Second) {
		return fmt.Errorf("%s does not serve", s.Addr)
	}
	return nil
}

// up polls srvr until it reports the mode that is waited for, the TLS port, which opens after the plain one, listens, and the
// AdminServer has answered once, which takes it long the first time; false when the process ends or time is up.
func (s *Server) up(limit time.Duration) bool {
	for deadline := time.Now().Add(limit); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		select {
		case <-s.proc.Done():
			return false
		default:
		}
		for _, mode := range strings.Split(s.mode, "|") {
			if strings.Contains(s.FourLetter("srvr"), "Mode: "+mode) && (s.Secure == "" || listens(s.Secure)) && s.administers() {
				return true
			}
		}
	}
	return false
}

// administers reports whether the AdminServer answers, where there is one that speaks plain HTTP.
func (s *Server) administers() bool {
	if s.AdminPort == 0 || s.opts.Secure {
		return true
	}
	c := http.Client{Timeout: 5 * time.Second}
	defer c.CloseIdleConnections()
	r, err := c.Get(fmt.Sprintf("http://127.0.0.1:%d/commands/ruok", s.AdminPort))
	if err != nil {
		return false
	}
	return r.Body.Close() == nil && r.StatusCode == http.StatusOK
}

func listens(addr string) bool {
	c, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return false
	}
	return c.Close() == nil
}

// Mode returns what srvr says: standalone, leader, follower, or empty when the server does not answer.
func (s *Server) Mode() string {
	_, rest, _ := strings.Cut(s.FourLetter("srvr"), "Mode: ")
	mode, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(mode)
}

// Quorum waits until members of an ensemble serve together: one of them leads and the others follow. A leader that was
// paused goes on as one for a moment when it is resumed, and tells what it knew before, also after a sync.
func Quorum(t testing.TB, members ...*Server) {
	t.Helper()
	WaitFor(t, 2*time.Minute, "one member leads and the others follow", func() bool {
		leaders, followers := 0, 0
		for _, s := range members {
			switch s.Mode() {
			case "leader":
				leaders++
			case "follower":
				followers++
			}
		}
		return leaders == 1 && leaders+followers == len(members)
	})
}

// FourLetter sends a four-letter word and returns the answer; empty when there is none within a second.
func (s *Server) FourLetter(word string) string {
	c, err := net.DialTimeout("tcp", s.Addr, time.Second)
	if err != nil {
		return ""
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(time.Second))
	if _, err := io.WriteString(c, word); err != nil {
		return ""
	}
	b, _ := io.ReadAll(c)
	return string(b)
}

// Kill ends the server with SIGKILL; its data stays.
func (s *Server) Kill() { s.proc.Kill() }

// Restart starts a server that was killed or stopped, on the same port and data.
func (s *Server) Restart() {
	s.t.Helper()
	if err := s.start(); err != nil {
		s.t.Fatalf("%v:\n%s", err, s.proc.Output())
	}
}

// Pause stops the process in its tracks (SIGSTOP): it keeps its connections and answers nothing.
func (s *Server) Pause() { s.proc.Signal(syscall.SIGSTOP) }

// Resume lets a paused server go on.
func (s *Server) Resume() { s.proc.Signal(syscall.SIGCONT) }

// Lag holds back everything that the leader tells this server, until CatchUp: it goes on serving, from what it knew.
// The leader gives up on it after Options.SyncLimit ticks.
func (s *Server) Lag() {
	for _, v := range s.lag {
		v.hold()
	}
}

// CatchUp lets the leader's news through again.
func (s *Server) CatchUp() {
	for _, v := range s.lag {
		v.release()
	}
}

// DataDir is where the server keeps its files: version-2 is in it.
func (s *Server) DataDir() string { return filepath.Join(s.dir, "data") }
