package profile

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quartier/ingest/source"
)

// Options say which profile it is, and which areas of it are asked for.
type Options struct {
	Layout string      `yaml:"layout" doc:"statcan-profile, or ottawa-wards"`
	Areas  source.List `yaml:"areas" doc:"of statcan-profile: levels or beginnings of keys that are read, e.g. [da:3506, ct:505, csd]; all where absent"`
	Scheme string      `yaml:"scheme" doc:"of ottawa-wards: scheme of the wards' keys; ottawa:ward where absent"`
	Whole  string      `yaml:"whole" doc:"of ottawa-wards: key of the column of the whole city, e.g. statcan:csd:3506008; the column is not read where absent"`
}

// options decodes and checks what a region file says.
func options(in source.Input) (Options, error) {
	var o Options
	if err := in.Decode(&o); err != nil {
		return o, err
	}
	if err := o.check(); err != nil {
		return o, fmt.Errorf("%w of source %s: %w", source.ErrBadOptions, in.Source, err)
	}
	if o.Layout == "ottawa-wards" {
		o.Scheme = cmp.Or(o.Scheme, "ottawa:ward")
	}
	return o, nil
}

func (o *Options) check() error {
	wards := o.Layout == "ottawa-wards"
	switch {
	case !slices.Contains(layoutNames(), o.Layout):
		return fmt.Errorf("layout %q is none of %s", o.Layout, strings.Join(layoutNames(), ", "))
	case wards && o.Areas != nil:
		return errors.New("areas: is for statcan-profile")
	case !wards && o.Scheme+o.Whole != "":
		return errors.New("scheme: and whole: are for ottawa-wards")
	}
	for _, area := range o.Areas {
		level, _, _ := strings.Cut(area, ":")
		if !slices.Contains(levelNames(), level) {
			return fmt.Errorf("areas: %q begins with none of %s", area, strings.Join(levelNames(), ", "))
		}
	}
	return nil
}

// wants reports whether an area of a level is asked for.
func (o *Options) wants(level, id string) bool {
	return o.Areas == nil || slices.ContainsFunc(o.Areas, func(area string) bool {
		wanted, begin, _ := strings.Cut(area, ":")
		return level == wanted && strings.HasPrefix(id, begin)
	})
}
