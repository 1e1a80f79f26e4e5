package console

import (
	"context"
	"fmt"
	"os"
	"os/user"
	"time"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/tui/backend"
)

// consoleJoiner takes part in recipes for the console.
type consoleJoiner struct{ *actions.Joiner }

func (j consoleJoiner) Join(r actions.Join) (backend.Place, error) {
	p, err := j.Joiner.Join(r)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// leavingShows is how long leaving may take before it is told what is waited for.
const leavingShows = 500 * time.Millisecond

// leaveAll gives up every place when the console ends, and says what stays behind.
func (c *consoleRun) leaveAll(j *actions.Joiner) {
	ctx, cancel := context.WithTimeout(context.Background(), actions.LeaveWithin)
	defer cancel()
	left := make(chan []actions.JoinState, 1)
	n := len(j.Places())
	guard.Go(func() { left <- j.LeaveAll(ctx) })
	var states []actions.JoinState
	select {
	case states = <-left:
	case <-time.After(leavingShows):
		fmt.Fprintf(c.Err, "zkscope: leaving what was joined (%d); the servers are slow to answer, %v at most\n", n, actions.LeaveWithin)
		states = <-left
	}
	for _, st := range states {
		if st.Stays != "" {
			fmt.Fprintf(c.Err, "zkscope: %s\n", say.Printable(st.Stays))
		}
	}
}

// me is what we are called in recipes: user@host.
func me() string {
	name := os.Getenv("USER")
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	if host, err := os.Hostname(); err == nil {
		name += "@" + host
	}
	return name
}
