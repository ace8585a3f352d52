package release

import "quartier/schemas/derived"

// StreetNodePart is a row of street_node_part.
type StreetNodePart struct {
	FID int64 `col:"fid"`
	derived.NodeParts
}

// StreetEdge is a row of street_edge.
type StreetEdge struct {
	FID       int64   `col:"fid"`
	Region    string  `col:"region"`
	A         int64   `col:"a"`
	B         int64   `col:"b"`
	LengthM   float64 `col:"length_m"`
	Class     string  `col:"class"`
	Name      string  `col:"name,null"`
	NameFR    string  `col:"name_fr,null"`
	SourceID  string  `col:"source_id"`
	SourceKey string  `col:"source_key"`
	AADT      float64 `col:"aadt,null"`
	Count     string  `col:"count_key,null"`
	Geometry  []byte  `col:"geometry"`
}

// Barrier is a row of barrier.
type Barrier struct {
	FID      int64  `col:"fid"`
	Region   string `col:"region"`
	Kind     string `col:"kind"`
	Geometry []byte `col:"geometry"`
}

// Destination is a row of destination, and of lent_destination.
type Destination struct {
	FID      int64    `col:"fid"`
	Region   string   `col:"region"`
	Class    string   `col:"class"`
	PlaceKey string   `col:"place_key"`
	Station  string   `col:"station"`
	SourceID string   `col:"source_id"`
	Name     string   `col:"name,null"`
	Size     *float64 `col:"size"`
	Edge     int64    `col:"edge"`
	AlongM   float64  `col:"along_m"`
	LegM     float64  `col:"leg_m"`
	Geometry []byte   `col:"geometry"`
}

// Home is a row of home.
type Home struct {
	FID      int64   `col:"fid"`
	Region   string  `col:"region"`
	Basis    string  `col:"basis"`
	Weight   float64 `col:"weight"`
	Edge     int64   `col:"edge"`
	AlongM   float64 `col:"along_m"`
	Geometry []byte  `col:"geometry"`
}

// LentEdge is a row of lent_edge.
type LentEdge struct {
	FID       int64   `col:"fid"`
	Region    string  `col:"region"`
	A         int64   `col:"a"`
	B         int64   `col:"b"`
	LengthM   float64 `col:"length_m"`
	SourceID  string  `col:"source_id"`
	SourceKey string  `col:"source_key"`
	Geometry  []byte  `col:"geometry"`
}

// TransitService is a row of transit_service, and of lent_service.
type TransitService struct {
	Destination int64  `col:"destination"`
	RouteKey    string `col:"route_key"`
	RouteName   string `col:"route_name"`
	Mode        string `col:"mode"`
	Rapid       bool   `col:"rapid"`
	Direction   int32  `col:"direction"`
	Headsign    string `col:"headsign,null"`
	TripsWeek   int64  `col:"trips_week"`
	Basis       string `col:"basis"`
	Kind        string `col:"kind,null"`
}

// GeographyScore is a row of geography_score.
type GeographyScore struct {
	GeogID string `col:"geog_id"`
	Score  string `col:"score"`
	Value  int64  `col:"value"`
	Basis  string `col:"basis"`
	Homes  int64  `col:"homes"`
}

// Calibration is a row of calibration.
type Calibration struct {
	Version string  `col:"version"`
	SHA256  string  `col:"sha256"`
	SnapM   float64 `col:"snap_m"`
}

// Typology is a row of typology.
type Typology struct {
	Geohash       string  `col:"geohash"`
	Typology      string  `col:"typology"`
	PopulationKm2 float64 `col:"population_km2"`
	HouseholdsKm2 float64 `col:"households_km2"`
}
