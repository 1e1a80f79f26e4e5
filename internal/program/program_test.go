package program

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"
)

func sh(script string) []string { return []string{"sh", "-c", script} }

func TestAProgramIsGivenWhatItIsGiven(t *testing.T) {
	var out, errs bytes.Buffer
	p := Program{Args: append(sh(`cat; echo "$0 $WORD"; echo aside >&2`), "a b"), Env: []string{"WORD=said"}, In: strings.NewReader("read\n"), Out: &out, Err: &errs}
	if err := p.Run(t.Context()); err != nil || out.String() != "read\na b said\n" || errs.String() != "aside\n" {
		t.Errorf("%v: %q %q", err, out.String(), errs.String())
	}
}

func TestHowAProgramEnds(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	for says, x := range map[string]struct {
		ctx context.Context
		p   Program
	}{
		"":              {t.Context(), Program{Args: sh("true"), Within: time.Minute}},
		"exit status 3": {t.Context(), Program{Args: sh("echo hush; exit 3")}},
		"it was ended, since it took longer than 50ms": {t.Context(), Program{Args: []string{"sleep", "60"}, Within: 50 * time.Millisecond}},
		"context canceled":          {ended, Program{Args: []string{"sleep", "60"}, Within: time.Minute}},
		"executable file not found": {t.Context(), Program{Args: []string{"no-such-program"}}},
		"no more":                   {t.Context(), Program{Args: sh("while echo x; do :; done"), Out: full{}, Within: time.Minute}},
	} {
		err := x.p.Run(x.ctx)
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says) && says != "no more") {
			t.Errorf("%s: %v", says, err)
		}
	}
}

// full takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no more") }

// What a program leaves in the background has its output open; who waited for that would wait for ever.
func TestWhatIsLeftBehindIsNotWaitedFor(t *testing.T) {
	r, w := io.Pipe()
	go io.Copy(io.Discard, r)
	defer w.Close()
	began := time.Now()
	for _, within := range []time.Duration{0, time.Minute} {
		if err := (Program{Args: sh("sleep 10 & echo done"), Within: within, Out: w}).Run(t.Context()); err != nil {
			t.Error(err)
		}
	}
	late := Program{Args: sh("sleep 10 & sleep 10"), Within: 50 * time.Millisecond, Out: w}.Run(t.Context())
	if late == nil || errors.Is(late, exec.ErrWaitDelay) {
		t.Errorf("told as if it had ended: %v", late)
	}
	if took := time.Since(began); took > 25*time.Second {
		t.Errorf("waited for %v", took)
	}
}
