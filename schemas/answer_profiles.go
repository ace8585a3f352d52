package schemas

// ProfileAnswer is the answer of the profile endpoints.
type ProfileAnswer struct {
	Data Profile     `json:"data" doc:"The profile."`
	Meta ProfileMeta `json:"meta" doc:"Titles of the sections."`
}

// Profile is the texts about a geography. They are HTML: a paragraph each, in which names are escaped.
type Profile struct {
	ID          string       `json:"id" column:"all.geog_id"`
	Name        string       `json:"name" doc:"Name in the language asked for, not escaped."`
	Intro       string       `json:"intro" doc:"Introductory sentence, HTML; empty if nothing is known of it."`
	Type        string       `json:"type" enum:"ProfilesType" doc:"Kind of the data."`
	BoundingBox BoundingBox  `json:"bounding_box" doc:"The box around it."`
	Centroid    Coordinates  `json:"centroid" doc:"A point inside."`
	Profiles    ProfileTexts `json:"profiles" doc:"The texts."`
}

// ProfileTexts has a text for each section.
type ProfileTexts struct {
	Summary   string `json:"summary" doc:"What stands out, HTML; empty if nothing is known of it."`
	Transport string `json:"transport" doc:"How to get around, HTML; empty if nothing is known of it."`
	Services  string `json:"services" doc:"What is near, HTML; empty if nothing is known of it."`
	Character string `json:"character" doc:"What it is like, HTML; empty if nothing is known of it."`
	Housing   string `json:"housing" doc:"Homes, HTML; empty if nothing is known of it."`
}

// ProfileMeta is the success meta with the titles of the sections.
type ProfileMeta struct {
	Meta
	Geometry    MultiPolygon  `json:"geometry" doc:"Empty."`
	Sections    ProfileTitles `json:"sections" doc:"Titles of the sections in the language of the texts."`
	Deprecation *Deprecation  `json:"deprecation,omitempty" doc:"Present if the boundary version is superseded."`
}

// ProfileTitles has the title of each section.
type ProfileTitles struct {
	Summary   string `json:"summary" doc:"Title of the summary."`
	Transport string `json:"transport" doc:"Title of the section on transport."`
	Services  string `json:"services" doc:"Title of the section on services."`
	Character string `json:"character" doc:"Title of the section on character."`
	Housing   string `json:"housing" doc:"Title of the section on housing."`
}

// ProfileTitlesIn are the titles in a language, "fr" or anything else for English.
func ProfileTitlesIn(language string) ProfileTitles {
	if language == "fr" {
		return ProfileTitles{"Résumé", "Transport", "Services", "Caractère", "Logement"}
	}
	return ProfileTitles{"Summary", "Transport", "Services", "Character", "Housing"}
}
