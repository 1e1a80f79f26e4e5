// Package view is what there is to look at: the recipes with the claims of one, and the pages over them, a file each. A View
// makes lines of what is Shown; a Page keeps its place among them while they change.
//
// Views read and never change anything: what a line leads to is data in it (its To), and the application follows.
// Nothing here blocks or knows a connection.
//
// # Concurrency
//
// Everything here belongs to the event loop.
package view
