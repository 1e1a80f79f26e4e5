//go:build !unix

package world

import "os"

// PassedOn are the signals that end a wait; commands get none from us.
var PassedOn = []os.Signal{os.Interrupt}

// Number is a signal's number.
func Number(os.Signal) int { return 2 }
