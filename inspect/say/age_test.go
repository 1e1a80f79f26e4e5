package say_test

import (
	"testing"
	"time"

	"github.com/zkscope/zkscope/inspect/say"
)

func TestAge(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Hour:                  "0s",
		0:                           "0s",
		999 * time.Millisecond:      "0s",
		41 * time.Second:            "41s",
		time.Minute:                 "1m",
		3*time.Minute + 12e9:        "3m12s",
		59*time.Minute + 59e9:       "59m59s",
		2 * time.Hour:               "2h",
		2*time.Hour + 5*time.Minute: "2h5m",
		24 * time.Hour:              "1d",
		6*24*time.Hour + 4*time.Hour + 9*time.Minute: "6d4h",
		12*24*time.Hour + 4*time.Hour:                "12d",
		10000 * 24 * time.Hour:                       "10000d",
	} {
		if got := say.Age(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
}
