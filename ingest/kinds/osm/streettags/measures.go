package streettags

import (
	"math"
	"strconv"
	"strings"
)

// lanes returns the number of lanes in both directions: the tag lanes, else the sum of those of the directions. 0: not
// known. valid is false if a tag is not a number of lanes.
func (s *streetTags) lanes() (n int, valid bool) {
	if text := s.value[lanes]; text != "" {
		return parseLanes(text)
	}
	valid = true
	for _, k := range [3]key{lanesForward, lanesBackward, lanesBothWays} {
		if s.value[k] != "" {
			some, ok := parseLanes(s.value[k])
			n, valid = n+some, valid && ok
		}
	}
	if !valid || s.value[oneway] != "yes" && (s.value[lanesForward] == "" || s.value[lanesBackward] == "") {
		return 0, valid // the other direction is not known
	}
	return n, true
}

// parseLanes reads the first number of a list and rounds it up.
func parseLanes(text string) (n int, ok bool) {
	first, _, _ := strings.Cut(text, ";")
	lanes, err := strconv.ParseFloat(strings.TrimSpace(first), 64)
	if err != nil || !(lanes > 0 && lanes <= 30) {
		return 0, false
	}
	return int(math.Ceil(lanes)), true
}

// speed returns the speed limit in km/h: maxspeed, else the higher one of the directions. 0: not known or none.
func (s *streetTags) speed() (kmh float64, valid bool) {
	if text := s.value[maxspeed]; text != "" {
		return parseSpeed(text)
	}
	forward, ok := parseSpeed(s.value[maxspeedForward])
	backward, also := parseSpeed(s.value[maxspeedBackward])
	return max(forward, backward), ok && also
}

const kmhPerMPH = 1.609344

// parseSpeed reads the first speed of a list: '50', '50 km/h', '30 mph', '30mph'. Words that are in use instead of a
// number ('none', 'signals', 'CA-ON:urban') are valid and give 0.
func parseSpeed(text string) (kmh float64, valid bool) {
	text, _, _ = strings.Cut(strings.ToLower(text), ";")
	text = strings.TrimSpace(text)
	switch text {
	case "", "none", "no", "signals", "variable", "walk", "unposted", "unsigned", "implicit", "national", "default":
		return 0, true
	}
	if strings.Contains(text, ":") {
		return 0, true
	}
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz/ .")
	unit := strings.Trim(text[len(digits):], " .")
	factor, known := map[string]float64{"": 1, "km/h": 1, "kmh": 1, "kph": 1, "mph": kmhPerMPH}[unit]
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil || !known || !(n > 0 && n*factor <= 250) {
		return 0, false
	}
	return n * factor, true
}
