package zkserver_test

import (
	"fmt"
	"io"
	"net"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/peers"
	"github.com/zkscope/zkscope/internal/zkserver"
)

// TestFourLetterWords compares what both servers answer after the same actions with one file, which a real one wrote.
// Numbers that depend on time and address are masked; the order of lines, which has no meaning, is sorted.
func TestFourLetterWords(t *testing.T) {
	const file = "testdata/fourletter.txt"
	check := func(t *testing.T, addr string, rewrite bool) {
		got := wordsOf(t, addr)
		if rewrite {
			if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Error(difference(string(want), got))
		}
	}
	t.Run("real", func(t *testing.T) { check(t, peers.ZooKeeper(t, peers.Options{}).Addr, *update) })
	t.Run("embedded", func(t *testing.T) {
		s := zkserver.New(zkserver.Options{MinTimeout: time.Second, MaxTimeout: 10 * time.Second})
		defer s.Close()
		addr, err := s.Listen("127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		check(t, addr.String(), false)
	})
}

// wordsOf acts on a fresh server and returns its answers to all words.
func wordsOf(t *testing.T, addr string) string {
	dial := func() (net.Conn, error) { return net.Dial("tcp", addr) }
	s := &script{t: t, dial: dial, ids: map[int64]string{}}
	var out strings.Builder
	ask := func(words ...string) {
		for _, w := range words {
			fmt.Fprintf(&out, "== %s\n%s\n", w, s.mask(w, fourLetter(t, dial, w)))
		}
	}
	ask("ruok", "isro", "wchs", "wchp", "dump")
	for _, line := range []string{
		"A> connect", "B> connect", "C> connect ro=absent", "A> create /t x", "A> create /t/a data flags=1",
		"B> create /t/b null flags=3", "A> exists /none w", "B> get /t/a w", "A> get /t/a w", "A> ls /t w", "A> ls /t/a w",
		"B> addwatch /t 1", "B> addwatch /t/p 0", "B> get /none", "B> setwatches2 z0 exist=/later", "C> multi check /t", "C> multiread get /t",
		"A> whoami", "B> container /c x", "C> set /t y",
	} {
		s.run(line)
	}
	ask("wchs", "wchp", "wchc", "dump", "mntr", "conf", "cons")
	for _, line := range []string{"A> exists /t", "B> delete /t/none", "C> sync /t"} {
		s.execute(s.client(line[:1]), fields(line[3:]))
	}
	// A real server counts a reply after it sent it, and then reads on ([1]) again; a request is queued until its reply was counted.
	busy := regexp.MustCompile(`\[[^1]\].*sid=|queued=[1-9]`)
	peers.WaitFor(t, patience, "quiet connections", func() bool { return !busy.MatchString(fourLetter(t, dial, "cons")) })
	ask("cons", "stat", "srvr", "envi", "crst", "srst", "nope")
	for _, c := range s.clients {
		c.nc.Close()
	}
	return out.String()
}

func fourLetter(t *testing.T, dial func() (net.Conn, error), word string) string {
	nc, err := dial()
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	_ = nc.SetDeadline(time.Now().Add(patience))
	if _, err := io.WriteString(nc, word); err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(nc)
	if err != nil && word != "nope" {
		t.Fatalf("%s: %v", word, err)
	}
	return string(b)
}

var masks = []struct {
	in  *regexp.Regexp
	out string
}{
	{regexp.MustCompile(`127\.0\.0\.1:\d+`), "ADDR"},
	{regexp.MustCompile(`((?:est|lresp|llat|minlat|avglat|maxlat)=)\d+`), "${1}N"},
	{regexp.MustCompile(`\w{3} \w{3} \d\d \d\d:\d\d:\d\d UTC \d{4}`), "DATE"},
	{regexp.MustCompile(`(Latency min/avg/max: )\d+/\d+\.\d{1,4}/\d+`), "${1}N/N.N/N"},
	{regexp.MustCompile(`(Received|Sent): \d+`), "${1}: N"},
	{regexp.MustCompile(`(version[:=\t] ?3\.8\.0-)[^\n]* built on \d{4}-\d\d-\d\d \d\d:\d\d UTC`), "${1}V"},
	{regexp.MustCompile(`(?m)^((?:clientPort|dataDir|dataLogDir|dataDirSize|dataLogSize|tickTime)=).*$`), "${1}X"},
	{regexp.MustCompile(`(Sets \()\d+(\)/)`), "${1}N${2}"},
	{regexp.MustCompile(`(?m)^\d+ expire at DATE:\n`), ""},
}

// mntrKeys are the values of mntr that both servers must agree on.
var mntrKeys = regexp.MustCompile(`^zk_(server_state|ephemerals_count|num_alive_connections|znode_count|global_sessions|` +
	`local_sessions|watch_count|approximate_data_size|outstanding_requests)\t`)

func (s *script) mask(word, text string) string {
	for id, name := range s.ids {
		text = strings.ReplaceAll(text, fmt.Sprintf("%#x", uint64(id)), "session "+name)
	}
	for _, m := range masks {
		text = m.in.ReplaceAllString(text, m.out)
	}
	lines := strings.Split(text, "\n")
	switch word {
	case "cons":
		slices.Sort(lines)
	case "stat":
		slices.Sort(lines[2:6])
	case "dump":
		lines = sortRuns(lines)
	case "wchp", "wchc":
		lines = sortBlocks(lines)
	case "mntr":
		lines = slices.DeleteFunc(lines, func(l string) bool { return !mntrKeys.MatchString(l) })
		slices.Sort(lines)
	case "envi":
		lines = lines[:2]
	}
	return strings.Join(lines, "\n")
}

// sortRuns sorts each run of indented lines.
func sortRuns(lines []string) []string {
	for i := 0; i < len(lines); i++ {
		j := i
		for j < len(lines) && strings.HasPrefix(lines[j], "\t") {
			j++
		}
		slices.Sort(lines[i:j])
		i = max(i, j-1)
	}
	return sortBlocks(lines)
}

// sortBlocks sorts blocks of a line and the indented lines below it, after sorting those, among neighbours of their kind.
func sortBlocks(lines []string) []string {
	var blocks []string
	for _, l := range lines {
		if strings.HasPrefix(l, "\t") && len(blocks) > 0 {
			blocks[len(blocks)-1] += "\n" + l
			continue
		}
		blocks = append(blocks, l)
	}
	for i, b := range blocks {
		l := strings.Split(b, "\n")
		slices.Sort(l[1:])
		blocks[i] = strings.Join(l, "\n")
	}
	for i := 1; i < len(blocks); i++ {
		for j := i; j > 0 && strings.Contains(blocks[j], "\n\t") && strings.Contains(blocks[j-1], "\n\t") && blocks[j] < blocks[j-1]; j-- {
			blocks[j], blocks[j-1] = blocks[j-1], blocks[j]
		}
	}
	return blocks
}
