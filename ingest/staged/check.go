package staged

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// The vocabularies that staged.poi.scheme names.
const (
	schemeOSM      = "osm"
	schemeOverture = "overture"
	schemeQuartier = "quartier"
)

// boundaryFault says why a boundary cannot be staged, its outline aside; the zero Reason where it can.
func boundaryFault(b source.Boundary) reason.Reason {
	if why := textFault([]field{{"key", b.Key}, {"name", b.NameEN}, {"French name", b.NameFR}}); !why.OK() {
		return why
	}
	switch {
	case strings.TrimSpace(b.Key) == "":
		return source.MissingKey
	case b.NameEN == "":
		return source.MissingName
	case !b.Level.Valid():
		return unknownLevel
	case b.Country != "" && !twoLetters(b.Country):
		return invalidCountryCode
	case b.State != "" && !twoLetters(b.State):
		return invalidStateCode
	case b.Population != nil && *b.Population < 0:
		return source.NegativeCount.With("population")
	}
	return reason.Reason{}
}

// poiFault trims a POI's texts and says why it cannot be staged; the zero Reason where it can.
func poiFault(p *source.POI) reason.Reason {
	for _, f := range [...]struct {
		name string
		text *string
	}{
		{"key", &p.Key}, {"name", &p.Name}, {"French name", &p.NameFR}, {"brand", &p.Brand}, {"brand's Q-number", &p.BrandWikidata},
		{"operator", &p.Operator}, {"house number", &p.HouseNumber}, {"street", &p.Street}, {"address", &p.Address}, {"unit", &p.Unit},
		{"city", &p.City}, {"state", &p.State}, {"postal code", &p.Postal}, {"country", &p.Country}, {"phone", &p.Phone}, {"url", &p.URL},
	} {
		*f.text = strings.TrimSpace(*f.text)
		if why := unfit(f.name, *f.text); !why.OK() {
			return why
		}
	}
	for _, class := range p.Classes {
		if !readable(class) {
			return source.InvalidUTF8.With("class")
		}
	}
	if p.Key == "" {
		return source.MissingKey
	}
	if why := pointFault(p.Point); !why.OK() {
		return why
	}
	return classFault(p)
}

func classFault(p *source.POI) reason.Reason {
	switch p.Scheme {
	case schemeOSM:
		if len(p.Tags) == 0 {
			return missingTags
		}
		for key, value := range p.Tags {
			if !readable(key) || !readable(value) {
				return source.InvalidUTF8.With("tag")
			}
		}
	case schemeOverture, schemeQuartier:
		if len(p.Classes) == 0 {
			return missingClass
		}
	default:
		return unknownClassScheme
	}
	return reason.Reason{}
}

// ruleFault says why a brand rule cannot be staged; the zero Reason where it can.
func ruleFault(r source.BrandRule) reason.Reason {
	texts := []field{{"brand id", r.BrandID}, {"brand name", r.BrandName}, {"key", r.Key}, {"value", r.Value}, {"Q-number", r.Wikidata}}
	for _, name := range r.Names {
		texts = append(texts, field{"name", name})
	}
	if why := textFault(texts); !why.OK() {
		return why
	}
	switch {
	case r.BrandID == "" || r.BrandName == "":
		return missingBrand
	case r.Key == "" || r.Value == "":
		return missingTag
	case len(r.Names) == 0 && r.Wikidata == "":
		return missingBrandName
	}
	return reason.Reason{}
}

type field struct{ name, text string }

func textFault(fields []field) reason.Reason {
	for _, f := range fields {
		if why := unfit(f.name, f.text); !why.OK() {
			return why
		}
	}
	return reason.Reason{}
}

// longest is how many bytes a text may have: far more than any name, address or web address in use.
const longest = 4096

// unfit says why a text cannot be staged; the zero Reason where it can.
func unfit(name, text string) reason.Reason {
	switch {
	case !readable(text):
		return source.InvalidUTF8.With(name)
	case len(text) > longest:
		return textTooLong.With(name)
	}
	return reason.Reason{}
}

// readable reports whether a text is UTF-8 without a zero byte, which a C string would end at.
func readable(text string) bool {
	return utf8.ValidString(text) && strings.IndexByte(text, 0) < 0
}

func pointFault(p orb.Point) reason.Reason {
	switch {
	case !finite(p):
		return source.InvalidCoordinate
	case !inRange(p):
		return source.CoordinateOutOfRange
	case p == orb.Point{}:
		return source.ZeroCoordinates
	}
	return reason.Reason{}
}

// outOfRange says what is wrong with the coordinates of an outline; the zero Reason where they may be longitudes and latitudes.
func outOfRange(g orb.MultiPolygon) reason.Reason {
	for _, polygon := range g {
		for _, ring := range polygon {
			for _, p := range ring {
				if !finite(p) {
					return source.InvalidCoordinate
				}
				if !inRange(p) {
					return source.CoordinateOutOfRange
				}
			}
		}
	}
	return reason.Reason{}
}

func finite(p orb.Point) bool { return !math.IsNaN(p[0]-p[0]) && !math.IsNaN(p[1]-p[1]) }

func inRange(p orb.Point) bool { return math.Abs(p[0]) <= 180 && math.Abs(p[1]) <= 90 }

func twoLetters(code string) bool {
	return len(code) == 2 && code[0] >= 'A' && code[0] <= 'Z' && code[1] >= 'A' && code[1] <= 'Z'
}
