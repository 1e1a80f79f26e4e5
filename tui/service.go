package tui

import "github.com/zkscope/zkscope/inspect"

// ServiceRecipe shows services and names: the instances that are registered, with their addresses.
func ServiceRecipe() Recipe {
	r := MembershipRecipe()
	r.Kind, r.Plural = inspect.Service, "services"
	r.Panel.Words = map[inspect.Role]string{inspect.Member: "up"}
	r.Panel.Queue = "up"
	return r
}
