package rating

// IsBus tells what a line runs with, of schemas.TransitModes.
func IsBus(mode string) bool { return mode == "bus" || mode == "trolleybus" }

// IsTrain tells railways from transit within a city.
func IsTrain(mode string) bool { return mode == "rail" }

// TransitChannels are the channels that the departures of a line count for (methods, 1.6).
func TransitChannels(mode string, rapid bool) []string {
	channels := []string{"transit_friendly"}
	if IsBus(mode) {
		channels = append(channels, "bus_service_access")
	}
	if IsTrain(mode) {
		channels = append(channels, "train_service_access")
	}
	if rapid {
		channels = append(channels, "rapid_transit_service_access")
	}
	return channels
}
