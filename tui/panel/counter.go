package panel

import (
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/tui/paint"
)

// Counter shows counters.
func Counter() Recipe {
	return Recipe{Kind: layout.Counter, Plural: "counters", Short: "counter", Count: countAll, Panel: Panel{
		Words: map[model.Role]string{model.Value: "is"}, Titles: valueTitles, Brief: counterBrief,
	}}
}

func counterBrief(m *model.Model) Brief {
	b := valueBrief(m)
	if v, ok := m.Numbers.Get("value"); ok {
		b.What = paint.Number(int(v))
	}
	return b
}
