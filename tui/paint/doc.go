// Package paint is what every screen of the console is drawn with: styles and themes, lines of styled text, columns, boxes,
// bars, the frame, and how a screen is divided.
//
// It knows nothing of ZooKeeper. Text that it is given must have passed through term.Safe; what it draws is exactly as wide
// as it was asked to be.
//
// # Concurrency
//
// A Theme is read-only once it is made. Everything else is plain values.
package paint
