package facts

import (
	"cmp"
	"context"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/build/assembly"
	"quartier/internal/areal"
	"quartier/internal/coord"
	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/schemas/derived"
	"quartier/schemas/profile"
)

// landmark is a row of the table landmark.
type landmark struct {
	kind, class, key string
	name, nameFR     string
	point            orb.Point
	line             orb.LineString
	area             *geo.Prepared // nil: it has no outline
	outline          coord.Area    // the same, for shares of it
	hectares         float64
	lengthM          float64 // of a bikeway that is a point
}

// landmarks finds the landmarks in a box.
type landmarks struct {
	list     []landmark
	boxes    *coord.BoxIndex
	highways map[string]float64 // metres by name, of all regions
}

func readLandmarks(ctx context.Context, a *assembly.Assembly) (*landmarks, error) {
	x := &landmarks{highways: map[string]float64{}}
	var boxes []orb.Bound
	err := a.Landmarks(ctx, func(_ string, row *derived.Landmark, g orb.Geometry) error {
		l := landmark{kind: row.Kind, class: row.Class, key: row.SourceKey, name: row.Name, nameFR: french(row.Name, row.NameFR)}
		switch g := g.(type) {
		case orb.Point:
			l.point = g
			if row.LengthM != nil {
				l.lengthM = *row.LengthM
			}
		case orb.LineString:
			l.line = g
			if l.kind == "highway" {
				x.highways[l.name] += geo.Length(g)
			}
		case orb.MultiPolygon:
			l.area, l.hectares = geo.Prepare(g), geo.Area(g)/1e4
			var err error
			if l.outline, err = areal.Oriented(g); err != nil {
				return err
			}
		}
		x.list, boxes = append(x.list, l), append(boxes, g.Bound())
		return nil
	})
	x.boxes = coord.NewBoxIndex(boxes)
	return x, err
}

// sampleM is the length of the pieces of which lines are measured, in metres.
const sampleM = 25

// landmarks gives parks, historic places, water, bikeways, and the highway and airport that are nearest.
func (c *collector) landmarks() {
	var parks, heritage []*landmark
	hectares := map[*landmark]float64{}
	water, bikeways := map[string]*shore{}, [2]float64{}
	x := c.world.landmarks
	x.boxes.Search(expand(c.outline.Bound(), constants().ShoreM), func(item int) bool {
		l := &x.list[item]
		switch l.kind {
		case "park":
			if in, ha := c.share(l); in {
				parks, hectares[l] = append(parks, l), ha
			}
		case "heritage":
			if in, _ := c.share(l); in {
				heritage = append(heritage, l)
			}
		case "water":
			c.alongWater(l, water)
		case "bikeway":
			at := 0
			if l.class == "lane" {
				at = 1
			}
			if bikeways[at] += c.lengthWithin(l.line, 0); l.line == nil && c.outline.Contains(l.point) {
				bikeways[at] += l.lengthM
			}
		}
		return true
	})
	c.parks(parks, hectares)
	c.heritage(heritage)
	c.water(water)
	if c.weight > 0 && float64(c.knownWeight("", nil, 1<<schemas.MustChannel("cycling_friendly"))) >= constants().KnownShare*
		float64(c.weight) && bikeways[0]+bikeways[1] >= 100 {
		c.add(profile.Fact{Section: profile.Transport, Code: profile.BikewayFact, Value: bikeways[0] / 1000, Further: bikeways[1] / 1000,
			Source: "landmark:bikeway geography:" + c.place.ID})
	}
	c.distances()
}

// genericPark are names that are none.
var genericPark = map[string]bool{"": true, "park": true, "parc": true, "playground": true, "green": true, "open space": true,
	"tot lot": true}

// mostWords is the number of words up to which the name of a park without an outline is taken for one: longer ones describe what is there.
const mostWords = 4

// share reports whether a park or historic place is in the geography, and how many hectares of it.
func (c *collector) share(l *landmark) (in bool, hectares float64) {
	if l.area == nil {
		return c.outline.Contains(l.point), 0
	}
	if !c.shaped {
		c.shape.SetPolygons(c.rows.outline)
		c.shaped = true
	}
	share := c.shape.Share(l.outline)
	return share >= constants().LeastParkShare || share*l.hectares >= constants().LeastParkHa, share * l.hectares
}

// parks gives the number of parks with their hectares, where they are known, and the names of the largest or, of those without
// an outline, of those nearest to the middle home or to the middle of the geography.
func (c *collector) parks(list []*landmark, hectares map[*landmark]float64) {
	middle := c.outline.Bound().Center()
	if c.center >= 0 {
		middle = c.world.homes.Homes[c.center].Point
	}
	plane, away := geo.NewPlane(middle), map[*landmark]float64{}
	for _, l := range list {
		if l.area == nil {
			away[l] = plane.Distance(l.point)
		}
	}
	slices.SortFunc(list, func(a, b *landmark) int {
		return cmp.Or(cmp.Compare(hectares[b], hectares[a]), cmp.Compare(away[a], away[b]), cmp.Compare(a.name, b.name),
			cmp.Compare(a.key, b.key))
	})
	total, outlined := 0.0, true
	for _, l := range list {
		total += hectares[l]
		outlined = outlined && l.area != nil
	}
	known := c.knownWeight("park_access", c.world.verdicts["park"], 0)
	if c.weight == 0 && c.unrated() && len(list) > 0 && !c.ruledOut("parks") {
		c.add(profile.Fact{Section: profile.Character, Code: profile.ListedFact, Subject: "parks", Value: float64(len(list)),
			Source: "landmark:park geography:" + c.place.ID})
	}
	if known > 0 && float64(known) >= constants().KnownShare*float64(c.weight) && (len(list) > 0 || known == c.weight) {
		f := profile.Fact{Section: profile.Character, Code: profile.ParksFact, Value: float64(len(list)),
			Source: "landmark:park geography:" + c.place.ID}
		if outlined {
			f.Further = total
		}
		c.add(f)
	}
	named := 0
	for _, l := range list {
		if genericPark[strings.ToLower(l.name)] || named == constants().MostNamed || l.area == nil && len(strings.Fields(l.name)) > mostWords {
			continue
		}
		named++
		c.add(profile.Fact{Section: profile.Character, Code: profile.ParkFact, Name: l.name, NameFR: l.nameFR, Value: hectares[l],
			Source: "landmark:park/" + l.key})
	}
}

// heritage gives the number of historic places, and the name of the largest.
func (c *collector) heritage(list []*landmark) {
	if len(list) == 0 {
		return
	}
	slices.SortFunc(list, func(a, b *landmark) int {
		return cmp.Or(cmp.Compare(b.hectares, a.hectares), cmp.Compare(a.name, b.name), cmp.Compare(a.key, b.key))
	})
	f := profile.Fact{Section: profile.Character, Code: profile.HeritageFact, Value: float64(len(list)),
		Source: "landmark:heritage geography:" + c.place.ID}
	if l := list[0]; l.area != nil || len(list) == 1 {
		f.Name, f.NameFR = l.name, l.nameFR
		f.Source += " landmark:heritage/" + l.key
	}
	c.add(f)
}

// shore is how far a geography lies on a named water.
type shore struct {
	kind   string
	metres float64
	key    string
}

// alongWater adds the metres of a line of water that are in the geography or near it.
func (c *collector) alongWater(l *landmark, found map[string]*shore) {
	kind := waterKind(l)
	if kind == "" {
		return
	}
	if metres := c.lengthWithin(l.line, constants().ShoreM); metres > 0 {
		s := found[l.name]
		if s == nil {
			s = &shore{kind: kind, key: l.key}
			found[l.name] = s
		}
		s.metres += metres
	}
}

// waterWords are the kinds of water whose shore has a word in its name.
var waterWords = []struct{ word, kind string }{
	{"river", "river"}, {"rivière", "river"}, {"creek", "river"}, {"canal", "canal"}, {"lake", "lake"}, {"lac", "lake"}, {"pond", "lake"},
	{"reservoir", "lake"}, {"bay", "sea"}, {"ocean", "sea"}, {"sound", "sea"}, {"sea", "sea"}, {"harbor", "sea"}, {"harbour", "sea"},
}

// waterKind is what a named water is; "" if that is not known.
func waterKind(l *landmark) string {
	if l.class != "shore" {
		return l.class
	}
	for _, word := range strings.Fields(strings.ToLower(l.name)) {
		for _, w := range waterWords {
			if word == w.word {
				return w.kind
			}
		}
	}
	return ""
}

// water gives the named waters that the geography lies on, the longest shore first.
func (c *collector) water(found map[string]*shore) {
	var names []string
	for name, s := range found {
		if s.metres >= constants().LeastShoreM {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(found[b].metres, found[a].metres), cmp.Compare(a, b))
	})
	for _, name := range names[:min(len(names), constants().MostNamed)] {
		s := found[name]
		c.add(profile.Fact{Section: profile.Character, Code: profile.WaterFact, Subject: s.kind, Name: name, Value: math.Round(s.metres),
			Source: "landmark:water/" + s.key})
	}
}

// lengthWithin is the metres of a line in the geography or within some metres of it, by pieces of at most sampleM.
func (c *collector) lengthWithin(line orb.LineString, nearM float64) (metres float64) {
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		length := geo.Distance(a, b)
		pieces := int(math.Ceil(length / sampleM))
		for k := range pieces {
			share := (float64(k) + 0.5) / float64(pieces)
			p := orb.Point{a[0] + share*(b[0]-a[0]), a[1] + share*(b[1]-a[1])}
			if c.outline.Contains(p) || nearM > 0 && c.outline.DistanceWithin(p, nearM) <= nearM {
				metres += length / float64(pieces)
			}
		}
	}
	return metres
}

// distances gives the nearest highway and the nearest airport with scheduled flights, in a straight line from the middle home.
func (c *collector) distances() {
	if c.center < 0 {
		return
	}
	at := c.world.homes.Homes[c.center].Point
	if l, metres := c.nearest(at, constants().HighwayM, func(l *landmark) bool {
		return l.kind == "highway" && c.world.landmarks.highways[l.name] >= constants().LeastHighwayM && !strings.Contains(l.name, "Bridge")
	}); l != nil {
		name, fr := l.name, l.nameFR
		if strings.Trim(name, "0123456789") == "" { // a number alone
			name, fr = "Highway "+l.name, "autoroute "+l.name
		}
		c.add(profile.Fact{Section: profile.Transport, Code: profile.HighwayFact, Name: name, NameFR: fr, Value: math.Round(metres),
			Source: c.from() + " landmark:highway/" + l.key})
	}
	if l, metres := c.nearest(at, constants().AirportM, func(l *landmark) bool {
		return l.kind == "aerodrome" && l.name != "" && !military.MatchString(l.name) && (l.class == "international" || l.class == "regional")
	}); l != nil {
		c.add(profile.Fact{Section: profile.Transport, Code: profile.AirportFact, Subject: l.class, Name: l.name, NameFR: l.nameFR,
			Value:  math.Round(metres),
			Source: c.from() + " landmark:aerodrome/" + l.key})
	}
}

// military matches the names of airfields that are no airports.
var military = regexp.MustCompile(`(?i)\b(air (force|national guard|reserve)|air ?base|army|naval|forces base|AFB|CFB|NAS|military|base ` +
	`(aérienne|des forces|militaire))\b`)

// nearest returns the nearest landmark within some metres that fits, and its distance.
func (c *collector) nearest(at orb.Point, metres float64, fits func(*landmark) bool) (found *landmark, best float64) {
	x, plane := c.world.landmarks, geo.NewPlane(at)
	best = math.Inf(1)
	x.boxes.Search(geo.CircleBound(at, metres), func(item int) bool {
		l := &x.list[item]
		if !fits(l) {
			return true
		}
		d := math.Inf(1)
		switch {
		case l.area != nil:
			d = l.area.DistanceWithin(at, metres)
		case l.line == nil:
			d = plane.Distance(l.point)
		}
		for i := 1; i < len(l.line); i++ {
			d = min(d, plane.SegmentDistance(at, l.line[i-1], l.line[i]))
		}
		if d <= metres && (d < best || d == best && l.key < found.key) {
			found, best = l, d
		}
		return true
	})
	return found, best
}
