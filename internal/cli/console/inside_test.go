package console

// NoteHeld is what a console notes of events.
var NoteHeld = noteHeld
