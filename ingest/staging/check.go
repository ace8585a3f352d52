package staging

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/internal/sqlrow"
	"quartier/schemas/reason"
)

// The class vocabularies in staged.poi.scheme.
const (
	schemeOSM      = "osm"
	schemeOverture = "overture"
	schemeQuartier = "quartier"
)

// checkBoundary returns why a boundary cannot be staged, if it cannot, except for its outline.
func checkBoundary(b source.Boundary) reason.Reason {
	if why := checkTexts([]field{{"key", b.Key}, {"name", b.NameEN}, {"French name", b.NameFR}}); !why.OK() {
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

// checkPOI trims a POI's texts and returns why it cannot be staged, if it cannot.
func checkPOI(p *source.POI) (fault reason.Reason) {
	if fault = checkText("key", p.Key); !fault.OK() {
		return fault
	}
	sqlrow.Texts(&p.Details, func(column string, text *string) {
		*text = strings.TrimSpace(*text)
		if why := checkText(column, *text); fault.OK() {
			fault = why
		}
	})
	if !fault.OK() {
		return fault
	}
	for _, class := range p.Classes {
		if !readable(class) {
			return source.InvalidUTF8.With("class")
		}
	}
	if p.Key == "" {
		return source.MissingKey
	}
	if why := checkPoint(p.Point); !why.OK() {
		return why
	}
	return checkClasses(p)
}

func checkClasses(p *source.POI) reason.Reason {
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

// checkCoverage returns why a coverage cannot be staged, if it cannot, except for its outline.
func checkCoverage(c source.Coverage) reason.Reason {
	if !twoLetters(c.Country) || !twoLetters(c.State) {
		return missingStateCode
	}
	return reason.Reason{}
}

// checkRule returns why a brand rule cannot be staged, if it cannot.
func checkRule(r source.BrandRule) reason.Reason {
	texts := []field{{"brand id", r.BrandID}, {"brand name", r.BrandName}, {"key", r.Key}, {"value", r.Value}, {"Wikidata item", r.Wikidata}}
	for _, name := range r.Names {
		texts = append(texts, field{"name", name})
	}
	if why := checkTexts(texts); !why.OK() {
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

func checkTexts(fields []field) reason.Reason {
	for _, f := range fields {
		if why := checkText(f.name, f.text); !why.OK() {
			return why
		}
	}
	return reason.Reason{}
}

// maxTextBytes is far more than any real name, address or web address has.
const maxTextBytes = 4096

// checkText returns why a text cannot be staged, if it cannot. name is the detail of the reason.
func checkText(name, text string) reason.Reason {
	switch {
	case !readable(text):
		return source.InvalidUTF8.With(name)
	case len(text) > maxTextBytes:
		return textTooLong.With(name)
	}
	return reason.Reason{}
}

// readable reports whether a text is UTF-8 without a NUL byte, which would end a C string.
func readable(text string) bool {
	return utf8.ValidString(text) && strings.IndexByte(text, 0) < 0
}

// checkPoint returns why a point cannot be a longitude and latitude, if it cannot.
func checkPoint(p orb.Point) reason.Reason {
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

// checkRange returns why the coordinates of an outline cannot be longitudes and latitudes, if they cannot.
func checkRange(g orb.MultiPolygon) reason.Reason {
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
