package catchments

import (
	"maps"
	"slices"
	"strings"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas"
)

// Options name the columns of a file. A layout sets defaults for the files of a publisher; other options take precedence.
type Options struct {
	Layout              string                 `yaml:"layout" doc:"publisher's layout, which sets defaults"`
	Key                 source.List            `yaml:"key" doc:"column with the key of an outline; of several the first that is not empty; default: its number in the file"`
	SchoolID            string                 `yaml:"school_id" doc:"number of the school with its scheme, as the list of schools has it: nces:{ncessch}; of a column alone the scheme is the source's id"`
	SchoolName          string                 `yaml:"school_name" doc:"column with the name of the school"`
	GradeSchools        map[string]string      `yaml:"grade_schools" doc:"column with the number of the school for a grade, as in school_id: grade, e.g. phl:{GR_ID_K}: K"`
	Level               string                 `yaml:"level" values:"preschool elementary middle secondary" doc:"level of all outlines without one by the next two options"`
	LevelOf             string                 `yaml:"level_of" doc:"column of the level"`
	Levels              map[string]source.List `yaml:"levels" doc:"value of level_of: level, or null for one that is not known; default: by words such as High"`
	Grade               string                 `yaml:"grade" doc:"grades of all outlines: K, or 6-8"`
	Grades              string                 `yaml:"grades" doc:"column of grades, in place of grade: K-8, or a list"`
	GradeLow            string                 `yaml:"grade_low" doc:"column of the first grade, with grade_high in place of grades"`
	GradeHigh           string                 `yaml:"grade_high" doc:"column of the last grade"`
	Program             string                 `yaml:"program" doc:"column with the program, such as a language"`
	vector.TableOptions `yaml:",inline"`
}

// layouts are the defaults for the files of a publisher of any year. Levels of SABS are numbers; 4 is other.
var layouts = map[string]Options{
	"sabs": {
		SchoolID: "nces:{ncessch}", SchoolName: "schnam", GradeLow: "gslo", GradeHigh: "gshi", LevelOf: "level",
		Levels: map[string]source.List{"1": {"elementary"}, "2": {"middle"}, "3": {"secondary"}, "4": nil},
	},
}

func (o *Options) complete() error {
	var f source.Faults
	f.Option(o.SchoolID == "" && o.SchoolName == "" && len(o.GradeSchools) == 0, "school_id",
		"is missing; set it, school_name or grade_schools")
	f.Option(len(o.GradeSchools) > 0 && (o.SchoolID != "" || o.SchoolName != ""), "grade_schools",
		"and school_id, school_name: exclude each other")
	f.Option((o.GradeLow == "") != (o.GradeHigh == ""), "grade_low", "and grade_high: require each other")
	f.Option(o.Grade != "" && len(spans(o.Grade)) == 0, "grade", "%q is no grade", o.Grade)
	f.Option(o.LevelOf == "" && len(o.Levels) > 0, "levels", "requires level_of")
	for _, value := range slices.Sorted(maps.Keys(o.Levels)) {
		for _, level := range o.Levels[value] {
			f.Value(!slices.Contains(schemas.SchoolLevels, level), "levels", value, "%q of %q is none of %s", level, value,
				strings.Join(schemas.SchoolLevels, ", "))
		}
		f.Value(len(o.Levels[value]) > 1, "levels", value, "%q has several levels; leave them to the grades", value)
	}
	for _, column := range slices.Sorted(maps.Keys(o.GradeSchools)) {
		g := o.GradeSchools[column]
		f.Value(len(spans(g)) != 1 || strings.Contains(g, "-"), "grade_schools", column, "%q of %q is not one grade", g, column)
	}
	f.Add(o.Check())
	return f.Err()
}

// wanted returns the columns that the file must have, of each list one.
func (o *Options) wanted() []source.List {
	names := append(source.Columns(o.SchoolID), o.SchoolName, o.LevelOf, o.Grades, o.GradeLow, o.GradeHigh, o.Program)
	for _, option := range slices.Sorted(maps.Keys(o.GradeSchools)) {
		names = append(names, source.Columns(option)...)
	}
	lists := source.Lists(names...)
	if len(o.Key) > 0 {
		lists = append(lists, o.Key)
	}
	return lists
}
