package actions

import (
	"fmt"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
)

// crowd is a recipe with n claims, spelled as one of its kind.
func crowd(kind layout.Kind, n int) Scene {
	dir := &znode.Node{Name: "crowd", Czxid: 1, NumChildren: int32(n), Children: make([]*znode.Node, n)}
	name := map[layout.Kind]string{layout.Queue: "queue-%010d", layout.Lock: "_c_00000000-0000-4000-8000-000000000000-lock-%010d",
		layout.Election: "_c_00000000-0000-4000-8000-000000000000-latch-%010d", layout.TwoPhase: "site_%08d", layout.Membership: "m%08d"}[kind]
	for i := range dir.Children {
		dir.Children[i] = &znode.Node{Name: fmt.Sprintf(name, i), Czxid: znode.Zxid(i + 2), Ctime: 1, Data: []byte("x")}
		if kind == layout.Lock {
			dir.Children[i].Data = []byte("x-" + itoa(int64(i)))
		}
		if kind != layout.Queue && kind != layout.TwoPhase {
			dir.Children[i].Owner = znode.SessionID(i + 1)
		}
	}
	root := &znode.Node{Children: []*znode.Node{dir}, NumChildren: 1}
	h := model.Hints{Rules: []model.Hint{{Path: "/crowd", Kind: kind}}}
	res := inspect.Decode(&znode.Snapshot{Root: root, Base: "/", Complete: true, TakenAt: time.Unix(1000, 0)}, nil, h)
	m := res.ByPath("/crowd")
	if m == nil || m.Kind != kind || len(m.Claims) != n {
		panic(fmt.Sprintf("no %s of %d claims", kind, n))
	}
	return Scene{Result: res, Hints: h, Model: m, Claim: &m.Claims[n/2], Now: time.Unix(1000, 0)}
}

// crowded are the kinds that can have very many claims.
var crowded = []layout.Kind{layout.Queue, layout.Lock, layout.Election, layout.TwoPhase, layout.Membership}

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
