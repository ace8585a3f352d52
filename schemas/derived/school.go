package derived

import "quartier/schemas/staged"

// School is a row of school: a school once, merged from its records.
type School struct {
	Key      string  `col:"school_key"`
	SourceID string  `col:"source_id"`
	Lng      float64 `col:"lng"`
	Lat      float64 `col:"lat"`
	SchoolDetails
}

// SchoolDetails are the attributes of a school. Empty texts and nil are missing.
type SchoolDetails struct {
	AuthorityID string `col:"authority_id,null"`
	Name        string `col:"name"`
	NameFR      string `col:"name_fr,null"`
	Levels      string `col:"levels"`
	Grades      string `col:"grades,null"`
	Types       string `col:"types,null"`
	Languages   string `col:"languages,null"`
	Programs    string `col:"programs,null"`
	Address     string `col:"address,null"`
	City        string `col:"city,null"`
	StateCode   string `col:"state_code"`
	PostalCode  string `col:"postal_code,null"`
	CountryCode string `col:"country_code"`
	Phone       string `col:"phone,null"`
	URL         string `col:"url,null"`
	BoardName   string `col:"board_name,null"`
	BoardURL    string `col:"board_url,null"`
	Rating      string `col:"rating,null"`
	staged.SchoolFigures
}

// SchoolSource is a row of school_source: a record that became a school, or the rating that it has.
type SchoolSource struct {
	SchoolKey      string   `col:"school_key"`
	SourceID       string   `col:"source_id"`
	SourceKey      string   `col:"source_key"`
	Name           string   `col:"name,null"`
	DistanceM      *float64 `col:"distance_m"`
	NameSimilarity *float64 `col:"name_similarity"`
	Reason         string   `col:"reason"`
}

// SchoolCatchment is a row of school_catchment.
type SchoolCatchment struct {
	SchoolKey string `col:"school_key"`
	SourceID  string `col:"source_id"`
	SourceKey string `col:"source_key"`
	Level     string `col:"level"`
	Program   string `col:"program,null"`
	Grade     string `col:"grade,null"`
	Reason    string `col:"reason"`
	Geom      []byte `col:"geom"`
}
