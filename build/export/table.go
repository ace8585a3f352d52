package export

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"gopkg.in/yaml.v3"

	"quartier/schemas"
	"quartier/schemas/demographics"
	"quartier/schemas/market"
	"quartier/schemas/place"
)

// Table is a table of the export: which rows of which file of a component it has, and how. Each is declared by a file of the
// folder tables.
type Table struct {
	Name  string `yaml:"-"` // of its file, without the extension
	Title string
	Text  string // what a row is

	Component string            // schemas.Places or schemas.Market
	File      string            // of the component
	Years     bool              // the file has intervals; those of years are in files of their own (schemas.MarketYear), which come before
	Attach    map[string]string // further files by the schema under which SQL has them
	From      string            // SQL after FROM
	Order     string            // SQL after ORDER BY: rows that are near each other, or those of a key, follow each other
	Geometry  string            // SQL of a SpatiaLite or well-known binary geometry; "": none
	Level     string            // SQL by which files are divided by level; "": they are not
	State     string            // the same by state, such as 'US_DE'; NULL: none known
	Owned     string            // SQL of the geog_id by which rows of custom geographies are found; "": there are none
	Product   string            // of agreements; nodeProducts; "": the table is in none
	Sources   []string          // products that are made of the same sources, where Product does not say it
	Within    string            // SQL that is true of rows in the regions of an agreement; see regions.register
	Score     string            // SQL of the score that a row is about; "": none
	Pivot     *Pivot

	Columns  []Column
	declared []Column // before expand
}

// Pivot makes one row of consecutive rows with the same first column. Columns of which the SQL is @NAME have one of the
// values, from the row with the name of the column's group.
type Pivot struct {
	By     string            // SQL of the name
	Values map[string]string // SQL by NAME
}

// Column is a column of a table.
type Column struct {
	Name string
	Type string // of types; NULL where there is no value if it ends in "?"
	SQL  string
	Text string // what it is, with its unit and what NULL means

	group string // what the name of Pivot.By is for this column
}

// UnmarshalYAML reads [name, type, sql, text].
func (c *Column) UnmarshalYAML(node *yaml.Node) error {
	var members []string
	if err := node.Decode(&members); err != nil {
		return err
	}
	if len(members) != 4 {
		return fmt.Errorf("line %d: a column has a name, a type, SQL and a text, not %d members", node.Line, len(members))
	}
	c.Name, c.Type, c.SQL, c.Text = members[0], members[1], members[2], members[3]
	return nil
}

//go:embed tables/*.yaml
var tableFiles embed.FS

// Tables are all tables, by name.
var Tables = func() (all []Table) {
	names, err := fs.Glob(tableFiles, "tables/*.yaml")
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		t, err := readTable(name)
		if err != nil {
			panic(fmt.Sprintf("%s: %v", name, err))
		}
		all = append(all, *t)
	}
	return all
}()

func readTable(name string) (*Table, error) {
	text, err := tableFiles.Open(name)
	if err != nil {
		return nil, err
	}
	defer text.Close()
	t := &Table{Name: strings.TrimSuffix(path.Base(name), ".yaml")}
	decoder := yaml.NewDecoder(text)
	decoder.KnownFields(true)
	if err := decoder.Decode(t); err != nil {
		return nil, err
	}
	var columns []Column
	for _, c := range t.Columns {
		columns = append(columns, expand(c)...)
	}
	t.declared, t.Columns = t.Columns, columns
	return t, t.check()
}

func (t *Table) check() error {
	if t.Title == "" || t.Text == "" || t.File == "" || t.From == "" || t.Order == "" || !slices.Contains(schemas.Components, t.Component) {
		return errors.New("title, text, component, file, from or order is missing")
	}
	seen := map[string]bool{}
	for _, c := range t.Columns {
		if _, err := c.arrowType(); err != nil {
			return err
		}
		if seen[c.Name] || c.Name == "geometry" || c.Text == "" {
			return fmt.Errorf("column %s is there twice, has a name of its own or no text", c.Name)
		}
		seen[c.Name] = true
	}
	return nil
}

// expand is a column for each channel, score, metric … that its name has as {channel}, {score}, {metric} …
func expand(c Column) []Column {
	found := placeholder.FindStringSubmatch(c.Name)
	if found == nil {
		return []Column{c}
	}
	var columns []Column
	for _, item := range groups[found[1]]() {
		replace := strings.NewReplacer("{"+found[1]+"}", item.name, "{key}", item.key, "{type}", item.kind, "{text}", item.text)
		columns = append(columns, Column{replace.Replace(c.Name), replace.Replace(c.Type), replace.Replace(c.SQL), replace.Replace(c.Text),
			item.key})
	}
	return columns
}

var placeholder = regexp.MustCompile(`\{(\w+)\}`)

// item is what a column of a group is for.
type item struct{ name, key, kind, text string }

// groups are the groups of columns.
var groups = map[string]func() []item{
	"channel":  channels,
	"score":    func() []item { return channels()[schemas.FirstScore:] },
	"metric":   metrics,
	"variable": variables,
	"cell":     cells,

	"attribute": attributes,
}

// attributes are those of POIs, of which texts of columns are no sentences.
func attributes() (list []item) {
	for _, a := range place.All {
		list = append(list, item{name: a.Name, key: a.Name, text: strings.ToLower(a.Doc[:1]) + strings.TrimSuffix(a.Doc[1:], ".")})
	}
	return list
}

func channels() (list []item) {
	for c := range schemas.Channel(schemas.ChannelCount) {
		name := schemas.ChannelName(c)
		i := item{name: name, key: name}
		if c < schemas.FirstScore {
			i.text = schemas.Measures[c].Doc
		} else {
			i.text = "score: " + schemas.Scores[c-schemas.FirstScore].Label.EN
		}
		list = append(list, i)
	}
	return list
}

func metrics() (list []item) {
	for m := range market.MetricCount {
		i := item{name: m.String(), key: m.String(), kind: "int64?", text: "docs/methods.md has its definition"}
		switch {
		case m == market.Assessment:
			i.kind = "string?"
		case m.Decimals() > 0:
			i.kind = fmt.Sprintf("decimal(18,%d)?", m.Decimals())
		}
		list = append(list, i)
	}
	return list
}

// variables are those of geographies. A name that two categories have is preceded by the category.
func variables() (list []item) {
	times := map[string]int{}
	places := demographics.Flat(demographics.ByGeography)
	for _, p := range places {
		times[demographics.ByGeography[p.Category].Variables[p.Variable].ID]++
	}
	for _, p := range places {
		category := &demographics.ByGeography[p.Category]
		v := &category.Variables[p.Variable]
		i := item{name: v.ID, key: category.ID + "." + v.ID, text: category.Label("en") + ": " + v.Label("", "en")}
		if times[v.ID] > 1 {
			i.name = category.ID + "_" + v.ID
		}
		list = append(list, i)
	}
	return list
}

func cells() (list []item) {
	for _, c := range demographics.Cells {
		list = append(list, item{name: strings.ReplaceAll(c.ID, ".", "_"), key: c.ID, text: c.ID})
	}
	return list
}

// types are the types of columns by name; decimal(P,S) are numbers that the files have as integers of 10^-S, or
// as REAL.
var types = map[string]arrow.DataType{
	"string": arrow.BinaryTypes.String, "bool": arrow.FixedWidthTypes.Boolean, "int32": arrow.PrimitiveTypes.Int32,
	"int64":   arrow.PrimitiveTypes.Int64,
	"float64": arrow.PrimitiveTypes.Float64, "date": arrow.FixedWidthTypes.Date32,
}

var decimalType = regexp.MustCompile(`^decimal\((\d+),(\d+)\)$`)

func (c *Column) arrowType() (arrow.DataType, error) {
	name := strings.TrimSuffix(c.Type, "?")
	if t := types[name]; t != nil {
		return t, nil
	}
	if found := decimalType.FindStringSubmatch(name); found != nil {
		precision, _ := strconv.Atoi(found[1])
		scale, _ := strconv.Atoi(found[2])
		return &arrow.Decimal128Type{Precision: int32(precision), Scale: int32(scale)}, nil
	}
	return nil, fmt.Errorf("column %s: unknown type %s", c.Name, c.Type)
}

// GeometryColumn is the name of the column of geometries.
const GeometryColumn = "geometry"

// schema has the columns of a table, the geometries last.
func (t *Table) schema() *arrow.Schema {
	var fields []arrow.Field
	for _, c := range t.Columns {
		kind, _ := c.arrowType() // check has seen it
		fields = append(fields, arrow.Field{Name: c.Name, Type: kind, Nullable: strings.HasSuffix(c.Type, "?")})
	}
	if t.Geometry != "" {
		fields = append(fields, arrow.Field{Name: GeometryColumn, Type: arrow.BinaryTypes.Binary})
	}
	return arrow.NewSchema(fields, nil)
}

// query is the SQL of the rows for which a condition holds, in the order of columns, geometry, name and values of the pivot.
func (t *Table) query(condition string) string {
	var list []string
	for _, c := range t.Columns {
		if !strings.HasPrefix(c.SQL, "@") {
			list = append(list, c.SQL)
		}
	}
	if t.Geometry != "" {
		list = append(list, t.Geometry)
	}
	if t.Pivot != nil {
		list = append(list, t.Pivot.By)
		for _, name := range t.Pivot.names() {
			list = append(list, t.Pivot.Values[name])
		}
	}
	if condition == "" {
		condition = "true"
	}
	return "SELECT " + strings.Join(list, ", ") + " FROM " + t.From + " WHERE " + condition + " ORDER BY " + t.Order
}

// names are the names of the values, sorted.
func (p *Pivot) names() (names []string) {
	for name := range p.Values {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
