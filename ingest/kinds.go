package ingest

import (
	"quartier/ingest/kinds/acs"
	"quartier/ingest/kinds/addresses"
	"quartier/ingest/kinds/blocks"
	"quartier/ingest/kinds/boundaries"
	"quartier/ingest/kinds/brands"
	"quartier/ingest/kinds/catchments"
	"quartier/ingest/kinds/corrections"
	"quartier/ingest/kinds/cycling"
	"quartier/ingest/kinds/elevation"
	"quartier/ingest/kinds/gazetteer"
	"quartier/ingest/kinds/ground"
	"quartier/ingest/kinds/gtfs"
	"quartier/ingest/kinds/heritage"
	"quartier/ingest/kinds/homevalues"
	"quartier/ingest/kinds/jobs"
	"quartier/ingest/kinds/landcover"
	"quartier/ingest/kinds/nces"
	"quartier/ingest/kinds/odef"
	"quartier/ingest/kinds/osm"
	"quartier/ingest/kinds/overpass"
	"quartier/ingest/kinds/overture"
	"quartier/ingest/kinds/places"
	"quartier/ingest/kinds/profile"
	"quartier/ingest/kinds/reso"
	"quartier/ingest/kinds/roads"
	"quartier/ingest/kinds/schoolratings"
	"quartier/ingest/kinds/schools"
	"quartier/ingest/kinds/trafficcounts"
	"quartier/ingest/kinds/transitlines"
	"quartier/ingest/kinds/water"
	"quartier/ingest/kinds/zones"
	"quartier/ingest/source"
)

// Kinds are all kinds of sources.
var Kinds = []source.Kind{
	acs.Kind,
	addresses.Kind,
	blocks.Kind,
	boundaries.Kind,
	brands.Kind,
	catchments.Kind,
	corrections.Kind,
	cycling.Kind,
	elevation.Kind,
	gazetteer.Kind,
	ground.Kind,
	gtfs.Kind,
	heritage.Kind,
	homevalues.Kind,
	jobs.Kind,
	landcover.Kind,
	nces.Kind,
	odef.Kind,
	osm.Kind,
	overpass.Kind,
	overture.Kind,
	places.Kind,
	profile.Kind,
	reso.Kind,
	roads.Kind,
	schoolratings.Kind,
	schools.Kind,
	trafficcounts.Kind,
	transitlines.Kind,
	water.Kind,
	zones.Kind,
}

// KindOf returns the kind with the given name in region files.
func KindOf(name string) (source.Kind, bool) {
	for _, kind := range Kinds {
		if kind.Info().Kind == name {
			return kind, true
		}
	}
	return nil, false
}

func kindNames() []string {
	var names []string
	for _, kind := range Kinds {
		names = append(names, kind.Info().Kind)
	}
	return names
}
