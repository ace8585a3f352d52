package source

import "quartier/schemas/reason"

var shared reason.List

// Reasons that several kinds, or the sink and kinds, raise.
var (
	MissingKey              = shared.Rejected("missing_key", "The row has no identifier, or not all the parts that make one.")
	DuplicateKey            = shared.Rejected("duplicate_key", "An earlier row has the same identifier; the first one is kept.")
	MissingGeometry         = shared.Rejected("missing_geometry", "The row has no geometry or coordinates.")
	UnreadableGeometry      = shared.Rejected("unreadable_geometry", "The geometry is truncated or not encoded as its format requires.")
	UnsupportedGeometryType = shared.Rejected("unsupported_geometry_type",
		"The geometry is of a type that is not read, such as a curve or a nested collection.")
	WrongGeometryType       = shared.Rejected("wrong_geometry_type", "The geometry is of another type than this kind of row has.")
	ZeroArea                = shared.Rejected("zero_area", "The outline encloses no area.")
	UnrepairableGeometry    = shared.Rejected("unrepairable_geometry", "The outline is not valid and could not be repaired.")
	InvalidGeometryRepaired = shared.Repaired("invalid_geometry_repaired",
		"The outline was not valid, for instance because it crosses itself, and was repaired.")
	InvalidCoordinate   = shared.Rejected("invalid_coordinate", "A coordinate is not a finite number.")
	CoordinateInMinutes = shared.Rejected("coordinate_in_minutes",
		"A coordinate is in degrees and minutes or has a letter of the hemisphere; convert it to decimal degrees, negative in the west and "+
			"south.")
	CoordinateOutOfRange = shared.Rejected("coordinate_out_of_range", "A longitude is outside ±180° or a latitude outside ±90°.")
	ZeroCoordinates      = shared.Rejected("zero_coordinates", "Longitude and latitude are both 0, which means a missing position.")
	OutsideNorthAmerica  = shared.Rejected("outside_north_america",
		"A place or vertex is far from Canada and the United States; longitude and latitude may be swapped.")
	OutsideBBox        = shared.Skipped("outside_bbox", "The row is outside the box of the option bbox.")
	OtherCountry       = shared.Skipped("other_country", "The row is in another country than the region.")
	ExcludedByOption   = shared.Skipped("excluded_by_option", "The options of the source exclude the row.")
	UnreadSummaryLevel = shared.Skipped("unread_summary_level", "The area is of a level that is not read.")
	InvalidUTF8        = shared.Rejected("invalid_utf8",
		"A text is not UTF-8 or contains a NUL byte; for other encodings see the option encoding.")
	AssumedWindows1252  = shared.Repaired("assumed_windows_1252", "A text is not UTF-8 and was read as Windows-1252.")
	WrongFieldCount     = shared.Rejected("wrong_field_count", "The line does not have as many fields as the header has columns.")
	MalformedRecord     = shared.Rejected("malformed_record", "The record does not have the structure that its format requires.")
	MalformedProperties = shared.Rejected("malformed_properties", "The properties of the feature are not a JSON object.")
	MissingName         = shared.Rejected("missing_name", "The row has no name.")
	InvalidNumber       = shared.Rejected("invalid_number", "A value is not a number.")
	NegativeCount       = shared.Rejected("negative_count", "A count is negative.")
	UnusedFile          = shared.Skipped("unused_file", "The file has no table that is read.")
	InvalidWeight       = shared.Rejected("invalid_weight", "The weight is not a positive number.")

	UnknownFeatureClass = shared.Rejected("unknown_feature_class", "The class is not one of the classes of this kind of feature.")
	DuplicateBoundary   = shared.Skipped("duplicate_boundary", "Another boundary describes the same place; the first one is kept.")
	NotInUse            = shared.Skipped("not_in_use", "The feature is disused, abandoned, proposed or under construction.")
	PermanentlyClosed   = shared.Skipped("permanently_closed", "The place is permanently closed.")

	ConfidenceRemoved = shared.Repaired("confidence_out_of_range_removed", "The confidence is outside 0–1 and was removed.")
	MarginRemoved     = shared.Repaired("implausible_margin_removed", "The margin of error is negative or implausibly large and was removed.")
	PopulationRemoved = shared.Repaired("invalid_population_removed", "The population is not a whole number of at least 0 and was removed.")
	LanesRemoved      = shared.Repaired("invalid_lanes_removed", "The number of lanes is not a plausible number and was removed.")
	SpeedLimitRemoved = shared.Repaired("invalid_speed_limit_removed", "The speed limit is not a plausible speed and was removed.")
)
