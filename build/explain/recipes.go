package explain

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"quartier/internal/network"
	"quartier/schemas/calibration"
)

// recipe fills in how a value came about.
type recipe func(x *Explanation) error

// sameAs are the scores that are a measure.
var sameAs = map[string]string{"cafes": "coffee_shop_access", "restaurants": "restaurant_access", "nightlife": "nightlife_access"}

// recipe finds how a channel is made.
func (o *origin) recipe(channel string) recipe {
	c := o.r.c
	if measure, ok := sameAs[channel]; ok {
		return func(x *Explanation) error {
			x.Remarks = append(x.Remarks, "the score is the measure "+measure)
			return o.recipe(measure)(x)
		}
	}
	if g, ok := c.Access.Gravities[channel]; ok {
		return func(x *Explanation) error { return o.gravity(x, "access.gravities."+channel, g) }
	}
	if stretch, ok := c.Education.DistanceFactor[channel]; ok {
		return func(x *Explanation) error { return o.school(x, channel, stretch) }
	}
	if kind, ok := c.Transit.Kinds[channel]; ok {
		return func(x *Explanation) error { return o.transit(x, channel, kind) }
	}
	if own, ok := o.own()[channel]; ok {
		return own
	}
	if p, ok := c.Proximity[channel]; ok {
		return func(x *Explanation) error { return o.proximity(x, "proximity."+channel, p) }
	}
	return func(*Explanation) error { return fmt.Errorf("nobody has told how %s is made", channel) } // held by a test
}

// own are the channels that are made like no other.
func (o *origin) own() map[string]recipe {
	return map[string]recipe{
		"shops_and_services_access":         o.shopsAndServices,
		"park_access":                       o.parkAccess,
		"park_access_weighted_by_area":      o.parksBySize,
		"pedestrian_oriented_street_access": o.frontage,
		"nearest_highway_proximity":         o.highway,
		"vibrant":                           o.vibrant,
		"pedestrian_friendly":               o.pedestrian,
		"cycling_friendly":                  o.cycling,
		"car_friendly":                      o.car,
		"parks":                             o.parks,
		"wellness":                          o.wellness,
		"quiet":                             o.quiet,
		"traffic_noise":                     o.trafficNoise,
		"interchange_noise":                 o.interchangeNoise,
		"railway_noise":                     o.railwayNoise,
		"airport_noise":                     o.airportNoise,
		"terrain_steepness":                 o.terrain,
		"street_steepness":                  o.streetSteepness,
		"intersection_density":              o.intersections,
		"local_street_proportion":           o.localStreets,
		"infrastructure_unpleasant_for_pedestrians": o.unpleasant,
		"greenery": o.greenery,
		"historic": o.historic,
	}
}

// ready reports whether something of a class can be told here; else it says why not.
func (o *origin) ready(x *Explanation, class string) bool {
	if x.Served == nil {
		x.Absent = o.noGround()
		if slices.Contains(boarding, class) {
			x.Absent = o.noStops()
		}
		if !o.ground.knows(class) {
			x.Absent = fmt.Sprintf("nothing is known of any %s here; the manifest says: %s", words(class), o.ground.note)
		}
	}
	return x.Served != nil
}

// boarding are the classes that are places to board.
var boarding = []string{"bus_stop", "rapid_station", "train_station"}

func (o *origin) noStops() string {
	return fmt.Sprintf("no stop or station that the sources know lies within %s m straight of here, so that none means unknown", number(o.r.c.Coverage.NearM))
}

// row makes a Place of a place that counts, the k-th from 0.
func (o *origin) row(p *place, k int, stretch, weight float64) Place {
	o.used[[2]string{o.street.Region, p.source}] = true
	metres := p.way.Metres()
	worth := o.r.walk.Worth(metres / stretch)
	return Place{Rank: k + 1, Name: p.name, Class: p.class, Hectares: round(p.hectares, 2), M: metres, LegM: p.legM,
		Minutes: o.minutes(metres), Worth: round(worth, 4), Weight: round(weight, 4), Part: round(weight*worth, 4), SourceID: p.source, Key: p.key}
}

func (o *origin) minutes(metres float64) float64 { return round(metres/o.r.c.Walking.MetresAMinute, 1) }

// worths are W of the ways to places from farther away, each so many times as short as it is.
func (o *origin) worths(places []*place, farther network.Distance, stretch float64) []float64 {
	worths := make([]float64, len(places))
	for i, p := range places {
		worths[i] = o.r.walk.Worth((p.way + farther).Metres() / stretch)
	}
	return worths
}

// constants are given in threes: the symbol, the value, the path in calibration.yaml.
func constants(text ...string) []Constant {
	var list []Constant
	for i := 0; i+2 < len(text); i += 3 {
		mark := calibration.MarkOf(text[i+2])
		list = append(list, Constant{text[i], text[i+1], text[i+2], mark.Letter, mark.Reason})
	}
	return list
}

// number writes a number as people do.
func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// list writes numbers with commas between them.
func list(numbers []float64) string {
	texts := make([]string, len(numbers))
	for i, v := range numbers {
		texts[i] = number(v)
	}
	return strings.Join(texts, ", ")
}

// words is a class as people write it.
func words(class string) string { return strings.ReplaceAll(class, "_", " ") }

func round(v float64, digits int) float64 {
	power := math.Pow10(digits)
	return math.Round(v*power) / power
}

// known is a value for a report, null where it is not known.
func known(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	v = round(v, 4) + 0 // never -0
	return &v
}
