package export

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"gopkg.in/yaml.v3"

	"quartier/schemas"
	"quartier/schemas/column"
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

	Declared []declaration `yaml:"columns"`
	Columns  []Column      `yaml:"-"`
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
	Type string // as column.Type writes it
	SQL  string
	Text string         // what it is, with its unit and what NULL means
	Of   *column.Column // of the catalogue

	group string // what the name of Pivot.By is for this column
}

// declaration is a column as the file of a table has it: SQL such as g.level, of which the last word is its name, or name and SQL,
// then its column of the catalogue (with a product, if it is another one than the table's) and its type, where they differ.
// A name with a family is a column for each member; SQL has the keys of members as {key}.
type declaration struct{ Name, SQL, Of, Type string }

// UnmarshalYAML reads g.level or [name, SQL, column, type].
func (d *declaration) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		_, name, _ := strings.Cut(node.Value, ".")
		*d = declaration{name, node.Value, name, ""}
		return nil
	}
	var members []string
	if err := node.Decode(&members); err != nil {
		return err
	}
	if len(members) < 2 || len(members) > 4 {
		return fmt.Errorf("line %d: a column has a name, SQL, a column of the catalogue and a type, not %d members", node.Line, len(members))
	}
	members = append(members, "", "")
	*d = declaration{members[0], members[1], cmp.Or(members[2], members[0]), members[3]}
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
	for i := range t.Declared {
		columns, err := t.columnsOf(&t.Declared[i])
		if err != nil {
			return nil, err
		}
		t.Columns = append(t.Columns, columns...)
	}
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

// columnsOf are the columns that a declaration stands for.
func (t *Table) columnsOf(d *declaration) (columns []Column, err error) {
	members := column.Members(d.Name)
	if members == nil {
		members = []column.Member{{}}
	}
	for _, m := range members {
		c := Column{Name: m.Fill(d.Name), SQL: m.Fill(d.SQL), group: m.Key}
		if c.Of = t.find(m.Fill(d.Of)); c.Of == nil {
			return nil, fmt.Errorf("the catalogue of columns has no %s", m.Fill(d.Of))
		}
		kind := d.typeOf(c.Of)
		c.Type, c.Text = kind.String(), c.Of.Describe(kind, "en")
		columns = append(columns, c)
	}
	return columns, nil
}

// typeOf is the type of the column: its own, or that of the catalogue.
func (d *declaration) typeOf(of *column.Column) column.Type {
	if d.Type != "" {
		return column.ParseType(d.Type)
	}
	return of.Type
}

// find is a column of the catalogue: of the table's product, unless the name has another one.
func (t *Table) find(name string) *column.Column {
	product := t.Product
	if product == "" || product == nodeProducts {
		product = "streets"
	}
	if of, rest, other := strings.Cut(name, "."); other {
		product, name = of, rest
	}
	return column.Find(product, name)
}

// types are the types of columns by name; decimal(P,S) are numbers that the files have as integers of 10^-S, or
// as REAL.
var types = map[string]arrow.DataType{
	"string": arrow.BinaryTypes.String, "bool": arrow.FixedWidthTypes.Boolean, "int32": arrow.PrimitiveTypes.Int32,
	"int64":   arrow.PrimitiveTypes.Int64,
	"float64": arrow.PrimitiveTypes.Float64, "date": arrow.FixedWidthTypes.Date32,
}

func (c *Column) arrowType() (arrow.DataType, error) {
	t := column.ParseType(c.Type)
	if kind := types[t.Name]; kind != nil {
		return kind, nil
	}
	if t.Digits > 0 {
		return &arrow.Decimal128Type{Precision: t.Digits, Scale: t.Decimals}, nil
	}
	return nil, fmt.Errorf("column %s: unknown type %s", c.Name, c.Type)
}

// GeometryColumn is the name of the column of geometries.
const GeometryColumn = "geometry"

var geometryColumn = column.Of("all." + GeometryColumn)

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
