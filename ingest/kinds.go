package ingest

import (
	"quartier/ingest/acs"
	"quartier/ingest/blocks"
	"quartier/ingest/boundaries"
	"quartier/ingest/brands"
	"quartier/ingest/elevation"
	"quartier/ingest/gtfs"
	"quartier/ingest/homevalues"
	"quartier/ingest/osm"
	"quartier/ingest/overpass"
	"quartier/ingest/overture"
	"quartier/ingest/places"
	"quartier/ingest/profile"
	"quartier/ingest/roads"
	"quartier/ingest/source"
	"quartier/ingest/zones"
)

// Kinds is every reader there is. A new one is a folder and a line here.
var Kinds = []source.Kind{
	acs.Kind{},
	blocks.Kind{},
	boundaries.Kind{},
	brands.Kind{},
	elevation.Kind{},
	gtfs.Kind{},
	homevalues.Kind{},
	osm.Kind{},
	overpass.Kind{},
	overture.Kind{},
	places.Kind{},
	profile.Kind{},
	roads.Kind{},
	zones.Kind{},
}

// KindOf finds a reader by the name that region files use.
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
