package waits_test

import (
	"strings"
	"testing"

	"github.com/zkscope/zkscope/internal/script"
)

// The claim whose break costs least is advised, by rules of which the next decides where one leaves several.
func TestTheAdvisedBreakCostsLeast(t *testing.T) {
	line := func(path, hex, seq, rest string) string {
		return path + "/000000000000000000000000000000" + hex + "__lock__00000000" + seq + " " + rest + "\n"
	}
	crowd := line("/locks/y", "05", "02", "owner=C data=\"c\" z=14") + line("/locks/y", "06", "03", "owner=D data=\"d\" z=15")
	for name, x := range map[string]struct{ tree, then, on, why string }{
		"the last to come":  {abba + watched, "", "/locks/y", "it came to hold last"},
		"no connection":     {abba + watched + "@session A connected=no\n@session B connected=yes\n", "", "/locks/x", "its session has no connection"},
		"no session":        {abba + watched + "@session B connected=yes\n", "", "/locks/x", "its session has no connection"},
		"seen to take over": {abba + "@server s1:2181 yes\n@server s2:2181 no\n@watch " + xHead + " B\n", "", "/locks/x", "whoever is next is seen to take over"},
		"fewest in line":    {abba + watched + crowd, "", "/locks/x", "the fewest are in line for it (1)"},
		"held last, made first": {line("/locks/y", "07", "00", "owner=N data=\"n\" z=1 age=2m") + line("/locks/y", "08", "01", "owner=B data=\"b\" z=2 age=2m") +
			line("/locks/x", "01", "00", "owner=A data=\"a\" z=3 age=1m"),
			"- /locks/y/00000000000000000000000000000007__lock__0000000000\n@now +1s\n" + line("/locks/y", "09", "02", "owner=A data=\"a\" z=20 age=0s") +
				line("/locks/x", "10", "01", "owner=B data=\"b\" z=21 age=0s"), "/locks/y", "it came to hold last"},
	} {
		t.Run(name, func(t *testing.T) {
			s := script.Run(t, x.tree)
			if x.then != "" {
				s.Then(x.then)
			}
			if len(s.Waits.Cycles) != 1 {
				t.Fatalf("%d cycles", len(s.Waits.Cycles))
			}
			c := &s.Waits.Cycles[0]
			if v := c.Breaks[c.Victim]; v.Path != x.on || !strings.HasPrefix(c.Reason, x.why) {
				t.Errorf("break the claim on %s: %s; want %s: %s", v.Path, c.Reason, x.on, x.why)
			}
		})
	}
}

// Of several readers that wait for a writer behind them none ends the circle alone; breaking the writer does, and costs one claim.
func TestTheWriterGoesWhereNoReaderAloneEndsTheCircle(t *testing.T) {
	w := script.Run(t, "@server s1:2181 yes\n"+ringIn("/rw")).Then("@now +6s").Waits
	if len(w.Cycles) != 1 {
		t.Fatalf("%+v", w.Cycles)
	}
	c := w.Cycles[0]
	if b := c.Breaks[c.Victim]; b.Claim.Node() != "00000000000000000000000000000003__lock__0000000003" || b.Next == "" || c.Reason != "only after this break does somebody hold" {
		t.Errorf("%s: %+v", c.Reason, b)
	}
}
