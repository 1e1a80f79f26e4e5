package say

import (
	"strconv"
	"time"
)

// Age formats a duration coarsely, in at most two units: 0s, 41s, 3m12s, 2h5m, 6d4h, 12d. A negative
// duration, which clocks that disagree produce, is 0s.
func Age(d time.Duration) string {
	d = max(d, 0).Truncate(time.Second)
	switch {
	case d < time.Minute:
		return units(int64(d/time.Second), "s", 0, "")
	case d < time.Hour:
		return units(int64(d/time.Minute), "m", int64(d%time.Minute/time.Second), "s")
	case d < 24*time.Hour:
		return units(int64(d/time.Hour), "h", int64(d%time.Hour/time.Minute), "m")
	}
	days, hours := int64(d/(24*time.Hour)), int64(d%(24*time.Hour)/time.Hour)
	if days >= 10 {
		hours = 0
	}
	return units(days, "d", hours, "h")
}

// Fine is a duration to a tenth of a second where it is short, else as Age has it.
func Fine(d time.Duration) string {
	if d < 10*time.Second {
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + "s"
	}
	return Age(d)
}

func units(n int64, unit string, m int64, sub string) string {
	s := strconv.FormatInt(n, 10) + unit
	if m > 0 {
		s += strconv.FormatInt(m, 10) + sub
	}
	return s
}

// Lasting is " for 3m12s", or nothing when the beginning is not known.
func Lasting(since, now time.Time) string {
	if since.IsZero() {
		return ""
	}
	return " for " + Age(now.Sub(since))
}

// Between is the time between two moments; zero when one is unknown or they are the wrong way round.
func Between(from, to time.Time) time.Duration {
	if from.IsZero() || to.IsZero() {
		return 0
	}
	return max(to.Sub(from), 0)
}

// ForSpan is " for 3m12s", or nothing for nothing.
func ForSpan(span string) string {
	if span == "" {
		return ""
	}
	return " for " + span
}

// Clock formats the time of day in UTC.
func Clock(t time.Time) string { return t.UTC().Format("15:04:05") }

// Moment formats a time in UTC, with its date where it is a day or more from now.
func Moment(t, now time.Time) string {
	if now.Sub(t).Abs() < 24*time.Hour {
		return Clock(t) + " UTC"
	}
	return t.UTC().Format("2006-01-02 15:04:05") + " UTC"
}
