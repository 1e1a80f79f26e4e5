package actions

import (
	"fmt"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect"
)

// crowd is a recipe with n claims, spelled as one of its kind.
func crowd(kind inspect.Kind, n int) Scene {
	dir := &inspect.Node{Name: "crowd", Czxid: 1, NumChildren: int32(n), Children: make([]*inspect.Node, n)}
	name := map[inspect.Kind]string{inspect.Queue: "queue-%010d", inspect.Lock: "_c_00000000-0000-4000-8000-000000000000-lock-%010d",
		inspect.Election: "_c_00000000-0000-4000-8000-000000000000-latch-%010d", inspect.TwoPhase: "site_%08d", inspect.Membership: "m%08d"}[kind]
	for i := range dir.Children {
		dir.Children[i] = &inspect.Node{Name: fmt.Sprintf(name, i), Czxid: inspect.Zxid(i + 2), Ctime: 1, Data: []byte("x")}
		if kind != inspect.Queue && kind != inspect.TwoPhase {
			dir.Children[i].Owner = inspect.SessionID(i + 1)
		}
	}
	root := &inspect.Node{Children: []*inspect.Node{dir}, NumChildren: 1}
	h := inspect.Hints{Rules: []inspect.Hint{{Path: "/crowd", Kind: kind}}}
	res := inspect.Decode(&inspect.Snapshot{Root: root, Base: "/", Complete: true, TakenAt: time.Unix(1000, 0)}, nil, h)
	m := res.ByPath("/crowd")
	if m == nil || m.Kind != kind || len(m.Claims) != n {
		panic(fmt.Sprintf("no %s of %d claims", kind, n))
	}
	return Scene{Result: res, Hints: h, Model: m, Claim: &m.Claims[n/2], Now: time.Unix(1000, 0)}
}

// crowded are the kinds that can have very many claims.
var crowded = []inspect.Kind{inspect.Queue, inspect.Lock, inspect.Election, inspect.TwoPhase, inspect.Membership}

// BenchmarkOffers lists what can be done to a claim among 100,000.
func BenchmarkOffers(b *testing.B) {
	for _, k := range crowded {
		s := crowd(k, 100_000)
		b.Run(string(k), func(b *testing.B) {
			for b.Loop() {
				Offers(s)
			}
		})
	}
}

// BenchmarkPlan works out what follows for each verb of a claim among 100,000.
func BenchmarkPlan(b *testing.B) {
	for _, k := range crowded {
		s := crowd(k, 100_000)
		for _, o := range Offers(s) {
			if o.Disabled != "" {
				continue
			}
			b.Run(string(k)+"/"+string(o.Verb), func(b *testing.B) {
				for b.Loop() {
					o.Plan()
				}
			})
		}
	}
}

// An offer must not simulate anything: what it costs does not grow with the recipe.
func TestAnOfferDoesNotDecode(t *testing.T) {
	for _, k := range crowded {
		few, many := crowd(k, 100), crowd(k, 10_000)
		a := testing.AllocsPerRun(10, func() { Offers(few) })
		b := testing.AllocsPerRun(10, func() { Offers(many) })
		if b > 2*a+10 {
			t.Errorf("%s: %v allocations among 100 claims, %v among 10,000", k, a, b)
		}
	}
}
