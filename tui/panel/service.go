package panel

import (
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
)

// Service shows services and names: the instances that are registered, with their addresses.
func Service() Recipe {
	r := Membership()
	r.Kind, r.Plural, r.Short = layout.Service, "services", "service"
	r.Panel.Brief = func(m *model.Model) Brief { return groupBrief(m, "instance", "instances") }
	r.Panel.Titles = Titles{"", "INSTANCE", "SINCE"}
	r.Panel.Words = map[model.Role]string{model.Member: "up"}
	return r
}
