// Package layer is what lies on the console's screen, one on another: boxes that ask, menus, forms, texts to read, the line in
// which a command or a filter is typed. Each is a Layer, which takes the keys while it is on top, draws itself over what is
// below, and says when it is done; a Stack holds them.
//
// What a layer does when it is answered is given to it as functions; it knows no application and no ZooKeeper. Nothing that
// it does blocks.
//
// # Concurrency
//
// Layers belong to the event loop.
package layer
