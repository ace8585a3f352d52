package schools

import (
	"maps"
	"slices"
	"strings"

	"quartier/ingest/formats/table"
	"quartier/ingest/formats/vector"
	"quartier/ingest/grade"
	"quartier/ingest/source"
	"quartier/schemas"
)

// Options map the columns of a list. A text option is the name of a column, or a text with columns in braces.
type Options struct {
	Key                 string                 `yaml:"key" doc:"stable identifier of a row: a column (the key is then source:value) or a complete key such as ottawa:school:{GlobalID}; default: id, else made of name and position"`
	ID                  string                 `yaml:"id" doc:"number of the authority with its scheme, by which records of several sources are one school and catchments are joined: nces:{NCESSCH}, on:{SCHOOL_NO}; of a column alone the scheme is the source's id"`
	Name                string                 `yaml:"name" doc:"name, the English one of two; required"`
	NameFR              string                 `yaml:"name_fr" doc:"French name"`
	Grades              string                 `yaml:"grades" doc:"column of grades: K-8, 09, pre K-5, 'K, 1, 2'; default: a range in the name, as in South Shore K-8"`
	GradeLow            string                 `yaml:"grade_low" doc:"column of the first grade, with grade_high in place of grades"`
	GradeHigh           string                 `yaml:"grade_high" doc:"column of the last grade"`
	Level               source.List            `yaml:"level" values:"preschool elementary middle secondary" doc:"level, or several, of rows without one by the next two options"`
	LevelOf             string                 `yaml:"level_of" doc:"column of the level or category; grades have precedence"`
	Levels              map[string]source.List `yaml:"levels" doc:"value of level_of: level, several, unknown for schools whose level only another source has, or null for rows to skip; rows with other values have the option level, or are skipped; default: by words such as Elem/Middle, Secondaire"`
	Type                string                 `yaml:"type" values:"public private" doc:"type of rows without one by the next two options"`
	TypeOf              string                 `yaml:"type_of" doc:"column of the type or authority"`
	Types               map[string]string      `yaml:"types" doc:"value of type_of: public or private; default: by words such as Catholic, Charter, Privée"`
	Language            source.List            `yaml:"language" doc:"ISO 639-1 code, or several, of rows without one by the next two options"`
	LanguageOf          string                 `yaml:"language_of" doc:"column of the languages of instruction, or of the board"`
	Languages           map[string]source.List `yaml:"languages" doc:"value of language_of: code or several; default: by words such as English, Français"`
	Program             source.List            `yaml:"program" doc:"columns of programs"`
	Address             string                 `yaml:"address" doc:"address in one line: ADDRESS, or {NUM} {STREET}"`
	City                string                 `yaml:"city" doc:"city"`
	State               string                 `yaml:"state" doc:"state or province, by code or name; default: that of the region"`
	Postal              string                 `yaml:"postal_code" doc:"postal code"`
	Country             string                 `yaml:"country" doc:"country, by code or name; default: that of the region"`
	Phone               string                 `yaml:"phone" doc:"telephone number"`
	URL                 string                 `yaml:"url" doc:"web address"`
	Board               string                 `yaml:"board" doc:"name of the board or district"`
	BoardURL            string                 `yaml:"board_url" doc:"web address of the board or district"`
	Figures             map[string]string      `yaml:"figures" doc:"students, female, male, free_lunch, reduced_lunch, student_teacher_ratio, charter, magnet, title_i, advanced_placement, library: column; yes and no, true and false, 1 and 0 are read"`
	Constants           map[string]string      `yaml:"constants" doc:"option name: text for rows without a value, e.g. city: Ottawa"`
	Nulls               []string               `yaml:"nulls" doc:"values that mean missing, e.g. N/A"`
	Geocoded            bool                   `yaml:"geocoded" doc:"the coordinates are those of addresses; another source's have precedence if they are far off; default false"`
	vector.TableOptions `yaml:",inline"`
}

// options decodes and checks the options of a region file, and returns their mapping.
func options(in source.Input) (*mapping, error) {
	m := &mapping{source: in.Source, country: in.Country, state: in.State}
	err := in.Configure(&m.o, m.check)
	return m, err
}

// check returns the faults of options and completes the mapping.
func (m *mapping) check() error {
	o := &m.o
	var f source.Faults
	f.Option(o.Name == "", "name", "is missing")
	f.Option((o.GradeLow == "") != (o.GradeHigh == ""), "grade_low", "and grade_high: require each other")
	f.Option(o.Grades != "" && o.GradeLow != "", "grades", "and grade_low: exclude each other")
	f.Option(o.LevelOf == "" && len(o.Levels) > 0, "levels", "requires level_of")
	f.Option(o.TypeOf == "" && len(o.Types) > 0, "types", "requires type_of")
	f.Option(o.LanguageOf == "" && len(o.Languages) > 0, "languages", "requires language_of")
	types := map[string]source.List{}
	for value, t := range o.Types {
		types[value] = source.List{t}
	}
	m.levels = newChoice(o.LevelOf, o.Level, o.Levels, grade.Levels)
	if len(o.Levels) > 0 {
		m.levels.parse = nil
	}
	m.types = newChoice(o.TypeOf, one(o.Type), types, func(text string) []string { return one(grade.Type(text)) })
	m.languages = newChoice(o.LanguageOf, o.Language, o.Languages, grade.Languages)
	m.levels.check(&f, "levels", append([]string{"unknown"}, schemas.SchoolLevels...), true)
	m.types.check(&f, "types", []string{"public", "private"}, false)
	m.languages.check(&f, "languages", nil, false)
	for _, name := range slices.Sorted(maps.Keys(o.Figures)) {
		_, known := figures[name]
		f.Value(!known, "figures", name, "%q is none of %s", name, strings.Join(slices.Sorted(maps.Keys(figures)), ", "))
	}
	m.texts = map[string]string{
		"address": o.Address, "city": o.City, "state": o.State, "postal_code": o.Postal, "country": o.Country, "phone": o.Phone,
		"url": o.URL, "board": o.Board, "board_url": o.BoardURL,
	}
	for _, name := range slices.Sorted(maps.Keys(o.Constants)) {
		_, known := m.texts[name]
		f.Value(!known, "constants", name, "%q is not an option that can have one; there are: %s", name,
			strings.Join(slices.Sorted(maps.Keys(m.texts)), ", "))
	}
	f.Add(o.Check())
	return f.Err()
}

// file returns the file of a source.
func (m *mapping) file(in source.Input) *vector.File {
	f := m.o.FileOf(in, m.wanted()...)
	f.Columns.Bare, f.Columns.Nulls, f.Columns.Numbers = true, m.o.Nulls, map[string]table.Meaning{}
	for name, column := range m.o.Figures {
		if figures[name].number {
			f.Columns.Numbers[column] = table.AnyNumber
		}
	}
	return f
}

// wanted returns the columns that the file must have.
func (m *mapping) wanted() []source.List {
	o := &m.o
	names := []string{o.GradeLow, o.GradeHigh, o.LevelOf, o.TypeOf, o.LanguageOf}
	for _, option := range []string{o.Key, o.ID, o.Name, o.NameFR, o.Grades} {
		names = append(names, source.Columns(option)...)
	}
	for _, option := range slices.Sorted(maps.Keys(m.texts)) {
		names = append(names, source.Columns(m.texts[option])...)
	}
	for _, name := range slices.Sorted(maps.Keys(o.Figures)) {
		names = append(names, o.Figures[name])
	}
	return source.Lists(append(names, o.Program...)...)
}
