package staged

// POI is a row of poi: a place that people go to.
type POI struct {
	SourceID  string  `col:"source_id"`
	SourceKey string  `col:"source_key"`
	Lng       float64 `col:"lng"`
	Lat       float64 `col:"lat"`
	Scheme    string  `col:"scheme"`
	Classes   string  `col:"classes"`
	Details
}

// Details are the attributes of a place that a publisher may give. Empty texts and nil are absent.
type Details struct {
	Name          string   `col:"name,null"`
	NameFR        string   `col:"name_fr,null"`
	Brand         string   `col:"brand,null"`
	BrandWikidata string   `col:"brand_wikidata,null"`
	Operator      string   `col:"operator,null"`
	HouseNumber   string   `col:"house_number,null"`
	Street        string   `col:"street,null"`
	Address       string   `col:"address,null"`
	Unit          string   `col:"unit,null"`
	City          string   `col:"city,null"`
	StateCode     string   `col:"state_code,null"`
	PostalCode    string   `col:"postal_code,null"`
	CountryCode   string   `col:"country_code,null"`
	Phone         string   `col:"phone,null"`
	URL           string   `col:"url,null"`
	OpeningHours  string   `col:"opening_hours,null"`
	Confidence    *float64 `col:"confidence"`
	AreaM2        *float64 `col:"area_m2"`
}

// Correction is a row of correction. Empty texts and nil are absent.
type Correction struct {
	SourceID   string   `col:"source_id"`
	Line       int32    `col:"line"`
	Action     string   `col:"action"`
	PlaceKey   string   `col:"place_key,null"`
	Name       string   `col:"name,null"`
	Lng        *float64 `col:"lng"`
	Lat        *float64 `col:"lat"`
	WithinM    *float64 `col:"within_m"`
	NewName    string   `col:"new_name,null"`
	NewLng     *float64 `col:"new_lng"`
	NewLat     *float64 `col:"new_lat"`
	Categories string   `col:"categories,null"`
}
