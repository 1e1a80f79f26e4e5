package survey

import (
	"strconv"

	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// namesOnly tells of claims of which only the names were read.
func (v *Builder) namesOnly() {
	if !v.Node.Has(znode.NamesRead) {
		return
	}
	n, head := 0, 0
	for i := range v.Model.Claims {
		switch {
		case v.Model.Claims[i].Znode().Has(znode.NameOnly):
			n++
		case n == 0:
			head++
		}
	}
	if n > 0 {
		v.AddFinding(model.CodeTooLarge, model.Medium, "only the names of "+
			say.Plural(n, "claim", "claims")+" were read"+
			behindHead(head)+
			": which sessions own them, and since when, is not known")
	}
}

func behindHead(head int) string {
	if head == 0 {
		return ""
	}
	return ", of those behind the first " + strconv.Itoa(head)
}
