package command

import (
	"reflect"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/inspect/layout"
	"github.com/zkscope/zkscope/inspect/model"
)

func TestParseHints(t *testing.T) {
	for text, want := range map[string]model.Hint{
		"/a=lock":                      {Path: "/a", Kind: layout.Lock},
		"/a=lock:kazoo":                {Path: "/a", Kind: layout.Lock, Dialect: layout.Kazoo},
		"/a=semaphore,limit=2":         {Path: "/a", Kind: layout.Semaphore, Limit: 2},
		"/a=lock:curator,limit=3":      {Path: "/a", Kind: layout.Lock, Dialect: layout.Curator, Limit: 3},
		"/b/**=doublebarrier,needed=4": {Path: "/b/**", Kind: layout.DoubleBarrier, Needed: 4},
		"/h/serverUri=x*=service":      {Path: "/h/serverUri=x*", Kind: layout.Service},
	} {
		h, err := parseHints([]string{text})
		if err != nil || !reflect.DeepEqual(h.Rules[0], want) {
			t.Errorf("%s: %+v, %v", text, h.Rules, err)
		}
	}
	for text, says := range map[string]string{
		"/a=lock:2":              "limit=N",
		"/a=lock:nosuch":         "zookeeper",
		"/a=foo":                 "the kind is one of lock",
		"/a=":                    hintForm,
		"=lock":                  hintForm,
		"/a=lock,limit=0":        "whole number from 1",
		"/a=lock,limit=x":        "whole number from 1",
		"/a=lock,most=2":         "limit=N and needed=N",
		"/a=barrier,limit=2":     "limit goes with lock semaphore",
		"/a=lock,needed=2":       "needed goes with doublebarrier",
		"/a=semaphore,limit=2,,": "limit=N and needed=N",
	} {
		if _, err := parseHints([]string{text}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", text, err, says)
		}
	}
}
