package streettags

// sidewalk reports whether a road has a sidewalk on either side; nil if not known, and for ways without cars.
func (s *streetTags) sidewalk(c class) *bool {
	if !c.allowed[driving] {
		return nil
	}
	return either(sidewalkValues, s.value[sidewalk], s.value[sidewalkBoth], s.value[sidewalkLeft], s.value[sidewalkRight],
		s.value[detailFootway])
}

// sidewalkValues are values of sidewalk, of its sides, and of footway on a road, an older form.
var sidewalkValues = map[string]bool{
	"both": true, "left": true, "right": true, "yes": true, "separate": true, "one_side": true,
	"no": false, "none": false,
}

// parking reports whether cars may be parked along either side; nil if not known.
func (s *streetTags) parking() *bool {
	return either(parkingValues, s.value[laneBoth], s.value[laneLeft], s.value[laneRight], s.value[parkingBoth], s.value[parkingLeft],
		s.value[parkingRight])
}

// parkingValues are values of parking:lane and, since 2022, of parking, each with a side.
var parkingValues = map[string]bool{
	"parallel": true, "diagonal": true, "perpendicular": true, "inline": true, "orthogonal": true, "marked": true, "yes": true,
	"lane": true, "street_side": true, "on_street": true, "on_kerb": true, "half_on_kerb": true, "shoulder": true,
	"painted_area_only": true, "separate": true,
	"no": false, "no_parking": false, "no_stopping": false, "no_standing": false, "none": false, "fire_lane": false,
}

// either returns true if any of the values is true, else false if one is false, else nil.
func either(table map[string]bool, values ...string) *bool {
	found, any := false, false
	for _, value := range values {
		if has, known := table[value]; known {
			found, any = true, any || has
		}
	}
	if !found {
		return nil
	}
	return &any
}

// cycleway returns the best cycle facility of a street: a track, a painted lane, or a shared lane.
func (s *streetTags) cycleway(c class) string {
	designated := s.value[bicycle] == "designated" && !c.allowed[driving]
	if c.name == "cycleway" || designated {
		return "track"
	}
	best := 0
	for _, k := range [4]key{detailCycleway, cyclewayBoth, cyclewayLeft, cyclewayRight} {
		best = max(best, cyclewayValues[s.value[k]])
	}
	if best == 0 && (s.value[cyclestreet] == "yes" || s.value[bicycleRoad] == "yes") {
		best = shared
	}
	return [...]string{"", "shared", "lane", "track"}[best]
}

const (
	shared = 1 + iota
	lane
	track
)

// cyclewayValues are values of cycleway and its sides; others, such as separate, mean that the street itself has none.
var cyclewayValues = map[string]int{
	"track": track, "opposite_track": track,
	"lane": lane, "opposite_lane": lane, "yes": lane, "buffered_lane": lane, "soft_lane": lane,
	"shared_lane": shared, "shared": shared, "share_busway": shared, "opposite_share_busway": shared, "soft_shared_lane": shared,
}
