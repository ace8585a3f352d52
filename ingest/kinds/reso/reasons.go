package reso

import "quartier/schemas/reason"

var own reason.List

// Reasons of records that are not used as they are.
var (
	missingKey    = own.Rejected("listing_without_key", "The listing has no ListingKey and no ListingId.")
	unknownStatus = own.Rejected("unknown_status",
		"The listing has a status that is none of StandardStatus; the option statuses can name it.")
	missingStatus   = own.Rejected("missing_status", "The listing has no status, and is no sale with closing date and price.")
	closedUndated   = own.Rejected("closed_without_date", "The listing is closed and has no date at which it went off the market.")
	closedBefore    = own.Rejected("closed_before_listed", "The closing date is before the listing was on the market.")
	missingSaleDate = own.Rejected("sale_without_date", "The sale has a price and no date.")
	leases          = own.Skipped("lease", "The listing is a lease.")
	nominalSale     = own.Skipped("nominal_sale", "The sale is for less than $1,000 or has no price, as transfers between relatives are.")
	skippedClass    = own.Skipped("class_skipped", "The options skip properties of this class.")
	otherResource   = own.Skipped("other_resource", "The record is of a resource or a field that is not read.")
	changeUnread    = own.Rejected("unreadable_change", "The change has no key of a listing, no time or no value that can be read.")

	unpricedClose = own.Repaired("closed_without_price",
		"The listing is closed and has no price, or one below $1,000; it goes off the market and is not sold.")
	nominalPrice = own.Repaired("nominal_price_removed", "A price is below $1,000 and was removed.")
	invalidPrice = own.Repaired("invalid_price_removed", "A price is no number from 0 to a trillion dollars and was removed.")
	invalidDate  = own.Repaired("invalid_date_removed",
		"A date or time cannot be read, or is not of the years 1900 to 2199, and was removed.")
	dayBeforeMonth = own.Noted("day_before_month",
		"The date has the day before the month, as the values of its column or the option date_order say.")
	invalidArea  = own.Repaired("invalid_area_removed", "The living area is no positive number or has an unknown unit, and was removed.")
	invalidYear  = own.Repaired("invalid_year_removed", "The year of construction is no year from 1600 to 2199 and was removed.")
	invalidUnits = own.Repaired("invalid_units_removed", "The number of units is no number from 0 on and was removed.")
	unknownType  = own.Repaired("unknown_property_type",
		"The PropertyType, PropertySubType or class is not known; the property is of the type that the others say, else other_and_unclassified.")
	swapped         = own.Repaired("coordinates_swapped", "Longitude and latitude were exchanged.")
	invalidPosition = own.Repaired("invalid_coordinates_removed",
		"The coordinates are not in the United States or Canada, or are no numbers, and were removed.")
	invalidPostal = own.Repaired("invalid_postal_code_removed", "The postal code is none and was removed.")
)
