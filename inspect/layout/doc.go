// Package layout is how the participants of recipes spell themselves: kinds, dialects, the grammar of names, and the
// tables of known names ([Layouts]) and known places ([Places]), as data. A new dialect is a row here, and so is what
// is true of a new kind: whoever wants to know asks the [Kind].
//
// A child's name is taken apart by [ParseName]: a guard, which its creator finds it by, a word, which says what it is
// for, and the sequence number. A [Layout] ties guard and word to a library or system and to its rule of [Order]; where
// its Form is Written, package recipes writes by it what is read by it here ([WrittenAs]). A
// [Place] is a path of a system, whose [Office] says who could lead there and who is led. Where a row was read from is
// said in docs/layouts.md, which is printed from these tables.
//
// The tables are never changed after the program has started; all functions are pure and may be called from any
// goroutine.
package layout
