package acs

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quartier/ingest/source"
	"quartier/schemas"
	"quartier/schemas/reason"
)

// Options are the kind's options.
type Options struct {
	States       source.List       `yaml:"states" doc:"states to keep, by postal code (OR) or FIPS code (41); metropolitan areas, ZCTAs and the country are in no state and are kept"`
	Levels       source.List       `yaml:"levels" values:"bg tract county cousub place state cbsa zcta country" doc:"levels to keep; default: all"`
	Where        source.List       `yaml:"where" doc:"prefixes of keys to keep, such as bg:41051 or zcta:972; default: all"`
	Vintage      string            `yaml:"vintage" doc:"five years of the survey, such as 2019-2023, where neither the file name nor a codebook gives them"`
	Level        string            `yaml:"level" doc:"level of the areas of files with GEOIDs alone, such as those of tidycensus, where neither their number of digits nor the column NAME says it: bg, tract, county, cousub, place, state, cbsa or zcta"`
	Table        string            `yaml:"table" doc:"table of a file of American FactFinder that was renamed, e.g. B01003; the columns do not say it"`
	Variables    map[string]string `yaml:"variables" doc:"the user's own names of variables or columns, as with tidycensus: {population: B01003_001} reads the variable population of a long table, and the columns populationE and populationM of a wide one; {people: B01003_001E} the column people"`
	Codebook     string            `yaml:"codebook" doc:"file name of the NHGIS codebook, where it is not named after its table"`
	MaxUnmatched *float64          `yaml:"max_unmatched" unit:"share" range:"0,1" doc:"share of the people in the region's small areas (of the areas where their people are not known) that may be in areas without a row in the tables, because tables and outlines are of two vintages; a larger share fails the build, a smaller one is noted; default: 0.05. areas that another source has data of do not count"`
	MostUnpaired *float64          `yaml:"most_unpaired" unit:"share" range:"0,1" doc:"share of areas that may be in only one of the two files of an NHGIS table with separate margins of error; a larger share fails the source; default: 0.05"`
}

const mostUnpaired = 0.05

// check validates the options and converts states to FIPS codes.
func (o *Options) check(source.Input) error {
	var f source.Faults
	for i, name := range o.States {
		state, ok := schemas.FindState("US", name)
		if !ok {
			state, ok = schemas.StateByFIPS(name)
		}
		f.Value(!ok, "states", name, "%q is neither the postal code nor the FIPS code of a state", name)
		o.States[i] = state.FIPS
	}
	for _, prefix := range o.Where {
		name, _, _ := strings.Cut(prefix, ":")
		f.Value(!slices.Contains(levelNames(), name), "where", prefix, "%q does not begin with a level and a colon, such as bg:41051", prefix)
	}
	_, ok := lastYear(o.Vintage)
	f.Option(o.Vintage != "" && !ok, "vintage", "%q is not five years, such as 2019-2023", o.Vintage)
	f.Option(o.Level != "" && levelNamed(o.Level) == nil, "level", "%q is none of %s", o.Level, strings.Join(levelNames(), ", "))
	f.Option(o.Table != "" && !slices.Contains(tables(), strings.ToUpper(o.Table)), "table", "%q is none of those that are read: %s", o.Table,
		strings.Join(tables(), ", "))
	for _, name := range slices.Sorted(maps.Keys(o.Variables)) {
		l, _, ok := variable(o.Variables[name])
		f.Value(!ok, "variables", name, "%s: %q is not a variable such as B01003_001", name, o.Variables[name])
		f.Value(ok && !neededLines[l], "variables", name, "%s: %s is not read; tables read are %s", name, l, strings.Join(tables(), ", "))
	}
	f.Option(o.Codebook != filepath.Base(o.Codebook) && o.Codebook != "", "codebook",
		"%q is not the name of a file in the folder of the table", o.Codebook)
	return f.Err()
}

func (o *Options) mostUnpaired() float64 {
	if o.MostUnpaired != nil {
		return *o.MostUnpaired
	}
	return mostUnpaired
}

// Why an area is not kept.
var (
	notSelected = source.ExcludedByOption.With("levels, states or where")
	kept        = reason.Reason{}
)

// keep returns why an area is not kept.
func (o *Options) keep(l *level, key string) reason.Reason {
	id := key[len("census:")+len(l.name)+1:]
	begins := func(text string) func(string) bool {
		return func(prefix string) bool { return strings.HasPrefix(text, prefix) }
	}
	switch {
	case o.Levels != nil && !slices.Contains(o.Levels, l.name),
		o.States != nil && l.states && !slices.ContainsFunc(o.States, begins(id)),
		o.Where != nil && !slices.ContainsFunc(o.Where, begins(strings.TrimPrefix(key, "census:"))):
		return notSelected
	}
	return kept
}

var fiveYears = regexp.MustCompile(`^(\d{4})-(\d{4})$`)

// lastYear returns the last year of a 5-year survey: 2023 of "2019-2023".
func lastYear(vintage string) (int, bool) {
	found := fiveYears.FindStringSubmatch(vintage)
	if found == nil {
		return 0, false
	}
	first, _ := strconv.Atoi(found[1]) // four digits are a number
	last, _ := strconv.Atoi(found[2])
	return last, last-first == 4
}
