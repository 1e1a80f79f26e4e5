package model_test

import (
	"testing"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
)

// Claims of one session that name themselves differently are of several threads: none of them is forgotten.
func TestThreadsThatNameThemselves(t *testing.T) {
	line := func(second, third string) *model.Model {
		rec := script.ReadText(t, script.FileHead+`{"path":"/locks/a/`+script.Hex+`__lock__0000000001","owner":"0x1","text":"sg:w0","ctime":1795816800000}
{"path":"/locks/a/f`+script.Hex[1:]+`__lock__0000000002","owner":"0x1","text":"`+second+`","ctime":1795816801000}
{"path":"/locks/a/e`+script.Hex[1:]+`__lock__0000000003","owner":"0x1","text":"`+third+`","ctime":1795816802000}
`)
		return inspect.Decode(rec.First(), nil, model.Hints{}).ByPath("/locks/a")
	}
	if m := line("sg:w1", "sg:w2"); m == nil || len(m.Claims) != 3 || m.Finding(model.CodePhantomClaim) != nil {
		t.Errorf("%+v", m)
	}
	for _, third := range []string{"sg:w0", "sg:w1"} { // whichever of them stands twice
		if m := line("sg:w1", third); m.Finding(model.CodePhantomClaim) == nil {
			t.Errorf("%s twice is not told", third)
		}
	}
}

// ZooKeeper's own configuration begins with version -1, and nothing is wrong with that.
func TestZooKeepersOwnVersion(t *testing.T) {
	rec := script.ReadText(t, script.FileHead+`{"path":"/zookeeper/config","version":-1,"text":"x","cversion":0}
{"path":"/config/web","version":-1,"text":"x","cversion":0}
`)
	res := inspect.Decode(rec.First(), nil, model.Hints{})
	if m := res.ByPath("/zookeeper/config"); m != nil && m.Finding(model.CodeVersionWrapped) != nil {
		t.Errorf("%+v", m.Findings)
	}
	if m := res.ByPath("/config/web"); m == nil || m.Finding(model.CodeVersionWrapped) == nil {
		t.Error("a version that wrapped is not told")
	}
}
