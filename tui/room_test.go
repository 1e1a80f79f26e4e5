package tui

import (
	"fmt"
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/znode"
)

// However low the panel is, those of a line who are not in sight are counted.
func TestWhoIsNotInSightIsCounted(t *testing.T) {
	s := newStage()
	for i := range 6 {
		s.add(fmt.Sprintf("/locks/long/%slock-%010d", curator(fmt.Sprint(i+1)), i), znode.SessionID(0x100+i), time.Hour, fmt.Sprintf("app-%d", i))
	}
	drive(t, s, 80, 20).See("3 app-3 +2 more")
}

// Of an event the path gives way, in its middle, before who it happened to and what; of a hand-over neither name is lost.
func TestAnEventSaysToWhomItHappened(t *testing.T) {
	host := "app-03.eu1.example.com:pid100"
	path := "/prod/orders/fulfilment/warehouse-stock-list-region-007/" + curator("1")
	s := newStage().add(path+"lock-0000000001", sA, time.Minute, host+"1").add(path+"lock-0000000002", sB, time.Minute, host+"2")
	s.add("/locks/x/"+curator("2")+"lock-0000000001", sC, time.Minute, host+"3")
	d := drive(t, s, 80, 24)
	s.del(path + "lock-0000000001").del("/locks/x/" + curator("2") + "lock-0000000001")
	s.add("/locks/y/"+curator("2")+"lock-0000000001", sD, 0, host+"4")
	d.Wait(time.Second).Sync().Press("5").See("app-03.eu1…pid1001 → app-03.eu1…pid1002", "region-007", ":pid1003 is gone", ":pid1004 acquired")
}

// An alarm of a deadlock names who is in it.
func TestAnEventOfADeadlockNamesItsSessions(t *testing.T) {
	s := town()
	d := drive(t, s, 80, 24)
	asked(s)
	proved(d).Press("5").See("▲ looks like a deadlock: pair-a ⇄ pai")
}
