package staged

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
)

// The vocabularies that staged.poi.scheme names.
const (
	schemeOSM      = "osm"
	schemeOverture = "overture"
	schemeQuartier = "quartier"
)

// boundaryFault says why a boundary cannot be staged, its outline aside; "" where it can.
func boundaryFault(b source.Boundary) string {
	if reason := textFault([]field{{"key", b.Key}, {"name", b.NameEN}, {"French name", b.NameFR}}); reason != "" {
		return reason
	}
	switch {
	case strings.TrimSpace(b.Key) == "":
		return "no key"
	case b.NameEN == "":
		return "no name"
	case !b.Level.Valid():
		return "unknown level"
	case b.Country != "" && !twoLetters(b.Country):
		return "country is not a code of two letters"
	case b.State != "" && !twoLetters(b.State):
		return "state is not a code of two letters"
	case b.Population != nil && *b.Population < 0:
		return "negative population"
	}
	return ""
}

// poiFault trims a POI's texts and says why it cannot be staged; "" where it can.
func poiFault(p *source.POI) string {
	for _, f := range [...]struct {
		name string
		text *string
	}{
		{"key", &p.Key}, {"name", &p.Name}, {"French name", &p.NameFR}, {"brand", &p.Brand}, {"brand's Q-number", &p.BrandWikidata},
		{"operator", &p.Operator}, {"house number", &p.HouseNumber}, {"street", &p.Street}, {"address", &p.Address}, {"unit", &p.Unit},
		{"city", &p.City}, {"state", &p.State}, {"postal code", &p.Postal}, {"country", &p.Country}, {"phone", &p.Phone}, {"url", &p.URL},
	} {
		*f.text = strings.TrimSpace(*f.text)
		if reason := unfit(f.name, *f.text); reason != "" {
			return reason
		}
	}
	for _, class := range p.Classes {
		if !readable(class) {
			return "class is not UTF-8"
		}
	}
	if p.Key == "" {
		return "no key"
	}
	if reason := pointFault(p.Point); reason != "" {
		return reason
	}
	return classFault(p)
}

func classFault(p *source.POI) string {
	switch p.Scheme {
	case schemeOSM:
		if len(p.Tags) == 0 {
			return "no tags"
		}
		for key, value := range p.Tags {
			if !readable(key) || !readable(value) {
				return "tag is not UTF-8"
			}
		}
	case schemeOverture, schemeQuartier:
		if len(p.Classes) == 0 {
			return "no class"
		}
	default:
		return "unknown scheme of classes"
	}
	return ""
}

// ruleFault says why a brand rule cannot be staged; "" where it can.
func ruleFault(r source.BrandRule) string {
	texts := []field{{"brand id", r.BrandID}, {"brand name", r.BrandName}, {"key", r.Key}, {"value", r.Value}, {"Q-number", r.Wikidata}}
	for _, name := range r.Names {
		texts = append(texts, field{"name", name})
	}
	if reason := textFault(texts); reason != "" {
		return reason
	}
	switch {
	case r.BrandID == "" || r.BrandName == "":
		return "no brand"
	case r.Key == "" || r.Value == "":
		return "no key and value that the rule holds for"
	case len(r.Names) == 0 && r.Wikidata == "":
		return "neither names nor a Q-number to know the brand by"
	}
	return ""
}

type field struct{ name, text string }

func textFault(fields []field) string {
	for _, f := range fields {
		if reason := unfit(f.name, f.text); reason != "" {
			return reason
		}
	}
	return ""
}

// longest is how many bytes a text may have: far more than any name, address or web address in use.
const longest = 4096

// unfit says why a text cannot be staged; "" where it can.
func unfit(name, text string) string {
	switch {
	case !readable(text):
		return name + " is not UTF-8"
	case len(text) > longest:
		return name + " is too long"
	}
	return ""
}

// readable reports whether a text is UTF-8 without a zero byte, which a C string would end at.
func readable(text string) bool {
	return utf8.ValidString(text) && strings.IndexByte(text, 0) < 0
}

func pointFault(p orb.Point) string {
	switch {
	case !finite(p):
		return "coordinate is not a finite number"
	case !inRange(p):
		return "coordinate outside ±180, ±90"
	case p == orb.Point{}:
		return "coordinates are 0, 0"
	}
	return ""
}

// outOfRange says what is wrong with the coordinates of an outline; "" where they may be longitudes and latitudes.
func outOfRange(g orb.MultiPolygon) string {
	for _, polygon := range g {
		for _, ring := range polygon {
			for _, p := range ring {
				if !finite(p) {
					return "coordinate is not a finite number"
				}
				if !inRange(p) {
					return "coordinate outside ±180, ±90"
				}
			}
		}
	}
	return ""
}

func finite(p orb.Point) bool { return !math.IsNaN(p[0]-p[0]) && !math.IsNaN(p[1]-p[1]) }

func inRange(p orb.Point) bool { return math.Abs(p[0]) <= 180 && math.Abs(p[1]) <= 90 }

func twoLetters(code string) bool {
	return len(code) == 2 && code[0] >= 'A' && code[0] <= 'Z' && code[1] >= 'A' && code[1] <= 'Z'
}
