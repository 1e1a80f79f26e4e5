package recipes_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/zkscope/zkscope/recipes"
)

// Three servers, a chroot, and credentials. It returns when a server has granted the session.
func ExampleDial() {
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
	defer cancel()
	s, err := recipes.Dial(ctx, recipes.Config{
		Servers: []string{"zk1:2181", "zk2:2181", "zk3:2181"},
		Chroot:  "/apps/orders",
		Timeout: 10 * time.Second,
		Auth:    []recipes.Credential{{Scheme: "digest", Token: []byte("orders:secret")}},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	held, err := s.Lock("/locks/export", recipes.Options{Name: "web-1"}).Acquire(ctx)
	if err != nil {
		log.Fatal(err)
	}
	defer held.Release(context.Background())
	fmt.Println("exporting with token", held.Token())
}

// A session that is lost never comes back, and nor does what it held: open another one and stand in line again. The
// work runs under the claim's context, so that it ends before somebody else begins.
func ExampleClaim_Context() {
	server, s, done := open()
	defer done()
	ctx := context.Background()
	export := func(ctx context.Context, turn int) {
		if turn == 1 {
			server.ExpireSession(int64(s.ID())) // as if we had been cut off for too long
			<-ctx.Done()
			return
		}
		fmt.Println("exported")
	}
	for turn := 1; turn <= 2; turn++ {
		held, err := s.Lock("/locks/export", recipes.Options{}).Acquire(ctx)
		if errors.Is(err, recipes.ErrLost) {
			s = dial(server)
			defer s.Close()
			held, err = s.Lock("/locks/export", recipes.Options{}).Acquire(ctx)
		}
		check(err)
		export(held.Context(), turn)
		if held.Context().Err() != nil { // its cause is ErrExpired, or ErrLost where the end of the znode was seen first
			fmt.Println("lost")
		}
		check(held.Release(ctx))
	}
	// Output:
	// lost
	// exported
}

// Whoever was there first says how a recipe is spelled: what is found at the path tells the dialect.
func ExampleSession_Detect() {
	_, s, done := open()
	defer done()
	ctx := context.Background()
	there := must(s.Lock("/locks/import", recipes.Options{Dialect: recipes.Kazoo}).Acquire(ctx))
	found, ok, err := s.Detect(ctx, "/locks/import")
	check(err)
	dialect := must(recipes.DialectOf(found.Dialect))
	fmt.Println(ok, found.Kind, dialect)
	_, err = s.Lock("/locks/import", recipes.Options{Dialect: dialect}).TryAcquire(ctx)
	fmt.Println(errors.Is(err, recipes.ErrBusy))
	check(there.Release(ctx))
	// Output:
	// true lock kazoo
	// true
}
