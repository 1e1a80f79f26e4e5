package paint

// Rect is an area of the screen in cells, titles not included.
type Rect struct{ X, Y, W, H int }

// Layout is where everything stands. Row 0 says where we are and whether it can be trusted, row 1 names the views, the last
// one names keys; they take the whole width. Each area has a rule above it that carries its title.
type Layout struct {
	W, H      int
	TooSmall  bool
	Single    bool // table or panel, not both
	Stacked   bool // panel below the table, which has no rule then
	Attention Rect // what needs attention; as high as the screen's size says, whatever there is to say
	List      Rect // the table of recipes, its titles included
	Panel     Rect
	Events    Rect // H is 0 where there is no room
}

// The smallest screen that is drawn on.
const (
	MinW, MinH = 60, 12
	SideBySide = 115 // from this width on the panel stands beside the table
	stackFrom  = 20  // from this height on the panel stands below the table
	top        = 3   // rows above the first area: two bars and a rule
)

// Arrange divides a screen of w×h cells.
func Arrange(w, h int) Layout {
	l := Layout{W: w, H: h, TooSmall: w < MinW || h < MinH}
	if l.TooSmall {
		return l
	}
	l.Attention = Rect{0, top, w, attention(h)}
	y := top + l.Attention.H
	if h >= 30 {
		l.Events = Rect{0, 0, w, min(10, h/6)}
		l.Events.Y = h - 1 - l.Events.H
	}
	bottom := h - 1
	if l.Events.H > 0 {
		bottom = l.Events.Y - 1
	}
	switch {
	case w >= SideBySide:
		left := min(115, max(68, w*59/100))
		y++ // the rule between
		l.List = Rect{0, y, left, bottom - y}
		l.Panel = Rect{left + 1, y, w - left - 1, bottom - y}
	case h >= stackFrom:
		l.Stacked = true
		n := (bottom - y - 1) * 3 / 5
		l.List = Rect{0, y, w, n}
		l.Panel = Rect{0, y + n + 1, w, bottom - y - n - 1}
	default:
		l.Single = true
		l.List = Rect{0, y, w, bottom - y}
		l.Panel = Rect{0, top, w, bottom - top}
	}
	return l
}

// attention is how many findings are in sight on a screen of h rows.
func attention(h int) int {
	switch {
	case h < stackFrom:
		return 1
	case h < 30:
		return 3
	case h < 48:
		return 5
	}
	return 8
}

// Holds reports whether a cell is inside.
func (r Rect) Holds(x, y int) bool { return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H }

// Scroll moves the top of a window of h lines over n rows so that row at is inside.
func Scroll(top, at, n, h int) int {
	if at >= 0 && at < top {
		top = at
	}
	if at >= top+h {
		top = at - h + 1
	}
	return max(0, min(top, n-h))
}
