package truth

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
)

func TestDebug(t *testing.T) {
	code := os.Getenv("DBG")
	seed, _ := strconv.ParseUint(os.Getenv("SEED"), 10, 64)
	n := 0
	debugWrong = func(s string) {
		if n < 4 && strings.Contains(s, code) {
			t.Log(s)
			n++
		}
	}
	debugCode = code
	synctest.Test(t, func(t *testing.T) {
		r, err := Run(seed, Length, 5)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Failures {
			t.Log(f)
		}
	})
}
