package look

import (
	"fmt"
	"io"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
)

// Outage tells what becomes of the connection of a command that goes on: that it is lost, why it does not come back, each
// reason once, and that it is there again. A server that is away for a moment is worth no reason.
type Outage struct {
	Meanwhile string // what is said of what happens as long as it lasts
	Clocked   bool   // each line begins with the time, and how long it lasted is told

	down  bool
	began time.Time
	cause string
	since time.Time // when the cause was seen first
	told  map[string]bool
}

// stuck is how long a reason stands in the way until it is told.
const stuck = 900 * time.Millisecond

// Tell takes how the connection is now: cause is what the last attempt came to, and empty where there is none.
func (o *Outage) Tell(to io.Writer, now time.Time, lost bool, cause string) {
	line := func(text string) {
		clock := ""
		if o.Clocked {
			clock = now.Format("15:04:05") + " "
		}
		fmt.Fprintln(to, "zkscope: "+clock+text)
	}
	if lost != o.down {
		switch o.down = lost; {
		case lost:
			o.began, o.cause, o.since, o.told = now, cause, now, map[string]bool{"": true}
			line("the connection is lost: " + o.Meanwhile)
		case o.Clocked:
			line("connected again, after " + say.Age(now.Sub(o.began)))
		default:
			line("connected again")
		}
		return
	}
	if !lost {
		return
	}
	if cause != o.cause {
		o.cause, o.since = cause, now
	}
	if !o.told[cause] && now.Sub(o.since) >= stuck {
		o.told[cause] = true
		line("cannot connect to " + say.Printable(cause) + "; trying on")
	}
}
