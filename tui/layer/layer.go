package layer

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/tui/keys"
	"github.com/zkscope/zkscope/tui/paint"
)

// Layer is something that lies on the screen.
type Layer interface {
	// Key takes a key while the layer is on top.
	Key(msg tea.KeyMsg) tea.Cmd
	// Draw returns the w×h cells of the screen with the layer on them; below draws what it lies on.
	Draw(below func() []string, w, h int) []string
	// Done reports whether the layer is to be taken away.
	Done() bool
}

// Typist is a Layer to which keys are text.
type Typist interface{ Typing() bool }

// Host is what layers ask of the application.
type Host struct {
	Theme *paint.Theme
	Keys  *keys.Map
	Clock func() time.Time                 // of the keyboard
	Say   func(text string, s paint.Style) // shows a message for a while
	Told  func() string                    // the message that is shown; empty: none
	Quit  func() tea.Cmd
	Size  func() (w, h int) // of the screen
}

// Stack is the layers that lie on the screen, the last on top.
type Stack struct{ layers []Layer }

// Opener is a Layer that is opened for an application.
type Opener interface {
	Layer
	Open(h *Host)
}

// Open opens a layer and lays it on the others.
func (s *Stack) Open(h *Host, l Opener) {
	l.Open(h)
	s.Push(l)
}

// Push lays a layer on the others.
func (s *Stack) Push(l Layer) {
	s.sweep()
	s.layers = append(s.layers, l)
}

// Top is the layer that takes the keys; nil: there is none.
func (s *Stack) Top() Layer {
	s.sweep()
	if len(s.layers) == 0 {
		return nil
	}
	return s.layers[len(s.layers)-1]
}

// Top is the layer of a type that lies on top; its zero value where another does.
func Top[T Layer](s *Stack) (out T) {
	out, _ = s.Top().(T)
	return out
}

// Keep takes away the layers that it is not told to keep.
func (s *Stack) Keep(keep func(Layer) bool) {
	out := s.layers[:0:0]
	for _, l := range s.layers {
		if keep(l) {
			out = append(out, l)
		}
	}
	s.layers = out
}

// sweep takes away what is done.
func (s *Stack) sweep() {
	for _, l := range s.layers {
		if l.Done() {
			s.Keep(func(l Layer) bool { return !l.Done() })
			return
		}
	}
}

// All are the layers, the lowest first.
func (s *Stack) All() []Layer {
	s.sweep()
	return s.layers
}

// Typing reports whether keys are text to the layer on top.
func (s *Stack) Typing() bool {
	t, ok := s.Top().(Typist)
	return ok && t.Typing()
}

// Draw draws the layers over what is below all of them.
func (s *Stack) Draw(below func() []string, w, h int) []string {
	for _, l := range s.All() {
		under := below
		below = func() []string { return l.Draw(under, w, h) }
	}
	return below()
}

// Over draws the lines of a box over finished rows, in their middle.
func over(t *paint.Theme, title string, body []paint.Line, rows []string, w int) []string {
	return t.Box(title, body, inner(w), rows, w)
}

// inner is how wide a box is on a screen of w cells.
func inner(w int) int { return min(w-4, 92) }

// margin is how many lines of the screen a box leaves free, its borders counted.
const margin = 4

// quiet is how long a box that changes something must be in sight before enter does it.
const quiet = 400 * time.Millisecond
