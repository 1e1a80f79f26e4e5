package order_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/zkscope/zkscope/inspect/order"
)

func TestForemost(t *testing.T) {
	curator := func(i, seq int) string {
		return fmt.Sprintf("_c_%08x-0000-4000-8000-000000000000-lock-%010d", 9-i, seq)
	}
	for what, c := range map[string]struct {
		names []string
		want  []int
	}{
		"numbers, whatever the names begin with": {[]string{curator(0, 7), curator(1, 5), curator(2, 6)}, []int{1, 2}},
		"more lines than others": {[]string{"config", "lock-0000000002", "lock-0000000001"},
			[]int{2, 1}},
		"unknown spelling":             {[]string{"x0000000002", "x0000000001"}, []int{1, 0}},
		"items of a queue":             {[]string{"qn-0000000001", "qn-0000000000"}, []int{1, 0}},
		"ordinary names":               {[]string{"a", "b", "lock-0000000001"}, nil},
		"numbers that are no sequence": {[]string{"user-0001", "user-0002"}, nil},
		"nothing":                      {nil, nil},
	} {
		if got := order.Foremost("/d", c.names, 2); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", what, got, c.want)
		}
	}
	if got := order.Foremost("/d", []string{"lock-0000000001"}, 2); !reflect.DeepEqual(got, []int{0}) {
		t.Error(got)
	}
}

// BenchmarkForemost finds the first 100 of 300,000 names.
func BenchmarkForemost(b *testing.B) {
	names := make([]string, 300_000)
	for i := range names {
		names[i] = fmt.Sprintf("_c_%08x-0000-4000-8000-000000000000-lock-%010d", uint32(i)*2654435761, i)
	}
	for b.Loop() {
		order.Foremost("/d", names, 100)
	}
}
