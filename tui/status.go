package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/internal/term"
)

// titleBar says where we are, whether it can be trusted, whether keys can change anything, and what it
// costs. A narrow screen keeps the first three.
func (a *App) titleBar() line {
	t := &a.theme
	out := line{{" zkscope ", Title}, {" " + term.Safe(a.link.Ensemble) + "  ", Plain}}
	out = append(out, a.linkSpans()...)
	right := line{{"  ", Plain}}
	if a.opts.Production != "" {
		right = append(right, span{" PRODUCTION " + term.Safe(a.opts.Production) + " ", Armed}, span{" ", Plain})
	}
	right = append(right, a.placeBadge()...)
	right = append(right, a.armSpans()...)
	if a.mouse {
		right = append(right, span{" mouse", Dim})
	}
	if a.paused {
		right = append(right, span{fmt.Sprintf("  PAUSED, %s changes behind", number(a.behind)), Warn})
	}
	right = append(right, span{" ", Plain})
	if cost := (line{{"  " + a.cost(), Dim}}); out.width()+right.width()+cost.width() <= a.size.W {
		right = append(right[:len(right)-1], append(cost, span{" ", Plain})...)
	}
	return t.sides(out, right, a.size.W)
}

// sides puts one line at the left and one at the right end of w cells. Where both do not fit, the left one
// is cut.
func (t *Theme) sides(left, right line, w int) line {
	rw := right.width()
	room := w - rw
	if room < w/3 {
		room = w / 3
	}
	var out line
	used := 0
	for _, s := range left {
		text := term.Cut(s.text, room-used, t.Ellipsis)
		used += term.Width(text)
		out = append(out, span{text, s.style})
	}
	return append(append(out, span{strings.Repeat(" ", max(0, w-used-rw)), Plain}), right...)
}

func (l line) width() (n int) {
	for _, s := range l {
		n += term.Width(s.text)
	}
	return n
}

func (a *App) linkSpans() line {
	t := &a.theme
	lost := a.res.Snapshot.LostSince
	switch {
	case a.link.File:
		out := line{{"file, as of " + a.clock(a.res.Snapshot.TakenAt), Warn}}
		if !lost.IsZero() {
			out = append(out, span{"  not connected then: data as of " + a.clock(lost), Alert})
		}
		return append(out, span{a.playText(), Plain})
	case a.link.Err != nil:
		return line{{t.Off + " cannot connect", Alert}}
	case !lost.IsZero() && a.link.Late:
		return line{{fmt.Sprintf("%s %s HAS ANSWERED NO READ for %s, data as of %s", t.Off, term.Safe(a.link.Server), say.Age(a.now.Sub(lost)), a.clock(lost)), Alert}}
	case !lost.IsZero():
		text := fmt.Sprintf("%s DISCONNECTED %s, data as of %s", t.Off, say.Age(a.now.Sub(lost)), a.clock(lost))
		if a.link.Cause != "" {
			text += ": " + term.Safe(a.link.Cause)
		}
		return line{{text, Alert}}
	case a.link.Server == "" && a.link.Cause != "":
		return line{{t.Off + " connecting: " + term.Safe(a.link.Cause), Warn}}
	case a.link.Server == "":
		return line{{t.Off + " connecting", Warn}}
	case a.link.Silent > 0:
		return line{{fmt.Sprintf("%s %s silent for %s", t.Warn, term.Safe(a.link.Server), say.Age(a.link.Silent)), Warn}}
	}
	out := line{{t.On, Good}, {" " + term.Safe(a.link.Server), Plain}}
	if d := a.link.Delay; d > 0 {
		out = append(out, span{fmt.Sprintf("  answers take %s, data up to %s old", say.Age(d), say.Age(atMost(a.link.Old))), Warn})
	}
	if a.link.Session != 0 && a.size.W >= sideBySide {
		out = append(out, span{" as " + a.link.Session.String(), Dim})
	}
	if !a.res.Snapshot.Complete {
		out = append(out, span{"  incomplete", Warn})
	}
	return out
}

// atMost is an upper bound in whole seconds, which holds until the link is looked at again.
func atMost(d time.Duration) time.Duration {
	return (d + tickEvery + time.Second - 1).Truncate(time.Second)
}

func (a *App) armSpans() line {
	switch {
	case a.link.File:
		return line{{"read-only", Dim}}
	case a.link.ReadOnly:
		return line{{"READ-ONLY", Good}}
	case a.armed && a.armedUntil.IsZero():
		return line{{" ARMED ", Armed}}
	case a.armed:
		return line{{" ARMED " + say.Age(a.armedUntil.Sub(a.now)) + " ", Armed}}
	}
	return line{{"disarmed", Dim}}
}

// cost is what the console asks of the ensemble.
func (a *App) cost() string {
	if a.link.File {
		return ""
	}
	watches := "1 watch"
	if a.link.Watches != 1 {
		watches = number(a.link.Watches) + " watches"
	}
	return fmt.Sprintf("%s req/s %s %s", rate(a.rate), a.theme.Dot, watches)
}

func rate(r float64) string {
	if r >= 10 || r == 0 {
		return fmt.Sprintf("%.0f", r)
	}
	return fmt.Sprintf("%.1f", r)
}

// keyBar is the bottom row: the filter while it is typed, a message while there is one, else the keys.
func (a *App) keyBar() line {
	t := &a.theme
	switch {
	case a.mode == filtering:
		return a.filterBar()
	case a.mode == commanding:
		return a.paletteBar()
	case a.applying == nil && a.message.text != "" && a.now.Before(a.message.until):
		return line{{" " + a.message.text, a.message.style}}
	}
	var left line
	if e := a.applying; e != nil {
		left = append(left, span{fmt.Sprintf(" %s applying for %s: %s; %s calls it off  ", t.Cursor, say.Age(a.now.Sub(e.since)), e.plan.Title, a.keys.Arm.Help().Key), Alert})
	}
	if n := len(a.followed); n > 0 {
		text, _ := a.followed[n-1].plan.Progress(a.live.Snapshot, a.followed[n-1].at, a.now)
		left = append(left, span{" " + t.Cursor + " " + text + "  ", Warn})
	}
	if len(left) == 0 && a.opts.Caption != "" && a.page() == nil && a.filterText() == "" && len(a.marks)+len(a.watched) == 0 {
		return a.captionBar()
	}
	if text := a.filterText(); text != "" {
		left = append(left, span{" /" + text, Warn}, span{" esc clears ", Dim})
	}
	if n := len(a.watched); n > 0 {
		left = append(left, span{" " + t.bell + " " + counted(n, "bell", "bells") + " set ", Accent})
	}
	if n := len(a.marks); n > 0 {
		left = append(left, span{" " + t.Mark + " " + number(n) + " marked ", Accent})
	}
	hints := a.keyHints(a.size.W - left.width())
	if len(left) == 0 {
		return hints
	}
	return t.sides(left, hints, a.size.W)
}

// whole keeps the parts of a bar of w cells that fit as they are, the more important first; the first is cut where even
// that does not fit.
func whole(w int, parts ...line) (out line) {
	for i, p := range parts {
		if i == 0 || out.width()+p.width() <= w {
			out = append(out, p...)
		}
	}
	return out
}

// clauses is as much of a text as fits in w cells, cut where a clause ends; empty where not even the first fits.
func clauses(text string, w int) string {
	for term.Width(text) > w {
		text = text[:max(0, strings.LastIndexAny(text, ":;,"))]
	}
	return text
}

// filterBar is the bottom row while the filter is typed.
func (a *App) filterBar() line {
	f := &a.filter
	shown, all, what := a.list.recipes, a.res.Models.Len(), "recipes"
	if p := a.page(); p != nil {
		f, shown, all, what = &p.filter, p.count(), 0, "lines"
	}
	of := number(shown) + " of " + number(all) + " " + what
	if all == 0 {
		of = number(shown) + " " + what
	}
	parts := []line{{{" /", Accent}, {f.text + "_", Plain}}}
	if f.wrong != "" {
		parts = append(parts, line{{"   " + f.wrong, Warn}})
	}
	for _, s := range []string{of, "enter keeps, esc clears", "!not ~fuzzy /regex/"} {
		parts = append(parts, line{{"   " + s, Dim}})
	}
	return whole(a.size.W, parts...)
}

// clock prints a moment as the events do.
func (a *App) clock(at time.Time) string { return at.In(a.opts.Location).Format("15:04:05") }
