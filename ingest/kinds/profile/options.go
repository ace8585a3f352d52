package profile

import (
	"cmp"
	"slices"
	"strings"

	"quartier/ingest/source"
)

// Options say which profile it is and select areas.
type Options struct {
	Layout       string      `yaml:"layout" values:"statcan-profile ottawa-wards cancensus" doc:"layout of the file; default: cancensus if its first column is GeoUID, else statcan-profile"`
	Areas        source.List `yaml:"areas" doc:"with statcan-profile: levels or prefixes of keys to read, e.g. [da:3506, ct:505, csd]; default: all"`
	Scheme       string      `yaml:"scheme" doc:"with ottawa-wards: scheme of the wards' keys; default: ottawa:ward"`
	MaxUnmatched *float64    `yaml:"max_unmatched" unit:"share" range:"0,1" doc:"with statcan-profile: share of the people in the region's dissemination areas that may be in areas without a row in the profile; a larger share fails the build, a smaller one is noted; default: 0.05. areas that another source has data of do not count"`
	Whole        string      `yaml:"whole" doc:"with ottawa-wards: key for the column of the entire city, e.g. statcan:csd:3506008; default: the column is skipped"`
}

// options decodes and validates the options of a region file.
func options(in source.Input) (*Options, error) {
	o := new(Options)
	if err := in.Configure(o, func() error {
		if o.Layout == "" {
			o.Layout = layoutOf(in.Path)
		}
		return o.check()
	}); err != nil {
		return o, err
	}
	if o.Layout == "ottawa-wards" {
		o.Scheme = cmp.Or(o.Scheme, "ottawa:ward")
	}
	return o, nil
}

func (o *Options) check() error {
	wards := o.Layout == "ottawa-wards"
	var f source.Faults
	f.Option(!slices.Contains(layoutNames(), o.Layout), "layout", "%q is none of %s", o.Layout, strings.Join(layoutNames(), ", "))
	f.Option(wards && o.Areas != nil, "areas", "is for statcan-profile")
	f.Option(!wards && o.Scheme+o.Whole != "", "scheme", "and whole: are for ottawa-wards")
	for _, area := range o.Areas {
		level, _, _ := strings.Cut(area, ":")
		f.Value(!slices.Contains(levelNames(), level), "areas", area, "%q does not begin with one of %s", area, strings.Join(levelNames(), ", "))
	}
	return f.Err()
}

// selects reports whether an area of a level is selected.
func (o *Options) selects(level, id string) bool {
	return o.Areas == nil || slices.ContainsFunc(o.Areas, func(area string) bool {
		wanted, begin, _ := strings.Cut(area, ":")
		return level == wanted && strings.HasPrefix(id, begin)
	})
}
