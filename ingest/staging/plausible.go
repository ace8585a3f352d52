package staging

import (
	"math"
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/internal/geo"
	"quartier/internal/outline"
	"quartier/schemas"
	"quartier/schemas/reason"
)

// The limits of plausible streets and features. Nearly all larger ones have a single wrong vertex; a real one would be
// split into tens of thousands of pieces, or is in an uninhabited area.
const (
	maxSegmentM       = 20_000.0  // between consecutive vertices of a street or line
	maxSegmentWildM   = 200_000.0 // the same for tracks, rivers and shores, which have few vertices in the wilderness
	maxExtentDeg      = 3.0       // height or width of an area in degrees of latitude, about 330 km
	maxExtentLargeDeg = 10.0      // the same for the classes of land below: Lake Superior is 5° wide
)

// largeLand are the classes of land that may cover entire regions.
var largeLand = []string{"forest", "farmland", "wetland", "water"}

// checkLocation returns why a point cannot be in Canada or the United States or about 100 km around, if it cannot.
func checkLocation(p orb.Point) reason.Reason {
	if why := checkPoint(p); !why.OK() {
		return why
	}
	if !outline.Near(p) {
		return source.OutsideNorthAmerica
	}
	return reason.Reason{}
}

// checkLine returns why a line cannot be staged, if it cannot. maxM is the limit between consecutive vertices in metres.
func checkLine(line orb.LineString, maxM float64) reason.Reason {
	moves, far := false, false
	for i, p := range line {
		if why := checkLocation(p); !why.OK() {
			return why
		}
		moves = moves || i > 0 && p != line[0]
		far = far || i > 0 && geo.Distance(line[i-1], p) > maxM
	}
	switch {
	case !moves:
		return zeroLength
	case far:
		return segmentTooLong
	}
	return reason.Reason{}
}

// checkOutline returns why an outline cannot be in Canada or the United States, if it cannot.
func checkOutline(g orb.MultiPolygon) reason.Reason {
	for _, polygon := range g {
		for _, ring := range polygon {
			for _, p := range ring {
				if why := checkLocation(p); !why.OK() {
					return why
				}
			}
		}
	}
	return reason.Reason{}
}

// checkExtent returns why the area of a feature cannot be staged, if it cannot. maxDeg is the limit of its height and
// width in degrees of latitude.
func checkExtent(g orb.MultiPolygon, maxDeg float64) reason.Reason {
	if why := checkOutline(g); !why.OK() {
		return why
	}
	box := g.Bound()
	height := box.Max[1] - box.Min[1]
	width := (box.Max[0] - box.Min[0]) * math.Cos(box.Center()[1]*math.Pi/180)
	if height > maxDeg || width > maxDeg {
		return implausibleArea
	}
	return reason.Reason{}
}

// maxSegmentOf is the limit between consecutive vertices of lines of a kind, in metres.
func maxSegmentOf(kind schemas.FeatureKind) float64 {
	if kind.ID == "rail" || kind.ID == "water" {
		return maxSegmentWildM
	}
	return maxSegmentM
}

// maxExtentOf is the limit of the height and width of areas of a kind and class, in degrees of latitude.
func maxExtentOf(kind schemas.FeatureKind, class string) float64 {
	if kind.ID == "land" && slices.Contains(largeLand, class) {
		return maxExtentLargeDeg
	}
	return maxExtentDeg
}
