package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
)

// window is the real program in a window of a terminal multiplexer of its own, as somebody sees it over SSH. Its
// server lives as long as the test.
type window struct {
	t      *testing.T
	socket string
}

// openWindow runs the program in a window of w by h.
func openWindow(t *testing.T, w, h int, args ...string) *window {
	t.Helper()
	peers.Require(t, peers.NeedTmux)
	file, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	x := &window{t: t, socket: t.TempDir() + "/tmux"}
	shell := ""
	for _, word := range append([]string{"env", "XDG_STATE_HOME=" + t.TempDir(), "LANG=C.UTF-8", "LC_ALL=", "NO_COLOR=", file}, args...) {
		shell += "'" + strings.ReplaceAll(word, "'", `'\''`) + "' "
	}
	shell += `; echo "ended with $?"; exec cat`
	x.run("-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(w), "-y", fmt.Sprint(h), shell)
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", x.socket, "kill-server").Run() })
	return x
}

func (x *window) run(args ...string) string {
	x.t.Helper()
	cmd := exec.Command("tmux", append([]string{"-S", x.socket}, args...)...)
	cmd.Env = append(os.Environ(), "TMUX=", "LANG=C.UTF-8")
	out, err := cmd.CombinedOutput()
	if err != nil {
		x.t.Fatalf("tmux %q: %v: %s", args, err, out)
	}
	return string(out)
}

func (x *window) text() string { x.t.Helper(); return x.run("capture-pane", "-p") }

// press sends keys by the multiplexer's names for them.
func (x *window) press(keys ...string) {
	x.t.Helper()
	x.run(append([]string{"send-keys"}, keys...)...)
}

// write sends text as it is.
func (x *window) write(text string) { x.t.Helper(); x.run("send-keys", "-l", text) }

func (x *window) see(what ...string)  { x.t.Helper(); x.await(true, what) }
func (x *window) gone(what ...string) { x.t.Helper(); x.await(false, what) }

func (x *window) await(there bool, what []string) {
	x.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		text, all := x.text(), true
		for _, w := range what {
			all = all && strings.Contains(text, w) == there
		}
		if all {
			return
		}
		if time.Now().After(deadline) {
			x.t.Fatalf("20 s, and on the screen it is not %v: %q\n%s", there, what, text)
		}
	}
}

// resize makes the window another size.
func (x *window) resize(w, h int) {
	x.t.Helper()
	x.run("resize-window", "-x", fmt.Sprint(w), "-y", fmt.Sprint(h))
}

// storm resizes the window many times, as somebody does who drags its corner, and leaves it as it was.
func (x *window) storm(w, h int) {
	x.t.Helper()
	for i := range 40 {
		x.resize(20+i*37%230, 5+i*13%65)
	}
	x.resize(w, h)
}

// joins lets the real program take part in a recipe until the test ends.
func joins(t *testing.T, addr string, args ...string) *joining {
	t.Helper()
	j := startJoin(t, addr, append([]string{"--session-timeout", "40s"}, args...)...)
	return j
}

func TestJobAStuckLock(t *testing.T) {
	t.Parallel()
	s := peers.ZooKeeper(t, peers.Options{Tick: 2 * time.Second})
	holder := joins(t, s.Addr, "lock", "/locks/orders", "--name", "web-1")
	x := openWindow(t, 120, 36, s.Addr)
	x.see("/locks/orders", "web-1 holds")
	joins(t, s.Addr, "lock", "/locks/orders", "--name", "web-2")
	x.see("1 waiting")
	joins(t, s.Addr, "lock", "/locks/orders", "--name", "web-3")
	x.see("2 waiting")
	_ = holder.cmd.Process.Kill()
	x.see("web-1 (holder) has no connection") // why, without a key
	x.storm(120, 36)
	x.see("web-1 (holder) has no connection")
	x.arm()
	x.press("b")
	x.see("Break the claim of web-1", "web-2 will hold")
	x.storm(120, 36)
	x.confirm("Break the claim of web-1")
	x.see("web-2 holds", "1 waiting")
	x.leave()
}

// confirm moves to a button and presses it. A dialog that has just come up is deaf for a moment, so that nobody
// confirms what they have not seen; a key in that moment makes it longer.
func (x *window) confirm(button string) {
	x.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !x.chosen(button); {
		if time.Now().After(deadline) {
			x.t.Fatalf("20 s, and the button %s cannot be reached\n%s", button, x.text())
		}
	}
	x.press("Enter")
	x.gone("[ Cancel ]")
}

// chosen presses tab and reports whether it came to this button within a second.
func (x *window) chosen(button string) bool {
	x.t.Helper()
	x.press("Tab")
	for until := time.Now().Add(time.Second); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		if strings.Contains(x.text(), "▸[ "+button+" ]") {
			return true
		}
	}
	return false
}

// leave ends the console and looks at what it leaves behind.
func (x *window) leave() {
	x.t.Helper()
	x.press("q")
	x.see("ended with 0")
	if alt := strings.TrimSpace(x.run("display-message", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag}")); alt != "0 1 0" {
		x.t.Errorf("alternate screen, cursor, mouse: %q", alt)
	}
}

func TestJobARevokedReader(t *testing.T) {
	t.Parallel()
	s := peers.ZooKeeper(t, peers.Options{Tick: 2 * time.Second})
	joins(t, s.Addr, "sharedlock", "/rw/catalog", "--role", "read", "--name", "report-1", "--on-revoke", "term")
	x := openWindow(t, 80, 24, s.Addr)
	x.see("report-1 reads")
	joins(t, s.Addr, "sharedlock", "/rw/catalog", "--role", "write", "--name", "import-1")
	x.see("import-1", "1 waiting")
	x.arm()
	answer := ""
	defer func() {
		if t.Failed() {
			t.Logf("what r came to last:\n%s", answer)
		}
	}()
	peers.WaitFor(t, 30*time.Second, "a round of the servers to tell that report-1 listens", func() bool {
		x.press("r")
		asks := false
		peers.WaitFor(t, 10*time.Second, "an answer to r", func() bool {
			answer = x.text()
			asks = strings.Contains(answer, "Ask report-1 to let go")
			return asks || strings.Contains(answer, "[ Close ]")
		})
		if !asks {
			x.press("Escape")
			x.gone("[ Close ]") // a key at once after it would be another one for a terminal: alt and that key
		}
		return asks
	})
	x.see("Ask report-1 to let go", "import-1 will")
	x.storm(80, 24)
	x.confirm("Ask report-1 to let go")
	x.see("import-1 writes")
	x.gone("1 waiting")
	x.leave()
}

func TestJobAnElectionFailsOver(t *testing.T) {
	t.Parallel()
	s := peers.ZooKeeper(t, peers.Options{Tick: 2 * time.Second})
	leader := joins(t, s.Addr, "election", "/election/scheduler", "--name", "sched-1", "--session-timeout", "4s")
	x := openWindow(t, 120, 36, s.Addr)
	x.see("sched-1 leads")
	joins(t, s.Addr, "election", "/election/scheduler", "--name", "sched-2")
	x.see("sched-2")
	joins(t, s.Addr, "election", "/election/scheduler", "--name", "sched-3")
	x.see("2 standbys")
	_ = leader.cmd.Process.Kill()
	x.storm(120, 36)
	x.see("sched-2 leads", "1 standby", "sched-1", "→ sched-2 leads")
	x.leave()
}

func TestJobABarrierAndAVote(t *testing.T) {
	t.Parallel()
	// An empty barrier is a container, which stands until the server looks for empty ones: here it is to be seen.
	s := peers.ZooKeeper(t, peers.Options{Tick: 2 * time.Second, JVMFlags: []string{"-Dznode.container.checkIntervalMs=3600000"}})
	var members []*joining
	member := func(name string) {
		members = append(members, joins(t, s.Addr, "doublebarrier", "/barriers/batch", "--count", "3", "--name", name))
	}
	member("b-1")
	x := openWindow(t, 120, 36, s.Addr)
	x.see("1 in ")
	member("b-2")
	x.see("2 in ")
	x.storm(120, 36)
	member("b-3")
	x.see("3 of 3 inside", "the barrier opened")
	for _, m := range members {
		_ = m.cmd.Process.Signal(os.Interrupt)
	}
	x.see("everyone has left the barrier", "idle")

	joins(t, s.Addr, "twophase", "/app/tx1", "--role", "coordinator", "--count", "2")
	x.see("/app/tx1", "0 of 2 voted")
	joins(t, s.Addr, "twophase", "/app/tx1", "--role", "site", "--name", "s_1", "--data", "commit")
	x.see("1 of 2 voted")
	x.arm()
	x.press("G") // the last row
	x.see("v vote")
	x.press("v")
	x.see("vote for s_2 in /app/tx1", "< commit >")
	x.storm(120, 36)
	x.enter("vote for s_2 in /app/tx1")
	x.see("it decides the transaction: commit", "type s_2")
	for deadline := time.Now().Add(20 * time.Second); !strings.Contains(x.text(), "type s_2   s_2_"); time.Sleep(500 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("20 s, and the name cannot be typed\n%s", x.text())
		}
		x.write("s_2")
	}
	x.confirm("Vote commit for s_2")
	x.see("decided: commit")
	x.leave()
}

func TestJobJoinALineAndLeave(t *testing.T) {
	t.Parallel()
	s := peers.ZooKeeper(t, peers.Options{Tick: 2 * time.Second})
	joins(t, s.Addr, "lock", "/locks/orders", "--name", "web-1")
	x := openWindow(t, 80, 24, s.Addr)
	x.see("web-1 holds")
	joins(t, s.Addr, "lock", "/locks/orders", "--name", "web-2")
	x.see("1 waiting")
	x.arm()
	x.press("J")
	x.see("Take a place in a recipe")
	x.storm(80, 24)
	x.enter("Take a place in a recipe")
	x.see("you are 3rd of 3", "behind web-2")
	x.press("c")
	x.see("left before it was granted")
	x.press("1")
	x.see("web-1 holds", "1 waiting", "web-2")
	x.leave()
}

// arm arms the console.
func (x *window) arm() {
	x.t.Helper()
	x.press("W")
	x.see("Arm the console")
	x.confirm("Arm")
	x.see("ARMED")
}

// enter submits a form.
func (x *window) enter(title string) {
	x.t.Helper()
	x.see(title)
	for deadline := time.Now().Add(20 * time.Second); strings.Contains(x.text(), title); {
		if time.Now().After(deadline) {
			x.t.Fatalf("20 s, and the form stays\n%s", x.text())
		}
		x.press("C-s")
		for until := time.Now().Add(time.Second); time.Now().Before(until) && strings.Contains(x.text(), title); time.Sleep(20 * time.Millisecond) {
		}
	}
}

func TestQuittingWhileTheServerIsSilentSaysWhatIsWaitedFor(t *testing.T) {
	t.Parallel()
	s := peers.ZooKeeper(t, peers.Options{})
	joins(t, s.Addr, "lock", "/locks/orders", "--name", "web-1")
	x := openWindow(t, 120, 36, s.Addr)
	x.see("web-1 holds")
	x.arm()
	x.press("J")
	x.enter("Take a place in a recipe")
	x.see("you are 2nd of 2")
	s.Pause()
	defer s.Resume()
	x.press("1")
	x.gone("you are 2nd of 2")
	x.press("q")
	x.see("leaving what was joined (1); the servers are slow to answer")
	x.see("may stay until session", "ended with 0")
}
