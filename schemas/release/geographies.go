package release

// Geography is a row of geography.
type Geography struct {
	FID             int64   `col:"fid"`
	GeogID          string  `col:"geog_id"`
	SourceKey       string  `col:"source_key"`
	IDKey           string  `col:"id_key"`
	BoundaryVersion int32   `col:"boundary_version"`
	Region          string  `col:"region"`
	SourceID        string  `col:"source_id"`
	Level           int32   `col:"level"`
	NameEN          string  `col:"name_en"`
	NameFR          string  `col:"name_fr"`
	CountryCode     string  `col:"country_code"`
	StateCodes      string  `col:"state_codes"`
	CityID          string  `col:"city_id,null"`
	MetroID         string  `col:"metro_id,null"`
	StateID         string  `col:"state_id,null"`
	CountryID       string  `col:"country_id,null"`
	AreaM2          float64 `col:"area_m2"`
	West            float64 `col:"west"`
	South           float64 `col:"south"`
	East            float64 `col:"east"`
	North           float64 `col:"north"`
	CentroidLng     float64 `col:"centroid_lng"`
	CentroidLat     float64 `col:"centroid_lat"`
	Population      *int64  `col:"population"`
	Geometry        []byte  `col:"geometry"`
}

// GeographyParent is a row of geography_parent.
type GeographyParent struct {
	GeogID   string `col:"geog_id"`
	Level    int32  `col:"level"`
	ParentID string `col:"parent_id"`
}

// GeographyName is a row of geography_name.
type GeographyName struct {
	GeogID   string `col:"geog_id"`
	Name     string `col:"name"`
	Kind     string `col:"kind"`
	Language string `col:"language,null"`
	Region   string `col:"region"`
	SourceID string `col:"source_id"`
}

// SupersededGeography is a row of geography_superseded.
type SupersededGeography struct {
	Geography
	ReplacedBy     string `col:"replaced_by,null"`
	SupersededIn   string `col:"superseded_in"`
	SupersededAsOf string `col:"superseded_as_of,null"`
}

// Bridge is a row of geog_bridge.
type Bridge struct {
	Release        string   `col:"release"`
	OldGeogID      string   `col:"old_geog_id"`
	NewGeogID      string   `col:"new_geog_id"`
	Kind           string   `col:"kind"`
	AreaShare      float64  `col:"area_share"`
	HouseholdShare *float64 `col:"household_share"`
	Measure        string   `col:"measure"`
}

// Coverage is a row of coverage.
type Coverage struct {
	FID        int64  `col:"fid"`
	RegionCode string `col:"region_code"`
	Region     string `col:"region"`
	SourceKey  string `col:"source_key"`
	Geometry   []byte `col:"geometry"`
}
