package recipes

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/zkscope/zkscope/internal/zkserver"
)

// TestWhatIsTooLargeIsRefusedAtOnce, on both kinds of connection.
func TestWhatIsTooLargeIsRefusedAtOnce(t *testing.T) {
	server := zkserver.New(zkserver.Options{})
	defer server.Close()
	addr, err := server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	dialed, err := Dial(t.Context(), Config{Servers: []string{addr.String()}})
	if err != nil {
		t.Fatal(err)
	}
	defer dialed.Close()
	borrowed := FromConn(borrow(t, addr.String()), 6*time.Second)
	defer borrowed.Close()
	big := make([]byte, 1<<20)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	for name, s := range map[string]*Session{"dialed": dialed, "borrowed": borrowed} {
		for call, err := range map[string]error{
			"lock":  second(s.Lock("/l", Options{Data: big}).Acquire(ctx)),
			"queue": s.Queue("/q", QueueOptions{}).Put(ctx, big),
			"value": s.Configuration("/c").Create(ctx, big),
			"begin": s.TwoPhase("/tx", TwoPhaseOptions{}).Begin(ctx, big, []string{"s_1"}),
		} {
			if !errors.Is(err, ErrTooLarge) || errors.Is(err, ErrUnknown) || ctx.Err() != nil {
				t.Errorf("%s, %s: %v", name, call, err)
			}
		}
		if s.Cause() != nil {
			t.Errorf("%s: %v", name, s.Cause())
		}
	}
}

func second(_ *Claim, err error) error { return err }
