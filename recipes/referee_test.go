package recipes

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
)

// referee watches over what several programs do at once. They tell it, each over a connection of its own, one
// line at a time, and go on when it has answered:
//
//   - key weight max    somebody goes in; more weight than max inside is a foul
//   - key weight        somebody goes out
//     o key number        who is in has this number, which is greater than that of everyone before, or it is a foul
//     a key               somebody has arrived
//     c key n             n must have arrived by now, or it is a foul
type referee struct {
	t  *testing.T
	l  net.Listener
	wg sync.WaitGroup

	mu      sync.Mutex
	inside  map[string]int
	arrived map[string]int
	last    map[string]int
	fouls   []string
}

func newReferee(t *testing.T) *referee {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &referee{t: t, l: l, inside: make(map[string]int), arrived: make(map[string]int), last: make(map[string]int)}
	r.wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			r.wg.Go(func() { r.serve(c) })
		}
	})
	t.Cleanup(r.close)
	return r
}

func (r *referee) addr() string { return r.l.Addr().String() }

// close ends the listener and waits until everyone has hung up. It runs after the programs have ended.
func (r *referee) close() {
	r.l.Close()
	r.wg.Wait()
}

func (r *referee) serve(c net.Conn) {
	defer c.Close()
	for lines := bufio.NewScanner(c); lines.Scan(); {
		r.hear(lines.Text())
		fmt.Fprintln(c, "ok")
	}
}

func (r *referee) hear(line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := strings.Fields(line)
	number := func(i int) (n int) { fmt.Sscan(f[i], &n); return n }
	switch f[0] {
	case "+":
		if r.inside[f[1]] += number(2); r.inside[f[1]] > number(3) {
			r.fouls = append(r.fouls, fmt.Sprintf("%s: %d inside, %s allowed", f[1], r.inside[f[1]], f[3]))
		}
		r.arrived["turns "+f[1]]++
	case "-":
		r.inside[f[1]] -= number(2)
	case "o":
		if last := r.last[f[1]]; number(2) <= last && r.arrived["order "+f[1]] > 0 {
			r.fouls = append(r.fouls, fmt.Sprintf("%s: %s came in after %d", f[1], f[2], last))
		}
		r.last[f[1]] = number(2)
		r.arrived["order "+f[1]]++
	case "a":
		r.arrived[f[1]]++
	case "c":
		if r.arrived[f[1]] < number(2) {
			r.fouls = append(r.fouls, fmt.Sprintf("%s: %d arrived, not %s", f[1], r.arrived[f[1]], f[2]))
		}
	}
}

func (r *referee) turns(key string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.arrived["turns "+key]
}

// check fails the test for each foul.
func (r *referee) check() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, f := range r.fouls {
		if i < 5 {
			r.t.Error(f)
		}
	}
}
