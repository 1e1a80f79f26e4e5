// Package peers starts the real programs that zkscope is tested against: ZooKeeper servers, kazoo and
// Curator clients, from Debian's packages. It is test support only.
//
// Every process is started by the test, listens on free loopback ports, and dies with the test binary,
// also when that panics or is killed.
//
// # Concurrency
//
// Values may be used from several goroutines.
package peers

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Need names a program or package that a test cannot do without.
type Need struct {
	What, Package string
	Files         []string
}

// What the tests may need, with the Debian package that brings it.
var (
	NeedJava           = Need{"java", "default-jdk-headless", []string{"/usr/bin/javac"}}
	NeedZooKeeper      = Need{"ZooKeeper", "zookeeper", []string{javaDir + "zookeeper.jar"}}
	NeedCurator        = Need{"Curator", "libcurator-recipes-java", []string{javaDir + "curator-recipes.jar"}}
	NeedDiscovery      = Need{"Curator's x-discovery", "libcurator-discovery-java", []string{javaDir + "curator-x-discovery.jar"}}
	NeedTmux           = Need{"tmux", "tmux", []string{"/usr/bin/tmux"}}
	NeedKerberos       = Need{"a Kerberos KDC", "krb5-kdc krb5-admin-server krb5-user", []string{"/usr/sbin/krb5kdc"}}
	NeedPrometheus     = Need{"Prometheus", "prometheus", []string{"/usr/bin/prometheus", "/usr/bin/promtool"}}
	NeedBashCompletion = Need{"bash-completion", "bash-completion", []string{"/usr/share/bash-completion/bash_completion"}}
	NeedKazoo          = Need{"kazoo", "python3-kazoo", []string{"/usr/lib/python3/dist-packages/kazoo"}}
)

// What the long tests need besides.
var (
	NeedTooz     = Need{"tooz", "python3-tooz", []string{"/usr/lib/python3/dist-packages/tooz"}}
	NeedTaskflow = Need{"taskflow", "python3-taskflow", []string{"/usr/lib/python3/dist-packages/taskflow"}}
	NeedPatroni  = Need{"Patroni", "patroni", []string{"/usr/bin/patroni"}}
	NeedPostgres = Need{"PostgreSQL", "postgresql", []string{"/usr/lib/postgresql"}}
)

const javaDir = "/usr/share/java/"

// JavaFlags are the flags of java for a program of ZooKeeper's own, with what else such programs need.
func JavaFlags() []string {
	var jars []string
	for _, jar := range []string{"zookeeper", "zookeeper-jute", "commons-cli", "slf4j-api", "slf4j-nop", "snappy-java"} {
		jars = append(jars, javaDir+jar+".jar")
	}
	return []string{"-cp", strings.Join(jars, ":")}
}

// Require makes sure that the peers are installed. In CI (CI=true) a missing one fails the test; elsewhere
// the test is skipped with the reason.
func Require(t testing.TB, needs ...Need) {
	t.Helper()
	for _, n := range needs {
		for _, f := range n.Files {
			if _, err := os.Stat(f); err == nil {
				continue
			}
			msg := fmt.Sprintf("%s is not installed: apt-get install -y %s", n.What, n.Package)
			if os.Getenv("CI") == "true" {
				t.Fatal(msg)
			}
			t.Skip(msg)
		}
	}
}

// Ports that are handed out lie below those that systems give to clients and to listeners that ask for any: the many
// connections of tests beside us would take one of those before its server comes to bind it.
const lowestPort, ports = 15000, 17000

var handedOut struct {
	sync.Mutex
	ports map[int]bool
}

// FreePort returns a loopback TCP port that was free a moment ago, a different one every time.
func FreePort(t testing.TB) int {
	t.Helper()
	handedOut.Lock()
	defer handedOut.Unlock()
	if handedOut.ports == nil {
		handedOut.ports = map[int]bool{}
	}
	for range ports {
		port := lowestPort + rand.IntN(ports)
		if handedOut.ports[port] {
			continue
		}
		if l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			l.Close()
			handedOut.ports[port] = true
			return port
		}
	}
	t.Fatal("no port is free")
	return 0
}

// WaitFor polls until ok or the deadline passes, and fails the test with what then.
func WaitFor(t testing.TB, limit time.Duration, what string, ok func() bool) {
	t.Helper()
	deadline := time.Now().Add(limit)
	for !ok() {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", limit, what)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// Proc is a running peer.
type Proc struct {
	t     testing.TB
	cmd   *exec.Cmd
	stdin io.WriteCloser
	done  chan struct{} // closed when it has ended, and what it printed was read
	heard chan struct{} // closed when nobody can print anything more

	mu    sync.Mutex
	out   []string // lines of stdout and stderr, in the order they came
	grown chan struct{}
}

// Start runs a program. It is killed when the test ends or the test binary dies.
func Start(t testing.TB, dir string, env []string, name string, args ...string) *Proc {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	p := &Proc{t: t, cmd: cmd, done: make(chan struct{}), heard: make(chan struct{}), grown: make(chan struct{})}
	pr, pw, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = pw, pw
	if p.stdin, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	started := make(chan error)
	go p.run(pw, started)
	if err := <-started; err != nil {
		t.Fatalf("start %s: %v", name, err)
	}
	go p.read(pr)
	t.Cleanup(p.Kill)
	return p
}

// run starts the command and waits for it on one locked OS thread: the kernel sends the death signal when
// the thread that forked ends, so that thread must live as long as the child.
func (p *Proc) run(pw *os.File, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	pw.Close()
	started <- err
	if err == nil {
		_ = p.cmd.Wait()
		select {
		case <-p.heard:
		case <-time.After(2 * time.Second): // what it has left behind may print on
		}
	}
	close(p.done)
}

func (p *Proc) read(r *os.File) {
	defer close(p.heard)
	defer r.Close()
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		p.mu.Lock()
		p.out = append(p.out, sc.Text())
		close(p.grown)
		p.grown = make(chan struct{})
		p.mu.Unlock()
	}
}

// Output returns everything printed so far.
func (p *Proc) Output() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.out, "\n")
}

// Expect waits until a line that begins with prefix was printed and returns its rest, without spaces
// around it. Each call looks at all lines from the start.
func (p *Proc) Expect(prefix string, limit time.Duration) string {
	p.t.Helper()
	timeout := time.After(limit)
	for {
		p.mu.Lock()
		grown := p.grown
		for _, line := range p.out {
			if rest, ok := strings.CutPrefix(line, prefix); ok {
				p.mu.Unlock()
				return strings.TrimSpace(rest)
			}
		}
		p.mu.Unlock()
		select {
		case <-grown:
		case <-timeout:
			p.t.Fatalf("no line %q within %v; printed:\n%s", prefix, limit, p.Output())
		case <-p.done:
			time.Sleep(20 * time.Millisecond) // let the reader drain the pipe
			if !strings.Contains("\n"+p.Output(), "\n"+prefix) {
				p.t.Fatalf("ended without a line %q; printed:\n%s", prefix, p.Output())
			}
		}
	}
}

// Say writes a line to the program's standard input.
func (p *Proc) Say(line string) {
	p.t.Helper()
	if _, err := fmt.Fprintln(p.stdin, line); err != nil {
		p.t.Fatalf("say %q: %v; printed:\n%s", line, err, p.Output())
	}
}

// Signal sends a signal to the program. SIGSTOP is waited for: each of its threads stops when it is scheduled next, which on
// a busy machine takes a while.
func (p *Proc) Signal(s syscall.Signal) {
	select {
	case <-p.done:
		return
	default:
		_ = p.cmd.Process.Signal(s)
	}
	for end := time.Now().Add(10 * time.Second); s == syscall.SIGSTOP && !p.stopped() && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
}

// stopped reports whether every thread of the program stands still.
func (p *Proc) stopped() bool {
	stats, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", p.cmd.Process.Pid))
	for _, name := range stats {
		b, err := os.ReadFile(name)
		if err != nil {
			continue // the thread has ended
		}
		if i := bytes.LastIndexByte(b, ')'); i < 0 || i+2 >= len(b) || b[i+2] != 'T' {
			return false
		}
	}
	return true
}

// Kill ends the program with SIGKILL and waits for it.
func (p *Proc) Kill() {
	p.Signal(syscall.SIGKILL)
	<-p.done
}

// Code is the exit code of a program that has ended, -1 where a signal ended it.
func (p *Proc) Code() int {
	<-p.done
	return p.cmd.ProcessState.ExitCode()
}

// Done is closed when the program has ended, and what it printed can be read.
func (p *Proc) Done() <-chan struct{} { return p.done }

// Kazoo runs a Python script, given as text, with Debian's interpreter.
func Kazoo(t testing.TB, script string, args ...string) *Proc {
	t.Helper()
	Require(t, NeedKazoo)
	file := filepath.Join(t.TempDir(), "script.py")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	return Start(t, "", []string{"PYTHONUNBUFFERED=1"}, "/usr/bin/python3", append([]string{file}, args...)...)
}

// Java runs a single-file Java program, given as text, with Curator and ZooKeeper's recipes on its class
// path. The file must be named after its class.
func Java(t testing.TB, class, source string, args ...string) *Proc {
	t.Helper()
	Require(t, NeedJava, NeedZooKeeper, NeedCurator)
	file := filepath.Join(t.TempDir(), class+".java")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	var cp []string
	for _, jar := range []string{"curator-recipes", "curator-framework", "curator-client", "zookeeper",
		"zookeeper-jute", "zookeeper-recipes-lock", "zookeeper-recipes-election", "zookeeper-recipes-queue", "slf4j-simple",
		"curator-x-discovery", "jackson-core", "jackson-databind", "jackson-annotations", "guava", "failureaccess"} {
		cp = append(cp, javaDir+jar+".jar")
	}
	argv := append([]string{"-XX:TieredStopAtLevel=1", "-Xmx256m", "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
		"-cp", strings.Join(cp, ":"), file}, args...)
	return Start(t, "", nil, "java", argv...)
}
