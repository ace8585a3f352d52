package score

import "quartier/schemas"

// The channels that scores are made of, and those that are made.
var (
	intersections      = channelOf("intersection_density")
	localStreets       = channelOf("local_street_proportion")
	unpleasant         = channelOf("infrastructure_unpleasant_for_pedestrians")
	nightlifeAccess    = channelOf("nightlife_access")
	parkAccess         = channelOf("park_access")
	parkBySize         = channelOf("park_access_weighted_by_area")
	highway            = channelOf("nearest_highway_proximity")
	fitness            = channelOf("fitness_establishment_access")
	healthyRestaurants = channelOf("healthy_restaurant_access")
	groceries          = channelOf("groceries")

	pedestrian = channelOf("pedestrian_friendly")
	cycling    = channelOf("cycling_friendly")
	car        = channelOf("car_friendly")
	quietScore = channelOf("quiet")
	historic   = channelOf("historic")
	parksScore = channelOf("parks")
	greenery   = channelOf("greenery")
	wellness   = channelOf("wellness")
)

// copied are the scores that are a measure.
var copied = []struct{ score, measure schemas.Channel }{
	{channelOf("cafes"), channelOf("coffee_shop_access")},
	{channelOf("restaurants"), channelOf("restaurant_access")},
	{channelOf("nightlife"), channelOf("nightlife_access")},
}

// channelOf is the channel of a name, which the vocabulary has.
func channelOf(name string) schemas.Channel {
	c, ok := schemas.ChannelOf(name)
	if !ok {
		panic("no channel " + name)
	}
	return c
}
