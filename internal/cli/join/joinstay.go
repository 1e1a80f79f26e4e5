package join

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/cli/change"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/guard"
)

// stay is one stay in a recipe, from the request to the end.
type stay struct {
	*command.Line
	f       joinFlags
	p       *actions.Place
	argv    []string
	servers string

	sigs    chan os.Signal
	sig     os.Signal // the first that came
	said    string    // the last line
	held    bool      // that it holds was said
	running bool      // the command was started, and has not been seen to end
	answers chan bool // of the terminal; nil: it was not asked
}

// run waits for the place, uses it and leaves it.
func (s *stay) run(ctx context.Context) error {
	s.sigs = make(chan os.Signal, 8)
	signal.Notify(s.sigs, world.PassedOn...)
	defer signal.Stop(s.sigs)
	err := s.stay(ctx)
	s.written()
	gap := change.Unlogged(s.p.State().Unlogged)
	if err == nil {
		return gap
	}
	if gap != nil && err.Error() == "" { // the code is the command's
		fmt.Fprintln(s.Err, "zkscope: "+say.Printable(world.OneLine(gap.Error())))
	}
	return err
}

func (s *stay) stay(ctx context.Context) error {
	if err := s.await(ctx); err != nil {
		return err
	}
	if len(s.argv) > 0 {
		return s.work()
	}
	return s.holdOn(ctx)
}

// written waits, at the end of a place, until that is in the audit log.
func (s *stay) written() {
	if s.p.State().Phase.Over() {
		<-s.p.Done()
	}
}

// await returns when the place is granted, or has come to its end with nothing to hold.
func (s *stay) await(ctx context.Context) error {
	late := make(<-chan time.Time)
	if s.f.hasTimeout {
		timer := time.NewTimer(s.Flags.Timeout)
		defer timer.Stop()
		late = timer.C
	}
	for overdue := false; ; {
		st := s.p.State()
		s.say(st)
		switch st.Phase {
		case actions.JoinHolding, actions.JoinAsked, actions.JoinDone, actions.JoinLost:
			return nil
		case actions.JoinFailed:
			return joinError(st.Err)
		}
		if overdue && st.Phase != actions.JoinConnecting { // that ends by itself, and says why
			return world.Fail(world.ExitError, "not granted within %v: %s", s.Flags.Timeout, rest(s.quit()))
		}
		select {
		case <-s.p.Changed():
		case <-late:
			overdue = true
		case s.sig = <-s.sigs:
			return s.interrupted()
		case <-ctx.Done():
			s.lastSignal()
			return s.interrupted()
		}
	}
}

// lastSignal finds out which signal ended the context: it comes on both ways, on this one a moment later perhaps.
func (s *stay) lastSignal() {
	select {
	case s.sig = <-s.sigs:
	case <-time.After(100 * time.Millisecond):
	}
}

// interrupted ends a wait that somebody broke off.
func (s *stay) interrupted() error {
	st := s.quit()
	if s.sig != nil && len(s.argv) > 0 {
		return world.Failure{Code: 128 + world.Number(s.sig), Err: fmt.Errorf("interrupted before it was granted: %s", rest(st)), Own: true}
	}
	return world.Fail(world.ExitError, "interrupted before it was granted: %s", rest(st))
}

// rest says what a place that was left leaves behind.
func rest(st actions.JoinState) string {
	if st.Stays != "" {
		return st.Stays
	}
	return "nothing stays behind"
}

// quit leaves within a few seconds and says what stays.
func (s *stay) quit() actions.JoinState {
	ctx, cancel := context.WithTimeout(context.Background(), actions.LeaveWithin)
	defer cancel()
	st := s.p.Leave(ctx)
	s.say(st)
	return st
}

// holdOn holds without a command, until a signal.
func (s *stay) holdOn(ctx context.Context) error {
	for {
		st := s.p.State()
		s.say(st)
		switch st.Phase {
		case actions.JoinAsked:
			s.revoke(nil)
		case actions.JoinLost:
			return world.Failure{Code: world.ExitError, Err: fmt.Errorf("%s", st.Text)}
		case actions.JoinDone, actions.JoinLeft:
			return s.ended(st)
		}
		select {
		case <-s.p.Changed():
		case <-s.p.Done():
		case yes := <-s.answers:
			s.answers = nil
			s.p.Answer(yes)
		case s.sig = <-s.sigs:
			return s.ended(s.quit())
		case <-ctx.Done():
			return s.ended(s.quit())
		}
	}
}

// ended judges a place that was left or has come to its end.
func (s *stay) ended(st actions.JoinState) error {
	switch {
	case st.Phase == actions.JoinLost:
		return world.Fail(world.ExitError, "%s", st.Text)
	case st.Err != nil:
		return world.Fail(world.ExitError, "%s: %s", st.Text, rest(st))
	case st.Result == "abort":
		return world.Failure{Code: world.ExitError}
	}
	return nil
}

// revoke does what --on-revoke says when somebody asks to let go. end ends the command; nil: there is none.
func (s *stay) revoke(end func()) {
	switch {
	case s.f.onRevoke == "term" && end != nil:
		end()
	case s.f.onRevoke == "term":
		s.p.Answer(true)
	case s.answers == nil:
		answers := make(chan bool, 1)
		s.answers = answers
		fmt.Fprintf(s.Err, "let go? [y/N] ")
		guard.Go(func() { // reading a terminal cannot be broken off: this ends with the answer, or with the process
			line, _ := bufio.NewReader(s.In).ReadString('\n')
			answers <- strings.HasPrefix(strings.ToLower(strings.TrimSpace(line)), "y")
		})
	}
}

// JoinLine is a state as JSON.
type JoinLine struct {
	Schema   int     `json:"schema"`
	At       string  `json:"at"`
	Kind     string  `json:"kind"`
	Path     string  `json:"path"`
	Role     *string `json:"role"`
	Dialect  *string `json:"dialect"`
	Phase    string  `json:"phase"`
	Text     string  `json:"text"`
	Session  *string `json:"session"`
	Node     *string `json:"node"`
	Token    *int64  `json:"token"`
	Position *int    `json:"position"`
	Of       *int    `json:"of"`
	Behind   *string `json:"behind"`
	Data     []byte  `json:"data"`
	Result   *string `json:"result"`
	Stays    *string `json:"stays"`
	Error    *string `json:"error"`
}

func optional[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}

func (s *stay) line(st actions.JoinState) JoinLine {
	want := s.p.Want()
	l := JoinLine{Schema: 1, At: st.Since.UTC().Format(time.RFC3339Nano), Kind: string(want.Kind), Path: say.Printable(want.Path),
		Role: optional(string(want.Part)), Dialect: optional(string(st.Dialect)), Phase: string(st.Phase), Text: st.Text,
		Node: optional(say.Printable(st.Node)), Token: optional(st.Token), Of: optional(st.Of), Behind: optional(say.Printable(st.Behind)),
		Data: st.Data, Result: optional(say.Printable(st.Result)), Stays: optional(st.Stays)}
	if st.Session != 0 {
		l.Session = optional(st.Session.String())
	}
	if st.Of > 0 {
		l.Position = &st.Position
	}
	if st.Err != nil {
		l.Error = optional(say.Printable(world.OneLine(st.Err.Error())))
	}
	return l
}

// say prints a state that was not printed yet: what happens while a command runs goes to standard error, and what
// everybody expects is not said there.
func (s *stay) say(st actions.JoinState) {
	var out io.Writer = s.Out
	if len(s.argv) > 0 {
		out = s.Err
	}
	text := string(st.Phase) + " " + st.Text + st.Stays
	if text == s.said {
		return
	}
	s.said = text
	if s.Flags.Output != "table" {
		b, _ := json.Marshal(s.line(st))
		fmt.Fprintf(out, "%s\n", b)
		return
	}
	line := s.text(st)
	if line == "" {
		return
	}
	if len(s.argv) > 0 {
		line = "zkscope: " + line
	}
	fmt.Fprintln(out, world.OneLine(line))
}

// text tells a state to people; empty where there is nothing to tell yet, or the error that we end with tells it.
func (s *stay) text(st actions.JoinState) string {
	runs := len(s.argv) > 0
	switch st.Phase {
	case actions.JoinConnecting, actions.JoinFailed:
		return ""
	case actions.JoinHolding:
		if runs && s.held { // that is expected
			return ""
		}
		s.held = true
	case actions.JoinLeaving, actions.JoinDone, actions.JoinLeft:
		if runs && st.Stays == "" {
			return ""
		}
	case actions.JoinAsked:
		return s.askedTo(st)
	case actions.JoinLost:
		return s.lostNow(st)
	}
	if st.Text == string(actions.JoinWaiting) {
		return ""
	}
	line := st.Text
	switch {
	case st.Phase == actions.JoinHolding && st.Token != 0:
		if node := say.Printable(st.Node); !strings.HasSuffix(line, " "+node) {
			line += " as " + node
		}
		line += fmt.Sprintf(", token %d, session %s", st.Token, st.Session)
	case st.Phase == actions.JoinDone && st.Data != nil && !strings.HasSuffix(line, " "+string(st.Data)):
		line += ": " + say.Printable(string(st.Data))
	}
	if st.Stays != "" && st.Phase.Over() {
		line += "; " + st.Stays
	}
	return line
}

// askedTo says what follows when somebody asks to let go.
func (s *stay) askedTo(st actions.JoinState) string {
	path := say.Printable(s.p.Want().Path)
	switch {
	case s.f.onRevoke != "term":
		return st.Text
	case len(s.argv) > 0:
		return "asked to let go of " + path + ": ending the command"
	}
	return "asked to let go of " + path + ": leaving"
}

// lostNow says what follows when what was held is gone. Without a command, the error that we end with says it.
func (s *stay) lostNow(st actions.JoinState) string {
	switch {
	case len(s.argv) == 0:
		return ""
	case !s.running:
		return st.Text + "; the command is not started"
	case s.f.onLost == "kill":
		return st.Text + "; the command is killed"
	}
	return st.Text + "; the command runs on"
}

// lostError ends us after a loss; where it was said already, without a word.
func (s *stay) lostError(text string) error {
	if s.Flags.Output == "table" {
		return world.Failure{Code: world.ExitError}
	}
	return world.Fail(world.ExitError, "%s", text)
}
