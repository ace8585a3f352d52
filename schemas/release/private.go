package release

// CustomRequest is a row of request.
type CustomRequest struct {
	ID         string `col:"geo_entity_id"`
	Position   int64  `col:"position"`
	Owner      string `col:"owner"`
	Version    int64  `col:"version"`
	Action     string `col:"action"`
	NameEN     string `col:"name_en"`
	NameFR     string `col:"name_fr,null"`
	Type       string `col:"type"`
	Boundaries string `col:"boundaries"`
	Published  string `col:"published,null"`
	GeogID     string `col:"geog_id,null"`
	Problem    string `col:"problem,null"`
	Code       string `col:"code,null"` // of the problem
}

// CustomGeography is a row of custom_geography.
type CustomGeography struct {
	FID             int64  `col:"fid"`
	GeogID          string `col:"geog_id"`
	RequestID       string `col:"geo_entity_id"`
	Owner           string `col:"owner"`
	BoundaryVersion int32  `col:"boundary_version"`
	Level           int32  `col:"level"`
	NameEN          string `col:"name_en"`
	NameFR          string `col:"name_fr"`
	Status          string `col:"status"` // CurrentStatus, DeprecatedStatus or SupersededStatus
	ReplacedBy      string `col:"replaced_by,null"`
	Geometry        []byte `col:"geometry"`
}

// What a boundary version of a custom geography is.
const (
	CurrentStatus    = "current"
	DeprecatedStatus = "deprecated" // the last one of a geography that answers by its id and is found no more
	SupersededStatus = "superseded" // one before the last
)

// Parent is a row of parent.
type Parent struct {
	GeogID string `col:"geog_id"`
	NameEN string `col:"name_en"`
	NameFR string `col:"name_fr"`
}
