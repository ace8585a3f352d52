package acs

import (
	"fmt"
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
	States       source.List `yaml:"states" doc:"states to keep, by their letters (OR) or FIPS codes (41); metropolitan areas, ZCTAs and the country belong to no state and stay"`
	Levels       source.List `yaml:"levels" doc:"levels to keep, of: bg, tract, county, cousub, place, state, cbsa, zcta, country; without it all"`
	Where        source.List `yaml:"where" doc:"beginnings of keys to keep, as bg:41051 or zcta:972; without it all"`
	Vintage      string      `yaml:"vintage" doc:"the survey's five years, as 2019-2023, where neither the file's name nor a codebook tells them"`
	Codebook     string      `yaml:"codebook" doc:"file name of an NHGIS codebook that is not called like its table"`
	MostUnpaired *float64    `yaml:"most_unpaired" doc:"share of the rows of an NHGIS table and its margins of error in a file of their own that may lack the other; more fails the source; without it 0.05"`
}

const mostUnpaired = 0.05

func options(in source.Input) (*Options, error) {
	o := new(Options)
	if err := in.Decode(o); err != nil {
		return nil, err
	}
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("%w of source %s: %w", source.ErrBadOptions, in.Source, err)
	}
	return o, nil
}

// check refuses options that cannot be, and makes FIPS codes of the states.
func (o *Options) check() error {
	for i, name := range o.States {
		state, ok := schemas.FindState("US", name)
		if !ok {
			state, ok = schemas.StateByFIPS(name)
		}
		if !ok {
			return fmt.Errorf("states: %q is neither the letters nor the FIPS code of a state", name)
		}
		o.States[i] = state.FIPS
	}
	for _, name := range o.Levels {
		if !slices.Contains(levelNames(), name) {
			return fmt.Errorf("levels: %q is none of %s", name, strings.Join(levelNames(), ", "))
		}
	}
	for _, prefix := range o.Where {
		if name, _, _ := strings.Cut(prefix, ":"); !slices.Contains(levelNames(), name) {
			return fmt.Errorf("where: %q does not begin with a level and a colon, as bg:41051 does", prefix)
		}
	}
	if _, ok := lastYear(o.Vintage); o.Vintage != "" && !ok {
		return fmt.Errorf("vintage: %q is not five years as 2019-2023", o.Vintage)
	}
	if o.Codebook != filepath.Base(o.Codebook) && o.Codebook != "" {
		return fmt.Errorf("codebook: %q is no name of a file beside the table", o.Codebook)
	}
	if s := o.MostUnpaired; s != nil && !(*s >= 0 && *s <= 1) {
		return fmt.Errorf("most_unpaired: %v is no share", *s)
	}
	return nil
}

func (o *Options) mostUnpaired() float64 {
	if o.MostUnpaired != nil {
		return *o.MostUnpaired
	}
	return mostUnpaired
}

// Why an area is not kept.
var (
	unselected = source.ExcludedByOption.With("levels, states or where")
	kept       = reason.Reason{}
)

// keep says why an area is not kept.
func (o *Options) keep(l *level, key string) reason.Reason {
	id := key[len("census:")+len(l.name)+1:]
	begins := func(text string) func(string) bool {
		return func(prefix string) bool { return strings.HasPrefix(text, prefix) }
	}
	switch {
	case o.Levels != nil && !slices.Contains(o.Levels, l.name),
		o.States != nil && l.states && !slices.ContainsFunc(o.States, begins(id)),
		o.Where != nil && !slices.ContainsFunc(o.Where, begins(strings.TrimPrefix(key, "census:"))):
		return unselected
	}
	return kept
}

var fiveYears = regexp.MustCompile(`^(\d{4})-(\d{4})$`)

// lastYear is that of a survey of five years, "2019-2023".
func lastYear(vintage string) (int, bool) {
	found := fiveYears.FindStringSubmatch(vintage)
	if found == nil {
		return 0, false
	}
	first, _ := strconv.Atoi(found[1]) // four digits are a number
	last, _ := strconv.Atoi(found[2])
	return last, last-first == 4
}
