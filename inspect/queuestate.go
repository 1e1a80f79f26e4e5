package inspect

// poison finds a head that stays while its consumers come and go.
func (v *itemView) poison() {
	m := v.model
	if len(m.Claims) == 0 {
		return
	}
	c := &m.Claims[0]
	was := v.memo.find(c)
	if was == nil {
		return
	}
	c.handed = was.handed
	if was.Role() == Taken && (c.Role() != Taken || c.Session != was.Session) {
		c.handed++
	}
	if c.handed >= 2 {
		v.add(CodePoisonHead, High, visible(c.Node())+" heads the queue still, after "+plural(int(c.handed), "consumer", "consumers")+
			" took it and went: its data may break whoever takes it", c)
	}
}

// itemState is the state of a queue.
func (v *itemView) itemState() State {
	available, taken := 0, 0
	for i := range v.model.Claims {
		if v.model.Claims[i].Role() == Taken {
			taken++
		} else {
			available++
		}
	}
	switch {
	case available > 0:
		return Waiting
	case taken > 0:
		return Working
	}
	return Empty
}
