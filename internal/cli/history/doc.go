// Package history holds the commands that look back and those that keep what is there for later: what became of each claim, a
// report of it for an incident, how two moments, files or ensembles differ, a recording and a snapshot, with or without what is
// not to be shared. What happened is told by internal/chronicle, internal/compare and internal/report; a command chooses the span
// and puts it into lines, CSV or JSON.
//
// What they keep goes into new files, or to standard output; nothing here writes to an ensemble.
package history
