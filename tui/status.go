package tui

import (
	"fmt"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/paint"
)

// titleBar says where we are, whether it can be trusted, whether keys can change anything, and what it
// costs. A narrow screen keeps the first three.
func (a *App) titleBar() paint.Line {
	t := &a.theme
	out := paint.Line{paint.Title.Text(" zkscope "), paint.Plain.Text(" " + term.Safe(a.link.Ensemble) + "  ")}
	out = append(out, a.linkSpans()...)
	right := paint.Line{paint.Plain.Text("  ")}
	if a.opts.Production != "" {
		right = append(right, paint.Armed.Text(" PRODUCTION "+term.Safe(a.opts.Production)+" "), paint.Plain.Text(" "))
	}
	right = append(right, a.placeBadge()...)
	right = append(right, a.armSpans()...)
	if a.mouse {
		right = append(right, paint.Dim.Text(" mouse"))
	}
	if a.paused {
		right = append(right, paint.Warn.Text(fmt.Sprintf("  PAUSED, %s changes behind", paint.Number(a.behind))))
	}
	right = append(right, paint.Plain.Text(" "))
	if cost := (paint.Line{paint.Dim.Text("  " + a.cost())}); out.Width()+right.Width()+cost.Width() <= a.size.W {
		right = append(right[:len(right)-1], append(cost, paint.Plain.Text(" "))...)
	}
	return t.Sides(out, right, a.size.W)
}

func (a *App) linkSpans() paint.Line {
	t := &a.theme
	lost := a.res.Snapshot.LostSince
	switch {
	case a.link.File:
		out := paint.Line{paint.Warn.Text("file, as of " + a.clock(a.res.Snapshot.TakenAt))}
		if !lost.IsZero() {
			out = append(out, paint.Alert.Text("  not connected then: data as of "+a.clock(lost)))
		}
		return append(out, paint.Plain.Text(a.playText()))
	case a.link.Err != nil:
		return paint.Line{paint.Alert.Text(t.Off + " cannot connect")}
	case !lost.IsZero() && a.link.Late:
		return paint.Line{paint.Alert.Text(fmt.Sprintf("%s %s HAS ANSWERED NO READ for %s, data as of %s", t.Off, term.Safe(a.link.Server), say.Age(a.now.Sub(lost)), a.clock(lost)))}
	case !lost.IsZero():
		text := fmt.Sprintf("%s DISCONNECTED %s, data as of %s", t.Off, say.Age(a.now.Sub(lost)), a.clock(lost))
		if a.link.Cause != "" {
			text += ": " + term.Safe(a.link.Cause)
		}
		return paint.Line{paint.Alert.Text(text)}
	case a.link.Server == "" && a.link.Cause != "":
		return paint.Line{paint.Warn.Text(t.Off + " connecting: " + term.Safe(a.link.Cause))}
	case a.link.Server == "":
		return paint.Line{paint.Warn.Text(t.Off + " connecting")}
	case a.link.Silent > 0:
		return paint.Line{paint.Warn.Text(fmt.Sprintf("%s %s silent for %s", t.Warn, term.Safe(a.link.Server), say.Age(a.link.Silent)))}
	}
	out := paint.Line{paint.Good.Text(t.On), paint.Plain.Text(" " + term.Safe(a.link.Server))}
	if d := a.link.Delay; d > 0 {
		out = append(out, paint.Warn.Text(fmt.Sprintf("  answers take %s, data up to %s old", say.Age(d), say.Age(atMost(a.link.Old)))))
	}
	if a.link.Session != 0 && a.size.W >= paint.SideBySide {
		out = append(out, paint.Dim.Text(" as "+a.link.Session.String()))
	}
	if !a.res.Snapshot.Complete {
		out = append(out, paint.Warn.Text("  incomplete"))
	}
	return out
}

// atMost is an upper bound in whole seconds, which holds until the link is looked at again.
func atMost(d time.Duration) time.Duration {
	return (d + tickEvery + time.Second - 1).Truncate(time.Second)
}

func (a *App) armSpans() paint.Line {
	switch {
	case a.link.File:
		return paint.Line{paint.Dim.Text("read-only")}
	case a.link.ReadOnly:
		return paint.Line{paint.Good.Text("READ-ONLY")}
	case a.armed && a.armedUntil.IsZero():
		return paint.Line{paint.Armed.Text(" ARMED ")}
	case a.armed:
		return paint.Line{paint.Armed.Text(" ARMED " + say.Age(a.armedUntil.Sub(a.now)) + " ")}
	}
	return paint.Line{paint.Dim.Text("disarmed")}
}

// cost is what the console asks of the ensemble.
func (a *App) cost() string {
	if a.link.File {
		return ""
	}
	watches := "1 watch"
	if a.link.Watches != 1 {
		watches = paint.Number(a.link.Watches) + " watches"
	}
	return fmt.Sprintf("%s req/s %s %s", rate(a.rate), a.theme.Dot, watches)
}

func rate(r float64) string {
	if r >= 10 || r == 0 {
		return fmt.Sprintf("%.0f", r)
	}
	return fmt.Sprintf("%.1f", r)
}

// keyBar is the bottom row: a message while there is one, else the keys.
func (a *App) keyBar() paint.Line {
	t := &a.theme
	switch {
	case a.applying == nil && a.message.text != "" && a.now.Before(a.message.until):
		return paint.Line{a.message.style.Text(" " + a.message.text)}
	}
	var left paint.Line
	if e := a.applying; e != nil {
		left = append(left, paint.Alert.Text(fmt.Sprintf(" %s applying for %s: %s; %s calls it off  ", t.Cursor, say.Age(a.now.Sub(e.since)), e.plan.Title, a.keys.Arm.Help().Key)))
	}
	if n := len(a.followed); n > 0 {
		text, _ := a.followed[n-1].plan.Progress(a.live.Snapshot, a.followed[n-1].at, a.now)
		left = append(left, paint.Warn.Text(" "+t.Cursor+" "+text+"  "))
	}
	if len(left) == 0 && a.opts.Caption != "" && a.page() == nil && a.filterText() == "" && len(a.marks)+len(a.watched) == 0 {
		return a.captionBar()
	}
	if text := a.filterText(); text != "" {
		left = append(left, paint.Warn.Text(" /"+text), paint.Dim.Text(" esc clears "))
	}
	if n := len(a.watched); n > 0 {
		left = append(left, paint.Accent.Text(" "+t.Bell+" "+paint.Counted(n, "bell", "bells")+" set "))
	}
	if n := len(a.marks); n > 0 {
		left = append(left, paint.Accent.Text(" "+t.Mark+" "+paint.Number(n)+" marked "))
	}
	hints := a.keyHints(a.size.W - left.Width())
	if len(left) == 0 {
		return hints
	}
	return t.Sides(left, hints, a.size.W)
}

// clock prints a moment as the events do.
func (a *App) clock(at time.Time) string { return at.In(a.opts.Location).Format("15:04:05") }
