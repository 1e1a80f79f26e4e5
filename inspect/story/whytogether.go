package story

import (
	"strconv"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
)

// together says what to do about a double barrier at which somebody waits; nothing where nobody does.
func together(m *model.Model) []string {
	n := len(m.Claims)
	needed, known := m.Numbers.Get("needed")
	missing := int(needed) - n
	switch {
	case n == 0:
		return nil
	case m.Unsure() > 0:
		unsure, behind := m.Unsure(), ""
		if m.Finding(model.CodeStaleReady) != nil {
			behind = " Delete the ready that was left behind once nobody is there, and not before: " +
				"whoever waits would never be let in."
		}
		return []string{"Look in the " + say.Choose(unsure, "process of the member", "processes of the members") +
			" whether " + say.Choose(unsure, "it has", "they have") + " entered, and end " +
			say.Choose(unsure, "it if it waits", "those that wait") + "." + behind}
	case m.Detail().MayLeave:
		return []string{"Look again, or watch it: who comes or goes next shows whether they are " + m.Phase() + "."}
	case m.State == model.Gathering && known && missing > 0:
		return []string{say.Choose(missing, "Start the member that is", "Start the "+strconv.Itoa(missing)+" members that are") +
			" missing, or look at why " + say.Choose(missing, "it has", "they have") + " not come."}
	case m.State == model.Gathering:
		return []string{"Look at whether every member that should come runs, and reaches these servers."}
	case m.State == model.Leaving:
		return []string{"Look at what " + say.Choose(n, "the member does that has", "the "+strconv.Itoa(n)+" members do that have") +
			" not left: one whose process has ended leaves when its session expires."}
	}
	return nil
}
