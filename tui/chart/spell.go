package chart

import (
	"strconv"
)

// PerTime is a rate in the unit in which it is easy to read.
func PerTime(perSecond float64) string {
	for _, u := range []struct {
		per  float64
		unit string
	}{{1, "/s"}, {60, "/m"}, {3600, "/h"}} {
		if r := perSecond * u.per; r >= 1 {
			return strconv.FormatFloat(r, 'f', 1, 64) + u.unit
		}
	}
	if perSecond == 0 {
		return "0/s"
	}
	return strconv.FormatFloat(perSecond*86400, 'f', 1, 64) + "/d"
}

// BytesText is a size in bytes.
func BytesText(n int) string {
	switch {
	case n < 1000:
		return strconv.Itoa(n) + " B"
	case n < 1000_000:
		return strconv.FormatFloat(float64(n)/1000, 'f', 1, 64) + " kB"
	}
	return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) + " MB"
}
