package inspect

import (
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
)

// poison finds a head that stays while its consumers come and go.
func (v *itemView) poison() {
	m := v.Model
	if len(m.Claims) == 0 {
		return
	}
	c := &m.Claims[0]
	was := v.Memo.Find(c)
	if was == nil {
		return
	}
	c.ConsumersGone = was.ConsumersGone
	if was.Role() == model.Taken && (c.Role() != model.Taken || c.Session != was.Session) {
		c.ConsumersGone++
	}
	if c.ConsumersGone >= 2 {
		v.AddFinding(model.CodePoisonHead, model.High, say.Visible(c.Node())+" heads the queue still, after "+
			say.Plural(int(c.ConsumersGone), "consumer", "consumers")+
			" took it and went: its data may break whoever takes it", c)
	}
}

// itemState is the state of a queue.
func (v *itemView) itemState() model.State {
	available, taken := 0, 0
	for i := range v.Model.Claims {
		if v.Model.Claims[i].Role() == model.Taken {
			taken++
		} else {
			available++
		}
	}
	switch {
	case available > 0:
		return model.Waiting
	case taken > 0:
		return model.Working
	}
	return model.Empty
}
