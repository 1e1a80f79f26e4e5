package notify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/zkscope/zkscope/internal/guard"
	"github.com/zkscope/zkscope/internal/wait"
)

// How a message is tried again: after a second, then after twice as long each time, up to a minute; and how many wait at most.
const (
	firstPause, longestPause = time.Second, time.Minute
	mostWaiting              = 200
	within                   = 10 * time.Second // an answer
)

// Sender posts messages to a webhook, in their order, each until it was taken.
type Sender struct {
	url    string
	client http.Client
	say    func(string)

	mu      sync.Mutex
	waiting [][]byte
	dropped int
	closing bool
	more    chan struct{}
	cancel  context.CancelFunc
	done    chan struct{}
}

// NewSender begins to post to a URL. Say is told in one line when the webhook begins to fail, when it takes messages again, and
// when one is given up; what it is told never holds the URL, which may be a secret. It is called from another goroutine.
func NewSender(to string, say func(string)) *Sender {
	ctx, cancel := context.WithCancel(context.Background())
	s := &Sender{url: to, client: http.Client{Timeout: within, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		say: say, more: make(chan struct{}, 1), cancel: cancel, done: make(chan struct{})}
	guard.Go(func() { defer close(s.done); s.run(ctx) })
	return s
}

// Send has a message posted. It never waits; where too many wait, the oldest is given up.
func (s *Sender) Send(body []byte) {
	s.mu.Lock()
	s.waiting = append(s.waiting, body)
	if len(s.waiting) > mostWaiting {
		s.waiting = s.waiting[1:]
		s.dropped++
	}
	s.mu.Unlock()
	s.poke()
}

// Close gives what waits some time to be taken, and ends.
func (s *Sender) Close(grace time.Duration) {
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	s.poke()
	select {
	case <-s.done:
	case <-time.After(grace):
	}
	s.cancel()
	<-s.done
	s.client.CloseIdleConnections()
}

// poke has the goroutine look for something to do.
func (s *Sender) poke() {
	select {
	case s.more <- struct{}{}:
	default:
	}
}

// first is the message whose turn it is, how many were given up since it was last asked, and whether no more will come.
func (s *Sender) first() (body []byte, dropped int, last bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	dropped, s.dropped = s.dropped, 0
	if len(s.waiting) == 0 {
		return nil, dropped, s.closing
	}
	return s.waiting[0], dropped, false
}

// taken forgets the first message, unless it was given up meanwhile.
func (s *Sender) taken(body []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) > 0 && &s.waiting[0][0] == &body[0] {
		s.waiting = s.waiting[1:]
	}
}

func (s *Sender) run(ctx context.Context) {
	failing, pause := false, firstPause
	for {
		body, dropped, last := s.first()
		if dropped > 0 {
			count := fmt.Sprintf("%d messages were", dropped)
			if dropped == 1 {
				count = "1 message was"
			}
			s.say(count + " given up: too many waited for the webhook")
		}
		if last {
			return
		}
		if body == nil {
			select {
			case <-ctx.Done():
				return
			case <-s.more:
			}
			continue
		}
		again, err := s.post(ctx, body)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			if s.taken(body); failing {
				s.say("the webhook takes messages again")
			}
			failing, pause = false, firstPause
		case !again:
			s.taken(body)
			s.say("a message was refused and is given up: " + err.Error())
		default:
			if !failing {
				s.say("the webhook fails, and is tried again: " + err.Error())
			}
			failing = true
			if !wait.For(ctx, pause) {
				return
			}
			pause = min(2*pause, longestPause)
		}
	}
}

// post posts a message once; again reports whether a failure may pass.
func (s *Sender) post(ctx context.Context, body []byte) (again bool, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, bytes.NewReader(body))
	if err != nil {
		return false, errors.New("it is no URL that can be posted to")
	}
	r.Header.Set("Content-Type", "application/json")
	resp, err := s.client.Do(r)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err // without the URL
		}
		return true, err
	}
	defer resp.Body.Close()
	_, _ = io.CopyN(io.Discard, resp.Body, 64<<10) // so that the connection can be used again
	if resp.StatusCode < 300 {
		return false, nil
	}
	return resp.StatusCode >= 500 || resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode == http.StatusRequestTimeout, fmt.Errorf("it answers %s", resp.Status)
}
