package diff

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"
	"github.com/paulmach/orb/simplify"

	"quartier/build/compare"
)

// Changed is geographies of the older release and what became of them.
type Changed struct {
	Kind    string   `json:"kind"` // a kind of geog_bridge; "lost" or "new"
	Level   int      `json:"level"`
	Region  string   `json:"region"`
	Olds    []Place  `json:"older"`
	News    []Place  `json:"newer"`
	Bridges []Bridge `json:"bridges"`

	Drawing template.HTML `json:"-"` // SVG of numbers and letters alone
}

// Place is a geography; Mark is its letter in the drawing.
type Place struct {
	GeogID string `json:"geog_id"`
	Name   string `json:"name"`
	Mark   string `json:"-"`

	Outline *geojson.Geometry `json:"outline,omitempty"` // a MultiPolygon with fewer vertices; absent unless Options ask for it
}

// Bridge is a row of geog_bridge.
type Bridge struct {
	Older          string   `json:"older"`
	Newer          string   `json:"newer"`
	Kind           string   `json:"kind"`
	AreaShare      float64  `json:"area_share"`
	HouseholdShare *float64 `json:"household_share"`
	Measure        string   `json:"measure"`
}

func changedOf(s *compare.Succession) Changed {
	c := Changed{Kind: s.Kind, Olds: []Place{}, News: []Place{}, Bridges: []Bridge{}, Drawing: draw(s.Olds, s.News)}
	for i, o := range append(append([]compare.Outline{}, s.Olds...), s.News...) {
		c.Level, c.Region = int(o.Level), o.Region
		p := Place{GeogID: o.GeogID, Name: o.Name}
		if i < len(s.Olds) {
			c.Olds = append(c.Olds, p)
		} else {
			p.Mark = mark(i - len(s.Olds))
			c.News = append(c.News, p)
		}
	}
	for _, b := range s.Bridges {
		bridge := Bridge{Older: b.Old, Newer: b.New, Kind: b.Kind, AreaShare: b.AreaShare, Measure: b.Measure}
		if b.HouseholdShare.Valid {
			bridge.HouseholdShare = &b.HouseholdShare.Float64
		}
		c.Bridges = append(c.Bridges, bridge)
	}
	return c
}

// locate adds the outlines of the changed geographies, and the bounds of those whose score moved.
func (r *Report) locate(changed []compare.Succession) {
	for i := range changed {
		for j, o := range changed[i].Olds {
			r.Changed[i].Olds[j].Outline = coarse(o.Shape)
		}
		for j, o := range changed[i].News {
			r.Changed[i].News[j].Outline = coarse(o.Shape)
		}
	}
	for i := range r.Scores {
		at := 0
		for _, m := range r.Moves {
			if m.Score == r.Scores[i].Score {
				r.Scores[i].Moved[at].Bounds = &[4]float64{m.Bound.Left(), m.Bound.Bottom(), m.Bound.Right(), m.Bound.Top()}
				at++
			}
		}
	}
}

// coarseSteps is the number of steps of a coarse outline along the longer side of its bounds.
const coarseSteps = 1000

// coarse is an outline as it is drawn on a screen: without vertices that are nearer to the line without them than one step,
// and without parts and holes that are smaller. Neighbours need not fit each other exactly.
func coarse(m orb.MultiPolygon) *geojson.Geometry {
	bound := m.Bound()
	step := max(bound.Right()-bound.Left(), bound.Top()-bound.Bottom()) / coarseSteps
	out := orb.MultiPolygon{}
	for _, polygon := range m {
		var rings orb.Polygon
		for i, ring := range polygon {
			ring = simplify.DouglasPeucker(step).Ring(ring.Clone())
			if len(ring) >= 4 {
				rings = append(rings, ring)
			} else if i == 0 {
				break
			}
		}
		if len(rings) > 0 {
			out = append(out, rings)
		}
	}
	return geojson.NewGeometry(out)
}

// mark is the letter of the i-th newer geography: A, B … Z, then 27, 28.
func mark(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return fmt.Sprint(i + 1)
}

// The drawing in pixels: the outlines, and below them the scale.
const (
	drawWidth, drawHeight = 340.0, 240.0
	drawMargin            = 12.0
	scaleHeight           = 24.0
)

// frame places degrees in the drawing: a plane around the middle, in which a degree of longitude is as much narrower as it is
// on the ground.
type frame struct {
	west, north, perLat, perLng float64 // pixels per degree
}

func frameOf(bound orb.Bound) frame {
	narrow := math.Max(math.Cos(bound.Center()[1]*math.Pi/180), 0.01)
	wide, high := math.Max((bound.Max[0]-bound.Min[0])*narrow, 1e-6), math.Max(bound.Max[1]-bound.Min[1], 1e-6)
	scale := math.Min((drawWidth-2*drawMargin)/wide, (drawHeight-2*drawMargin)/high)
	return frame{
		west:   bound.Center()[0] - drawWidth/2/scale/narrow,
		north:  bound.Center()[1] + drawHeight/2/scale,
		perLat: scale, perLng: scale * narrow,
	}
}

func (f frame) at(p orb.Point) (x, y float64) {
	return (p[0] - f.west) * f.perLng, (f.north - p[1]) * f.perLat
}

// path is the outline as the d of an SVG path. Points nearer than a pixel to the last one are left out.
func (f frame) path(shape orb.MultiPolygon) string {
	var d strings.Builder
	for _, polygon := range shape {
		for _, ring := range polygon {
			if len(ring) < 4 {
				continue
			}
			lastX, lastY := math.Inf(1), math.Inf(1)
			letter := byte('M')
			for _, p := range ring[:len(ring)-1] {
				x, y := f.at(p)
				if letter == 'L' && math.Abs(x-lastX)+math.Abs(y-lastY) < 1 {
					continue
				}
				fmt.Fprintf(&d, "%c%.1f %.1f", letter, x, y)
				lastX, lastY, letter = x, y, 'L'
			}
			d.WriteByte('Z')
		}
	}
	return d.String()
}

// draw draws older and newer outlines over each other, with the letters of the newer ones and a scale.
func draw(olds, news []compare.Outline) template.HTML {
	bound := orb.Bound{Min: orb.Point{180, 90}, Max: orb.Point{-180, -90}}
	for _, o := range append(append([]compare.Outline{}, olds...), news...) {
		bound = bound.Union(o.Shape.Bound())
	}
	if bound.Min[0] > bound.Max[0] {
		return ""
	}
	f := frameOf(bound)
	var svg strings.Builder
	fmt.Fprintf(&svg, `<svg class="map" viewBox="0 0 %.0f %.0f" role="img" aria-label="older and newer outlines">`, drawWidth,
		drawHeight+scaleHeight)
	for _, o := range news {
		fmt.Fprintf(&svg, `<path class="new" d="%s"/>`, f.path(o.Shape))
	}
	for _, o := range olds {
		fmt.Fprintf(&svg, `<path class="old" d="%s"/>`, f.path(o.Shape))
	}
	for i, o := range news {
		x, y := f.at(o.Centroid)
		fmt.Fprintf(&svg, `<text class="mark" x="%.1f" y="%.1f">%s</text>`, x, y+5, mark(i))
	}
	length, label := scaleBar(f.perLat)
	fmt.Fprintf(&svg, `<path class="scale" d="M%.1f %.1fv6h%.1fv-6"/><text class="unit" x="%.1f" y="%.1f">%s</text></svg>`,
		drawMargin, drawHeight+8, length, drawMargin+length+6, drawHeight+16, label)
	return template.HTML(svg.String())
}

// scaleBar is the length in pixels of the longest round distance that is no longer than a third of the drawing, and its name.
func scaleBar(perLat float64) (length float64, label string) {
	const metresPerDegree = 111_200
	most := drawWidth / 3 / perLat * metresPerDegree
	unit := math.Pow(10, math.Floor(math.Log10(most)))
	metres := unit
	for _, n := range []float64{2, 5} {
		if n*unit <= most {
			metres = n * unit
		}
	}
	label = fmt.Sprintf("%g m", metres)
	if metres >= 1000 {
		label = fmt.Sprintf("%g km", metres/1000)
	}
	return metres / metresPerDegree * perLat, label
}
