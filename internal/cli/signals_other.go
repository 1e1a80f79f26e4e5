//go:build !unix

package cli

import "os"

// passedOn are the signals that end a wait; commands get none from us.
var passedOn = []os.Signal{os.Interrupt}

func number(os.Signal) int { return 2 }
