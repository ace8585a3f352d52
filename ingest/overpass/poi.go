package overpass

import (
	"slices"
	"strings"

	"quartier/ingest/address"
	"quartier/ingest/source"
)

// placeTags are the keys of which one makes an object a place that somebody may want to go to, with the values that
// do; none listed: any. Transform judges further by its own table.
var placeTags = map[string][]string{
	"aerialway":        {"station"},
	"aeroway":          {"aerodrome", "heliport", "terminal"},
	"amenity":          nil,
	"club":             nil,
	"craft":            nil,
	"healthcare":       nil,
	"highway":          {"bus_stop"},
	"historic":         nil,
	"information":      {"office", "visitor_centre"},
	"landuse":          {"cemetery", "recreation_ground", "village_green"},
	"leisure":          nil,
	"man_made":         {"lighthouse", "observatory", "pier"},
	"natural":          {"beach", "hot_spring"},
	"office":           nil,
	"public_transport": {"platform", "station"},
	"railway":          {"halt", "station", "tram_stop"},
	"shop":             nil,
	"sport":            nil,
	"tourism":          nil,
}

// gone are values and, with yes, keys that say that there is nothing any more or not yet.
var gone = []string{
	"no", "vacant", "disused", "abandoned", "demolished", "removed", "razed", "ruined", "closed", "proposed", "construction",
}

// judge says why an object with these tags is no place; "" where it is one.
func judge(tags map[string]string) (reason string) {
	found, ended := false, false
	for key, value := range tags {
		values, known := placeTags[key]
		switch {
		case value == "yes" && slices.Contains(gone, key):
			return "disused"
		case !known || value == "":
		case slices.Contains(gone, value):
			ended = true
		case values == nil || slices.Contains(values, value):
			found = true
		}
	}
	switch {
	case found:
		return ""
	case ended:
		return "disused"
	}
	return "no tag of a place"
}

// poi is the row that the tags make, without key, point and area.
func poi(tags map[string]string) source.POI {
	first := func(keys ...string) string {
		for _, key := range keys {
			if value := strings.TrimSpace(tags[key]); value != "" {
				return value
			}
		}
		return ""
	}
	row := source.POI{
		Scheme:        "osm",
		Tags:          tags,
		Name:          first("name", "name:en", "name:fr"),
		NameFR:        first("name:fr", "name"),
		Brand:         first("brand"),
		BrandWikidata: first("brand:wikidata"),
		Operator:      first("operator"),
		HouseNumber:   first("addr:housenumber"),
		Street:        first("addr:street", "addr:place"),
		Address:       first("addr:full"),
		Unit:          first("addr:unit", "addr:suite", "addr:flats"),
		City:          first("addr:city"),
		State:         address.State(first("addr:state", "addr:province")),
		Postal:        first("addr:postcode"),
		Country:       address.Country(first("addr:country")),
		Phone:         first("phone", "contact:phone"),
		URL:           first("website", "contact:website", "url"),
	}
	if row.NameFR == row.Name {
		row.NameFR = ""
	}
	return row
}
