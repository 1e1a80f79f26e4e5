package tui

import (
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/inspect/waits"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/picture"
)

// deck is how a recording is played.
type deck struct {
	on    bool
	speed int           // of speeds, from the usual one
	run   *atomic.Int64 // counts how often playing began or ended: commands of before stop by it
	marks []time.Time   // in order

	search int64 // the run that looks for a place; 0: none
}

// speeds are how many seconds of a recording pass in one; the usual one is usualSpeed.
var speeds = []float64{0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 1800}

const usualSpeed = 3

func newDeck() deck { return deck{speed: usualSpeed, run: new(atomic.Int64)} }

// rate is the speed as people write it: x10.
func (d *deck) rate(times string) string {
	return times + strconv.FormatFloat(speeds[d.speed], 'g', -1, 64)
}

// halt ends playing: whatever is on its way is not shown any more.
func (a *App) halt() {
	a.deck.on = false
	a.deck.run.Add(1)
}

// togglePlay plays the recording from the state that is shown, or stops.
func (a *App) togglePlay() tea.Cmd {
	on := a.deck.on
	if a.halt(); on {
		a.say("stopped", paint.Plain)
		return nil
	}
	a.deck.on = true
	a.say("playing "+a.deck.rate(a.shown.Theme.Times)+"; "+a.shown.Keys.Closer.Help().Key+" "+a.shown.Keys.Wider.Help().Key+" faster, slower", paint.Good)
	return a.playOn(a.player().Now(), 0)
}

// faster changes how fast a recording is played.
func (a *App) faster(by int) tea.Cmd {
	if a.player() == nil {
		a.say("only a recording has a speed", paint.Warn)
		return nil
	}
	a.deck.speed = max(0, min(a.deck.speed+by, len(speeds)-1))
	a.say("speed "+a.deck.rate(a.shown.Theme.Times), paint.Plain)
	return nil
}

// quietMost is for how many frames nothing happens before playing goes on to what comes next.
const quietMost = 20

// playOn waits for a frame and goes on by as much of the recording as passes in it; what was reached so far is a moment of
// it that may lie between two states.
func (a *App) playOn(reached time.Time, quiet int) tea.Cmd {
	p, look, run, mine, speed := a.player(), a.looker(a.player()), a.deck.run, a.deck.run.Load(), speeds[a.deck.speed]
	ctx := a.ctx
	return func() tea.Msg {
		began, timer := time.Now(), time.NewTimer(picture.FrameGap)
		defer timer.Stop()
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
		if run.Load() != mine {
			return nil
		}
		out := playedMsg{run: mine, target: reached.Add(time.Duration(float64(time.Since(began)) * speed)), quiet: quiet + 1}
		from, start := p.Now(), at(p)
		p.Seek(out.target)
		end := at(p)
		if end <= start && quiet >= quietMost {
			p.Move(1)
			end, out.target = at(p), p.Now()
		}
		if _, of, more := p.Where(); end <= start {
			out.edge = start+1 >= of && !more
			p.Seek(from)
			return out
		}
		if end-start > 4*passMost { // not even one after the other in a frame
			out.pass(look(nil))
			out.jump, out.quiet = true, 0
			return out
		}
		var before *waits.Waits
		for p.Seek(from); at(p) < end && run.Load() == mine && p.Move(1) != 0; {
			m := look(before)
			before = m.Waits
			out.pass(m)
		}
		out.quiet = 0
		return out
	}
}

// at is the state at which a recording stands.
func at(p interface{ Where() (int, int, bool) }) int {
	i, _, _ := p.Where()
	return i
}

// seek shows a recording as it was at a time.
func (a *App) seek(to time.Time) tea.Cmd {
	p := a.player()
	a.search()
	look := a.looker(p)
	return func() tea.Msg {
		p.Seek(to)
		return playedMsg{views: []picture.Next{look(nil)}, jump: true}
	}
}

// moments are how a time is written, with or without its day.
var moments = []string{"15:04:05", "15:04", "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", time.RFC3339}

// goTime goes to a time in a recording: a clock's, of the day that is shown, or so much later or earlier.
func (a *App) goTime(text string) tea.Cmd {
	if a.player() == nil {
		a.say("only a recording has other times; what was seen here is in the events", paint.Warn)
		return nil
	}
	now := a.shown.AsOf().In(a.shown.Location)
	if strings.HasPrefix(text, "+") || strings.HasPrefix(text, "-") {
		if by, err := time.ParseDuration(text); err == nil {
			return a.seek(now.Add(by))
		}
	}
	for _, form := range moments {
		t, err := time.ParseInLocation(form, text, a.shown.Location)
		if err != nil {
			continue
		}
		if t.Year() == 0 {
			t = time.Date(now.Year(), now.Month(), now.Day(), t.Hour(), t.Minute(), t.Second(), 0, a.shown.Location)
		}
		return a.seek(t)
	}
	a.say("a time is written 10:09:30, 2026-11-27T10:09:30, +90s or -5m", paint.Warn)
	return nil
}

// bookmark marks the moment of a recording that is shown, or takes its mark away.
func (a *App) bookmark() {
	if a.player() == nil {
		a.say("only moments of a recording can be marked", paint.Warn)
		return
	}
	now := a.shown.Live.Snapshot.TakenAt
	i, there := slices.BinarySearchFunc(a.deck.marks, now, time.Time.Compare)
	if there {
		a.deck.marks = slices.Delete(a.deck.marks, i, i+1)
		a.say("the mark at "+a.shown.Clock(now)+" is removed", paint.Plain)
		return
	}
	a.deck.marks = slices.Insert(a.deck.marks, i, now)
	a.say(a.shown.Clock(now)+" is marked; "+a.shown.Keys.MarkOn.Help().Key+" "+a.shown.Keys.MarkBack.Help().Key+" go to the next mark and the one before", paint.Good)
}

// goMark goes to the next moment that is marked, or to the one before.
func (a *App) goMark(by int) tea.Cmd {
	now := a.shown.Live.Snapshot.TakenAt
	i, there := slices.BinarySearchFunc(a.deck.marks, now, time.Time.Compare)
	if by > 0 && there {
		i++
	}
	if by < 0 {
		i--
	}
	if a.player() == nil || i < 0 || i >= len(a.deck.marks) {
		a.say("no moment is marked there; "+a.shown.Keys.Bookmark.Help().Key+" marks the one that is shown, in a recording", paint.Warn)
		return nil
	}
	return a.seek(a.deck.marks[i])
}
