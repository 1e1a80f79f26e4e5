package inspect

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
var sharedLockKind = kindRow{kind: SharedLock, weigh: weighSharedLock, build: buildSharedLock}

func weighSharedLock(x *dir) []Evidence {
	n := 0
	for i := range x.line.queue {
		if x.line.queue[i].layout.Mode != "" {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	out := []Evidence{x.spelling(SharedLock, 1)}
	if x.words.hint == Lock {
		out = append(out, Evidence{SharedLock, 0.5, "the path says " + Printable(x.words.by)})
	}
	return out
}

func buildSharedLock(x *dir, why []Evidence) *Model {
	m := x.buildLine(SharedLock, why)
	m.State = x.stateOf(m, Free, Writing)
	switch head := firstHolder(m); {
	case len(m.Claims) == 0:
	case head == nil:
		m.State = Free // its readers wait for writers behind them
	case head.Mode() == Read:
		m.State = Reading
	}
	return m
}
