package places

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"quartier/ingest/formats/table"
	"quartier/ingest/source"
	"quartier/schemas"
)

// Options map the columns of a file. A text option is the name of a column, or a text with columns in braces.
type Options struct {
	Key        string                 `yaml:"key" doc:"stable identifier of a place: a column (the key is then source:value) or a complete key such as osm:{OSM_TYPE}:{OSM_ID}"`
	Name       string                 `yaml:"name" doc:"name, the English one of two"`
	NameFR     string                 `yaml:"name_fr" doc:"French name"`
	Lng        string                 `yaml:"lng" doc:"column of the longitude in degrees"`
	Lat        string                 `yaml:"lat" doc:"column of the latitude in degrees"`
	X          string                 `yaml:"x" doc:"column of the easting, in the units of crs"`
	Y          string                 `yaml:"y" doc:"column of the northing, in the units of crs"`
	CRS        string                 `yaml:"crs" doc:"reference system of x and y or of the GeoJSON, e.g. EPSG:3857"`
	Category   source.List            `yaml:"category" doc:"category id, or several, of rows without one by the next two options"`
	CategoryOf string                 `yaml:"category_of" doc:"column of the category"`
	Categories map[string]source.List `yaml:"categories" doc:"value of category_of -> category id, several, or skip; rows with other values have the option category, or are skipped"`
	Address    string                 `yaml:"address" doc:"address in one line"`
	Number     string                 `yaml:"house_number" doc:"house number"`
	Street     string                 `yaml:"street" doc:"street"`
	Unit       string                 `yaml:"unit" doc:"unit or suite"`
	City       string                 `yaml:"city" doc:"city"`
	State      string                 `yaml:"state" doc:"state or province, by code or name"`
	Postal     string                 `yaml:"postal_code" doc:"postal code"`
	Country    string                 `yaml:"country" doc:"country, by code or name"`
	Phone      string                 `yaml:"phone" doc:"telephone number"`
	URL        string                 `yaml:"url" doc:"web address"`
	Brand      string                 `yaml:"brand" doc:"brand"`
	Operator   string                 `yaml:"operator" doc:"operator"`
	Constants  map[string]string      `yaml:"constants" doc:"option name -> text for rows without a value, e.g. city: Ottawa"`
	Nulls      []string               `yaml:"nulls" doc:"values that mean missing, e.g. '..'"`
	Only       map[string][]string    `yaml:"only" doc:"column -> values: skip rows with other values"`
	BBox       source.BBox            `yaml:"bbox" unit:"degrees" range:"-180,180" doc:"[west, south, east, north]: skip rows outside"`
	Encoding   string                 `yaml:"encoding" doc:"of a CSV: utf-8, utf-16, latin-1 or cp1252; default: UTF-16 where its mark or zero bytes show it, else utf-8"`
	Delimiter  string                 `yaml:"delimiter" doc:"of a CSV, one ASCII character; default: comma, semicolon, tab or pipe, as found"`
	Decimal    string                 `yaml:"decimal" values:". ," doc:"of a CSV: decimal mark of the coordinates; default: as found"`
	Sheet      string                 `yaml:"sheet" doc:"of a workbook (.xlsx): name of the sheet; default: the first that is not hidden"`
	Skip       int                    `yaml:"skip" unit:"lines" range:"0," doc:"of a CSV: number of lines before the header; default: those before the first line with all columns of the options"`
}

// skip is used instead of a category for rows to skip.
const skip = "skip"

// compile checks the options and completes the mapping.
func (m *mapping) compile(o Options) error {
	m.options, m.byValue, m.texts, m.xy = o, map[string]source.List{}, map[string]template{}, [2]string{o.Lng, o.Lat}
	if o.X != "" {
		m.xy = [2]string{o.X, o.Y}
	}
	var f source.Faults
	f.Add(o.checkPlace(), m.categories())
	texts := o.texts()
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		t, err := parseTemplate(texts[name])
		f.Option(err != nil, name, "%v", err)
		m.texts[name] = t
	}
	for _, name := range slices.Sorted(maps.Keys(o.Constants)) {
		_, known := texts[name]
		f.Value(!known || name == "key" || name == "name" || name == "name_fr", "constants", name, "%q is not an option that can have one", name)
	}
	return f.Err()
}

// texts returns the options of the texts of a row.
func (o Options) texts() map[string]string {
	return map[string]string{
		"key": o.Key, "name": o.Name, "name_fr": o.NameFR, "address": o.Address, "house_number": o.Number, "street": o.Street,
		"unit": o.Unit, "city": o.City, "state": o.State, "postal_code": o.Postal, "country": o.Country, "phone": o.Phone,
		"url": o.URL, "brand": o.Brand, "operator": o.Operator,
	}
}

func (o Options) checkPlace() error {
	degrees, metres := o.Lng != "" || o.Lat != "", o.X != "" || o.Y != ""
	var f source.Faults
	f.Option(degrees && metres, "x", "x and y exclude lng and lat")
	f.Option(o.Lng == "" && o.Lat != "", "lat", "requires lng")
	f.Option(o.Lng != "" && o.Lat == "", "lng", "requires lat")
	f.Option(o.X == "" && o.Y != "", "y", "requires x")
	f.Option(o.X != "" && o.Y == "", "x", "requires y")
	f.Option(metres && !degrees && o.CRS == "", "crs", "is missing; x and y are in its units")
	f.Option(degrees && !metres && o.CRS != "" && !isWGS84(o.CRS), "crs", "lng and lat are in degrees; with crs %s use x and y", o.CRS)
	f.Option(!table.IsComma(o.Delimiter), "delimiter", "%q is not one ASCII character other than quotes, spaces and line ends", o.Delimiter)
	f.Option(o.Encoding != "" && !slices.Contains(table.Encodings, o.Encoding), "encoding", "%q is none of %s", o.Encoding,
		strings.Join(table.Encodings, ", "))
	f.Add(o.BBox.Check())
	return f.Err()
}

// dialect returns what the options say about a CSV with the given columns.
func (o Options) dialect(columns []string) table.Dialect {
	d := table.Dialect{Encoding: o.Encoding, Skip: o.Skip, Header: columns, Sheet: o.Sheet}
	if o.Delimiter != "" {
		d.Comma = o.Delimiter[0]
	}
	return d
}

// categories checks all category ids and folds the values.
func (m *mapping) categories() error {
	o := m.options
	var f source.Faults
	f.Option(len(o.Category) == 0 && o.CategoryOf == "", "category", "is missing; set it or category_of")
	f.Option(o.CategoryOf == "" && len(o.Categories) > 0, "categories", "requires category_of")
	f.Option(o.CategoryOf != "" && len(o.Categories) == 0, "category_of", "requires categories")
	m.options.Category = classes(&f, "category", o.Category, "")
	for _, value := range slices.Sorted(maps.Keys(o.Categories)) {
		ids := classes(&f, "categories", o.Categories[value], value)
		f.Value(len(ids) == 0, "categories", value, "%q has no category; set it to skip to leave such rows out", value)
		f.Value(len(ids) > 1 && slices.Contains(ids, skip), "categories", value, "%q has both categories and skip", value)
		m.byValue[fold(value)] = ids
	}
	return f.Err()
}

// classes returns the classes that the ids of an option are or mean. of is the value that they are for; "" for all rows.
func classes(f *source.Faults, option string, ids source.List, of string) (list source.List) {
	for _, id := range ids {
		class, known := schemas.PlaceClass(id)
		if id == skip && of != "" {
			class, known = skip, true
		}
		where := ""
		if of != "" {
			where = fmt.Sprintf(", of %q,", of)
		}
		f.Value(!known, option, id, "%q%s is not the id of a category; the nearest are %s", id, where,
			strings.Join(schemas.NearestPlaceClasses(id), ", "))
		list = append(list, class)
	}
	return list
}

func fold(value string) string { return strings.ToLower(strings.TrimSpace(value)) }

// isWGS84 reports whether a crs is longitude and latitude on WGS 84, which needs no projection.
func isWGS84(crs string) bool {
	crs = strings.ToUpper(strings.TrimSpace(crs))
	return crs == "EPSG:4326" || strings.HasSuffix(crs, "EPSG::4326") || strings.HasSuffix(crs, "CRS84")
}
