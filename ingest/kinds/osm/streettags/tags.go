package streettags

import "quartier/ingest/formats/element"

// key is the key of a tag of streets.
type key int

const (
	highway key = iota
	detailService
	detailFootway
	detailPath
	detailCycleway
	area
	route
	access
	foot
	bicycle
	vehicle
	motorVehicle
	motorcar
	motorroad
	oneway
	onewayCar
	junction
	lanes
	lanesForward
	lanesBackward
	lanesBothWays
	maxspeed
	maxspeedForward
	maxspeedBackward
	sidewalkBoth
	sidewalkLeft
	sidewalkRight
	sidewalk
	cyclewayBoth
	cyclewayLeft
	cyclewayRight
	cyclestreet
	bicycleRoad
	laneBoth
	laneLeft
	laneRight
	parkingBoth
	parkingLeft
	parkingRight
	bridge
	tunnel
	name
	nameEN
	nameFR
	keys // their number
)

var keyOf = map[string]key{
	"highway": highway, "service": detailService, "footway": detailFootway, "path": detailPath, "cycleway": detailCycleway,
	"area": area, "route": route,
	"access": access, "foot": foot, "bicycle": bicycle, "vehicle": vehicle, "motor_vehicle": motorVehicle, "motorcar": motorcar,
	"motorroad": motorroad,
	"oneway":    oneway, "oneway:motor_vehicle": onewayCar, "oneway:motorcar": onewayCar, "junction": junction,
	"lanes": lanes, "lanes:forward": lanesForward, "lanes:backward": lanesBackward, "lanes:both_ways": lanesBothWays,
	"maxspeed": maxspeed, "maxspeed:forward": maxspeedForward, "maxspeed:backward": maxspeedBackward,
	"sidewalk": sidewalk, "sidewalk:both": sidewalkBoth, "sidewalk:left": sidewalkLeft, "sidewalk:right": sidewalkRight,
	"cycleway:both": cyclewayBoth, "cycleway:left": cyclewayLeft, "cycleway:right": cyclewayRight,
	"cyclestreet": cyclestreet, "bicycle_road": bicycleRoad,
	"parking:lane:both": laneBoth, "parking:lane:left": laneLeft, "parking:lane:right": laneRight,
	"parking:both": parkingBoth, "parking:left": parkingLeft, "parking:right": parkingRight,
	"bridge": bridge, "tunnel": tunnel, "name": name, "name:en": nameEN, "name:fr": nameFR,
}

// streetTags are the values of a way's tags by key; "" if there is no such tag.
type streetTags struct {
	value    [keys]string
	notInUse bool // disused, abandoned, proposed or under construction
}

// readTags returns the tags of streets. Of a duplicate key the first value is used.
func readTags(tags element.Tags) (s streetTags) {
	for text, value := range tags.All() {
		if k, known := keyOf[text]; known && s.value[k] == "" {
			s.value[k] = value
		}
		s.notInUse = s.notInUse || element.NotInUse(text, value)
	}
	return s
}
