package gtfs

import "strconv"

// basicModes are the route types of the GTFS reference.
var basicModes = map[int]string{
	0: "tram", 1: "subway", 2: "rail", 3: "bus", 4: "ferry", 5: "cable_car", 6: "gondola", 7: "funicular", 11: "trolleybus", 12: "monorail",
}

// extendedModes are Google's extended route types by hundred, and single types that differ from their hundred.
var extendedModes = map[int]string{
	1: "rail", 2: "bus", 3: "rail", 4: "light_rail", 401: "subway", 402: "subway", 405: "monorail", 5: "subway", 6: "subway", 7: "bus",
	8: "trolleybus", 9: "tram", 10: "ferry", 12: "ferry", 13: "gondola", 14: "funicular", 17: "other", 1701: "cable_car",
}

// notTransit are the hundreds of flights, taxis and self-drive vehicles.
var notTransit = map[int]bool{11: true, 15: true, 16: true}

// modeOf returns the mode of a route type. known is false where the type is not in the lists; mode is "" where it is not
// public transit.
func modeOf(routeType []byte) (mode string, known bool) {
	n, err := strconv.Atoi(string(routeType))
	if err != nil {
		return "", false
	}
	if mode, known = basicModes[n]; known {
		return mode, true
	}
	if n < 100 {
		return "", false
	}
	if mode, known = extendedModes[n]; known {
		return mode, true
	}
	if notTransit[n/100] {
		return "", true
	}
	mode, known = extendedModes[n/100]
	return mode, known && n/100 < 100
}
