// Package desk is what lies below all pages and boxes: the list of recipes beside the claims of one. It says what is
// selected, whether that is still there, and which claims a key would act on (Subjects); it tells what came and went from one
// picture to the next, and draws the two panes.
//
// A key never acts on something that took the selected's place by itself: see Misaimed.
//
// # Concurrency
//
// A Desk belongs to the event loop. Nothing here blocks.
package desk
