package console

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

// Nobody operates on a file.
type Nobody struct{ Why string }

// Scene is what an offer would be made of.
func (n Nobody) Scene(r *model.Result, m *model.Model, cl *model.Claim, now time.Time) actions.Scene {
	return actions.Scene{Result: r, Model: m, Claim: cl, Now: now}
}

// Rights finds nothing that is lacking: nothing will be tried.
func (Nobody) Rights(context.Context, actions.Plan) (string, error) { return "", nil }

// Apply refuses, and says why.
func (n Nobody) Apply(_ context.Context, p actions.Plan) actions.Result {
	return actions.Result{Plan: p, Outcome: actions.Refused, Text: "not done: " + n.Why}
}

// Forbidden says why nothing can be done.
func (n Nobody) Forbidden() string { return n.Why }
