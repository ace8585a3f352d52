// Package outline locates points in the states, territories and provinces of Canada and the United States by outlines that
// come with the program. They are coarse: borders are right to about 500 m, and a state ends about 10 km off its coast, so
// that piers, ferries and islands that simplification removed are in it. Lakes between states belong to one of them.
//
// generate.sh (make outline) makes them from the Census Bureau's and Statistics Canada's files.
package outline

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/paulmach/orb"

	"quartier/internal/coord"
	"quartier/internal/geo"
)

//go:embed states.topojson.gz
var file []byte

// Origin describes the outlines as a source of a release.
var Origin = struct{ File, AsOf, Licence, Attribution, URL string }{
	File:        "states.topojson.gz",
	AsOf:        "2021-01-01",
	Licence:     "public domain (United States); Open Government Licence – Canada",
	Attribution: "US Census Bureau, cartographic boundary files 2019; adapted from Statistics Canada, 2021 Census boundary files",
	URL:         "https://www.census.gov/geographies/mapping-files/time-series/geo/cartographic-boundary.html",
}

// Digest returns the size of the file of outlines and its SHA-256 in hex.
func Digest() (sum string, size int64) {
	digest := sha256.Sum256(file)
	return hex.EncodeToString(digest[:]), int64(len(file))
}

// state is a state with its outline.
type state struct {
	code     string // 'US_DE'
	geometry orb.MultiPolygon
	*geo.Prepared
}

// atlas is all states by code, and the cells of one degree near any of them.
type atlas struct {
	states []state
	boxes  *coord.BoxIndex
	near   [360][180]bool
}

var load = sync.OnceValue(func() *atlas {
	states, err := decode(bytes.NewReader(file))
	if err != nil {
		panic(err) // the file is a part of the program
	}
	a := &atlas{states: states}
	boxes := make([]orb.Bound, len(states))
	for i, s := range states {
		boxes[i] = s.Bound()
	}
	a.boxes = coord.NewBoxIndex(boxes)
	a.markNear()
	return a
})

// markNear marks the cells that a state is in, by their centre or by a vertex of its outline, and those around them.
func (a *atlas) markNear() {
	mark := func(p orb.Point) {
		x, y := cell(p)
		for dx := 359; dx <= 361; dx++ {
			for dy := max(y-1, 0); dy <= min(y+1, 179); dy++ {
				a.near[(x+dx)%360][dy] = true
			}
		}
	}
	for x := range 360 {
		for y := range 180 {
			if centre := (orb.Point{float64(x) - 179.5, float64(y) - 89.5}); a.at(centre) >= 0 {
				mark(centre)
			}
		}
	}
	for _, s := range a.states {
		for _, polygon := range s.geometry {
			for _, p := range polygon[0] {
				mark(p)
			}
		}
	}
}

func cell(p orb.Point) (x, y int) {
	return min(max(int(math.Floor(p[0]))+180, 0), 359), min(max(int(math.Floor(p[1]))+90, 0), 179)
}

// at returns the index of the state that contains p, the first one on a border; −1 if there is none.
func (a *atlas) at(p orb.Point) int {
	first := -1
	a.boxes.At(p, func(i int) bool {
		if (first < 0 || i < first) && a.states[i].Contains(p) {
			first = i
		}
		return true
	})
	return first
}

// At returns the code of the state that contains a point, such as US_DE; "" outside of Canada and the United States.
func At(p orb.Point) string {
	if a := load(); geo.Valid(p) {
		if i := a.at(p); i >= 0 {
			return a.states[i].code
		}
	}
	return ""
}

// Near reports whether a point is in Canada or the United States, or within about 100 km: a place in Tijuana is, one in
// Mexico City is not. It is false for most points whose latitude and longitude are swapped, and for invalid ones.
func Near(p orb.Point) bool {
	if !geo.Valid(p) {
		return false
	}
	x, y := cell(p)
	return load().near[x][y]
}

// Of returns the outline of a state by its code; nil if there is none. It is not to be changed.
func Of(code string) orb.MultiPolygon {
	for _, s := range load().states {
		if s.code == code {
			return s.geometry
		}
	}
	return nil
}

// Meets reports whether a box has a part of a state in it.
func Meets(box orb.Bound) bool {
	corners := box.ToRing()
	if Touches(orb.MultiPolygon{{corners}}, "") {
		return true
	}
	for _, s := range load().states {
		for _, polygon := range s.geometry {
			if slices.ContainsFunc(polygon[0], box.Contains) {
				return true
			}
		}
	}
	return false
}

// Touches reports whether a part of a geometry, one of its vertices or the point inside, is in a country, given by its code,
// or with "" in either of them.
func Touches(g orb.MultiPolygon, code string) bool {
	in := func(p orb.Point) bool {
		at := At(p)
		return at != "" && strings.HasPrefix(at, code)
	}
	for _, polygon := range g {
		for _, ring := range polygon {
			for _, p := range ring {
				if in(p) {
					return true
				}
			}
		}
	}
	inside, ok := geo.InteriorPoint(g)
	return ok && in(inside)
}
