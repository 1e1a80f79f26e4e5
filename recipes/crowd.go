package recipes

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"
)

// crowd is what one consumer of a queue knows of others. Those that list the same items all go for the first, and all but
// one have made a write for nothing, again and again. So whoever was too late once looks which of the items ahead are free
// still, and takes one of the first few. The order in which items came is kept as far as that allows: none is passed over
// more often than there are first few.
type crowd struct {
	on     bool
	calm   int    // looks since another consumer was last noticed
	oldest string // the first in the list
	passed int    // how often another one was taken before it
}

const (
	crowdFirst = 8  // how many are the first few
	crowdLook  = 16 // how many are looked at together
	crowdCalm  = 8  // so many looks that find nobody else end it
)

// met notes that somebody else was faster.
func (q *queue) met() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.crowd.on, q.crowd.calm = true, 0
}

// choose returns which of n items to try, the oldest of which is called so. random returns a number below its argument.
func (c *crowd) choose(n int, oldest string, random func(int) int) int {
	if !c.on || n == 1 {
		return 0
	}
	if c.oldest != oldest {
		c.oldest, c.passed = oldest, 0
	}
	if c.passed == crowdFirst {
		return 0
	}
	i := random(min(n, crowdFirst))
	if i > 0 {
		c.passed++
	}
	return i
}

// pop takes an item from the list, unless that is too old.
func (q *queue) pop() (entry, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.list) == 0 || time.Since(q.listed) > listFor {
		return entry{}, false
	}
	i := q.crowd.choose(len(q.list), q.list[0].name, rand.IntN)
	e := q.list[i]
	copy(q.list[1:i+1], q.list[:i])
	q.list = q.list[1:]
	return e, true
}

// sift drops from the list what others have taken, as far as it is tried next. It does nothing for who is alone.
func (q *queue) sift(ctx context.Context) error {
	for {
		ahead := q.ahead()
		if len(ahead) == 0 {
			return nil
		}
		paths := make([]string, 0, 2*len(ahead))
		for _, e := range ahead {
			paths = append(paths, join(q.items, e.name), join(q.marks, e.name))
		}
		stand, err := q.s.link().stand(ctx, paths)
		if err != nil {
			return err
		}
		gone := make(map[string]bool)
		for i, e := range ahead {
			if !stand[2*i] || stand[2*i+1] {
				gone[e.name] = true
			}
		}
		if q.strike(gone); len(gone) < len(ahead) {
			return nil
		}
	}
}

// ahead returns what is to be looked at; nothing when nobody else takes, or the list is not used any more.
func (q *queue) ahead() []entry {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.crowd.on || time.Since(q.listed) > listFor {
		return nil
	}
	return slices.Clone(q.list[:min(len(q.list), crowdLook)])
}

// strike drops names from the list.
func (q *queue) strike(gone map[string]bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.crowd.calm++; len(gone) > 0 {
		q.crowd.calm = 0
	}
	q.crowd.on = q.crowd.calm < crowdCalm
	at := min(len(q.list), crowdLook)
	for i := at - 1; i >= 0; i-- {
		if e := q.list[i]; !gone[e.name] {
			at--
			q.list[at] = e
		}
	}
	q.list = q.list[at:]
}
