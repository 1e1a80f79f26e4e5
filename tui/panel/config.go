package panel

import (
	"fmt"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/chart"
	"github.com/zkscope/zkscope/tui/paint"
)

// Config shows configuration values.
func Config() Recipe {
	return Recipe{Kind: layout.Config, Plural: "values", Short: "value", Count: countAll, Panel: Panel{
		Words: map[model.Role]string{model.Value: "is"}, Titles: valueTitles, Brief: valueBrief, Draw: drawValue,
	}}
}

func valueBrief(m *model.Model) Brief {
	b := Brief{What: string(m.State), Waiting: NoLine}
	if len(m.Claims) > 0 {
		b.Since = m.Claims[0].Since()
		b.What += fmt.Sprintf(", version %d", m.Claims[0].Version())
	}
	return b
}

// valueTitles are those of a recipe that is one znode.
var valueTitles = Titles{"", "ZNODE", "SINCE"}

// drawValue draws the data: text as it is, JSON in its lines, anything else by its length.
func drawValue(p chart.Pen) [][]paint.Line {
	if len(p.Data) == 0 {
		return nil
	}
	most := max(1, p.H/2-1)
	texts := paint.Readable(p.Data)
	var out []paint.Line
	for i, s := range texts {
		if i == most {
			return [][]paint.Line{append(out, p.Row("", paint.Dim.Text(p.Ellipsis+" "+paint.Counted(len(texts)-i, "more line", "more lines"))))}
		}
		out = append(out, p.Row(paint.OnFirst(i, "value"), paint.Plain.Text(term.Cut(s, p.W-12, p.Ellipsis))))
	}
	return [][]paint.Line{out}
}
