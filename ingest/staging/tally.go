package staging

import (
	"reflect"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// tally counts the rows of a part of a source, or of one type.
type tally struct {
	read, staged, rejected int64
	reasons                map[reason.Reason]*Issue // of rejected rows
}

func tallyOf(all map[string]*tally, name string) *tally {
	t := all[name]
	if t == nil {
		t = &tally{reasons: map[reason.Reason]*Issue{}}
		all[name] = t
	}
	return t
}

func (t *tally) reject(why reason.Reason, where string) {
	t.rejected++
	issue := t.reasons[why]
	if issue == nil {
		issue = &Issue{Reason: why, Example: where}
		t.reasons[why] = issue
	}
	issue.Rows++
}

// total is the number of rows of which the rejected ones are a share: those read, since one may be staged as several, or
// the staged and rejected ones where none are counted as read.
func (t *tally) total() int64 {
	if t.read == 0 {
		return t.staged + t.rejected
	}
	return max(t.read, t.rejected)
}

// part is a part of a source, such as a file of a feed, or all rows of one type, such as its stops.
type part struct {
	name string // "": the source has one part
	tally
}

// rowNames are the rows of a type in messages, where its name is not plain enough.
var rowNames = map[string]string{"POI": "places", "Boundary": "areas", "StopService": "departures", "ElevationTile": "elevation tiles",
	"LandCoverTile": "land cover tiles", "BrandRule": "brand rules", "HomeValue": "home values",
	"LineList": "lists of lines", "Ground": "features of the ground", "SchoolRating": "ratings of schools", "Address": "addresses",
	"AddressRange": "ranges of addresses", "RouteShape": "courses of lines"}

// tableName is what the rows of a type are in messages: Stop is stops.
func tableName(row source.Row) string {
	name := reflect.TypeOf(row).Name()
	if plain, named := rowNames[name]; named {
		return plain
	}
	return strings.ToLower(name) + "s"
}

// position returns a position of a row; false if it has none.
func position(row source.Row) (orb.Point, bool) {
	var g orb.Geometry
	switch v := row.(type) {
	case source.POI:
		return v.Point, true
	case source.Stop:
		return orb.Point{v.Lng, v.Lat}, true
	case source.Home:
		return orb.Point{v.Lng, v.Lat}, true
	case source.Street:
		g = v.Line
	case source.RouteShape:
		g = v.Line
	case source.TrafficCount:
		g = v.Geometry
	case source.Feature:
		g = v.Geometry
	case source.Bikeway:
		g = v.Geometry
	case source.Ground:
		g = v.Geometry
	case source.Boundary:
		g = v.Geometry
	case source.Block:
		g = v.Geometry
	case source.Zone:
		g = v.Geometry
	case source.Catchment:
		g = v.Geometry
	case source.School:
		return known(v.Lng, v.Lat)
	case source.Job:
		return known(v.Lng, v.Lat)
	case source.Address:
		return orb.Point{v.Lng, v.Lat}, true
	case source.AddressRange:
		g = v.Line
	}
	if g == nil {
		return orb.Point{}, false
	}
	box := g.Bound()
	return box.Min, !box.IsEmpty()
}

// known returns a position of which the coordinates are known; false otherwise.
func known(lng, lat *float64) (orb.Point, bool) {
	if lng == nil || lat == nil {
		return orb.Point{}, false
	}
	return orb.Point{*lng, *lat}, true
}
