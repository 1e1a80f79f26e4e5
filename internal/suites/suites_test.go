package suites

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
)

// What kazoo's suite needs besides kazoo.
var (
	needPytest   = peers.Need{What: "pytest", Package: "python3-pytest", Files: []string{"/usr/lib/python3/dist-packages/pytest"}}
	needTimeout  = peers.Need{What: "pytest-timeout", Package: "python3-pytest-timeout", Files: []string{"/usr/lib/python3/dist-packages/pytest_timeout.py"}}
	needMock     = peers.Need{What: "mock", Package: "python3-mock", Files: []string{"/usr/lib/python3/dist-packages/mock"}}
	needObjgraph = peers.Need{What: "objgraph", Package: "python3-objgraph", Files: []string{"/usr/lib/python3/dist-packages/objgraph.py"}}
)

// asked skips a suite unless it is asked for.
func asked(t *testing.T) {
	t.Helper()
	if os.Getenv("ZKSCOPE_SUITES") == "" {
		t.Skip("it takes minutes: make peers-test runs it")
	}
}

// onReal tells that the suites are to run on real servers, to see what they come to there.
func onReal() bool { return os.Getenv("ZKSCOPE_SUITES_REAL") != "" }

// tally counts how a suite's tests ended.
type tally struct {
	passed, skipped int
	failed          []string
	output          map[string]string
}

// judge fails the test for each of the suite's that failed unexpectedly, or was expected to and did not.
func (y tally) judge(t *testing.T, least int, fails ...string) {
	t.Helper()
	slices.Sort(y.failed)
	t.Logf("%d passed, %d failed, %d skipped", y.passed, len(y.failed), y.skipped)
	if y.passed < least {
		t.Errorf("only %d of its tests passed, of %d", y.passed, least)
	}
	for _, name := range y.failed {
		if !slices.Contains(fails, name) {
			t.Errorf("%s failed:\n%s", name, y.output[name])
		}
	}
	for _, name := range fails {
		if !slices.Contains(y.failed, name) {
			t.Errorf("%s was expected to fail", name)
		}
	}
}

// adapt changes how go-zookeeper's harness finds out that servers are up: it reads the date of their version as servers
// before 3.5 wrote it, and would wait for ever.
func adapt(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const was, is = "_, ok := FLWSrvr(serverAddrs, time.Second)", "ok := true\n\t\tfor _, up := range FLWRuok(serverAddrs, time.Second) {\n\t\t\tok = ok && up\n\t\t}"
	if !bytes.Contains(text, []byte(was)) {
		t.Fatalf("%s is not the harness that is known", file)
	}
	if err := os.WriteFile(file, bytes.Replace(text, []byte(was), []byte(is), 1), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestGoZookeeper runs go-zookeeper's own suite, copied from its module as it is.
func TestGoZookeeper(t *testing.T) {
	asked(t)
	list := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/go-zookeeper/zk")
	from, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(strings.TrimSpace(string(from)))); err != nil {
		t.Fatal(err)
	}
	adapt(t, filepath.Join(dir, "server_help_test.go"))
	bin := "/usr/share/zookeeper/bin"
	if !onReal() {
		bin = commands(t, newHub(t), "zkServer.sh")
	}
	cmd := exec.CommandContext(t.Context(), "go", "test", "-json", "-count=1", "-timeout=10m", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "ZOOKEEPER_BIN_PATH="+bin, "GOFLAGS=-mod=mod", "GOWORK=off")
	out, _ := cmd.Output() // it fails where one of its tests does
	y := tally{output: map[string]string{}}
	for line := range bytes.Lines(out) {
		var ev struct{ Action, Test, Output string }
		if json.Unmarshal(line, &ev) != nil || ev.Test == "" {
			continue
		}
		switch ev.Action {
		case "output":
			y.output[ev.Test] += ev.Output
		case "pass":
			y.passed++
		case "skip":
			y.skipped++
		case "fail":
			y.failed = append(y.failed, ev.Test)
		}
	}
	y.judge(t, 77)
}

// kazooFor is how long one of kazoo's modules may take.
const kazooFor = 4 * time.Minute

// TestKazoo runs kazoo's own suite, as Debian ships it, module by module. Left out is what needs an ensemble that can be
// reconfigured or a login configuration for SASL, neither of which the embedded server has.
func TestKazoo(t *testing.T) {
	asked(t)
	peers.Require(t, peers.NeedKazoo, needPytest, needTimeout, needMock, needObjgraph)
	files, err := filepath.Glob(peers.NeedKazoo.Files[0] + "/tests/test_*.py")
	if err != nil || len(files) < 20 {
		t.Fatal(files, err)
	}
	path := os.Getenv("PATH")
	if !onReal() {
		path = commands(t, newHub(t), "java") + ":" + path
	}
	y := tally{output: map[string]string{}}
	for _, file := range files {
		module := strings.TrimSuffix(filepath.Base(file), ".py")
		if err := y.kazoo(t, module, path); err != nil {
			t.Errorf("%s: %v", module, err)
		}
	}
	// Real servers of 3.8 let it fail just the same: they grant nobody a read-only session who has one of the ensemble.
	y.judge(t, 468, "test_connection.TestReadOnlyMode.test_read_only")
}

// kazoo runs one of kazoo's modules and adds what came of its tests.
func (y *tally) kazoo(t *testing.T, module, path string) error {
	ctx, cancel := context.WithTimeout(t.Context(), kazooFor)
	defer cancel()
	report := filepath.Join(t.TempDir(), "report.xml")
	cmd := exec.CommandContext(ctx, "/usr/bin/python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--timeout=90", "--junitxml="+report,
		"--pyargs", "kazoo.tests."+module, "-k", "not TestReconfig and not SASL")
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "PATH="+path, "ZOOKEEPER_VERSION=3.8.0", "ZOOKEEPER_CLASSPATH="+peers.ClassPath(),
		fmt.Sprintf("ZOOKEEPER_PORT_OFFSET=%d", peers.FreePort(t)))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // its servers, too
	cmd.WaitDelay = time.Second
	out, _ := cmd.CombinedOutput()
	b, err := os.ReadFile(report)
	if err != nil {
		return fmt.Errorf("no report within %v: %w\n%s", kazooFor, err, out)
	}
	var suites struct {
		Cases []struct {
			Class   string    `xml:"classname,attr"`
			Name    string    `xml:"name,attr"`
			Failure *string   `xml:"failure"`
			Error   *string   `xml:"error"`
			Skipped *struct{} `xml:"skipped"`
		} `xml:"testsuite>testcase"`
	}
	if err := xml.Unmarshal(b, &suites); err != nil {
		return err
	}
	for _, c := range suites.Cases {
		name := module + c.Class[max(0, strings.LastIndexByte(c.Class, '.')):] + "." + c.Name
		switch {
		case c.Skipped != nil:
			y.skipped++
		case c.Failure != nil:
			y.failed, y.output[name] = append(y.failed, name), *c.Failure
		case c.Error != nil:
			y.failed, y.output[name] = append(y.failed, name), *c.Error
		default:
			y.passed++
		}
	}
	return nil
}
