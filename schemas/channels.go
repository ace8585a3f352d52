package schemas

// A channel is one number on the 0–5 scale per node of the walking network, stored as uint16 ten-thousandths. The measures
// come first, then the scores, in the order of the API specification.

// Measures are the location measures of the snapshot. Higher means more reachable, closer, noisier, steeper.
var Measures = []string{
	"bus_service_access", "shops_and_services_access", "coffee_shop_access", "casino_access",
	"clothing_and_accessory_store_access", "common_needs_access", "department_store_access", "entertainment_venue_access",
	"fitness_establishment_access", "healthy_restaurant_access", "nightlife_access", "park_access",
	"park_access_weighted_by_area", "pedestrian_oriented_street_access", "rapid_transit_service_access", "restaurant_access",
	"specialty_grocery_store_access", "sports_facility_access", "train_service_access", "unhealthy_restaurant_access",

	"nearest_bus_stop_proximity", "nearest_coffee_shop_proximity", "nearest_clothing_and_accessory_store_proximity",
	"nearest_fitness_establishment_proximity", "nearest_general_grocery_store_proximity",
	"nearest_healthy_restaurant_proximity", "nearest_highway_proximity", "nearest_nightlife_proximity",
	"nearest_park_proximity", "nearest_pharmacy_proximity", "nearest_rapid_transit_station_proximity",
	"nearest_restaurant_proximity", "nearest_sports_facility_proximity", "nearest_train_station_proximity",
	"nearest_unhealthy_restaurant_proximity", "nearest_bicycle_share_station_proximity",

	"airport_noise", "interchange_noise", "railway_noise", "traffic_noise",

	"terrain_steepness", "street_steepness", "intersection_density", "local_street_proportion",
	"infrastructure_unpleasant_for_pedestrians",
}

// Score is one of the 18 location scores.
type Score struct {
	ID       string
	Category string // transportation, amenities, education, character, nature, wellness
	Label    Text
}

// Scores are the location scores, in the order of the API specification.
var Scores = readVocabulary("scores.tsv", func(c []string) Score { return Score{c[0], c[1], Text{c[2], c[3]}} })

// ScoreIDs are the ids of Scores.
func ScoreIDs() []string {
	var ids []string
	for _, s := range Scores {
		ids = append(ids, s.ID)
	}
	return ids
}

// Channel is the index of a measure or score among all channels.
type Channel int

// ChannelCount is the number of channels: 45 measures and 18 scores.
const ChannelCount = 63

// FirstScore is the channel of the first score.
const FirstScore Channel = 45

// AbsentValue is the value of a channel without data.
const AbsentValue uint16 = 65535

// UnitValue is the stored value of 1.0. The maximum is 5 × UnitValue.
const UnitValue = 10000

// ChannelName is the name of a channel in the API.
func ChannelName(c Channel) string {
	if c < FirstScore {
		return Measures[c]
	}
	return Scores[c-FirstScore].ID
}

// ChannelOf finds a channel by its name; false if there is none.
func ChannelOf(name string) (Channel, bool) {
	c, ok := channelOf[name]
	return c, ok
}

// MustChannel finds a channel by a name in the source code; it panics if there is none.
func MustChannel(name string) Channel {
	c, ok := channelOf[name]
	if !ok {
		panic("no channel " + name)
	}
	return c
}

var channelOf = func() map[string]Channel {
	all := make(map[string]Channel, ChannelCount)
	for c := range Channel(ChannelCount) {
		all[ChannelName(c)] = c
	}
	return all
}()

// Typologies are the classes of the built environment, in the order of the API specification.
var Typologies = []string{
	"urban (high access)", "main street hub", "pedestrian oriented dense", "pedestrian oriented semi or low density",
	"mall oriented dense", "mall oriented semi or low density", "transit friendly", "car dependent", "rural / other",
}
