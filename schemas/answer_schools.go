package schemas

// SchoolsAnswer is the answer of GET /v3/schools.
type SchoolsAnswer struct {
	Data SchoolsData `json:"data" doc:"The schools found."`
	Meta Meta        `json:"meta" doc:"That the call succeeded."`
}

// SchoolsData has the schools found. A school that is both primary and high is in both lists.
type SchoolsData struct {
	PrimarySchools []School `json:"primary_schools" doc:"Schools with preschool, elementary or middle grades or of unknown levels, ascending by distance; possibly none."`
	HighSchools    []School `json:"high_schools" doc:"Schools with middle or secondary grades or of unknown levels, ascending by distance; possibly none."`
}

// School is a school in an answer. What is not known is absent; phone numbers and figures are of the United States alone.
type School struct {
	Name         string                 `json:"name" doc:"Name."`
	Address      string                 `json:"address,omitempty" doc:"House number and street."`
	City         string                 `json:"city,omitempty" doc:"City."`
	Province     string                 `json:"province" doc:"Code of the state or province."`
	PostalCode   string                 `json:"postalcode,omitempty" doc:"Postal code, as K1A 0B1, or ZIP code of 5 digits."`
	Country      string                 `json:"country" doc:"Name of the country, Canada or United States."`
	Lat          float64                `json:"lat" doc:"Latitude, decimal degrees."`
	Lng          float64                `json:"lng" doc:"Longitude, decimal degrees."`
	URL          string                 `json:"url,omitempty" doc:"Web site."`
	Phone        string                 `json:"phone_number,omitempty" doc:"Telephone number, as 206-555-0100. United States only."`
	Attributes   SchoolAttributes       `json:"school_attributes" doc:"What kind of school it is."`
	Board        *SchoolBoardAttributes `json:"school_board_attributes,omitempty" doc:"Its board or district."`
	Rating       string                 `json:"rating,omitempty" doc:"Letter grade, such as A, B- or F. In Canada of schools in Ontario and British Columbia only."`
	Students     *int                   `json:"num_students,omitempty" doc:"Number of students. United States only, as the figures below."`
	Female       *int                   `json:"num_female,omitempty" doc:"Number of girls."`
	Male         *int                   `json:"num_male,omitempty" doc:"Number of boys."`
	FreeLunch    *int                   `json:"num_free_lunch,omitempty" doc:"Number of students eligible for free lunch."`
	ReducedLunch *int                   `json:"num_reduced_lunch,omitempty" doc:"Number of students eligible for lunch at a reduced price."`
	TeacherRatio *float64               `json:"student_teacher_ratio,omitempty" doc:"Students to a teacher."`
	Advanced     *bool                  `json:"is_advanced_placement,omitempty" doc:"Whether it offers Advanced Placement."`
	Charter      *bool                  `json:"is_charter,omitempty" doc:"Whether it is a charter school."`
	Magnet       *bool                  `json:"is_magnet,omitempty" doc:"Whether it is a magnet school or has a magnet program."`
	TitleI       *bool                  `json:"is_title_i_eligible,omitempty" doc:"Whether it is eligible for Title I."`
	Library      *bool                  `json:"has_library,omitempty" doc:"Whether it has a library."`
	Proximity    BaseProximity          `json:"proximity" doc:"How near it is."`
	Catchments   *[]SchoolCatchment     `json:"catchments,omitempty" doc:"Its catchments in order of level, program and grade, possibly none; only if asked for."`
}

// SchoolAttributes describe the kind of a school. Lists are in French if asked for, in Canada alone.
type SchoolAttributes struct {
	Levels    []string `json:"levels" enum:"SchoolLevel" doc:"Levels; none where neither the grades nor the level of the school are known."`
	Grades    string   `json:"grades,omitempty" doc:"First and last grade, such as JK-8, PK-5 or 9-12. PK, EE and TKG are before kindergarten, JK, N and M the first of two years of it, SK and K the last."`
	Languages []string `json:"languages,omitempty" doc:"Languages of teaching: ISO 639-1 codes, in French words. Canada only."`
	Programs  []string `json:"programs,omitempty" doc:"Programs as the school's list names them, in French if a translation is known."`
	Types     []string `json:"types,omitempty" enum:"SchoolType" doc:"Public or private."`
}

// SchoolBoardAttributes are the board or district of a school.
type SchoolBoardAttributes struct {
	Name string `json:"name,omitempty" doc:"Name."`
	URL  string `json:"url,omitempty" doc:"Web site."`
}

// SchoolCatchment is an outline of the addresses that a school serves.
type SchoolCatchment struct {
	Geometry MultiPolygon `json:"geometry" doc:"Polygons, each a list of closed rings, the outer one first, of [lat, lng] in decimal degrees."`
	Inside   bool         `json:"inside" doc:"Whether the point, or the centroid of the polygon, is inside or on the border."`
	Level    string       `json:"level" enum:"SchoolLevel" doc:"Level that it applies to."`
	Program  string       `json:"program,omitempty" doc:"Program that it applies to, if to one."`
	Grade    string       `json:"grade,omitempty" doc:"Grade or grades that it applies to, if known."`
}
