package actions

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// wholeLine is the longest line that is read with its data, to tell names.
const wholeLine = 200

// follow looks from time to time where somebody who waits stands, until ctx ends.
func (e *entry) follow(ctx context.Context) {
	ticker := time.NewTicker(lineEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-e.poke:
		}
		e.locate(ctx)
	}
}

// locate looks once. What cannot be read is no reason to stop waiting.
func (e *entry) locate(ctx context.Context) {
	st := e.State()
	if st.Of > wholeLine {
		w, holds, err := e.s.InLine(ctx, st.Node, st.Dialect)
		if err == nil && !holds {
			_, behind := znode.Split(w.Behind)
			e.wait(ctx, w.Position, w.Of, behind, inLine(w.Position, w.Of, behind))
		}
		return
	}
	m, err := e.s.Look(ctx, e.want.Path, e.kind)
	if err != nil {
		return
	}
	if m == nil {
		e.wait(ctx, 0, 0, "", "waiting: nothing is there yet")
		return
	}
	i := slices.IndexFunc(m.Claims, func(c model.Claim) bool { return c.Path() == st.Node })
	if i >= 0 && (m.Claims[i].Role() == model.Holder || m.Claims[i].Role() == model.Leader) {
		return // the turn has come: the next state says so
	}
	if i < 0 || m.Claims[i].Ahead() == nil {
		e.wait(ctx, 0, 0, "", "waiting: "+e.summary(m))
		return
	}
	behind := m.Claims[i].Ahead().Owner()
	e.wait(ctx, i, len(m.Claims), behind, inLine(i, len(m.Claims), behind))
}

func (e *entry) summary(m *model.Model) string {
	if e.words != nil {
		return e.words(m)
	}
	return m.Summary(e.j.cfg.Now())
}

// wait shows where we stand, unless the wait is over.
func (e *entry) wait(ctx context.Context, position, of int, behind, text string) {
	e.update(func(st *JoinState) {
		if st.Phase == JoinWaiting && ctx.Err() == nil {
			st.Position, st.Of, st.Behind, st.Text = position, of, behind, text
		}
	})
}

// inLine tells a place in a line.
func inLine(position, of int, behind string) string {
	return fmt.Sprintf("waiting: %s of %d, behind %s", say.Ordinal(position+1), of, say.Printable(behind))
}
