package say

import (
	"strconv"
)

// List joins texts for a finding, the first few of them.
func List(texts []string) string {
	out := ""
	for i, t := range texts {
		if i == MostNames {
			return out + " and " + strconv.Itoa(len(texts)-MostNames) + " more"
		}
		if i > 0 {
			out += ", "
		}
		out += Visible(t)
	}
	return out
}

// Visible makes a text printable and shows where it begins and ends when it would not show itself.
func Visible(s string) string {
	if s == "" || s[0] == ' ' || s[len(s)-1] == ' ' {
		return `"` + Printable(s) + `"`
	}
	return Printable(s)
}

// Plural returns a count with the right form of its noun.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// MostNames is how many names a list tells.
const MostNames = 5

// Choose returns the one form for one, and the other for every other number.
func Choose(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Either returns the one text where a condition holds, and the other where it does not.
func Either(yes bool, one, other string) string {
	if yes {
		return one
	}
	return other
}

// Itoa formats a number in decimal.
func Itoa(v int64) string { return strconv.FormatInt(v, 10) }

// Ordinal prints a place in line: 1st, 2nd, 3rd, 11th.
func Ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}
