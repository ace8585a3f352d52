package staged

import (
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/schemas/reason"
)

// What streets and features may measure at most. A single wrong vertex makes more of nearly every one of them; what is
// larger in truth would be cut into tens of thousands of pieces, or lies where nobody lives.
const (
	longestStretch    = 20_000.0  // metres between neighbouring vertices of a street or line
	longestOpenRun    = 200_000.0 // the same of tracks, rivers and shores, which are drawn coarsely in the wild
	widestArea        = 3.0       // degrees of latitude, about 330 km, that an area may be high or wide
	widestOpenCountry = 10.0      // the same of the land of the classes below: Lake Superior is 5 wide
)

// openCountry are the classes of land that may cover whole regions.
var openCountry = []string{"forest", "farmland", "wetland", "water"}

// groundFault says why a point cannot be one of the countries'; the zero Reason where it can.
func groundFault(p orb.Point) reason.Reason {
	if why := pointFault(p); !why.OK() {
		return why
	}
	if !source.NorthAmerican(p) {
		return source.OutsideNorthAmerica
	}
	return reason.Reason{}
}

// lineFault says why a line cannot be staged whose neighbouring vertices lie up to longest metres apart.
func lineFault(line orb.LineString, longest float64) reason.Reason {
	moves, far := false, false
	for i, p := range line {
		if why := groundFault(p); !why.OK() {
			return why
		}
		moves = moves || i > 0 && p != line[0]
		far = far || i > 0 && geo.Distance(line[i-1], p) > longest
	}
	switch {
	case !moves:
		return zeroLength
	case far:
		return segmentTooLong
	}
	return reason.Reason{}
}

// outlineFault says why an outline cannot be one of the countries'; the zero Reason where it can.
func outlineFault(g orb.MultiPolygon) reason.Reason {
	for _, polygon := range g {
		for _, ring := range polygon {
			for _, p := range ring {
				if why := groundFault(p); !why.OK() {
					return why
				}
			}
		}
	}
	return reason.Reason{}
}

// areaFault says why the area of a feature cannot be staged that may measure up to widest degrees of latitude.
func areaFault(g orb.MultiPolygon, widest float64) reason.Reason {
	if why := outlineFault(g); !why.OK() {
		return why
	}
	box := g.Bound()
	height := box.Max[1] - box.Min[1]
	width := (box.Max[0] - box.Min[0]) * math.Cos(box.Center()[1]*math.Pi/180)
	if height > widest || width > widest {
		return implausibleArea
	}
	return reason.Reason{}
}

// longestOf is how far neighbouring vertices of a line of a kind may lie apart, in metres.
func longestOf(kind schemas.FeatureKind) float64 {
	if kind.ID == "rail" || kind.ID == "water" {
		return longestOpenRun
	}
	return longestStretch
}

// widestOf is how high or wide an area of a kind and class may be, in degrees of latitude.
func widestOf(kind schemas.FeatureKind, class string) float64 {
	if kind.ID == "land" && slices.Contains(openCountry, class) {
		return widestOpenCountry
	}
	return widestArea
}
