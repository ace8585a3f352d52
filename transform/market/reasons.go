package market

import "quartier/schemas/reason"

// Reasons why listings count nowhere, or not everywhere.
var (
	Reasons reason.List

	outsideState = Reasons.Rejected("outside_its_state",
		"The coordinates, or the ZIP code where there are none, are in another state than that of the listing.")
	outsideGeographies = Reasons.Skipped("outside_geographies",
		"The coordinates are in no geography of the release that has market statistics.")
	noLocation  = Reasons.Skipped("no_location", "There are no coordinates, and no ZIP code that is a geography of the release.")
	neverListed = Reasons.Skipped("never_on_the_market",
		"There is neither a day on which it came on the market nor a sale at a price that counts.")
	nominalPrice  = Reasons.Skipped("nominal_price", "It was closed at a price below the lowest one that counts; it is no sale.")
	closedWithout = Reasons.Skipped("closed_without_sale", "It was closed, without a day or a price; it is no sale.")
	priceFar      = Reasons.Noted("price_far_from_asking",
		"The sale price is more than 20 times above or below the asking price; it is left out of prices, and counted, except where the prices "+
			"of other sales of the geography and type confirm it.")
	datesContradict = Reasons.Repaired("dates_contradict",
		"It went off the market or was closed before it came on; it has no days on market.")
)
