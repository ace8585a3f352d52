package jobs

import (
	_ "embed"

	"quartier/ingest/formats/table"
	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas"
)

// Options name the columns. A layout sets defaults for the files of a publisher; other options take precedence.
type Options struct {
	Layout              string      `yaml:"layout" doc:"publisher's layout, which sets defaults for the other options"`
	Scheme              string      `yaml:"scheme" values:"census:block census:bg census:tract statcan:db statcan:da statcan:dguid" doc:"scheme of the keys of the areas that the rows are of; statcan:dguid: dissemination areas and blocks by their DGUID, other areas are skipped; default: rows are points"`
	Key                 source.List `yaml:"key" doc:"attribute with the publisher's key of the area or point; of several the first that is not empty; default of points: the number of the row"`
	Jobs                source.List `yaml:"jobs" doc:"attribute with the number of jobs, which may have decimals; of several the first that is not empty"`
	Sector              string      `yaml:"sector" doc:"attribute with the code of NAICS of all jobs of the row, of two or more digits: 62, 6221, 44-45"`
	Sectors             source.List `yaml:"sectors" doc:"20 attributes with the jobs in the sectors of NAICS: 11, 21, 22, 23, 31-33, 42, 44-45, 48-49, 51, 52, 53, 54, 55, 56, 61, 62, 71, 72, 81, 92; in place of sector"`
	Earnings            source.List `yaml:"earnings" doc:"three attributes with the jobs of low, middle and high earnings"`
	Nulls               source.List `yaml:"nulls" doc:"values that mean missing, beside empty ones"`
	Decimal             string      `yaml:"decimal" values:". ," doc:"decimal mark of the numbers; default: of delimited text found in each column, else \".\""`
	vector.TableOptions `yaml:",inline"`
}

// layouts.yaml has the defaults for the files of a publisher.
//
//go:embed layouts.yaml
var layoutText []byte

var layouts = source.ParseLayouts[Options](layoutText)

// lodes is the layout of files that say when they were made.
const lodes = "lodes8-wac"

func (o *Options) complete(source.Input) error {
	if err := source.Complete(o, o.Layout, layouts); err != nil {
		return err
	}
	var f source.Faults
	areas, placed := o.Scheme != "", o.WKT != "" || o.LatLng != "" || o.Lng != ""
	f.Option(len(o.Jobs) == 0, "jobs", "is missing; set it or a layout")
	f.Option(areas && len(o.Key) == 0, "key", "is missing; the areas of scheme are known by it")
	f.Option(areas && placed, "scheme", "is of areas, and wkt, lat_lng, lng and lat are of points; set one of them")
	f.Option(o.Sector != "" && len(o.Sectors) > 0, "sector", "and sectors: exclude each other")
	f.Option(len(o.Sectors) > 0 && len(o.Sectors) != len(schemas.JobSectors), "sectors", "are %d attributes, not %d", len(o.Sectors),
		len(schemas.JobSectors))
	f.Option(len(o.Earnings) > 0 && len(o.Earnings) != len(schemas.JobEarnings), "earnings", "are %d attributes, not %d", len(o.Earnings),
		len(schemas.JobEarnings))
	f.Add(o.Check())
	return f.Err()
}

// file returns the file with its required columns.
func (o *Options) file(in source.Input) *vector.File {
	wanted := append(source.Lists(o.Sectors...), source.Lists(o.Earnings...)...)
	if o.Layout == lodes {
		wanted = append(wanted, source.List{madeOn})
	}
	f := o.FileOf(in, append(append(wanted, source.Lists(o.Sector)...), o.Key, o.Jobs)...)
	f.Columns.Bare, f.Columns.Nulls, f.Columns.Decimal, f.Columns.Numbers = o.Scheme != "", o.Nulls, o.Decimal, map[string]table.Meaning{}
	for _, names := range []source.List{o.Jobs, o.Sectors, o.Earnings} {
		for _, name := range names {
			f.Columns.Numbers[name] = table.WholeNumber
		}
	}
	return f
}
