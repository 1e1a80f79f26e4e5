// Package show holds the commands that look once and print what there is: the recipes, one of them, who waits for whom and why,
// sessions, what would follow if one went, how the servers stand, and what findings mean; each a file. Nothing is decided here:
// inspect and its rooms do, and a command puts it into lines, or into JSON by the types of inspect/story and its own.
//
// Nothing here writes, to an ensemble or to a file.
package show
