package linetags

import (
	"regexp"
	"strconv"
	"strings"

	"quartier/ingest/formats/element"
	"quartier/schemas"
)

// kind is the kind of a line (schemas.LineKinds) by the tags of its routes; "" if they do not say it. Colours do not: what they
// mean differs from network to network.
//
// Example: interval=00:10 is frequent, interval=30 all day, opening_hours="Mo-Fr 06:30-09:00,15:30-18:00" peak.
func (l *Line) kind() string {
	for _, r := range l.Routes {
		interval, known := minutes(r.Tags["interval"])
		open := openMinutes(r.Tags["opening_hours"])
		switch {
		case r.Tags["school"] == "yes", r.Tags["school"] == "only":
			return "school"
		case open > 0 && open <= peakMinutes:
			return "peak"
		case known && interval <= frequentMinutes:
			return "frequent"
		case known && interval <= allDayMinutes, open > peakMinutes:
			return schemas.AllDay
		}
	}
	return ""
}

// What tags say of a line, in minutes.
const (
	frequentMinutes = 15
	allDayMinutes   = 60
	peakMinutes     = 8 * 60 // in which a line runs on a day
)

// minutes reads an interval: minutes, or hours and minutes with or without seconds.
func minutes(text string) (n int, known bool) {
	parts := strings.Split(strings.TrimSpace(text), ":")
	hours := 0
	if len(parts) > 1 {
		hours, _ = strconv.Atoi(parts[0])
		parts = parts[1:]
	}
	n, err := strconv.Atoi(parts[0])
	n += 60 * hours
	return n, err == nil && n > 0
}

// span is a span of hours of opening_hours.
var span = regexp.MustCompile(`(\d\d?):(\d\d)\s*-\s*(\d\d?):(\d\d)`)

// openMinutes is the minutes of the longest of the rules of opening_hours, which begin after semicolons; 0 if there are none.
func openMinutes(text string) (longest int) {
	for rule := range strings.SplitSeq(text, ";") {
		sum := 0
		for _, m := range span.FindAllStringSubmatch(rule, -1) {
			from, _ := minutes(m[1] + ":" + m[2])
			to, _ := minutes(m[3] + ":" + m[4])
			if to < from {
				to += 24 * 60 // after midnight
			}
			sum += to - from
		}
		longest = max(longest, sum)
	}
	return longest
}

// directions is 2 where a line has several routes, and 1 where the only one is of the second version of the scheme, in which a
// route has one direction, and no round trip; 0 if it is not known.
func (l *Line) directions() int32 {
	switch first := l.Routes[0].Tags; {
	case len(l.Routes) > 1:
		return 2
	case first["public_transport:version"] == "2" && first["roundtrip"] != "yes":
		return 1
	}
	return 0
}

// stops is the number of stops of all routes, in the file or not. Where routes have platforms beside their stops the more count.
func (l *Line) stops() int32 {
	positions, platforms := map[element.Member]bool{}, map[element.Member]bool{}
	for _, r := range l.Routes {
		for _, m := range r.Members {
			at := element.Member{Kind: m.Kind, Ref: m.Ref}
			switch {
			case !Stops(m):
			case strings.HasPrefix(m.Role, "platform"):
				platforms[at] = true
			default:
				positions[at] = true
			}
		}
	}
	return int32(max(len(positions), len(platforms)))
}
