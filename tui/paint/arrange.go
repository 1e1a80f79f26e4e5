package paint

// Rect is an area of the screen in cells, borders not included.
type Rect struct{ X, Y, W, H int }

// Layout is where everything stands. Bars are single rows over the whole width.
type Layout struct {
	W, H                int
	TooSmall            bool
	Single              bool // list or panel, not both
	Stacked             bool // panel below the list
	List, Panel, Events Rect // Events.H is 0 where there is no room
}

// The smallest screen that is drawn on.
const (
	MinW, MinH = 60, 12
	SideBySide = 116 // from this width on the panel stands beside the list
	stackFrom  = 20  // from this height on the panel stands below the list
)

// Arrange divides a screen of w×h cells. Row 0 is the title bar, row h-1 the key bar; each area has a
// border row above it, which carries its title, and the lowest has one below.
func Arrange(w, h int) Layout {
	l := Layout{W: w, H: h}
	if w < MinW || h < MinH {
		l.TooSmall = true
		return l
	}
	inner := h - 4 // title bar, upper border, lower border, key bar
	events := 0
	if h >= 18 {
		events = min(10, max(2, inner/5-2))
		inner -= events + 1 // and its upper border
		l.Events = Rect{1, 0, w - 2, events}
	}
	switch {
	case w >= SideBySide:
		left := w * 9 / 20
		l.List = Rect{1, 2, left - 1, inner}
		l.Panel = Rect{left + 1, 2, w - left - 2, inner}
	case h >= stackFrom:
		l.Stacked = true
		top := (inner - 1) * 2 / 5
		l.List = Rect{1, 2, w - 2, top}
		l.Panel = Rect{1, 3 + top, w - 2, inner - 1 - top}
	default:
		l.Single = true
		l.List = Rect{1, 2, w - 2, inner}
		l.Panel = l.List
	}
	if events > 0 {
		l.Events.Y = 3 + inner
	}
	return l
}

// Holds reports whether a cell is inside.
func (r Rect) Holds(x, y int) bool { return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H }

// Scroll moves the top of a window of h lines over n rows so that row at is inside.
func Scroll(top, at, n, h int) int {
	if at >= 0 && at < top {
		top = at
		if top == 1 { // show the heading above the first recipe
			top = 0
		}
	}
	if at >= top+h {
		top = at - h + 1
	}
	return max(0, min(top, n-h))
}
