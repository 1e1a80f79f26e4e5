package world

// Meant suggests the word that somebody may have meant; empty when none is near.
func Meant(word string, known []string) string {
	best, least := "", 1+len(word)/4
	for _, k := range known {
		if d := distance(word, k); d <= least && (best == "" || d < distance(word, best)) {
			best = k
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// distance is how many letters have to be put in, left out or changed to make one word of another.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal, row[j+1] = row[j+1], min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
