package history

// Exit codes of diff.
const (
	ExitDiffers   = exitDiffers
	ExitUncertain = exitUncertain
)
