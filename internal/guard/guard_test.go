package guard_test

import (
	"bytes"
	"errors"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/zkscope/zkscope/internal/guard"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func explode() { panic(errors.New("ouch")) }

func TestAWatcherIsToldWhatFailedAndWhere(t *testing.T) {
	told := make(chan *guard.Failure, 1)
	defer guard.Watch(func(f *guard.Failure) { told <- f })()
	guard.Go(explode)
	f := <-told
	if f.Error() != "panic: ouch" || !bytes.Contains(f.Stack, []byte("guard_test.explode")) {
		t.Fatalf("%v\n%s", f, f.Stack)
	}
}

func TestWhatIsDeferredRunsBeforeTheWatcher(t *testing.T) {
	var wg sync.WaitGroup
	order := make(chan string, 2)
	defer guard.Watch(func(*guard.Failure) { order <- "watcher" })()
	wg.Go(guard.Func(func() {
		defer func() { order <- "deferred" }()
		explode()
	}))
	wg.Wait()
	if first, second := <-order, <-order; first != "deferred" || second != "watcher" {
		t.Fatal(first, second)
	}
}

func TestNobodyWatchingMeansAPlainPanic(t *testing.T) {
	guard.Watch(func(*guard.Failure) { t.Error("told after it stopped watching") })()
	defer func() {
		if v := recover(); v == nil || v.(error).Error() != "ouch" {
			t.Errorf("recovered %v", v)
		}
	}()
	guard.Func(explode)()
	t.Error("went on after a panic")
}

func TestTheLastWatcherIsTold(t *testing.T) {
	first := guard.Watch(func(*guard.Failure) { t.Error("the first was told") })
	told := false
	defer guard.Watch(func(*guard.Failure) { told = true })()
	first() // ends only itself
	guard.Func(explode)()
	if !told {
		t.Fatal("nobody was told")
	}
}
