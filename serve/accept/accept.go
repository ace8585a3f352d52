// Package accept parses what callers say of the answers that they take: Accept, Accept-Encoding and If-None-Match (RFC 9110).
//
// In go the lines of a header, as net/http has them; nothing is allocated. What is not well-formed matches nothing.
package accept

import (
	"strconv"
	"strings"
)

// Quality splits an entry of an Accept or Accept-Encoding header into its name and its weight, 0 to 1:
// "gzip;q=0.5" is gzip, 0.5. An invalid weight is 0.
func Quality(entry string) (name string, weight float64) {
	name, rest, more := strings.Cut(entry, ";")
	weight = 1
	for more {
		var parameter string
		parameter, rest, more = strings.Cut(rest, ";")
		key, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
		if key != "q" && key != "Q" {
			continue
		}
		var err error
		if weight, err = strconv.ParseFloat(strings.TrimSpace(value), 64); err != nil || !(weight >= 0 && weight <= 1) {
			weight = 0
		}
	}
	return strings.TrimSpace(name), weight
}

// JSON reports whether an Accept header allows application/json. An absent header allows everything.
func JSON(header []string) bool {
	if len(header) == 0 || len(header) == 1 && (header[0] == "*/*" || header[0] == "application/json") {
		return true
	}
	best, allowed := -1, false // the most specific range that matches decides
	for _, line := range header {
		for entry := range strings.SplitSeq(line, ",") {
			kind, weight := Quality(entry)
			rank := -1
			switch {
			case strings.EqualFold(kind, "application/json"):
				rank = 2
			case strings.EqualFold(kind, "application/*"):
				rank = 1
			case kind == "*/*":
				rank = 0
			}
			if rank > best {
				best, allowed = rank, weight > 0
			}
		}
	}
	return allowed || best < 0 && strings.TrimSpace(strings.Join(header, "")) == ""
}

// Coding returns the content coding, of those offered, that an Accept-Encoding header prefers; of equals the one that is
// offered first. It is "", none, where the header allows no other or prefers identity.
func Coding(header []string, offered ...string) string {
	best, chosen := weightOf(header, "identity", 0), ""
	for _, coding := range offered {
		weight := weightOf(header, coding, weightOf(header, "*", 0))
		if weight > 0 && (weight > best || chosen == "" && weight == best) {
			best, chosen = weight, coding
		}
	}
	return chosen
}

// weightOf is the weight of a coding, the last where it is named several times; unnamed where it is not.
func weightOf(header []string, coding string, unnamed float64) float64 {
	for _, line := range header {
		for entry := range strings.SplitSeq(line, ",") {
			if name, weight := Quality(entry); strings.EqualFold(name, coding) {
				unnamed = weight
			}
		}
	}
	return unnamed
}

// Has reports whether an If-None-Match header has a strong ETag, quotes included, or "*": whether the caller has this answer.
func Has(header []string, tag string) bool {
	for _, line := range header {
		for entry := range strings.SplitSeq(line, ",") {
			entry = strings.TrimSpace(entry)
			if entry == "*" || strings.TrimPrefix(entry, "W/") == tag {
				return true
			}
		}
	}
	return false
}
