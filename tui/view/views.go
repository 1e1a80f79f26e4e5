package view

// All are the console's views beside the recipes, in the order of their keys.
var All = []*View{
	{Name: "recipes", Key: "1", What: "recipes and the claims of one"},
	overviewView(), waitsView(), sessionsView(), eventsView(), serversView(), treeView(), joinedView(), auditView(), logView(),
	sessionView(), placeView(), historyView(), ensemblesView(),
}

// Named finds a view by its name, or nil.
func Named(name string) *View {
	for _, v := range All {
		if v.Name == name {
			return v
		}
	}
	return nil
}
