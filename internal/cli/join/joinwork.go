package join

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/internal/cli/command"
	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/guard"
)

// job is a command that runs.
type job struct {
	*process
	ended chan error
	kill  *time.Timer // runs once the command was told to end
	grace time.Duration
}

// work runs the command while the place is held, and ends with its exit code.
func (s *stay) work() error {
	st := s.p.State()
	if st.Phase == actions.JoinLost {
		return s.lostError(st.Text)
	}
	j, err := s.start(st)
	if err != nil {
		s.quit()
		return commandMissing(s.argv[0], err)
	}
	s.running = true
	lost := s.watch(j)
	s.running = false
	code := exitCode(j.cmd)
	if lost != "" && s.f.onLost == "kill" {
		return s.lostError(lost + "; the command was killed")
	}
	return s.conclude(code, lost)
}

// start starts the command.
func (s *stay) start(st actions.JoinState) (*job, error) {
	want := s.p.Want()
	cmd := exec.Command(s.argv[0], s.argv[1:]...)
	cmd.Env = append(s.environment(os.Environ()), "ZKSCOPE_SERVERS="+s.servers, "ZKSCOPE_KIND="+string(want.Kind), "ZKSCOPE_PATH="+want.Path,
		"ZKSCOPE_NODE="+st.Node, "ZKSCOPE_SESSION="+st.Session.String(), fmt.Sprintf("ZKSCOPE_TOKEN=%d", st.Token))
	if st.Dialect != "" {
		cmd.Env = append(cmd.Env, "ZKSCOPE_DIALECT="+string(st.Dialect))
	}
	if st.Result != "" {
		cmd.Env = append(cmd.Env, "ZKSCOPE_RESULT="+st.Result)
	}
	cmd.Stdout, cmd.Stderr = s.TTY, s.Err // a file is handed on as it is
	switch {
	case st.Data != nil:
		cmd.Stdin = bytes.NewReader(st.Data)
	case s.f.onRevoke != "ask": // else the terminal is ours to ask on
		cmd.Stdin = s.In
	}
	cmd.WaitDelay = time.Second // what the command left behind may keep its output open
	p, err := launch(cmd, !s.InTTY, min(s.f.grace, orphanGrace(s.Flags.Session, st.Timeout)))
	if err != nil {
		return nil, err
	}
	j := &job{process: p, ended: make(chan error, 1), grace: s.f.grace}
	guard.Go(func() { j.ended <- p.wait() })
	return j, nil
}

// orphanShare is the part of a session's timeout that a command has to end in when we die: the claim outlives us by two
// thirds of the timeout, where the servers were in reach.
const orphanShare = 4

// orphanGrace is that time: of the session that was asked for, or of the shorter one that the server granted.
func orphanGrace(asked, granted time.Duration) time.Duration {
	if granted > 0 {
		asked = min(asked, granted)
	}
	return asked / orphanShare
}

// environment is what the command gets of ours. It need not know our credentials to work under our claim, so it gets
// none, of no profile either, unless it is to.
func (s *stay) environment(ours []string) (out []string) {
	if out = ours; !s.f.passAuth {
		out = s.WithoutSecrets(ours)
	}
	if creds := s.Flags.Access.Creds; s.f.passAuth && len(creds) > 0 {
		out = append(out, command.AuthVar+"="+strings.Join(creds, "\n"))
	}
	return out
}

// watch follows command and place until the command has ended. It returns why the claim was lost meanwhile.
func (s *stay) watch(j *job) (lost string) {
	defer j.calm()
	over, gone := s.p.Done(), s.p.Lost()
	if s.f.onLost != "kill" {
		gone = nil
	}
	killed := false
	look := time.NewTicker(s.lookEvery())
	defer look.Stop()
	for {
		select {
		case <-j.ended:
			return s.whyLost(lost, killed)
		case sig := <-s.sigs:
			if s.sig == nil {
				s.sig = sig
			}
			if !(s.InTTY && fromTerminal(sig)) { // the terminal has told the command as well
				j.signal(sig)
			}
			if sig == terminate {
				j.hurry()
			}
		case <-j.late():
			j.signal(os.Kill)
		case yes := <-s.answers:
			s.answers = nil
			if yes {
				j.end()
			} else {
				s.p.Answer(false)
			}
		case <-gone: // somebody else may have the claim from now on: there is no time for a grace
			gone, killed = nil, true
			j.signal(os.Kill)
		case <-look.C:
			s.foresee(j)
		case <-over:
			over = nil
			lost = s.noticed(j, lost)
		case <-s.p.Changed():
			lost = s.noticed(j, lost)
		}
	}
}

// noticed does what a change of the place's state asks for.
func (s *stay) noticed(j *job, lost string) string {
	st := s.p.State()
	switch st.Phase {
	case actions.JoinAsked:
		s.say(st)
		s.revoke(j.end)
	case actions.JoinLost:
		s.say(st)
		return st.Text
	}
	return lost
}

// whyLost is why the claim was lost where it was: the command that is killed at once may end before that is known.
func (s *stay) whyLost(lost string, killed bool) string {
	if lost != "" || !killed {
		return lost
	}
	<-s.p.Done()
	st := s.p.State()
	s.say(st)
	return st.Text
}

// notice is how long before its claim is lost a command is told to end, so that it is killed at the loss and not told then:
// its grace, and no more than the part of the session that an orphan has.
func (s *stay) notice() time.Duration {
	return min(s.f.grace, orphanGrace(s.Flags.Session, s.p.State().Timeout))
}

// lookEvery is how often the time that is left is looked at.
func (s *stay) lookEvery() time.Duration {
	return max(10*time.Millisecond, min(250*time.Millisecond, s.notice()/8))
}

// foresee tells the command to end when no server has answered for so long that the claim will be lost soon.
func (s *stay) foresee(j *job) {
	left, ok := s.p.Left()
	if !ok || s.f.onLost != "kill" || j.kill != nil || left > s.notice() || left <= 0 {
		return // there is time yet, or none: the loss itself kills it
	}
	if s.Flags.Output == "table" {
		fmt.Fprintf(s.Err, "zkscope: no server answers: the claim is lost in %v; ending the command\n", left.Round(100*time.Millisecond))
	}
	j.end()
}

// end tells the command to end, and kills it when it does not.
func (j *job) end() {
	if j.kill == nil {
		j.signal(terminate)
		j.hurry()
	}
}

// hurry gives the command, which was told to end, its time.
func (j *job) hurry() {
	if j.kill == nil {
		j.kill = time.NewTimer(j.grace)
	}
}

func (j *job) late() <-chan time.Time {
	if j.kill == nil {
		return nil
	}
	return j.kill.C
}

func (j *job) calm() {
	if j.kill != nil {
		j.kill.Stop()
	}
}

// exitCode is the command's, as shells tell it.
func exitCode(cmd *exec.Cmd) int {
	if n, ok := killedBy(cmd.ProcessState); ok {
		return 128 + n
	}
	return cmd.ProcessState.ExitCode()
}

// conclude ends the work that the command did, leaves, and passes its exit code on.
func (s *stay) conclude(code int, lost string) error {
	if lost == "" {
		s.p.Finish(code == 0)
		s.settle()
	}
	st := s.quit()
	switch {
	case lost == "" && st.Phase == actions.JoinLost && code == 0:
		return world.Fail(world.ExitError, "the command succeeded, but %s", st.Text)
	case st.Phase == actions.JoinLeft && st.Err != nil && s.unfinished() && code == 0:
		return world.Fail(world.ExitError, "the command succeeded, but: %s", st.Text)
	case code == 0 && st.Result == "abort":
		code = world.ExitError
	}
	if code == 0 {
		return nil
	}
	return world.Failure{Code: code, Own: true}
}

// unfinished reports whether leaving was more than giving up: an item or a vote.
func (s *stay) unfinished() bool {
	k := s.p.Want().Kind
	return k.Votes() || k.Items()
}

// settle waits for the end that finishing brings: for others, where a kind has it so, until a signal; else for as
// long as leaving may take.
func (s *stay) settle() {
	late := make(<-chan time.Time)
	if k := s.p.Want().Kind; !k.Votes() && !k.Together() {
		timer := time.NewTimer(actions.LeaveWithin)
		defer timer.Stop()
		late = timer.C
	}
	for {
		select {
		case <-s.p.Done():
			return
		case <-s.p.Changed():
			s.say(s.p.State())
		case s.sig = <-s.sigs:
			return
		case <-late:
			return
		}
	}
}
