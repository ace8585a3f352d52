package traffic

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas/calibration"
	"quartier/schemas/reason"
	"quartier/schemas/staged"
	"quartier/transform/issue"
	"quartier/transform/network/street"
)

// Reasons are those of this package.
var Reasons reason.List

var withoutStreet = Reasons.Skipped("count_without_street",
	"No street for cars of a class with counts is near the count of traffic, in its direction and of its class.")

var countedBefore = Reasons.Skipped("count_on_counted_street",
	"The street of the count of traffic has a count of a source with precedence.")

// count is a row of staged.traffic_count.
type count struct {
	staged.TrafficCount
	key  string         // with the source
	road string         // name, comparable
	line orb.LineString // of one point where it was counted at a point
}

// Counted replaces the flow of streets with counts by theirs and returns a note for each source of the region. Sources are
// taken in the order of the region file, each with what a neighbour lends of a source of the same id: a street that one has
// counted is not taken by the next.
//
// A count is matched at its point, or at points of its section SampleM apart, to the street of the least cost: metres of
// distance, and OtherM each if it has another name or if its class is more than a step away. Streets that run in another
// direction or cost more than WithinM are not taken; one of the same name may be NamedM away. Of a two-way count, the two
// carriageways of a divided road have half each; a count of one direction is added to that of the other, else doubled. A
// count then holds along the same road for SpreadM, up to the next count of any source (spread.go).
func Counted(ctx context.Context, db *duck.DB, streets []street.Street, c *calibration.Traffic) (map[string]string, []issue.Issue, error) {
	counts, sources, err := readCounts(ctx, db)
	if err != nil || len(counts) == 0 {
		return nil, nil, err
	}
	m := newMatcher(streets, c)
	issues := issue.NewCounter("traffic")
	own, matched := map[string]int{}, map[string]int{} // counts of each source, without lent ones
	on := map[string][]int{}                           // the streets that counts are on
	var all []int
	for _, source := range sources {
		m.begin()
		for i := range counts[source] {
			n := &counts[source][i]
			found, before := m.match(n)
			if staged.Lent(n.SourceID) {
				continue
			}
			own[source]++
			switch {
			case found:
				matched[source]++
			case before:
				issues.Add(countedBefore, strings.TrimSpace(n.key+" "+n.Name))
			default:
				issues.Add(withoutStreet, strings.TrimSpace(n.key+" "+n.Name))
			}
		}
		on[source] = m.finish()
		all = append(all, on[source]...)
	}
	more := m.spread(all)
	notes := map[string]string{}
	for _, source := range sources {
		along, known := 0, own[source]
		if known == 0 {
			continue
		}
		for _, i := range on[source] {
			along += more[i]
		}
		notes["traffic counts "+source] = fmt.Sprintf(
			"%d of the %d counts of source %s (%.0f %%) are on a street; they hold for %d streets, and for %d more along the same roads",
			matched[source], known, source, 100*float64(matched[source])/float64(known), len(on[source]), along)
	}
	return notes, issues.Issues(), ctx.Err()
}

// readCounts reads the counts by source, those of neighbours with the own ones of the same id, and the sources in the order
// of the region file.
func readCounts(ctx context.Context, db *duck.DB) (counts map[string][]count, sources []string, err error) {
	counts = map[string][]count{}
	const query = "SELECT c.* FROM traffic_count AS c JOIN source USING (source_id) ORDER BY priority, source_key"
	for row, err := range sqlrow.Select[staged.TrafficCount](ctx, db, query) {
		if err != nil {
			return nil, nil, fmt.Errorf("read counts of traffic: %w", err)
		}
		n := count{TrafficCount: *row, key: row.SourceID + ":" + row.SourceKey, road: roadName(row.Name)}
		if n.line, err = lineOf(row.Geom); err != nil {
			return nil, nil, fmt.Errorf("read count %s: %w", n.key, err)
		}
		source := staged.Original(row.SourceID)
		if _, known := counts[source]; !known {
			sources = append(sources, source)
		}
		counts[source] = append(counts[source], n)
	}
	return counts, sources, nil
}

// lineOf decodes a line, or a point as a line of one.
func lineOf(data []byte) (orb.LineString, error) {
	g, err := geo.Geometry(data)
	if err != nil {
		return nil, err
	}
	switch g := g.(type) {
	case orb.Point:
		return orb.LineString{g}, nil
	case orb.LineString:
		return g, nil
	}
	return nil, fmt.Errorf("%s is neither a point nor a line", g.GeoJSONType())
}

// at visits the points at which a count is matched, with the direction of its line in degrees, NaN at a point.
func (n *count) at(sampleM float64, visit func(p orb.Point, bearing float64)) {
	geo.Along(n.line, sampleM, func(p orb.Point, metres float64, segment int) {
		bearing := math.NaN()
		if metres > 0 {
			bearing = bearingOf(geo.NewPlane(p), n.line[segment], n.line[segment+1])
		}
		visit(p, bearing)
	})
}

// bearingOf is the direction from a to b in degrees clockwise from north, 0–360.
func bearingOf(plane geo.Plane, a, b orb.Point) float64 {
	ax, ay := plane.XY(a)
	bx, by := plane.XY(b)
	return math.Mod(math.Atan2(bx-ax, by-ay)*180/math.Pi+360, 360)
}

// turn is the angle between two directions, 0–180.
func turn(a, b float64) float64 {
	d := math.Mod(math.Abs(a-b), 360)
	return min(d, 360-d)
}

// words of names of roads that publishers shorten.
var words = map[string]string{
	"st": "street", "str": "street", "ave": "avenue", "av": "avenue", "rd": "road", "dr": "drive", "blvd": "boulevard", "boul": "boulevard",
	"hwy":  "highway",
	"pkwy": "parkway", "ln": "lane", "ct": "court", "pl": "place", "rte": "route", "rt": "route", "ch": "chemin", "n": "north", "s": "south",
	"e": "east", "w": "west",
	"ne": "northeast", "nw": "northwest", "se": "southeast", "sw": "southwest",
}

// roadName makes names of roads comparable: "MAIN ST. N" and "Main Street North" are "main street north".
func roadName(name string) string {
	fields := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune(" .,-'’/()", r) })
	for i, f := range fields {
		if long, ok := words[f]; ok {
			fields[i] = long
		}
	}
	return strings.Join(fields, " ")
}

// sortedKeys are the keys of a map in order.
func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
