package streettags

import (
	"math"
	"strconv"
	"strings"
)

// lanes is the number of lanes, both ways together: lanes, else the sum of those of the directions. 0: not known;
// readable is false where a tag is no number of lanes.
func (s *said) lanes() (n int, readable bool) {
	if text := s.value[lanes]; text != "" {
		return parseLanes(text)
	}
	readable = true
	for _, k := range [3]key{lanesForward, lanesBackward, lanesBothWays} {
		if s.value[k] != "" {
			some, ok := parseLanes(s.value[k])
			n, readable = n+some, readable && ok
		}
	}
	if !readable || s.value[oneway] != "yes" && (s.value[lanesForward] == "" || s.value[lanesBackward] == "") {
		return 0, readable // one direction alone is not the whole street
	}
	return n, true
}

// parseLanes reads a number, of several the first, halves as whole lanes.
func parseLanes(text string) (n int, ok bool) {
	first, _, _ := strings.Cut(text, ";")
	lanes, err := strconv.ParseFloat(strings.TrimSpace(first), 64)
	if err != nil || !(lanes > 0 && lanes <= 30) {
		return 0, false
	}
	return int(math.Ceil(lanes)), true
}

// speed is the limit in km/h: maxspeed, else the higher one of the two directions. 0: not known or none.
func (s *said) speed() (kmh float64, readable bool) {
	if text := s.value[maxspeed]; text != "" {
		return parseSpeed(text)
	}
	forward, ok := parseSpeed(s.value[maxspeedForward])
	backward, also := parseSpeed(s.value[maxspeedBackward])
	return max(forward, backward), ok && also
}

const kmhPerMPH = 1.609344

// parseSpeed reads '50', '50 km/h', '30 mph', '30mph', of several the first. Words in use that tell no number ('none',
// 'signals', 'CA-ON:urban') are readable and 0.
func parseSpeed(text string) (kmh float64, readable bool) {
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
