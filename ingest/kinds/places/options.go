package places

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

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
	BBox       source.BBox            `yaml:"bbox" doc:"[west, south, east, north] in degrees: skip rows outside"`
	Encoding   string                 `yaml:"encoding" doc:"of a CSV: utf-8 (the default), utf-16, latin-1 or cp1252"`
	Delimiter  string                 `yaml:"delimiter" doc:"of a CSV, one character; default: comma"`
}

// skip is used instead of a category for rows to skip.
const skip = "skip"

// compile checks the options and returns their mapping. sourceID is the prefix of keys.
func (o Options) compile(sourceID string) (*mapping, error) {
	m := &mapping{source: sourceID, options: o, byValue: map[string]source.List{}, texts: map[string]template{}}
	if err := o.checkPlace(); err != nil {
		return nil, err
	}
	if err := m.categories(); err != nil {
		return nil, err
	}
	for name, text := range o.texts() {
		t, err := parseTemplate(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		m.texts[name] = t
	}
	for name := range o.Constants {
		if _, known := m.texts[name]; !known || name == "key" || name == "name" || name == "name_fr" {
			return nil, fmt.Errorf("constants: %q is not an option that can have one", name)
		}
	}
	return m, nil
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
	switch {
	case degrees && metres:
		return errors.New("lng and lat together with x and y")
	case degrees && (o.Lng == "" || o.Lat == ""):
		return errors.New("lng without lat, or lat without lng")
	case metres && (o.X == "" || o.Y == ""):
		return errors.New("x without y, or y without x")
	case metres && o.CRS == "":
		return errors.New("x and y without a crs")
	case degrees && o.CRS != "" && !isWGS84(o.CRS):
		return fmt.Errorf("lng and lat are in degrees; with crs %s use x and y", o.CRS)
	case utf8.RuneCountInString(o.Delimiter) > 1 || strings.ContainsAny(o.Delimiter, "\"\r\n\ufffd"):
		return fmt.Errorf("delimiter %q is not one character other than quotes and line ends", o.Delimiter)
	case !slices.Contains([]string{"", "utf-8", "utf-16", "latin-1", "cp1252"}, o.Encoding):
		return fmt.Errorf("encoding %q is not one of utf-8, utf-16, latin-1, cp1252", o.Encoding)
	}
	return o.BBox.Check()
}

// categories checks all category ids and folds the values.
func (m *mapping) categories() error {
	o := m.options
	if len(o.Category) == 0 && o.CategoryOf == "" {
		return errors.New("neither category nor category_of")
	}
	if (o.CategoryOf == "") != (len(o.Categories) == 0) {
		return errors.New("category_of and categories need each other")
	}
	known := func(id string) bool {
		return slices.Contains(schemas.SchoolClasses, id) ||
			slices.ContainsFunc(schemas.Categories, func(c schemas.Category) bool { return c.ID == id })
	}
	for _, id := range o.Category {
		if !known(id) {
			return fmt.Errorf("category %q is not in the vocabulary", id)
		}
	}
	for value, ids := range o.Categories {
		for _, id := range ids {
			if !known(id) && id != skip {
				return fmt.Errorf("category %q of %q is not in the vocabulary", id, value)
			}
		}
		if len(ids) == 0 || (len(ids) > 1 && slices.Contains(ids, skip)) {
			return fmt.Errorf("categories of %q must be ids, or skip", value)
		}
		m.byValue[fold(value)] = ids
	}
	return nil
}

func fold(value string) string { return strings.ToLower(strings.TrimSpace(value)) }

// isWGS84 reports whether a crs is longitude and latitude on WGS 84, which needs no projection.
func isWGS84(crs string) bool {
	crs = strings.ToUpper(strings.TrimSpace(crs))
	return crs == "EPSG:4326" || strings.HasSuffix(crs, "EPSG::4326") || strings.HasSuffix(crs, "CRS84")
}
