package release

import "quartier/schemas/derived"

// POI is a row of poi.
type POI struct {
	FID      int64  `col:"fid"`
	Key      string `col:"poi_key"`
	Region   string `col:"region"`
	SourceID string `col:"source_id"`
	Name     string `col:"name"`
	Geometry []byte `col:"geometry"`
	derived.Details
}

// POICategory is a row of poi_category or poi_base_category.
type POICategory struct {
	FID        int64  `col:"fid"`
	CategoryID string `col:"category_id"`
}

// POIBrand is a row of poi_brand.
type POIBrand struct {
	FID     int64  `col:"fid"`
	BrandID string `col:"brand_id"`
}

// POITag is a row of poi_tag.
type POITag struct {
	FID   int64  `col:"fid"`
	TagID string `col:"tag_id"`
}

// Category is a row of category or base_category.
type Category struct {
	CategoryID string `col:"category_id"`
	LabelEN    string `col:"label_en"`
	LabelFR    string `col:"label_fr"`
	POIs       int64  `col:"pois"`
}

// Brand is a row of brand.
type Brand struct {
	BrandID   string `col:"brand_id"`
	BrandName string `col:"brand_name"`
	POIs      int64  `col:"pois"`
}

// Tag is a row of tag.
type Tag struct {
	TagID   string `col:"tag_id"`
	LabelEN string `col:"label_en"`
	LabelFR string `col:"label_fr"`
	POIs    int64  `col:"pois"`
}

// KnownGround is a row of known_ground.
type KnownGround struct {
	FID            int64  `col:"fid"`
	Region         string `col:"region"`
	SourceID       string `col:"source_id"`
	Categories     string `col:"categories"`
	BaseCategories string `col:"base_categories"`
	Geometry       []byte `col:"geometry"`
}

// Merge is a row of poi_merge.
type Merge struct {
	KeptKey        string  `col:"kept_key"`
	MergedKey      string  `col:"merged_key"`
	Region         string  `col:"region"`
	DistanceM      float64 `col:"distance_m"`
	NameSimilarity float64 `col:"name_similarity"`
	Reason         string  `col:"reason"`
}

// Correction is a row of poi_correction.
type Correction struct {
	POIKey   string `col:"poi_key"`
	Region   string `col:"region"`
	SourceID string `col:"source_id"`
	Line     int64  `col:"line"`
	Action   string `col:"action"`
	Was      string `col:"was"`
	Became   string `col:"became"`
}
