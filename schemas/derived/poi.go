package derived

// POI is a row of poi: a place that people go to, once.
type POI struct {
	Key            string  `col:"poi_key"`
	SourceID       string  `col:"source_id"`
	Lng            float64 `col:"lng"`
	Lat            float64 `col:"lat"`
	Name           string  `col:"name"`
	Categories     string  `col:"categories"`
	Brands         string  `col:"brands"`
	Tags           string  `col:"tags"`
	BaseCategories string  `col:"base_categories"`
	Details
}

// Details are the attributes of a POI that the release shows as they are derived. Empty texts are absent.
type Details struct {
	Address      string `col:"address,null"`
	Suite        string `col:"suite,null"`
	City         string `col:"city,null"`
	StateCode    string `col:"state_code,null"`
	PostalCode   string `col:"postal_code,null"`
	CountryCode  string `col:"country_code"`
	Phone        string `col:"phone,null"`
	URL          string `col:"url,null"`
	OpeningHours string `col:"opening_hours,null"`
}

// Brand is a row of brand.
type Brand struct {
	BrandID   string `col:"brand_id"`
	BrandName string `col:"brand_name"`
}

// Merge is a row of poi_merge.
type Merge struct {
	KeptKey        string  `col:"kept_key"`
	MergedKey      string  `col:"merged_key"`
	DistanceM      float64 `col:"distance_m"`
	NameSimilarity float64 `col:"name_similarity"`
	Reason         string  `col:"reason"`
}

// Correction is a row of poi_correction.
type Correction struct {
	POIKey   string `col:"poi_key"`
	SourceID string `col:"source_id"`
	Line     int32  `col:"line"`
	Action   string `col:"action"`
	Was      string `col:"was"`
	Became   string `col:"became"`
}
