// Package publishers knows where public sources are published: a file of YAML for each publisher, with its data sets, how
// their addresses are made, how large they are, under which licence they are, how often they change and how the publisher
// refuses programs. It opens no network and reads no source; package regionfile makes region files of it.
package publishers

import (
	"embed"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"quartier/ingest/source"
)

// None is what a data set is read by where no kind of source can read it yet.
const None = "none"

// Publisher is a file of the catalogue.
type Publisher struct {
	ID          string `yaml:"publisher"` // name of its file
	Name        string `yaml:"name"`
	Country     string `yaml:"country"` // CA or US; "": both
	Page        string `yaml:"page"`    // where a person finds the files
	Licence     string `yaml:"licence"`
	Attribution string `yaml:"attribution"`
	Refuses     string `yaml:"refuses"` // what programs get in place of a file, and what to do then
	FTP         Tree   `yaml:"ftp"`     // the same tree elsewhere; empty: there is none
	Sets        []Set  `yaml:"sets"`
}

// Tree maps the beginning of addresses to another one.
type Tree struct {
	From string `yaml:"from"`
	To   string `yaml:"to"`
}

// Set is a data set of a publisher: one file, or one for each state, table, tile or feed.
type Set struct {
	ID          string            `yaml:"id"` // of its source in a region file, unique among those of a country
	Title       string            `yaml:"title"`
	Reads       string            `yaml:"reads"`       // kind of source, or None
	Options     yaml.Node         `yaml:"options"`     // of the kind, with {variables} in texts
	URL         string            `yaml:"url"`         // with {variables}
	File        string            `yaml:"file"`        // name of the file, where the address does not end in it
	Page        string            `yaml:"page"`        // other than the publisher's
	Licence     string            `yaml:"licence"`     // other than the publisher's
	Attribution string            `yaml:"attribution"` // other than the publisher's
	Type        string            `yaml:"type"`        // of Types: what the first bytes must show
	MB          float64           `yaml:"mb"`          // usual size of a file in millions of bytes; 0: not known
	Size        string            `yaml:"size"`        // in words, where it differs much by place
	AsOf        string            `yaml:"as_of"`       // date of the data, with {variables}; of the vintage where there are vintages
	Cadence     string            `yaml:"cadence"`     // how often it is published
	Year        int               `yaml:"year"`        // newest vintage that was seen; 0: {year} is not in the address
	Vintages    []Vintage         `yaml:"vintages"`    // where no rule gives the name of a year, the newest one first
	Together    string            `yaml:"together"`    // sets of one word are of one vintage
	Feeds       []string          `yaml:"feeds"`       // scores and products that it is used for
	Unused      string            `yaml:"unused"`      // why a region file does not have it unless somebody adds it; "": it has
	Except      []string          `yaml:"except"`      // states without it
	WhyExcept   string            `yaml:"why_except"`  // why they are without
	MostMB      float64           `yaml:"most_mb"`     // all its files together; with more a region file has them as comments; 0: no limit
	Whole       bool              `yaml:"whole"`       // the option bbox is never set
	AlwaysBox   bool              `yaml:"always_box"`  // the option bbox is set for a state too: the file has other states
	PerTable    bool              `yaml:"per_table"`   // a file for each of Tables, {table}
	Tables      []string          `yaml:"tables"`
	With        map[string]string `yaml:"with"`        // the table whose file completes that of another one, by the other
	PerCountry  bool              `yaml:"per_country"` // a file for each {country}
	Tiles       string            `yaml:"tiles"`       // a file for each {tile}, named by a rule of Tiles
	Index       string            `yaml:"index"`       // geofabrik, mobility or overture: the publisher's list that gives the files
	Theme       string            `yaml:"theme"`       // of Overture
	KindOf      string            `yaml:"kind_of"`     // type of Overture

	Publisher *Publisher `yaml:"-"`
}

// Vintage is a vintage of a data set whose names follow no rule.
type Vintage struct {
	Year        string `yaml:"year"` // as people say it: 2024-25
	Name        string `yaml:"name"` // of the address
	AsOf        string `yaml:"as_of"`
	Preliminary bool   `yaml:"preliminary"` // another one of the same year follows
}

// Types are the types of files that are known by their first bytes; a service has none.
var Types = []string{"zip", "gz", "pbf", "parquet", "tif", "json", "csv", "dat", "vrt", "service"}

// Variables are the variables of addresses, options and names: those of a place, of a vintage, of a list of files, of an
// index and of the day of the region file.
var Variables = []string{
	"country", "state", "st", "fips", "state_name", "pruid", "geono", "extract", "states", "fipses", "pruids", "countries", "box",
	"west", "south", "east", "north", "year", "name", "table", "TABLE", "tile", "county", "feed", "release", "release_day", "part", "theme",
	"kind_of", "day",
}

//go:embed *.yaml
var files embed.FS

// All returns the publishers in the order of their ids. The first call reads the files, which a test checks.
var All = sync.OnceValue(func() []*Publisher {
	all, err := read(files)
	if err != nil {
		panic(err)
	}
	return all
})

// read reads the files of a folder.
func read(dir fs.FS) (all []*Publisher, err error) {
	names, err := fs.Glob(dir, "*.yaml")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		data, err := fs.ReadFile(dir, name)
		if err != nil {
			return nil, err
		}
		p := &Publisher{}
		if err := source.DecodeYAML(data, p, "field"); err != nil {
			return nil, fmt.Errorf("publishers/%s: %w", name, err)
		}
		for i := range p.Sets {
			p.Sets[i].Publisher = p
		}
		all = append(all, p)
	}
	return all, nil
}

// Sets returns the data sets of a country, "CA" or "US", and those of both, in the order of a region file: sources that are
// first have precedence.
func Sets(country string) (list []*Set) {
	all := All()
	for _, id := range order {
		for _, p := range all {
			if p.ID == id && (p.Country == "" || p.Country == country) {
				for i := range p.Sets {
					list = append(list, &p.Sets[i])
				}
			}
		}
	}
	return list
}

// order is that of the publishers in a region file: census offices before maps, since of two outlines the first one counts.
var order = []string{"census", "statcan", "overture", "geofabrik", "nces", "mobility", "usgs", "nrcan", "worldcover", "fhwa", "zillow",
	"brands", "geonames", "lehd", "dot", "fema"}

// In reports whether a state, by its postal code, has the data set.
func (s *Set) In(state string) bool { return !slices.Contains(s.Except, state) }

// PageText is the page where a person finds the file.
func (s *Set) PageText() string { return first(s.Page, s.Publisher.Page) }

// LicenceText is the licence of the data set.
func (s *Set) LicenceText() string { return first(s.Licence, s.Publisher.Licence) }

// AttributionText is what the publisher asks to be shown, with variables.
func (s *Set) AttributionText() string { return first(s.Attribution, s.Publisher.Attribution) }

// Uses reports whether the address has a variable.
func (s *Set) Uses(variable string) bool { return strings.Contains(s.URL, "{"+variable+"}") }

// Fallback is the address of a file in the publisher's other tree; "" where there is none.
func (p *Publisher) Fallback(address string) string {
	if rest, found := strings.CutPrefix(address, p.FTP.From); found && p.FTP.From != "" {
		return p.FTP.To + rest
	}
	return ""
}

func first(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

var variable = regexp.MustCompile(`\{([A-Za-z_]+)\}`)

// Expand sets the variables of a text; those that are not known stay as they are.
func Expand(text string, values map[string]string) string {
	return variable.ReplaceAllStringFunc(text, func(found string) string {
		if value, known := values[found[1:len(found)-1]]; known {
			return value
		}
		return found
	})
}
