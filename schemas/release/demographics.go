package release

// SmallArea is a row of small_area.
type SmallArea struct {
	FID        int64  `col:"fid"`
	Region     string `col:"region"`
	SourceKey  string `col:"source_key"`
	RegionCode string `col:"region_code"`

	Within  float64 `col:"sigma_within"`
	Between float64 `col:"sigma_between"`
}

// SmallAreaPart is a row of small_area_part.
type SmallAreaPart struct {
	FID        int64   `col:"fid"`
	Area       int64   `col:"area"`
	SourceKey  string  `col:"source_key"`
	Persons    float64 `col:"persons"`
	Households float64 `col:"households"`
	Dwellings  float64 `col:"dwellings"`
	Geometry   []byte  `col:"geometry"`
}

// SmallAreaValue is a row of small_area_value.
type SmallAreaValue struct {
	Area     int64    `col:"area"`
	Cell     string   `col:"cell"`
	Estimate float64  `col:"estimate"`
	MOE      *float64 `col:"moe"`
}

// Ground is a row of ground.
type Ground struct {
	FID        int64  `col:"fid"`
	RegionCode string `col:"region_code"`
	Covered    bool   `col:"covered"`
	Geometry   []byte `col:"geometry"`
}

// GeographyCoverage is a row of geography_coverage.
type GeographyCoverage struct {
	GeogID   string  `col:"geog_id"`
	Coverage float64 `col:"coverage"`
}

// GeographyVariable is a row of geography_variable.
type GeographyVariable struct {
	GeogID   string   `col:"geog_id"`
	Category string   `col:"category"`
	Variable string   `col:"variable"`
	Value    float64  `col:"value"`
	Lower    *float64 `col:"lower"`
	Upper    *float64 `col:"upper"`
	Open     *string  `col:"open_end"`
}

// GeographyVintage is a row of geography_vintage.
type GeographyVintage struct {
	GeogID  string `col:"geog_id"`
	Vintage string `col:"vintage"`
}

// GeographyCategoryVintage is a row of geography_category_vintage.
type GeographyCategoryVintage struct {
	GeogID   string `col:"geog_id"`
	Category string `col:"category"`
	Vintage  string `col:"vintage"`
}
