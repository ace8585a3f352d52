package blocks

import (
	"cmp"
	_ "embed"
	"path/filepath"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
)

// Options name the attributes and columns. A layout sets defaults for the files of a publisher; other options take
// precedence.
type Options struct {
	Layout       string      `yaml:"layout" doc:"publisher's layout, which sets defaults for the other options"`
	Outlines     string      `yaml:"outlines" doc:"file of outlines or points, where the source's path is a folder"`
	Counts       string      `yaml:"counts" doc:"CSV of counts in that folder, where the outlines have none; for layout pl-94-171 a folder or .zip"`
	CountsKey    source.List `yaml:"counts_key" doc:"column of the CSV with the key of the block; of several the first that exists; default: key"`
	Scheme       string      `yaml:"scheme" doc:"scheme of the blocks' keys, e.g. census:block; default: the source's id"`
	Key          source.List `yaml:"key" doc:"attribute with the publisher's key of the block; of several the first that is not empty"`
	AreaScheme   string      `yaml:"area_scheme" values:"census:bg statcan:da" doc:"scheme of the keys of the small areas that blocks are in; default: no areas"`
	AreaDigits   int         `yaml:"area_digits" unit:"characters" range:"1," doc:"number of characters of the block's key that are the area's"`
	Population   source.List `yaml:"population" doc:"column with the population"`
	Dwellings    source.List `yaml:"dwellings" doc:"column with the number of private dwellings or housing units"`
	Households   source.List `yaml:"households" doc:"column with the number of households (occupied dwellings)"`
	LandM2       source.List `yaml:"land_m2" doc:"column with the land area in square metres"`
	LandKM2      source.List `yaml:"land_km2" doc:"attribute of the outlines, or column of counts, with the land area in square kilometres"`
	Weight       string      `yaml:"weight" doc:"attribute with the weight of a point where people live: the features are then points, and key is that of their block"`
	HomeKey      string      `yaml:"home_key" doc:"attribute with the key of the point, with weight"`
	Decimal      string      `yaml:"decimal" values:". ," doc:"decimal mark in the CSV of counts, where it does not show it"`
	MostUnjoined *float64    `yaml:"most_unjoined" unit:"share" range:"0,1" doc:"share of the blocks that may be missing in counts; default: 0.02"`
	Whole        source.List `yaml:"whole" doc:"source keys of geographies that consist of exactly these blocks, e.g. statcan:csd:3506008: the sum of the blocks becomes their population"`
	Vintage      string      `yaml:"vintage" doc:"year of the counts, with whole, e.g. 2021"`
	BBox         source.BBox `yaml:"bbox" unit:"degrees" range:"-180,180" doc:"[west, south, east, north]; features whose centre is outside are skipped"`
	Layer        string      `yaml:"layer" doc:"layer of a GeoPackage, or shapefile in an archive, where there are several"`
	CRS          string      `yaml:"crs" doc:"coordinate reference system, where the file has none or a wrong one"`
	Encoding     string      `yaml:"encoding" doc:"text encoding of a shapefile, where its .cpg is missing or wrong"`
}

// layouts.yaml has the defaults for the files of a publisher.
//
//go:embed layouts.yaml
var layoutsYAML []byte

var layouts = source.ParseLayouts[Options](layoutsYAML)

// redistricting reports whether the counts are redistricting data of the US Census Bureau, which have no column names.
func (o *Options) redistricting() bool { return o.Layout == "pl-94-171" }

// complete adds the defaults of the layout and checks the options.
func (o *Options) complete(in source.Input) error {
	given := *o
	if err := source.Complete(o, o.Layout, layouts); err != nil {
		return err
	}
	if given.LandM2 != nil || given.LandKM2 != nil {
		o.LandM2, o.LandKM2 = given.LandM2, given.LandKM2
	}
	o.Scheme = cmp.Or(o.Scheme, in.Source)
	if o.CountsKey == nil {
		o.CountsKey = o.Key
	}
	return o.check()
}

func (o *Options) check() error {
	var f source.Faults
	f.Option(o.Outlines != "" && !filepath.IsLocal(o.Outlines), "outlines", "%q is not a file in the source's folder", o.Outlines)
	f.Option(o.Counts != "" && !filepath.IsLocal(o.Counts), "counts", "%q is not a file in the source's folder", o.Counts)
	f.Option(len(o.Key) == 0, "key", "is missing; set it or a layout")
	f.Option((o.Weight == "") != (o.HomeKey == ""), "weight", "and home_key: require each other")
	f.Option(o.redistricting() && o.Counts == "", "counts", "is missing; set it to the folder or .zip of redistricting data")
	counted := len(o.Population)+len(o.Dwellings)+len(o.Households) > 0
	f.Option(o.redistricting() && counted, "population",
		"dwellings: and households: name columns, and redistricting data have no column names")
	f.Option(!o.redistricting() && o.Weight == "" && !counted, "population",
		"dwellings: and households: are missing; set one of them or a layout")
	f.Option(o.Weight != "" && o.Counts != "", "counts", "are of blocks, not of points where people live")
	f.Option((len(o.Whole) == 0) != (o.Vintage == ""), "whole", "and vintage: require each other")
	f.Option(o.Weight != "" && len(o.Whole) > 0, "whole", "is a sum of blocks, not of points where people live")
	f.Option((o.AreaScheme == "") != (o.AreaDigits == 0), "area_scheme", "and area_digits: require each other")
	f.Option(len(o.LandM2) > 0 && len(o.LandKM2) > 0, "land_m2", "and land_km2: exclude each other")
	f.Add(o.BBox.Check())
	return f.Err()
}

func (o *Options) mostUnjoined() float64 {
	const standard = 0.02
	if o.MostUnjoined == nil {
		return standard
	}
	return *o.MostUnjoined
}

// firstLand is the index of the first of the land areas in columns.
const firstLand = 3

// columns returns the columns of counts, in the order of figures.
func (o *Options) columns() [5]source.List {
	return [5]source.List{o.Population, o.Dwellings, o.Households, o.LandM2, o.LandKM2}
}

// file returns the options of the outlines' format.
func (o *Options) file(limits source.Limits) vector.Options {
	return vector.Options{Layer: o.Layer, CRS: o.CRS, Encoding: o.Encoding, Limits: limits}
}

// wanted returns the required attributes of outlines. The land area may be in the outlines, in the counts or missing.
func (o *Options) wanted(counted bool) []source.List {
	wanted := []source.List{o.Key}
	if o.Weight != "" {
		wanted = append(wanted, source.Lists(o.Weight, o.HomeKey)...)
	} else if counted {
		wanted = append(wanted, o.Population, o.Dwellings, o.Households)
	}
	return wanted
}
