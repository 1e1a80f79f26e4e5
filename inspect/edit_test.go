package inspect_test

import (
	"reflect"
	"testing"

	"github.com/zkscope/zkscope/internal/script"

	"github.com/zkscope/zkscope/inspect"
	"github.com/zkscope/zkscope/inspect/model"
)

func TestWithDeletedPredicts(t *testing.T) {
	s := script.New(t)
	s.Apply("/l/lock-0000000001 owner=A\n/l/lock-0000000002 owner=B\n/l/lock-0000000003 owner=C")
	r := inspect.Decode(s.Snapshot(), nil, model.Hints{})
	after := inspect.Decode(r.Snapshot.WithDeleted("/l/lock-0000000001"), r, model.Hints{}).ByPath("/l")
	var roles []model.Role
	for i := range after.Claims {
		roles = append(roles, after.Claims[i].Role())
	}
	if !reflect.DeepEqual(roles, []model.Role{model.Holder, model.Waiter}) ||
		after.Claims[0].Session != script.SessionIDs["B"] {
		t.Errorf("%+v", after.Claims)
	}
}
