package place

import (
	"strings"

	"quartier/ingest/address"
	"quartier/ingest/source"
)

// Row is the row that an object's tags make, without its point and size. It is named as its sign is: by name, else by
// name:en or name:fr. Key is the object's element.Kinds.Key.
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
		Key: key, Name: name, NameFR: french, Scheme: "osm", Tags: tags,
		Brand: first("brand"), BrandWikidata: first("brand:wikidata"), Operator: first("operator"),
		HouseNumber: first("addr:housenumber"), Street: first("addr:street", "addr:place"),
		Address: first("addr:full"), Unit: first("addr:unit", "addr:suite", "addr:flats"),
		City: first("addr:city"), Postal: first("addr:postcode"),
		State: address.State(first("addr:state", "addr:province")), Country: address.Country(first("addr:country")),
		Phone: first("phone", "contact:phone"), URL: first("website", "contact:website", "url"),
	}
}
