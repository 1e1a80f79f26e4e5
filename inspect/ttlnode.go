package inspect

import (
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/survey"
	"github.com/zkscope/zkscope/inspect/znode"
)

// isTTLNode reports whether the directory is such a node: touch is its only child, persistent like itself (a client
// cannot see that both have a time to live), and holds nothing but what Curator writes by default.
func isTTLNode(x *survey.Dir) bool {
	c := x.Node.Children
	return len(c) == 1 && c[0].Name == layout.TouchChild && !c[0].Ephemeral() && len(c[0].Children) == 0 &&
		(len(c[0].Data) == 0 || layout.IsAddress(string(c[0].Data)))
}

// buildTTLNode builds the presence of one process: it is there as long as it makes touch again.
func buildTTLNode(x *survey.Dir, why []survey.Evidence) *model.Model {
	b := groupAt(x, layout.Curator, 0.5, why)
	touch := x.Node.Children[0]
	c := b.Claim(touch, znode.Join(x.Path, layout.TouchChild), model.Member, model.UntilTouch)
	if name := layout.NameIn(x.Node.Data, nil); name != "" {
		c.SetOwner(name, model.FromData)
	} else if x.Node.Name != "" {
		c.SetOwner(x.Node.Name, model.FromNode)
	}
	b.Number("present", 1)
	return b.Finish(model.Present)
}
