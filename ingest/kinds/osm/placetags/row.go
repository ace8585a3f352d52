package placetags

import (
	"strings"

	"quartier/ingest/address"
	"quartier/ingest/source"
	"quartier/schemas/place"
	"quartier/schemas/staged"
)

// Row returns the row of an object by its tags, without its point and area. Its name is that on the sign: name, else
// name:en or name:fr. key is the object's element.Kinds.Key.
func Row(key string, tags map[string]string) source.POI {
	first := func(keys ...string) string {
		for _, key := range keys {
			if value := strings.TrimSpace(tags[key]); value != "" {
				return value
			}
		}
		return ""
	}
	name, french := first("name", "name:en", "name:fr"), first("name:fr")
	if french == name {
		french = ""
	}
	return source.POI{
		Key: key, Scheme: "osm", Tags: tags,
		Details: staged.Details{
			Name: name, NameFR: french,
			Brand: first("brand"), BrandWikidata: first("brand:wikidata"), Operator: first("operator"),
			HouseNumber: first("addr:housenumber"), Street: first("addr:street", "addr:place"),
			Address: first("addr:full"), Unit: first("addr:unit", "addr:suite", "addr:flats"),
			City: first("addr:city"), PostalCode: first("addr:postcode"),
			StateCode: address.State(first("addr:state", "addr:province")), CountryCode: address.Country(first("addr:country")),
			Phone: first("phone", "contact:phone"), URL: first("website", "contact:website", "url"),
			Attributes: place.Attributes{OpeningHours: first("opening_hours"), Wheelchair: first("wheelchair")},
		},
	}
}
