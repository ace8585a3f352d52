package staging

import (
	"cmp"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/internal/geo"
	"quartier/internal/outline"
	"quartier/internal/sqlrow"
	"quartier/schemas"
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
	return cmp.Or(
		checkTexts("key", b.Key, "name", b.NameEN, "French name", b.NameFR),
		when(strings.TrimSpace(b.Key) == "", source.MissingKey),
		when(b.NameEN == "", source.MissingName),
		when(!b.Level.Valid(), unknownLevel),
		when(b.Country != "" && !twoLetters(b.Country), invalidCountryCode),
		when(b.State != "" && !twoLetters(b.State), invalidStateCode),
		when(negative(b.Population), source.NegativeCount.With("population")),
	)
}

// checkState returns why an outline is not in the country that it is said to be in, if it is not. States of other
// countries often have the codes and names of ours: AL is Alagoas in Brazil, and Coahuila, CO, touches Texas.
func checkState(b source.Boundary) reason.Reason {
	switch {
	case len(b.Geometry) == 0: // of which the repair takes care
	case b.Level == schemas.State && b.State != "":
		inside, ok := geo.InteriorPoint(b.Geometry)
		country, _, _ := strings.Cut(outline.At(inside), "_")
		_, known := schemas.FindState(country, b.State)
		return when(ok && !known, outsideCountry.With(b.State))
	case b.Country == "CA" || b.Country == "US":
		return when(!outline.Touches(b.Geometry, b.Country), source.OutsideNorthAmerica)
	case b.Level >= schemas.State:
		return when(!outline.Touches(b.Geometry, ""), source.OtherCountry)
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
	return cmp.Or(when(p.Key == "", source.MissingKey), checkPoint(p.Point), when(exchanged(p.Point), source.OutsideNorthAmerica),
		checkClasses(p))
}

// exchanged reports whether a point is far from Canada and the United States, but in them with its coordinates exchanged.
// Other places abroad are out of scope, but not wrong.
func exchanged(p orb.Point) bool {
	return !outline.Near(p) && outline.At(orb.Point{p[1], p[0]}) != ""
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

// checkRule returns why a brand rule cannot be staged, if it cannot.
func checkRule(r source.BrandRule) reason.Reason {
	texts := []string{"brand id", r.BrandID, "brand name", r.BrandName, "key", r.Key, "value", r.Value, "Wikidata item", r.Wikidata}
	for _, name := range r.Names {
		texts = append(texts, "name", name)
	}
	return cmp.Or(
		checkTexts(texts...),
		when(r.BrandID == "" || r.BrandName == "", missingBrand),
		when(r.Key == "" || r.Value == "", missingTag),
		when(len(r.Names) == 0 && r.Wikidata == "", missingBrandName),
	)
}

// when returns a reason if its condition is true. cmp.Or of several returns the first one.
func when(condition bool, why reason.Reason) reason.Reason {
	if condition {
		return why
	}
	return reason.Reason{}
}

func negative(n *int64) bool { return n != nil && *n < 0 }

// checkTexts checks pairs of the name and the value of a text.
func checkTexts(pairs ...string) (why reason.Reason) {
	for i := 0; i < len(pairs) && why.OK(); i += 2 {
		why = checkText(pairs[i], pairs[i+1])
	}
	return why
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
