package survey

import (
	"slices"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
)

// lostMembers tells of members of a double barrier that were seen to go with their sessions, and that have not come
// back: they did not leave by themselves. It is forgotten when the room is empty.
func (b *Builder) lostMembers() {
	m := b.Model
	if !m.Kind.Together() || len(m.Detail().Handovers) == 0 {
		return
	}
	var lost []string
	for i := range m.Detail().Handovers {
		h := &m.MakeDetail().Handovers[i]
		h.RoomEmptied = h.RoomEmptied || len(m.Claims) == 0
		if h.Lost && !h.RoomEmptied && h.Owner != "" && !slices.Contains(lost, h.Owner) &&
			!slices.ContainsFunc(m.Claims, func(c model.Claim) bool { return c.Owner() == h.Owner }) {
			lost = append(lost, h.Owner)
		}
	}
	if len(lost) == 0 {
		return
	}
	text, severity := say.List(lost)+say.Choose(len(lost), " was", " were")+" there, and "+
		say.Choose(len(lost), "its session is", "their sessions are")+" gone: ", model.Low
	if m.State == model.Gathering {
		severity = model.Medium
		text += "those who have come wait until " + say.Choose(len(lost), "it is", "they are") +
			" back, or others come instead"
	} else {
		text += say.Choose(len(lost), "it", "they") + " did not leave by " +
			say.Choose(len(lost), "itself", "themselves") + ", and may not have finished the work inside"
	}
	b.AddFinding(model.CodeParticipantLost, severity, text)
}
