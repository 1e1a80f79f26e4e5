package tui

import (
	"slices"
	"time"
)

// goneItem is a line of a page that went away, and the index that it had.
type goneItem struct {
	item  item
	at    time.Time
	index int
}

// news compares the lines of a page with those that it had: what came gets a sign, and what went away stays for a
// moment, without an identity, so that it cannot be selected. The first lines of a page are no news.
func (p *page) news(all []item, now time.Time) []item {
	if !p.view.fades {
		return all
	}
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
		if it := p.last[i]; it.id != "" && p.known != nil {
			if _, stays := known[it.id]; !stays {
				p.gone = append(p.gone, goneItem{it, now, i})
			}
		}
	}
	p.gone = slices.DeleteFunc(p.gone, func(g goneItem) bool {
		_, back := known[g.item.id]
		return back || now.Sub(g.at) >= goneFor
	})
	p.gone = p.gone[max(0, len(p.gone)-maxGone):]
	p.known, p.last = known, all
	out := slices.Clone(all)
	for _, g := range p.gone {
		out = slices.Insert(out, min(g.index, len(out)), g.faded())
	}
	return out
}

func (g goneItem) faded() item {
	draw := g.item.draw
	return item{late: true, text: g.item.text, draw: func(t *Theme, now time.Time, w int) line {
		return dimmed(append(line{{goneSign, Dim}}, trimLead(draw(t, now, w))...))
	}}
}

// fresh reports whether a line of the page came a moment ago.
func (p *page) fresh(id string, now time.Time) bool {
	at := p.known[id]
	return id != "" && !at.IsZero() && now.Sub(at) < freshFor
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
