package transitlines

import (
	"maps"
	"slices"
	"strings"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas"
)

// skip is used instead of a mode for lines to leave out.
const skip = "skip"

// Options name the attributes of lines and stops.
type Options struct {
	Key        source.List            `yaml:"key" doc:"attribute with the id of a line, the same for both directions; of several the first that is not empty"`
	KeyText    string                 `yaml:"key_text" doc:"template of the id with {attribute}, in place of key"`
	Name       source.List            `yaml:"name" doc:"attribute with the name of a line as riders know it, such as its number; default: its id"`
	NameText   string                 `yaml:"name_text" doc:"template of the name, in place of name"`
	Agency     string                 `yaml:"agency" doc:"name of the operator"`
	Mode       string                 `yaml:"mode" doc:"mode of lines without one by the next two options"`
	ModeOf     string                 `yaml:"mode_of" doc:"attribute that the mode depends on; of a list of lines at stops it may be the list itself: modes then maps its entries"`
	Modes      map[string]string      `yaml:"modes" doc:"value of mode_of: mode, or skip"`
	Direction  string                 `yaml:"direction" doc:"attribute with the direction of a course; a line counts once for both"`
	StopKey    source.List            `yaml:"stop_key" doc:"attribute with the id of a stop; default: its number in the file"`
	StopName   source.List            `yaml:"stop_name" doc:"attribute with the name of a stop; default: its id"`
	StopNameFR source.List            `yaml:"stop_name_fr" doc:"attribute with the French name of a stop"`
	Lines      string                 `yaml:"lines" doc:"attribute of a stop with the list of the lines that serve it, by id"`
	Separator  string                 `yaml:"separator" doc:"characters between the lines of a list; default: comma and semicolon"`
	Partial    bool                   `yaml:"partial" doc:"the file has some of the lines of its area only: beyond its stops public transport is unknown, not absent; default false"`
	Where      map[string]source.List `yaml:"where" doc:"attribute: value or list of values; only features that match in all of these attributes are kept"`
	Unless     map[string]source.List `yaml:"unless" doc:"attribute: value or list of values; features that match in one of these attributes are skipped"`
	BBox       source.BBox            `yaml:"bbox" unit:"degrees" range:"-180,180" doc:"[west, south, east, north]; features whose bounding box does not touch it are skipped"`
	Layer      string                 `yaml:"layer" doc:"layer of a GeoPackage, or shapefile in an archive, where there are several"`
	CRS        string                 `yaml:"crs" doc:"coordinate reference system, where the file has none or a wrong one: EPSG:3347, WKT or a PROJ string"`
	WKT        string                 `yaml:"wkt" doc:"of a table: column with the geometry as well-known text"`
	LatLng     string                 `yaml:"lat_lng" doc:"of a table: column with a latitude, then a longitude: 45.42,-75.69"`
	Lng        string                 `yaml:"lng" doc:"of a table of stops: column with the longitude, or x in the units of crs"`
	Lat        string                 `yaml:"lat" doc:"of a table of stops: column with the latitude, or y in the units of crs"`
	Encoding   string                 `yaml:"encoding" doc:"text encoding of a table, or of a shapefile whose .cpg is missing or wrong"`
}

// options decodes and checks the options of a region file.
func options(in source.Input) (o Options, err error) {
	err = in.Configure(&o, o.check)
	return o, err
}

// check returns an error for missing, invalid or conflicting options.
func (o *Options) check() error {
	var f source.Faults
	f.Option(o.Key != nil && o.KeyText != "", "key", "and key_text: exclude each other")
	f.Option(o.Name != nil && o.NameText != "", "name", "and name_text: exclude each other")
	f.Option(o.Key == nil && o.KeyText == "" && o.Lines == "", "key", "is missing; set it or key_text for courses of lines, or lines for stops with a list of lines")
	f.Option(o.Mode == "" && o.ModeOf == "", "mode", "is missing; set it or mode_of with modes")
	f.Option(o.Mode != "" && !slices.Contains(schemas.TransitModes, o.Mode), "mode", "%q is none of %s", o.Mode, strings.Join(schemas.TransitModes, ", "))
	f.Option(o.ModeOf == "" && len(o.Modes) > 0, "modes", "requires mode_of")
	f.Option(o.ModeOf != "" && len(o.Modes) == 0, "mode_of", "requires modes")
	for _, value := range slices.Sorted(maps.Keys(o.Modes)) {
		mode := o.Modes[value]
		f.Value(mode != skip && !slices.Contains(schemas.TransitModes, mode), "modes", value, "%q of %q is none of %s, nor %s", mode, value, strings.Join(schemas.TransitModes, ", "), skip)
	}
	f.Option(o.Separator != "" && o.Lines == "", "separator", "requires lines")
	f.Add(o.BBox.Check(), o.columns().Check())
	return f.Err()
}

// columns returns the columns of a table that have geometries, and others by which its header is found.
func (o *Options) columns() *vector.Columns {
	c := &vector.Columns{WKT: o.WKT, LatLng: o.LatLng, Lng: o.Lng, Lat: o.Lat}
	for _, names := range o.wanted() {
		if len(names) == 1 {
			c.Wanted = append(c.Wanted, names[0])
		}
	}
	return c
}

// file returns the options of the file's format.
func (o *Options) file(limits source.Limits) vector.Options {
	return vector.Options{Layer: o.Layer, CRS: o.CRS, Encoding: o.Encoding, Limits: limits, Columns: o.columns()}
}

// wanted returns the attributes that the file must have, of each list one.
func (o *Options) wanted() []source.List {
	names := slices.Concat(source.Placeholders(o.KeyText), source.Placeholders(o.NameText), []string{o.ModeOf, o.Direction, o.Lines})
	names = slices.Concat(names, slices.Sorted(maps.Keys(o.Where)), slices.Sorted(maps.Keys(o.Unless)))
	return append(source.Lists(names...), o.Key, o.Name, o.StopKey, o.StopName, o.StopNameFR)
}
