package staged

// School is a row of school. Empty texts and nil are missing.
type School struct {
	SourceID    string   `col:"source_id"`
	SourceKey   string   `col:"source_key"`
	AuthorityID string   `col:"authority_id,null"`
	Name        string   `col:"name,null"`
	NameFR      string   `col:"name_fr,null"`
	Lng         *float64 `col:"lng"`
	Lat         *float64 `col:"lat"`
	Geocoded    bool     `col:"geocoded"`
	Levels      string   `col:"levels,null"`
	Grades      string   `col:"grades,null"`
	Types       string   `col:"types,null"`
	Languages   string   `col:"languages,null"`
	Programs    string   `col:"programs,null"`
	Address     string   `col:"address,null"`
	City        string   `col:"city,null"`
	StateCode   string   `col:"state_code,null"`
	PostalCode  string   `col:"postal_code,null"`
	CountryCode string   `col:"country_code,null"`
	Phone       string   `col:"phone,null"`
	URL         string   `col:"url,null"`
	BoardName   string   `col:"board_name,null"`
	BoardURL    string   `col:"board_url,null"`
	SchoolFigures
}

// SchoolFigures are numbers and properties of schools of the United States; nil: missing or suppressed.
type SchoolFigures struct {
	Students            *int64   `col:"students"`
	Female              *int64   `col:"female"`
	Male                *int64   `col:"male"`
	FreeLunch           *int64   `col:"free_lunch"`
	ReducedLunch        *int64   `col:"reduced_lunch"`
	StudentTeacherRatio *float64 `col:"student_teacher_ratio"`
	Charter             *bool    `col:"charter"`
	Magnet              *bool    `col:"magnet"`
	TitleI              *bool    `col:"title_i"`
	AdvancedPlacement   *bool    `col:"advanced_placement"`
	Library             *bool    `col:"library"`
}

// Catchment is a row of catchment.
type Catchment struct {
	SourceID   string `col:"source_id"`
	SourceKey  string `col:"source_key"`
	SchoolID   string `col:"school_id,null"`
	SchoolName string `col:"school_name,null"`
	Level      string `col:"level,null"`
	Grade      string `col:"grade,null"`
	Program    string `col:"program,null"`
	Geom       []byte `col:"geom"`
}

// SchoolRating is a row of school_rating.
type SchoolRating struct {
	SourceID   string   `col:"source_id"`
	SourceKey  string   `col:"source_key"`
	SchoolID   string   `col:"school_id,null"`
	SchoolName string   `col:"school_name,null"`
	BoardName  string   `col:"board_name,null"`
	StateCode  string   `col:"state_code,null"`
	Share      *float64 `col:"share"`
	Letter     string   `col:"letter,null"`
}
