package trafficcounts

import (
	_ "embed"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"quartier/ingest/formats/table"
	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas"
)

// Options say what a row or feature counts. A layout sets defaults for the files of a publisher; other options take
// precedence.
type Options struct {
	Layout              string            `yaml:"layout" doc:"publisher's layout, which sets defaults for the other options: hpms"`
	File                string            `yaml:"file" doc:"file of the counting places in the folder path, where the counts are in a second file"`
	Counts              string            `yaml:"counts" doc:"file of the counts by interval in the folder path: JSON array of objects, or CSV"`
	CountsKey           string            `yaml:"counts_key" doc:"its column with the key of the counting place"`
	CountsTime          string            `yaml:"counts_time" doc:"its column with the local time at which the interval begins, YYYYMMDDhhmm with or without seconds and separators; of whole days YYYYMMDD"`
	CountsValue         string            `yaml:"counts_value" doc:"its column with the number of vehicles"`
	Minutes             int               `yaml:"minutes" unit:"minutes" range:"1,1440" doc:"length of an interval; default: 15"`
	DayShare            float64           `yaml:"day_share" unit:"share" range:"0,1" doc:"share of the intervals of a day that it must have to count; default: 0.9"`
	Group               source.List       `yaml:"group" doc:"attributes that the lanes of one road and direction have in common; their counts are added up"`
	Scheme              string            `yaml:"scheme" doc:"scheme of the keys; default: the source's id"`
	Key                 source.List       `yaml:"key" doc:"attribute with the publisher's key, @id for the feature's own or @row for its number in the file (the default); of several the first that is not empty"`
	AADT                source.List       `yaml:"aadt" doc:"attribute with the vehicles a day; of several the first that is not empty"`
	Sum                 source.List       `yaml:"sum" doc:"attributes with the vehicles a day by direction or kind, which are added up; in place of aadt"`
	Factor              float64           `yaml:"factor" unit:"ratio" range:"0,1000" doc:"by which volumes are multiplied, e.g. 0.93 for those of weekdays; default: 1"`
	Heavy               source.List       `yaml:"heavy" doc:"attributes with the numbers of heavy vehicles a day, which are added up"`
	HeavyPct            string            `yaml:"heavy_pct" doc:"attribute with the percentage of heavy vehicles; in place of heavy"`
	Name                source.List       `yaml:"name" doc:"attribute with the name of the street; of several the first that is not empty"`
	Class               source.List       `yaml:"class" doc:"attribute with the publisher's class of street"`
	Classes             map[string]string `yaml:"classes" doc:"value of class: class of street (motorway, primary, residential …); others are no class"`
	OneWay              source.List       `yaml:"one_way" doc:"attribute that says whether one direction is counted alone"`
	OneWayValues        source.List       `yaml:"one_way_values" doc:"values of one_way that mean so"`
	PerDirection        bool              `yaml:"per_direction" doc:"every count is of one direction alone"`
	Heading             source.List       `yaml:"heading" doc:"attribute with the direction of travel, of counts of one direction: N, NB, northbound, nord, degrees …"`
	Speed               source.List       `yaml:"speed" doc:"attribute with the speed limit"`
	SpeedUnit           string            `yaml:"speed_unit" doc:"kmh or mph; default: kmh"`
	Lanes               source.List       `yaml:"lanes" doc:"attribute with the number of lanes of what is counted"`
	Decimal             string            `yaml:"decimal" doc:"decimal mark of volumes and other numbers, \".\" or \",\"; default: of delimited text found in each column, else \".\""`
	vector.TableOptions `yaml:",inline"`
}

//go:embed layouts.yaml
var layoutText []byte

// layouts are the defaults for the files of a publisher of any year.
var layouts = source.ParseLayouts[Options](layoutText)

func (o *Options) complete(in source.Input) error {
	given := *o
	if err := source.Complete(o, o.Layout, layouts); err != nil {
		return err
	}
	o.prefer(&given)
	o.setDefaults(in)
	return o.check()
}

// prefer takes options that exclude each other from those that are given, so that they replace what a layout has: with sum
// the layout's aadt does not apply.
func (o *Options) prefer(given *Options) {
	if given.Counts != "" || len(given.AADT)+len(given.Sum) > 0 {
		o.Counts, o.AADT, o.Sum = given.Counts, given.AADT, given.Sum
	}
	if given.HeavyPct != "" || len(given.Heavy) > 0 {
		o.HeavyPct, o.Heavy = given.HeavyPct, given.Heavy
	}
}

// check returns an error for missing, invalid or conflicting options.
func (o *Options) check() error {
	var f source.Faults
	series := o.Counts != ""
	f.Option(!series && len(o.AADT) == 0 && len(o.Sum) == 0, "aadt", "is missing; set it, sum, counts or a layout")
	f.Option(series && len(o.AADT)+len(o.Sum) > 0, "counts", "and aadt or sum: exclude each other")
	f.Option(len(o.AADT) > 0 && len(o.Sum) > 0, "sum", "and aadt: exclude each other")
	f.Option(series != (o.File != ""), "file", "and counts: name two files of a folder; set both or none")
	for _, column := range [][2]string{{"counts_key", o.CountsKey}, {"counts_time", o.CountsTime}, {"counts_value", o.CountsValue}} {
		f.Option(series && column[1] == "", column[0], "is missing; the option counts needs it")
	}
	f.Option(o.File != "" && !filepath.IsLocal(o.File), "file", "%q is not a file of the folder", o.File)
	f.Option(series && !filepath.IsLocal(o.Counts), "counts", "%q is not a file of the folder", o.Counts)
	f.Option(o.Minutes < 1 || 1440%o.Minutes != 0, "minutes", "%d does not divide a day", o.Minutes)
	f.Option(!(o.DayShare > 0 && o.DayShare <= 1), "day_share", "%v is not a share above 0 and up to 1", o.DayShare)
	f.Option(!(o.Factor > 0 && o.Factor <= 1000), "factor", "%v is not a number above 0 and up to 1000", o.Factor)
	f.Option(len(o.Heavy) > 0 && o.HeavyPct != "", "heavy_pct", "and heavy: exclude each other")
	f.Option(len(o.OneWay) > 0 && len(o.OneWayValues) == 0, "one_way_values", "is missing; it lists the values of the attribute one_way")
	f.Option(o.SpeedUnit != "kmh" && o.SpeedUnit != "mph", "speed_unit", "%q is neither kmh nor mph", o.SpeedUnit)
	f.Option(!table.IsDecimal(o.Decimal), "decimal", "%q is neither %q nor %q", o.Decimal, ".", ",")
	for _, value := range slices.Sorted(maps.Keys(o.Classes)) {
		class := o.Classes[value]
		f.Value(!slices.Contains(schemas.StreetClasses, class), "classes", class, "%q is none of %s", class,
			strings.Join(schemas.StreetClasses, ", "))
	}
	f.Add(o.Check())
	return f.Err()
}

func (o *Options) setDefaults(in source.Input) {
	set := func(to *string, value string) {
		if *to == "" {
			*to = value
		}
	}
	set(&o.Scheme, in.Source)
	set(&o.SpeedUnit, "kmh")
	if len(o.Key) == 0 {
		o.Key = source.List{"@row"}
	}
	if o.Minutes == 0 {
		o.Minutes = 15
	}
	if o.DayShare == 0 {
		o.DayShare = .9
	}
	if o.Factor == 0 {
		o.Factor = 1
	}
}

// file returns the file of the counting places with its required columns. What a layout has beyond volumes is optional.
func (o *Options) file(in source.Input) *vector.File {
	f := o.FileOf(in, o.wanted()...)
	if o.File != "" {
		f.Path = filepath.Join(in.Path, o.File)
	}
	f.Columns.Decimal, f.Columns.Numbers = o.Decimal, map[string]table.Meaning{}
	for _, name := range slices.Concat(o.AADT, o.Sum, o.Heavy, o.Lanes) {
		f.Columns.Numbers[name] = table.WholeNumber
	}
	for _, name := range o.Speed {
		f.Columns.Numbers[name] = table.AnyNumber
	}
	if o.HeavyPct != "" {
		f.Columns.Numbers[o.HeavyPct] = table.AnyNumber
	}
	return f
}

// wanted returns the required columns, of each list one.
func (o *Options) wanted() []source.List {
	wanted := append(source.Lists(slices.Concat(o.Sum, o.Group)...), o.Key, o.AADT)
	if o.Layout != "" {
		return wanted
	}
	wanted = append(wanted, source.Lists(append(slices.Clone(o.Heavy), o.HeavyPct)...)...)
	return append(wanted, o.Name, o.Class, o.OneWay, o.Heading, o.Speed, o.Lanes)
}
