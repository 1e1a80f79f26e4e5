package inspect_test

import (
	"fmt"
	"regexp"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
	"github.com/zkscope/zkscope/inspect/znode"
	"github.com/zkscope/zkscope/internal/script"
)

// In a directory of many recipes, of which some come and go, change hands or say more later by themselves, what stands
// unlooked at is what another look makes of it.
func TestWhatStandsInAWideDirectoryIsWhatALookFinds(t *testing.T) {
	age := regexp.MustCompile(`within \S+`) // that of when it was looked at
	other := model.Hints{Rules: []model.Hint{{Path: "/elsewhere", Kind: layout.Lock}}}
	rapid.Check(t, func(t *rapid.T) {
		s := script.BigTree(rapid.IntRange(60, 200).Draw(t, "recipes"), 2)
		res := inspect.Decode(s, nil, model.Hints{})
		passing, rough := res, false
		seq := 10
		for i := range rapid.IntRange(5, 25).Draw(t, "moments") {
			var e znode.Editor
			e.Begin(s.Base, s.Root)
			for range rapid.IntRange(0, 4).Draw(t, "changes") {
				kids := s.At("/group-0/locks").Children
				dir, what := kids[rapid.IntRange(0, len(kids)-1).Draw(t, "which")], rapid.IntRange(0, 9).Draw(t, "what")
				if turns := s.At([]string{"/group-0/locks/resource-7", "/group-0/locks/resource-59"}[what%2]); i < 8 && what > 3 && turns != nil {
					dir = turns // an election that changes hands so often at first that this is told until it was long ago
				}
				path := "/group-0/locks/" + dir.Name
				switch {
				case what == 0:
					e.Remove(path)
				case what == 1:
					e.Put(path+fmt.Sprint("-", seq), &znode.Node{Name: dir.Name + fmt.Sprint("-", seq), Cversion: 2, HasCversion: true})
				case len(dir.Children) > 0: // a turn
					next := *dir.Children[0]
					e.Remove(path + "/" + next.Name)
					next.Name = next.Name[:len(next.Name)-10] + layout.SequenceText(int32(seq))
					next.Czxid = znode.Zxid(1_000_000 + seq)
					e.Put(path+"/"+next.Name, &next)
				}
				seq++
			}
			after := *s
			after.Root = e.Tree()
			after.TakenAt = s.TakenAt.Add(time.Duration(rapid.IntRange(1, 120).Draw(t, "seconds")) * time.Second)
			if s = &after; rapid.IntRange(0, 9).Draw(t, "told") == 9 {
				s.Sessions = map[znode.SessionID]znode.Session{}
				for i := range 400 {
					if rapid.IntRange(0, 9).Draw(t, "there") > 0 {
						s.Sessions[znode.SessionID(1<<56+i)] = znode.Session{ID: znode.SessionID(1<<56 + i)}
					}
				}
			}
			passing, rough = inspect.DecodeStep(s, passing, model.Hints{}, true)
			looked := inspect.Decode(s, res, other)
			res = inspect.Decode(s, res, model.Hints{})
			a, b := age.ReplaceAllString(script.ResultText(res), "within"), age.ReplaceAllString(script.ResultText(looked), "within")
			if a != b {
				t.Fatalf("stands:\n%s\nlooked at:\n%s", a, b)
			}
		}
		if rough {
			passing = inspect.Decode(s, passing, model.Hints{})
		}
		a, b := age.ReplaceAllString(script.ResultText(res), "within"), age.ReplaceAllString(script.ResultText(passing), "within")
		if a != b {
			t.Fatalf("stands:\n%s\ncame to in passing:\n%s", a, b)
		}
	})
}
