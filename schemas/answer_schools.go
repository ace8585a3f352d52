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
	Name         string                 `json:"name" column:"all.name"`
	Address      string                 `json:"address,omitempty" column:"all.address"`
	City         string                 `json:"city,omitempty" column:"all.city"`
	Province     string                 `json:"province" column:"schools.state_code"`
	PostalCode   string                 `json:"postalcode,omitempty" column:"schools.postal_code"`
	Country      string                 `json:"country" doc:"Name of the country, Canada or United States."`
	Lat          float64                `json:"lat" column:"all.lat"`
	Lng          float64                `json:"lng" column:"all.lng"`
	URL          string                 `json:"url,omitempty" column:"all.url"`
	Phone        string                 `json:"phone_number,omitempty" column:"schools.phone"`
	Attributes   SchoolAttributes       `json:"school_attributes" doc:"What kind of school it is."`
	Board        *SchoolBoardAttributes `json:"school_board_attributes,omitempty" doc:"Its board or district."`
	Rating       string                 `json:"rating,omitempty" column:"schools.rating"`
	Students     *int                   `json:"num_students,omitempty" column:"schools.students"`
	Female       *int                   `json:"num_female,omitempty" column:"schools.female"`
	Male         *int                   `json:"num_male,omitempty" column:"schools.male"`
	FreeLunch    *int                   `json:"num_free_lunch,omitempty" column:"schools.free_lunch"`
	ReducedLunch *int                   `json:"num_reduced_lunch,omitempty" column:"schools.reduced_lunch"`
	TeacherRatio *float64               `json:"student_teacher_ratio,omitempty" column:"schools.student_teacher_ratio"`
	Advanced     *bool                  `json:"is_advanced_placement,omitempty" column:"schools.advanced_placement"`
	Charter      *bool                  `json:"is_charter,omitempty" column:"schools.charter"`
	Magnet       *bool                  `json:"is_magnet,omitempty" column:"schools.magnet"`
	TitleI       *bool                  `json:"is_title_i_eligible,omitempty" column:"schools.title_i"`
	Library      *bool                  `json:"has_library,omitempty" column:"schools.library"`
	Proximity    BaseProximity          `json:"proximity" doc:"How near it is."`
	Catchments   *[]SchoolCatchment     `json:"catchments,omitempty" doc:"Its catchments in order of level, program and grade, possibly none; only if asked for."`
}

// SchoolAttributes describe the kind of a school. Lists are in French if asked for, in Canada alone.
type SchoolAttributes struct {
	Levels    []string `json:"levels" enum:"SchoolLevel" doc:"Levels; none where neither the grades nor the level of the school are known."`
	Grades    string   `json:"grades,omitempty" column:"schools.grades"`
	Languages []string `json:"languages,omitempty" doc:"Languages of teaching: ISO 639-1 codes, in French words. Canada only."`
	Programs  []string `json:"programs,omitempty" doc:"Programs as the school's list names them, in French if a translation is known."`
	Types     []string `json:"types,omitempty" enum:"SchoolType" doc:"Public or private."`
}

// SchoolBoardAttributes are the board or district of a school.
type SchoolBoardAttributes struct {
	Name string `json:"name,omitempty" column:"schools.board_name"`
	URL  string `json:"url,omitempty" column:"schools.board_url"`
}

// SchoolCatchment is an outline of the addresses that a school serves.
type SchoolCatchment struct {
	Geometry MultiPolygon `json:"geometry" doc:"Polygons, each a list of closed rings, the outer one first, of [lat, lng] in decimal degrees."`
	Inside   bool         `json:"inside" doc:"Whether the point, or the centroid of the polygon, is inside or on the border."`
	Level    string       `json:"level" enum:"SchoolLevel" column:"schools.level"`
	Program  string       `json:"program,omitempty" column:"schools.program"`
	Grade    string       `json:"grade,omitempty" column:"schools.grade"`
}
