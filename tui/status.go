package tui

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/term"
	"github.com/zkscope/zkscope/tui/act"
	"github.com/zkscope/zkscope/tui/paint"
	"github.com/zkscope/zkscope/tui/picture"
)

// titleBar says where we are, whether it can be trusted, whether keys can change anything, and what it
// costs. A narrow screen keeps the first three.
func (a *App) titleBar() paint.Line {
	t := &a.shown.Theme
	out := paint.Line{paint.Title.Text(" zkscope "), paint.Bold.Text(" " + a.name() + " ")}
	if a.hand.Means.Production != "" {
		out = append(out, paint.Armed.Text("[PRODUCTION]"), paint.Plain.Text(" "))
	}
	out = append(append(out, paint.Plain.Text(" ")), a.linkSpans()...)
	right := paint.Line{paint.Plain.Text("  ")}
	right = append(right, a.hand.PlaceBadge()...)
	right = append(right, a.armSpans()...)
	if a.mouse {
		right = append(right, paint.Dim.Text(" mouse"))
	}
	if a.shown.Paused {
		right = append(right, paint.Plain.Text(" "), paint.Stale.Text(fmt.Sprintf("[PAUSED, %s behind]", paint.Counted(a.shown.Behind, "change", "changes"))))
	}
	right = append(right, paint.Plain.Text(" "))
	if cost := (paint.Line{paint.Dim.Text("  " + a.shown.Cost())}); out.Width()+right.Width()+cost.Width() <= a.shown.Size.W {
		right = append(right[:len(right)-1], append(cost, paint.Plain.Text(" "))...)
	}
	return t.Sides(out, right, a.shown.Size.W)
}

// name is what the ensemble is called: its profile, else its servers, of which the first stands for many.
func (a *App) name() string {
	if name := cmp.Or(a.opts.Name, a.hand.Means.Production); name != "" {
		return term.Safe(name)
	}
	hosts, chroot, _ := strings.Cut(a.shown.Link.Ensemble, "/")
	if chroot != "" {
		chroot = "/" + chroot
	}
	all := strings.Split(hosts, ",")
	if text := a.shown.Link.Ensemble; len(all) == 1 || term.Width(text) <= 24 {
		return term.Safe(text)
	}
	return term.Safe(fmt.Sprintf("%s +%d%s", all[0], len(all)-1, chroot))
}

func (a *App) linkSpans() paint.Line {
	t := &a.shown.Theme
	lost := a.shown.Result.Snapshot.LostSince
	switch {
	case a.shown.Link.File:
		out := paint.Line{paint.Warn.Text("file, as of " + a.shown.Clock(a.shown.Result.Snapshot.TakenAt))}
		if !lost.IsZero() {
			out = append(out, paint.Alert.Text("  not connected then: data as of "+a.shown.Clock(lost)))
		}
		return append(out, paint.Plain.Text(a.playText()))
	case a.shown.Link.Err != nil:
		text := t.Off + " cannot connect"
		if !lost.IsZero() { // else the screen has nothing to show, and says why
			text += fmt.Sprintf(", data as of %s: %s", a.shown.Clock(lost), term.Safe(a.shown.Link.Err.Error()))
		}
		return paint.Line{paint.Alert.Text(text)}
	case !lost.IsZero() && a.shown.Link.Late:
		return paint.Line{paint.Alert.Text(fmt.Sprintf("%s %s HAS ANSWERED NO READ for %s, data as of %s", t.Off, term.Safe(a.shown.Link.Server), say.Age(a.shown.Now.Sub(lost)), a.shown.Clock(lost)))}
	case !lost.IsZero():
		text := fmt.Sprintf("%s DISCONNECTED %s, data as of %s", t.Off, say.Age(a.shown.Now.Sub(lost)), a.shown.Clock(lost))
		if a.shown.Link.Cause != "" {
			text += ": " + term.Safe(a.shown.Link.Cause)
		}
		return paint.Line{paint.Alert.Text(text)}
	case a.shown.Link.Server == "" && a.shown.Link.Cause != "":
		return paint.Line{paint.Warn.Text(t.Off + " connecting: " + term.Safe(a.shown.Link.Cause))}
	case a.shown.Link.Server == "":
		return paint.Line{paint.Warn.Text(t.Off + " connecting")}
	case a.shown.Link.Silent > 0:
		return paint.Line{paint.Warn.Text(fmt.Sprintf("%s %s silent for %s", t.Warn, term.Safe(a.shown.Link.Server), say.Age(a.shown.Link.Silent)))}
	}
	out := paint.Line{paint.Good.Text(t.On), paint.Plain.Text(" " + term.Safe(a.shown.Link.Server))}
	if d := a.shown.Link.Delay; d > 0 {
		out = append(out, paint.Warn.Text(fmt.Sprintf("  answers take %s, data up to %s old", say.Age(d), say.Age(atMost(a.shown.Link.Old)))))
	}
	if a.shown.Link.Session != 0 && a.shown.Size.W >= 140 {
		out = append(out, paint.Dim.Text(" as "+a.shown.Link.Session.String()))
	}
	if !a.shown.Result.Snapshot.Complete {
		out = append(out, paint.Warn.Text("  incomplete"))
	}
	return out
}

// atMost is an upper bound in whole seconds, which holds until the link is looked at again.
func atMost(d time.Duration) time.Duration {
	return (d + picture.TickEvery + time.Second - 1).Truncate(time.Second)
}

func (a *App) armSpans() paint.Line {
	switch {
	case a.shown.Link.File:
		return paint.Line{paint.Badge.Text("[READ-ONLY]")}
	case a.shown.Link.ReadOnly:
		return paint.Line{paint.Badge.Text("[READ-ONLY]")}
	case a.hand.Armed && a.hand.ArmedUntil.IsZero():
		return paint.Line{paint.Armed.Text("[ARMED]")}
	case a.hand.Armed:
		return paint.Line{paint.Armed.Text("[ARMED " + countdown(a.hand.ArmedUntil.Sub(a.shown.Now)) + "]")}
	}
	return paint.Line{paint.Dim.Text("disarmed")}
}

// countdown is a time that runs out, in minutes and seconds.
func countdown(d time.Duration) string {
	s := max(0, int(d.Round(time.Second)/time.Second))
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// keyBar is the bottom row: a message while there is one, else the keys.
func (a *App) keyBar() paint.Line {
	t := &a.shown.Theme
	switch {
	case a.hand.Applying == nil && a.told() != "":
		return paint.Line{a.message.style.Text(" " + a.told())}
	}
	if act.Busy(&a.stack) { // a box takes the keys, and names those that it takes
		return nil
	}
	var left paint.Line
	if e := a.hand.Applying; e != nil {
		left = append(left, paint.Alert.Text(fmt.Sprintf(" %s applying for %s: %s; %s calls it off  ", t.Cursor, say.Age(a.shown.Now.Sub(e.Since)), e.Plan.Title, a.shown.Keys.Arm.Help().Key)))
	}
	if n := len(a.hand.Followed); n > 0 {
		text, _ := a.hand.Followed[n-1].Plan.Progress(a.shown.Live.Snapshot, a.hand.Followed[n-1].At, a.shown.Now)
		left = append(left, paint.Warn.Text(" "+t.Cursor+" "+text+"  "))
	}
	if len(left) == 0 && a.opts.Caption != "" && a.page() == nil && a.filterText() == "" && len(a.hand.Marks)+len(a.watched) == 0 {
		return a.captionBar()
	}
	if text := a.filterText(); text != "" {
		left = append(left, paint.Warn.Text(" /"+text), paint.Dim.Text(" esc clears "))
	}
	if n := len(a.watched); n > 0 {
		left = append(left, paint.Accent.Text(" "+t.Bell+" "+paint.Counted(n, "notification", "notifications")+" on "))
	}
	if n := len(a.hand.Marks); n > 0 {
		left = append(left, paint.Accent.Text(" "+t.Mark+" "+paint.Number(n)+" marked "))
	}
	hints := a.keyHints(a.shown.Size.W - left.Width())
	if len(left) == 0 {
		return hints
	}
	return t.Sides(left, hints, a.shown.Size.W)
}
