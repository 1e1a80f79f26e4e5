package tui

import (
	"slices"
	"time"

	"github.com/zkscope/zkscope/tui/paint"
)

// goneItem is a line of a page that went away, and the index that it had.
type goneItem struct {
	item  item
	at    time.Time
	index int
	held  bool // the selection is on it
}

// news compares the lines of a page with those that it had: what came gets a sign, and what went away stays for a
// moment, without an identity, so that it cannot be selected. The first lines of a page are no news.
func (p *page) news(all []item, now time.Time) []item {
	known := make(map[string]time.Time, len(all))
	for i := range all {
		id := all[i].id
		if at, old := p.known[id]; old {
			known[id] = at
		} else if known[id] = now; p.known == nil {
			known[id] = time.Time{}
		}
	}
	for i := range p.last {
		if it := p.last[i]; it.id != "" && !it.quiet && (p.known != nil || it.id == p.sel) {
			if _, stays := known[it.id]; !stays {
				p.gone = append(p.gone, goneItem{item: it, at: now, index: i})
			}
		}
	}
	p.gone = slices.DeleteFunc(p.gone, func(g goneItem) bool {
		_, back := known[g.item.id]
		return back || g.item.id != p.sel && (now.Sub(g.at) >= goneFor || !p.view.fades)
	})
	for i := 0; i < len(p.gone) && len(p.gone) > maxGone; {
		if p.gone[i].item.id == p.sel {
			i++
			continue
		}
		p.gone = slices.Delete(p.gone, i, i+1)
	}
	for i := range p.gone {
		p.gone[i].held = p.gone[i].item.id == p.sel
	}
	p.known, p.last = known, all
	out := slices.Clone(all)
	for _, g := range p.gone {
		out = slices.Insert(out, min(g.index, len(out)), g.faded())
	}
	return out
}

func (g goneItem) faded() item {
	draw := g.item.draw
	id := ""
	if g.held {
		id = g.item.id
	}
	return item{id: id, late: true, text: g.item.text, draw: func(t *paint.Theme, _ time.Time, w int) paint.Line { // its ages stand still
		return paint.Dimmed(append(paint.Line{paint.Dim.Text(goneSign)}, paint.TrimLead(draw(t, g.at, w))...))
	}}
}

// fresh reports whether a line of the page came a moment ago.
func (p *page) fresh(id string, now time.Time) bool {
	at := p.known[id]
	return p.view.fades && id != "" && !at.IsZero() && now.Sub(at) < freshFor
}

// count is how many lines the page has, without those that are gone.
func (p *page) count() (n int) {
	for i := range p.items {
		if !p.items[i].late {
			n++
		}
	}
	return n
}
