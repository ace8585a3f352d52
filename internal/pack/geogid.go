package pack

// geogIDChars is the length of a geog_id: 'g', two digits of its level, '_' and ten characters.
const geogIDChars = 14

// GeogNumber is a geog_id as a number in base 36 without g and _, in the same order; false if it is not a geog_id.
func GeogNumber(id string) (uint64, bool) {
	if len(id) != geogIDChars || id[0] != 'g' || id[3] != '_' {
		return 0, false
	}
	number := uint64(0)
	for i := 1; i < geogIDChars; i++ {
		if i == 3 {
			continue
		}
		c, digit := id[i], uint64(0)
		switch {
		case c >= '0' && c <= '9':
			digit = uint64(c - '0')
		case c >= 'a' && c <= 'z' && i > 3:
			digit = uint64(c-'a') + 10
		default:
			return 0, false
		}
		number = number*36 + digit
	}
	return number, true
}
