package tui

// savedMsg says where a picture was written.
type savedMsg struct {
	file    string
	err     error
	picture bool // of the screen, not of the tree
}
