package cli

import (
	"context"
	"fmt"
	"os"
	"os/user"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/tui"
)

// consoleJoiner takes part in recipes for the console.
type consoleJoiner struct{ *actions.Joiner }

func (j consoleJoiner) Join(r actions.Join) (tui.Place, error) {
	p, err := j.Joiner.Join(r)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// leaveAll gives up every place when the console ends, and says what stays behind.
func (c *command) leaveAll(j *actions.Joiner) {
	ctx, cancel := context.WithTimeout(context.Background(), actions.LeaveWithin)
	defer cancel()
	for _, st := range j.LeaveAll(ctx) {
		if st.Stays != "" {
			fmt.Fprintf(c.Err, "zkscope: %s\n", inspect.Printable(st.Stays))
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
