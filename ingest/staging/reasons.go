package staging

import (
	"slices"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

var own reason.List

// Reasons that only the sink raises.
var (
	textTooLong        = own.Rejected("text_too_long", "A text is longer than 4096 bytes.")
	unknownLevel       = own.Rejected("unknown_level", "The level of the boundary is not a level of the API.")
	invalidCountryCode = own.Rejected("invalid_country_code", "The country is not a code of two capital letters.")
	invalidStateCode   = own.Rejected("invalid_state_code", "The state or province is not a code of two capital letters.")
	outsideCountry     = own.Rejected("outside_country", "The outline of a state or province is not in the country of its code.")
	missingTags        = own.Rejected("missing_tags", "The place has no tags.")
	missingClass       = own.Rejected("missing_class", "The place has no class.")
	unknownClassScheme = own.Rejected("unknown_class_scheme", "The scheme of the place's classes is not known.")
	missingBrand       = own.Rejected("missing_brand", "The rule names no brand.")
	missingTag         = own.Rejected("missing_tag", "The rule has no key and value that it applies to.")
	missingBrandName   = own.Rejected("missing_brand_name",
		"The rule has neither names nor a Wikidata item by which places of the brand are recognised.")
	unknownStreetClass  = own.Rejected("unknown_street_class", "The class of the street is not known.")
	unknownBikewayClass = own.Rejected("unknown_bikeway_class", "The class of the piece of a cycling network is not known.")
	unknownFeatureKind  = own.Rejected("unknown_feature_kind", "The kind of the feature is not known.")
	unknownGroundKind   = own.Rejected("unknown_ground_kind", "The layer of the map's ground does not have the kind.")
	invalidCarDirection = own.Rejected("invalid_car_direction", "The direction of car traffic is not no, both, forward or backward.")
	nodeCountMismatch   = own.Rejected("node_count_mismatch", "The number of node ids differs from the number of vertices.")
	zeroLength          = own.Rejected("zero_length", "All vertices of the line are at the same place.")
	segmentTooLong      = own.Rejected("segment_too_long", "Two consecutive vertices of the line are implausibly far apart.")
	implausibleArea     = own.Rejected("implausible_area", "The area is implausibly wide or high.")
	unknownTransitMode  = own.Rejected("unknown_transit_mode", "The mode of the transit route is not known.")
	invalidStopService  = own.Rejected("invalid_stop_service",
		"The service has a negative number of departures, or its direction is not 0 or 1.")
	invalidGrid = own.Rejected("invalid_grid",
		"The tile of a raster has no valid position, cell size, number of cells or class of a cell.")
	unknownAccuracy = own.Rejected("unknown_accuracy", "What the point of the address is, is not known.")
	invalidRange    = own.Rejected("invalid_address_range",
		"The numbers of the range are not two whole numbers above 0, the lower one first.")
	missingVintage       = own.Rejected("missing_vintage", "The survey has no vintage.")
	missingTitle         = own.Rejected("missing_title", "The survey has no title.")
	unknownCell          = own.Rejected("unknown_cell", "The cell is not in the vocabulary of table cells.")
	implausibleEstimate  = own.Rejected("implausible_estimate", "The estimate is implausibly large or small.")
	zeroMedian           = own.Rejected("zero_median", "A median or mean in dollars is 0.")
	yearOutOfRange       = own.Rejected("year_out_of_range", "The year is not within 1900–2100.")
	invalidMonthCount    = own.Rejected("invalid_month_count", "The number of months is not 1 to 12.")
	implausibleHomeValue = own.Rejected("implausible_home_value", "The home value is not positive or implausibly large.")

	outsideState  = own.Rejected("outside_state", "The coordinates are not in the state or province of the row, or within 5 km of it.")
	nameless      = own.Rejected("school_without_name_and_id", "The school has neither a name nor an authority's number.")
	invalidSchool = own.Rejected("invalid_school_vocabulary",
		"A level, grade or type of the school or its catchment is not one of the vocabulary.")
	noSchool        = own.Rejected("no_school_named", "The row has neither the number nor the name of a school.")
	noMark          = own.Rejected("no_mark", "The row has neither a share nor a letter.")
	shareOutOfRange = own.Rejected("share_out_of_range", "The share of pupils at or above the standard is not within 0–1.")

	coordinatesSwapped = own.Repaired("swapped_coordinates",
		"Longitude and latitude were swapped: exchanged, they are in the state or province of the row.")
	authorityIDRemoved  = own.Repaired("repeated_school_id", "An earlier school has the same authority's number; this one is kept without it.")
	encodedTwice        = own.Repaired("encoded_twice", "A text was encoded twice, so that É had become Ã‰; it was restored.")
	schoolFigureRemoved = own.Repaired("implausible_school_figure_removed",
		"A number of the school is negative or implausibly large and was removed.")
	furtherNameRemoved = own.Repaired("further_name_removed",
		"A further name is not UTF-8, has control characters, is too long or one of more than 1000, and was left out; the place and its other "+
			"names are kept.")
	categoryNotListed = own.Repaired("category_not_listed",
		"The list of its publisher's categories does not have a category of the place; it is read by its other ones, if it has any.")
	areaRemoved        = own.Repaired("implausible_area_removed", "The floor area is negative or implausibly large and was removed.")
	sizeRemoved        = own.Repaired("implausible_size_removed", "The size is negative or implausibly large and was removed.")
	landAreaRemoved    = own.Repaired("implausible_land_area_removed", "The land area is negative or implausibly large and was removed.")
	stopSpacingRemoved = own.Repaired("implausible_stop_spacing_removed",
		"The distance between stops is negative or implausibly large and was removed.")
)

// Reasons are all that the sink can raise for the rows of any kind of source.
func Reasons() []reason.Reason {
	return append(slices.Clone(own), source.MissingKey, source.DuplicateKey, source.MissingName, source.InvalidUTF8, source.InvalidCoordinate,
		source.CoordinateOutOfRange, source.ZeroCoordinates, source.OutsideNorthAmerica, source.OtherCountry, source.ZeroArea,
		source.UnrepairableGeometry, source.InvalidGeometryRepaired,
		source.WrongGeometryType, source.UnknownFeatureClass, source.InvalidNumber, source.NegativeCount, source.InvalidWeight,
		source.ConfidenceRemoved, source.MarginRemoved)
}
