package panel

import (
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
)

// Service shows services and names: the instances that are registered, with their addresses.
func Service() Recipe {
	r := Membership()
	r.Kind, r.Plural = layout.Service, "services"
	r.Panel.Words = map[model.Role]string{model.Member: "up"}
	r.Panel.Queue = "up"
	return r
}
