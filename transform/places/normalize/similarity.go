package normalize

import "strings"

// Similarity of two names with single spaces between their words, 0 to 1: 1 if they are equal; .85 if one begins with all words of the
// other; else Dice's
// coefficient of their letter pairs. Names with different numbers have at most .4. It is symmetric; 0 if a name is
// empty.
//
// For example, "cafe nero" and "caffe nero" share 7 of 7 and 8 pairs: 2·7/15 = .93.
func Similarity(a, b string) float64 {
	if a == "" || b == "" {
		return 0
	}
	allA, allB := strings.ReplaceAll(a, " ", ""), strings.ReplaceAll(b, " ", "")
	if allA == allB {
		return 1
	}
	s := dice(allA, allB)
	if strings.HasPrefix(a, b+" ") || strings.HasPrefix(b, a+" ") {
		s = max(s, 0.85)
	}
	if na, nb := Numbers(a), Numbers(b); na != "" && nb != "" && na != nb {
		s = min(s, 0.4)
	}
	return s
}

// Numbers are the words of a name that begin with a digit.
func Numbers(name string) string {
	found := ""
	for w := range strings.FieldsSeq(name) {
		if w[0] >= '0' && w[0] <= '9' {
			found += w + " "
		}
	}
	return found
}

// dice is twice the number of common letter pairs divided by the number of all pairs.
func dice(a, b string) float64 {
	if len(a) < 2 || len(b) < 2 {
		return 0
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	used := make([]bool, len(b))
	common := 0
	for i := 0; i+1 < len(a); i++ {
		for j := 0; j+1 < len(b); j++ {
			if !used[j] && a[i] == b[j] && a[i+1] == b[j+1] {
				used[j] = true
				common++
				break
			}
		}
	}
	return 2 * float64(common) / float64(len(a)+len(b)-2)
}
