package actions

import (
	"strings"
	"testing"

	"github.com/zkscope/zkscope/inspect/layout"
)

func TestWhatARecordSays(t *testing.T) {
	long := []byte(strings.Repeat("x", 50))
	for want, r := range map[string]Record{
		"vote commit for s_2 in /tx":                                {Stage: "intent", Verb: VerbVote, Kind: string(layout.TwoPhase), Recipe: "/tx", Path: "/tx/s_2", Name: "s_2", NewData: []byte("commit")},
		"voted commit for s_2 at /tx":                               {Stage: "done", Verb: VerbVote, Recipe: "/tx", Path: "/tx/s_2", Name: "s_2", Text: "voted commit for s_2"},
		"vote abort for s_1 in /tx":                                 {Stage: "intent", Verb: VerbAbort, Recipe: "/tx", Path: "/tx/s_1", Name: "s_1"},
		"join the shared lock /rw as me":                            {Stage: "intent", Verb: VerbJoin, Kind: string(layout.SharedLock), Recipe: "/rw", Path: "/rw", Name: "me"},
		"left at /rw (done with it)":                                {Stage: "left", Verb: VerbJoin, Recipe: "/rw", Path: "/rw/x-1", Text: "left", Reason: "done with it"},
		"holding /rw":                                               {Stage: "holding", Verb: VerbJoin, Recipe: "/rw", Path: "/rw/x-1", Text: "holding /rw"},
		`break /l/a of web-1, before: "web-1"`:                      {Stage: "intent", Verb: VerbBreak, Recipe: "/l", Path: "/l/a", Name: "web-1", OldData: []byte("web-1")},
		"set /c, before: \"" + string(long[:40]) + `"… of 50 bytes`: {Stage: "intent", Verb: VerbSet, Recipe: "/c", Path: "/c", Name: "/c", OldData: long},
	} {
		if got := r.What(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
