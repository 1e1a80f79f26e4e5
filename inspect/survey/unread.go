package survey

import (
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/znode"
)

// CheckUnread tells what of the claims could not be read, and the directory if it was not listed.
func (v *Builder) CheckUnread() {
	var hidden, unknown, large []*model.Claim
	for i := range v.Model.Claims {
		c := &v.Model.Claims[i]
		n := c.Znode()
		switch {
		case n.Has(znode.NameOnly):
		case n.Has(znode.NoStat):
			unknown = append(unknown, c)
		case n.Has(znode.Unreadable):
			hidden = append(hidden, c)
		case n.Has(znode.DataOmitted), len(n.Data) > layout.MaxOwner && c.OwnerSource() != model.FromData:
			large = append(large, c)
		}
	}
	if len(unknown) > 0 {
		v.AddFinding(model.CodeUnreadable, model.Medium, say.Plural(len(unknown), "claim", "claims")+
			" could not be read at all: whether a session owns "+
			say.Choose(len(unknown), "it", "them")+" is not known", unknown...)
	}
	if len(hidden) > 0 {
		v.AddFinding(model.CodeUnreadable, model.Low, "no permission to read the data of "+
			say.Plural(len(hidden), "claim", "claims")+": "+model.Names(hidden), hidden...)
	}
	if len(large) > 0 {
		v.AddFinding(model.CodeTooLarge, model.Low, "the data of "+say.Plural(len(large), "claim is", "claims are")+
			" too large for a name: "+model.Names(large), large...)
	}
	v.namesOnly()
	if n := v.Node; n.Unlisted() {
		why := n.WhyUnlisted()
		v.AddFinding(unlistedCodes[why], model.Medium, say.Plural(int(n.NumChildren), "child", "children")+", "+
			notListed[why]+
			": who holds is not known")
	}
}

// CheckDuplicates names owners of which there seem to be two. Bare addresses are shared by right.
func (v *Builder) CheckDuplicates() {
	seen := make(map[string]*model.Claim)
	for i := range v.Model.Claims {
		c := &v.Model.Claims[i]
		if c.OwnerSource() != model.FromData || c.Session == 0 || layout.IsAddress(c.Owner()) {
			continue
		}
		first := seen[c.Owner()]
		switch {
		case first == nil:
			seen[c.Owner()] = c
		case first.Session != c.Session:
			v.AddFinding(model.CodeDuplicateIdentity, model.Medium,
				"two sessions use the name "+say.Visible(c.Owner())+
					": a restarted process beside its old session, or two configured alike", first, c)
		}
	}
}
