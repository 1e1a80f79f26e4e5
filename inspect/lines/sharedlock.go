package lines

import (
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/say"
	"github.com/zkscope/zkscope/inspect/survey"
)

// The shared lock: readers together, or one writer.
//
// Layouts, all of them children of the lock's directory:
//
//	_c_<uuid>-__READ__<seq>, _c_<uuid>-__WRIT__<seq>   Curator InterProcessReadWriteLock
//	<32 hex>__rlock__<seq>, <32 hex>__lock__<seq>      kazoo ReadLock and WriteLock
//	<guid>-read-<seq>, <guid>-write-<seq>              the recipe document, slash dropped; ours
//	read-<seq>, write-<seq>                            the same without the guid
//	<32 hex>-read--<seq>, <32 hex>-write--<seq>        zktools, two dashes
//	read-<seq>, write-<seq>, PBUF in the data          HBase's table locks
//	sh<seq>, ex<seq>                                   zk-ruby
//	R_<seq>, W_<seq>                                   Solr's collection and config locks
//
// A writer holds when nothing is ahead of it. A reader holds when no writer is ahead of it; otherwise it
// waits for the nearest one, in Curator's layout for the first of the line. In Curator's layout a reader
// whose session also holds the write lock holds with it (a downgrade). A reader of an older kazoo waits for the last
// writer of the line, also for one behind it, which waits for the reader: see outOfOrder.
var SharedLockKind = survey.KindRow{Kind: layout.SharedLock, Weigh: weighSharedLock, Build: buildSharedLock}

func weighSharedLock(x *survey.Dir) []survey.Evidence {
	n := 0
	for i := range x.Line.Queue {
		if x.Line.Queue[i].Layout.Mode != "" {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	out := []survey.Evidence{spelling(x, layout.SharedLock, 1)}
	if x.Words.Hint.InLine() && !x.Words.Hint.Leads() {
		out = append(out, survey.Evidence{Kind: layout.SharedLock, Weight: 0.5,
			Why: "the path says " + say.Printable(x.Words.By)})
	}
	return out
}

func buildSharedLock(x *survey.Dir, why []survey.Evidence) *model.Model {
	m := buildLine(x, layout.SharedLock, why)
	m.State = lineState(x, m, model.Free, model.Writing)
	switch head := model.FirstHolder(m); {
	case len(m.Claims) == 0:
	case head == nil:
		m.State = model.Stuck // its readers wait for writers behind them
	case head.Mode() == layout.Read:
		m.State = model.Reading
	}
	return m
}
