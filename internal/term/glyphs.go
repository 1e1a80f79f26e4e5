package term

import "strings"

// Glyphs are the marks that the console draws with, in Unicode or in ASCII.
type Glyphs struct {
	Ellipsis, Cursor, Alert, Warn, Note, On, Off string
	Seen, Likely, Refuted                        string
	Horizontal, Vertical                         string
	TopLeft, TopRight, BottomLeft, BottomRight   string
	TeeDown, TeeUp, TeeRight, TeeLeft            string
	Arrow, Enter, Dot                            string
	ChainTop, ChainMid, ChainEnd                 string
	Behind                                       string   // points from who waits to whom it waits for
	Full, Gap                                    string   // a bar's filled and empty cells
	Levels                                       []string // of a sparkline, from nothing to the most
	Mark                                         string   // a marked row
	Corner                                       string   // a branch of a tree
	AtMost                                       string   // before an upper bound
	Each                                         string   // between two who wait for each other
	Crumb                                        string   // between where we are and what is in it
	Times                                        string   // before how many there are of a sort
	SortDown, SortUp, SortOld                    string   // the column of the order, and that it is of before
}

// Unicode is for terminals that show box drawing and arrows.
func Unicode() Glyphs {
	return Glyphs{Ellipsis: "…", Cursor: "▸", Alert: "▲", Warn: "●", Note: "·", On: "●", Off: "○",
		Seen: "✓", Likely: "?", Refuted: "✗", Horizontal: "─", Vertical: "│",
		TopLeft: "┌", TopRight: "┐", BottomLeft: "└", BottomRight: "┘",
		TeeDown: "┬", TeeUp: "┴", TeeRight: "├", TeeLeft: "┤", Arrow: "→", Enter: "↵", Dot: "·",
		ChainTop: "┐", ChainMid: "┤", ChainEnd: "┘", Behind: "◂", Full: "█", Gap: "░", Mark: "◆", Corner: "└", AtMost: "≤",
		Each: "⇄", Crumb: "›", Times: "×", SortDown: "↓", SortUp: "↑", SortOld: "⇣",
		Levels: []string{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}}
}

// ASCII is for terminals and locales without Unicode. Every glyph takes as many cells as its counterpart,
// but for the ellipsis and AtMost.
func ASCII() Glyphs {
	return Glyphs{Ellipsis: "~", Cursor: ">", Alert: "!", Warn: "*", Note: "-", On: "*", Off: "o",
		Seen: "+", Likely: "?", Refuted: "x", Horizontal: "-", Vertical: "|",
		TopLeft: "+", TopRight: "+", BottomLeft: "+", BottomRight: "+",
		TeeDown: "+", TeeUp: "+", TeeRight: "+", TeeLeft: "+", Arrow: ">", Enter: "enter", Dot: "-",
		ChainTop: "\\", ChainMid: "|", ChainEnd: "/", Behind: "<", Full: "#", Gap: ".", Mark: "+", Corner: "`", AtMost: "<=",
		Each: "<->", Crumb: ">", Times: "x", SortDown: "v", SortUp: "^", SortOld: "_",
		Levels: plainLevels}
}

// plainLevels are made once: what is drawn asks for these glyphs at every piece of text.
var plainLevels = []string{" ", ".", ".", "-", "-", "=", "=", "#", "#"}

// ours are the characters beyond ASCII that texts of ours are written with.
var ours = strings.NewReplacer("≤", "<=", "≥", ">=", "→", "->", "⇄", "<->")

// Spelled writes a text of ours with ASCII characters only. Names and data were made safe before and keep what is theirs.
func Spelled(text string) string { return ours.Replace(text) }

// WantsASCII reports whether an environment asks for plain ASCII: TERM is dumb, or the locale that
// LC_ALL, LC_CTYPE or LANG names, in that order, is set and is no UTF-8 one.
func WantsASCII(getenv func(string) string) bool {
	if getenv("TERM") == "dumb" {
		return true
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(getenv(name)); v != "" {
			return !strings.Contains(v, "utf-8") && !strings.Contains(v, "utf8")
		}
	}
	return false
}
