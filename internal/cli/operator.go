package cli

import (
	"context"
	"time"

	"github.com/zkscope/zkscope/actions"
	"github.com/zkscope/zkscope/inspect/model"
)

// operator applies plans through an actor.
type operator struct {
	actor     *actions.Actor
	hints     model.Hints
	forbidden string
}

func (o *operator) Scene(r *model.Result, m *model.Model, cl *model.Claim, now time.Time) actions.Scene {
	s := actions.Scene{Result: r, Hints: o.hints, Model: m, Claim: cl, Now: now}
	if cl != nil {
		s.Kept = o.actor.Kept(cl.ID())
	}
	return s
}

func (o *operator) Rights(ctx context.Context, p actions.Plan) (string, error) {
	return o.actor.Rights(ctx, p)
}

func (o *operator) Apply(ctx context.Context, p actions.Plan) actions.Result {
	return o.actor.Apply(ctx, p)
}

func (o *operator) Forbidden() string { return o.forbidden }

// nobody operates on a file.
type nobody struct{ why string }

func (n nobody) Scene(r *model.Result, m *model.Model, cl *model.Claim, now time.Time) actions.Scene {
	return actions.Scene{Result: r, Model: m, Claim: cl, Now: now}
}

func (nobody) Rights(context.Context, actions.Plan) (string, error) { return "", nil }

func (n nobody) Apply(_ context.Context, p actions.Plan) actions.Result {
	return actions.Result{Plan: p, Outcome: actions.Refused, Text: "not done: " + n.why}
}

func (n nobody) Forbidden() string { return n.why }
