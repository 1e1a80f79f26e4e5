// Package files keeps snapshots and recordings in files: [WriteSnapshot], a [Recorder] of a run, and [ReadFile] and
// [OpenFile], which read either as a [Recording] that can be asked for any moment. The layout of the files is described
// in the comments of their line types.
//
// It does no input or output but on the readers and writers that it is given. A Recorder and a Recording are for one
// goroutine at a time.
package files
