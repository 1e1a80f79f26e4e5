package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/internal/term"
)

// titleBar says where we are, whether it can be trusted, whether keys can change anything, and what it
// costs: the most important from the left, what may be cut on the right.
func (a *App) titleBar() line {
	t := &a.theme
	out := line{{" zkscope ", Title}, {" " + term.Safe(a.link.Ensemble) + "  ", Plain}}
	out = append(out, a.linkSpans()...)
	right := line{{"  ", Plain}}
	right = append(right, a.armSpans()...)
	if a.paused {
		right = append(right, span{fmt.Sprintf("  PAUSED, %s changes behind", number(a.behind)), Warn})
	}
	right = append(right, span{"  " + a.cost() + " ", Dim})
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
		return line{{"file, as of " + a.clock(a.res.Snapshot.TakenAt), Warn}}
	case a.link.Err != nil:
		return line{{t.Off + " cannot connect", Alert}}
	case !lost.IsZero():
		return line{{fmt.Sprintf("%s DISCONNECTED %s, data as of %s", t.Off, inspect.Age(a.now.Sub(lost)), a.clock(lost)), Alert}}
	case a.link.Server == "":
		return line{{t.Off + " connecting", Warn}}
	case a.link.Silent > 0:
		return line{{fmt.Sprintf("%s %s silent for %s", t.Warn, term.Safe(a.link.Server), inspect.Age(a.link.Silent)), Warn}}
	}
	out := line{{t.On, Good}, {" " + term.Safe(a.link.Server), Plain}}
	if a.link.Session != 0 {
		out = append(out, span{" as " + a.link.Session.String(), Dim})
	}
	if !a.res.Snapshot.Complete {
		out = append(out, span{"  incomplete", Warn})
	}
	return out
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
		return line{{" ARMED " + inspect.Age(a.armedUntil.Sub(a.now)) + " ", Armed}}
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
		return line{{" /", Accent}, {a.filter + "_", Plain}, {fmt.Sprintf("   %s of %s recipes   enter keeps, esc clears", number(a.shownRecipes()), number(len(a.res.Models))), Dim}}
	case a.message.text != "" && a.now.Before(a.message.until):
		return line{{" " + a.message.text, a.message.style}}
	}
	k := a.keys
	left := line{{" ", Plain}}
	for _, b := range []key.Binding{k.Open, k.Revoke, k.Break, k.Arm, k.Filter, k.Pause, k.Help, k.Quit} {
		left = append(left, span{b.Help().Key, Accent}, span{" " + shortHelp(b, k) + "  ", Plain})
	}
	if a.filter != "" {
		left = append(line{{" /" + a.filter + " ", Warn}, {"esc clears  ", Dim}}, left...)
	}
	return t.sides(left, line{{t.progress(a), Plain}}, a.size.W)
}

// shortHelp is the first word of a binding's help.
func shortHelp(b key.Binding, _ KeyMap) string {
	word, _, _ := strings.Cut(b.Help().Desc, " ")
	return strings.TrimRight(word, ":,")
}

// progress says how the newest action that is still open stands.
func (t *Theme) progress(a *App) string {
	if len(a.open) == 0 {
		return ""
	}
	o := a.open[len(a.open)-1]
	text, _ := o.plan.Progress(a.live.Snapshot, o.at, a.now)
	return text + " "
}

// clock prints a moment as the events do.
func (a *App) clock(at time.Time) string { return at.In(a.opts.Location).Format("15:04:05") }
