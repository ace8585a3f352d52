package release

import "quartier/schemas/derived"

// School is a row of school.
type School struct {
	FID      int64  `col:"fid"`
	Key      string `col:"school_key"`
	Region   string `col:"region"`
	SourceID string `col:"source_id"`
	Geometry []byte `col:"geometry"`
	derived.SchoolDetails
}

// SchoolSource is a row of school_source.
type SchoolSource struct {
	Region string `col:"region"`
	derived.SchoolSource
}

// SchoolCatchment is a row of school_catchment.
type SchoolCatchment struct {
	FID       int64  `col:"fid"`
	SchoolFID int64  `col:"school_fid"`
	Region    string `col:"region"`
	SourceID  string `col:"source_id"`
	SourceKey string `col:"source_key"`
	Level     string `col:"level"`
	Program   string `col:"program,null"`
	Grade     string `col:"grade,null"`
	Reason    string `col:"reason"`
	Geometry  []byte `col:"geometry"`
}
