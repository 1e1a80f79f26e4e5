package tui

func (a *App) why() {}
