// Package timezone finds the time zone of a place in the United States. Input: a state and a point. Output: a name of the
// IANA time zone database, which is embedded.
//
// Most states have one zone. The fifteen others are divided by rings that follow the lines of counties to about 10 km: days
// of listings and the edges of intervals depend on them, to the hour.
package timezone

import (
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // for machines without a database of their own

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
)

// states are the zones of the states, of the larger part of those that have two.
var states = map[string]string{
	"AL": central, "AK": "America/Anchorage", "AZ": "America/Phoenix", "AR": central, "CA": pacific, "CO": mountain, "CT": eastern,
	"DE": eastern, "DC": eastern, "FL": eastern, "GA": eastern, "HI": "Pacific/Honolulu", "ID": mountain, "IL": central, "IN": eastern,
	"IA": central, "KS": central, "KY": eastern, "LA": central, "ME": eastern, "MD": eastern, "MA": eastern, "MI": eastern,
	"MN": central, "MS": central, "MO": central, "MT": mountain, "NE": central, "NV": pacific, "NH": eastern, "NJ": eastern,
	"NM": mountain, "NY": eastern, "NC": eastern, "ND": central, "OH": eastern, "OK": central, "OR": pacific, "PA": eastern,
	"RI": eastern, "SC": eastern, "SD": central, "TN": central, "TX": central, "UT": mountain, "VT": eastern, "VA": eastern,
	"WA": pacific, "WV": eastern, "WI": central, "WY": mountain,
	"PR": "America/Puerto_Rico", "VI": "America/St_Thomas", "GU": "Pacific/Guam", "MP": "Pacific/Saipan", "AS": "Pacific/Pago_Pago",
}

const (
	eastern  = "America/New_York"
	central  = "America/Chicago"
	mountain = "America/Denver"
	pacific  = "America/Los_Angeles"
)

// part is a part of a state with another zone than the rest: what is inside of its ring, which may reach beyond the state.
type part struct {
	zone string
	ring orb.Ring // of (lng, lat), closed
}

func of(zone string, points ...float64) part {
	p := part{zone: zone}
	for i := 0; i < len(points); i += 2 {
		p.ring = append(p.ring, orb.Point{points[i], points[i+1]})
	}
	p.ring = append(p.ring, p.ring[0])
	return p
}

// parts are the divided states, their lines recalled from maps of counties.
var parts = map[string][]part{
	"AK": {of("America/Adak", -169.5, 50, -169.5, 56, -180, 56, -180, 50)},
	"AZ": {of(mountain, -111.3, 35.3, -109, 35.3, -109, 37.1, -111.6, 37.1)}, // the Navajo Nation, which has summer time
	"FL": {of(central, -85.0, 29, -85.0, 30.6, -84.85, 30.72, -84.85, 31.1, -88, 31.1, -88, 29)},
	"ID": {of(pacific, -118, 45.4, -116.5, 45.45, -114.4, 45.55, -114.3, 49.1, -118, 49.1)},
	"IN": {
		of(central, -88, 40.74, -86.93, 40.74, -86.93, 41.17, -86.47, 41.17, -86.47, 42, -88, 42),
		of(central, -88.2, 37.7, -86.46, 37.7, -86.46, 38.21, -87.3, 38.21, -87.47, 38.54, -88.2, 38.54),
	},
	"KS": {of(mountain, -102.2, 37.74, -101.53, 37.74, -101.48, 38.7, -101.39, 39.13, -101.39, 39.57, -102.2, 39.57)},
	"KY": {of(central, -89.7, 36.4, -84.98, 36.4, -84.98, 36.9, -85.05, 37.1, -85.4, 37.2, -85.6, 37.45, -86.05, 37.5, -86.3, 37.65, -86.3,
		37.95, -86.45, 38.2, -89.7, 38.2)},
	"MI": {of(central, -90.5, 45, -87.27, 45, -87.3, 45.98, -87.62, 46.0, -87.62, 46.25, -88.1, 46.35, -88.99, 46.42, -90.1, 46.75,
		-90.5, 46.75)},
	"ND": {of(mountain, -104.1, 45.9, -101.2, 45.9, -101.2, 46.65, -102.1, 46.65, -102.1, 47.35, -103.0, 47.6, -104.1, 47.6)},
	"NE": {of(mountain, -104.1, 39.9, -101.3, 39.9, -101.3, 41.75, -100.85, 41.75, -100.85, 42.1, -101.2, 42.1, -101.2, 43.1, -104.1, 43.1)},
	"NV": {of(mountain, -114.15, 40.65, -114, 40.65, -114, 40.85, -114.15, 40.85)}, // West Wendover
	"OR": {of(mountain, -118.25, 42.45, -116, 42.45, -116, 44.45, -118.25, 44.45)},
	"SD": {of(mountain, -104.1, 42.9, -101.2, 42.9, -101.1, 44.0, -100.5, 44.2, -100.4, 45.95, -104.1, 45.95)},
	"TN": {of(eastern, -85.47, 34.9, -85.3, 35.3, -84.9, 35.7, -84.72, 36.0, -84.75, 36.4, -84.85, 36.7, -81.5, 36.7, -81.5, 34.9)},
	"TX": {of(mountain, -106.7, 30.5, -104.9, 30.5, -104.9, 32.1, -106.7, 32.1)},
}

// At is the zone of a point in a state, "US_OR"; "" if the state is none of the United States.
func At(state string, lng, lat float64) string {
	country, code, _ := strings.Cut(state, "_")
	if country != "US" {
		return ""
	}
	for _, p := range parts[code] {
		if planar.RingContains(p.ring, orb.Point{lng, lat}) {
			return p.zone
		}
	}
	return states[code]
}

// locations by name; they are read once.
var locations sync.Map

// Location is a zone of At. It fails for a name that the database does not have.
func Location(name string) (*time.Location, error) {
	if found, ok := locations.Load(name); ok {
		return found.(*time.Location), nil
	}
	location, err := time.LoadLocation(name)
	if err == nil {
		locations.Store(name, location)
	}
	return location, err
}
