package gtfs

import "quartier/schemas/reason"

var reasons reason.List

// Reasons of rows of any file of a feed.
var (
	invalidDate        = reasons.Rejected("invalid_date", "A date is not a day of the calendar in the form YYYYMMDD.")
	invalidException   = reasons.Rejected("invalid_exception_type", "The exception_type is neither 1 nor 2.")
	invalidTranslation = reasons.Rejected("invalid_translation", "The translation has no language, no text, or nothing that it translates.")

	unknownRouteType  = reasons.Rejected("unknown_route_type", "The route_type is not known.")
	excludedRouteType = reasons.Skipped("excluded_route_type", "The route is of flights, taxis or self-drive vehicles.")
	agencyRemoved     = reasons.Repaired("unknown_agency_removed", "The agency of the route is not in agency.txt and was removed.")

	excludedLocation = reasons.Skipped("not_a_stop", "The location is an entrance, a generic node or a boarding area.")
	stopNameFilled   = reasons.Repaired("missing_stop_name_filled", "The stop has no name and got its code or identifier as one.")
	stationRemoved   = reasons.Repaired("unknown_parent_station_removed",
		"The parent station is not in stops.txt, or not valid, and was removed.")

	unknownRoute       = reasons.Rejected("unknown_route", "The route of the trip is not in routes.txt.")
	unknownService     = reasons.Rejected("unknown_service", "The service of the trip is in no calendar file.")
	tripOfSkippedRoute = reasons.Skipped("trip_of_skipped_route", "The route of the trip was rejected or skipped.")
	serviceWithoutDays = reasons.Skipped("service_without_days", "The service of the trip runs on no day.")
	directionDefaulted = reasons.Repaired("invalid_direction_defaulted", "The direction_id is neither 0 nor 1 and was read as 0.")
	invalidHeadway     = reasons.Rejected("invalid_headway",
		"The headway, its start or its end is not valid, or there is no departure between them.")
	implausibleHeadway = reasons.Rejected("implausible_headway", "The headway is shorter than 30 seconds.")

	unknownTrip       = reasons.Rejected("unknown_trip", "The trip of the row is not in trips.txt.")
	timeOfSkippedTrip = reasons.Skipped("stop_time_of_skipped_trip", "The trip of the stop time was rejected or skipped.")
	demandResponsive  = reasons.Skipped("demand_responsive_service",
		"The stop time is of a service on demand: in a window of time, or in a zone.")
	demandResponsiveTrip = reasons.Skipped("demand_responsive_trip", "The trip runs on demand only and has no timetable.")
	unknownStop          = reasons.Rejected("unknown_stop", "The stop of the stop time is not in stops.txt.")
	notAtStop            = reasons.Rejected("stop_time_not_at_stop",
		"The stop time is at a station, entrance or other location where vehicles do not stop.")
	invalidSequence = reasons.Rejected("invalid_stop_sequence", "The stop_sequence is not a whole number of at least 0.")
	noBoarding      = reasons.Skipped("no_boarding_or_alighting",
		"The vehicle passes the stop: neither boarding nor alighting is allowed.")
	timeRemoved      = reasons.Repaired("invalid_time_removed", "An arrival or departure time is not valid and was removed.")
	tripWithoutStops = reasons.Rejected("trip_without_stops", "The trip has no valid stop time.")

	tripWithOneCall = reasons.Skipped("trip_with_one_call", "The trip has one stop time alone; travel times are without it.")
	tripUntimed     = reasons.Skipped("trip_without_times",
		"The trip has no time at its first or its last stop; travel times are without it.")
	tripGoesBack = reasons.Skipped("trip_goes_back_in_time",
		"A time of the trip is before the one of a stop before it; travel times are without it.")
	departureMoved = reasons.Repaired("departure_before_arrival_moved",
		"A departure of the trip is before the arrival at the same stop and was moved to it.")
	headwayTwice = reasons.Skipped("headway_twice",
		"The trip has another headway that begins at the same time; travel times are without this one.")

	unknownTransferStop = reasons.Skipped("unknown_transfer_stop", "A stop of the transfer is not in stops.txt, or no vehicle stops there.")
	invalidTransfer     = reasons.Skipped("invalid_transfer", "The transfer_type is not 0 to 5, or min_transfer_time no number of seconds.")
	inSeatTransfer      = reasons.Skipped("in_seat_transfer", "The transfer is between two trips of one vehicle, types 4 and 5.")
	limitedTransfer     = reasons.Skipped("transfer_of_some_trips", "The transfer is of some routes or trips alone.")

	shortService = reasons.Repaired("short_service_period",
		"The feed has service on fewer than seven days; the other days of the week count as days without service.")
)
