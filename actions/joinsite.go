package actions

import (
	"context"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/recipes"
)

// site is a site of a transaction that has not voted yet.
type site struct {
	tx   recipes.TwoPhase
	path string
	own  *recipes.Claim // its own znode; nil: the coordinator's
}

func (s site) Path() string             { return s.path }
func (s site) Revoked() <-chan struct{} { return nil }

func (s site) Token() int64 {
	if s.own == nil {
		return 0
	}
	return s.own.Token()
}

func (s site) Lost() <-chan struct{} {
	if s.own == nil {
		return nil
	}
	return s.own.Lost()
}

func (s site) Release(ctx context.Context) error {
	if s.own == nil {
		return nil
	}
	return s.own.Release(ctx)
}

// enterSite takes a site's part. With a vote in the data it votes at once; else the vote is given by finishing.
func enterSite(e *entry) (held, error) {
	s := site{tx: e.transaction(), path: znode.Join(e.want.Path, e.want.Name)}
	about, err := s.tx.About(e.ctx)
	if err == nil && e.want.Own {
		s.own, err = s.tx.Join(e.ctx, e.want.Name)
	}
	if err != nil {
		return held{}, err
	}
	if e.want.Data != nil {
		e.look()
		out, err := s.vote(e, e.ctx, string(e.want.Data) == "commit")
		return held{text: out.text, result: out.verdict}, err
	}
	h := held{grant: s, data: about, text: "to vote in " + say.Printable(e.want.Path) + " as " + say.Printable(e.want.Name),
		finish: func(ctx context.Context, ok bool) (outcome, error) { return s.vote(e, ctx, ok) }}
	if !e.want.Own {
		h.stays = say.Printable(s.path) + " has not voted: the transaction waits for it"
	}
	return h, nil
}

// vote votes and waits for the verdict. A site's own znode stands until then.
func (s site) vote(e *entry, ctx context.Context, commit bool) (outcome, error) {
	v := recipes.Abort
	if commit {
		v = recipes.Commit
	}
	if s.own != nil {
		defer s.own.Release(context.WithoutCancel(ctx))
	}
	if err := s.tx.Vote(ctx, e.want.Name, v); err != nil {
		return outcome{}, err
	}
	e.update(func(st *JoinState) { st.Text = "voted " + string(v) + ", waiting for the verdict" })
	got, err := s.tx.Await(ctx)
	return outcome{"the verdict of " + say.Printable(e.want.Path) + " is " + string(got), string(got)}, err
}
