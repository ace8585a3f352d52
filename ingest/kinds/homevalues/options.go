package homevalues

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quartier/ingest/formats/table"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// Options describe the columns and select rows.
type Options struct {
	Scheme  string                 `yaml:"scheme" doc:"scheme of the keys of the option key, e.g. zillow:neighbourhood; default: the source's id"`
	Key     string                 `yaml:"key" doc:"column with the geography's key, or a template with {column}; default: the codes of counties, ZIP codes and the country in Zillow's tables"`
	Value   string                 `yaml:"value" doc:"column with the value in dollars, of a table without months"`
	Year    string                 `yaml:"year" doc:"column with the year of value, or the year itself"`
	Since   int                    `yaml:"since" unit:"year" range:"1900,2100" doc:"first year to stage; default: all years"`
	Decimal string                 `yaml:"decimal" values:". ," doc:"decimal mark of the values, where the file does not show it"`
	Where   map[string]source.List `yaml:"where" doc:"column: value or list of values; only rows that match in all of these columns are kept"`
}

// Columns of Zillow's tables from which keys are made.
const (
	regionType = "RegionType"
	regionName = "RegionName"
	stateFIPS  = "StateCodeFIPS"
	countyFIPS = "MunicipalCodeFIPS"
)

var fourDigits = regexp.MustCompile(`^\d{4}$`)

// options decodes and validates the options of a region file.
func options(in source.Input) (*Options, error) {
	o := new(Options)
	if err := in.Configure(o, o.check); err != nil {
		return o, err
	}
	if o.Key != "" && len(source.Placeholders(o.Key)) == 0 {
		o.Key = "{" + o.Key + "}"
	}
	o.Scheme = cmp.Or(o.Scheme, in.Source)
	return o, nil
}

func (o *Options) check() error {
	const first, last = 1900, 2100
	var f source.Faults
	f.Option(o.Scheme != "" && o.Key == "", "scheme", "requires the option key")
	f.Option((o.Value == "") != (o.Year == ""), "value", "and year: require each other")
	f.Option(o.Value != "" && o.Key == "", "key", "is missing")
	f.Option(o.Since != 0 && (o.Since < first || o.Since > last), "since", "%d is not a year from %d to %d", o.Since, first, last)
	return f.Err()
}

// yearColumn returns the column with the year; "" where the option is a year, or the table has months.
func (o *Options) yearColumn() string {
	if fourDigits.MatchString(o.Year) {
		return ""
	}
	return o.Year
}

// columns returns the required columns.
func (o *Options) columns() []string {
	var names []string
	for name := range o.Where {
		names = append(names, name)
	}
	if o.Key == "" {
		names = append(names, regionType, regionName)
	}
	names = append(names, source.Placeholders(o.Key)...)
	for _, name := range []string{o.Value, o.yearColumn()} {
		if name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// selects reports whether a row matches the option where.
func (o *Options) selects(t *table.Table) bool {
	for name, values := range o.Where {
		if !slices.Contains(values, t.Text(t.Column(name))) {
			return false
		}
	}
	return true
}

// key returns the key of the row's geography, or why it has none.
func (o *Options) key(t *table.Table) (key string, fault reason.Reason) {
	text := func(name string) string { return t.Text(t.Column(name)) }
	if o.Key != "" {
		if key = source.Fill(o.Key, text); key == "" {
			return "", source.MissingKey
		}
		return o.Scheme + ":" + key, fault
	}
	switch text(regionType) {
	case "county":
		state, county := digits(text(stateFIPS), 2), digits(text(countyFIPS), 3)
		if state == "" || county == "" {
			return "", missingCountyCode
		}
		return "census:county:" + state + county, fault
	case "zip":
		if code := digits(text(regionName), 5); code != "" {
			return "census:zcta:" + code, fault
		}
		return "", invalidZIPCode
	case "country":
		return "census:country:US", fault
	}
	return "", unsupportedType
}

// digits returns a code of n digits, with leading zeros that a spreadsheet has removed; "" where text is not a number of
// at most n digits.
func digits(text string, n int) string {
	if _, err := strconv.ParseUint(text, 10, 32); err != nil || len(text) > n {
		return ""
	}
	return strings.Repeat("0", n-len(text)) + text
}
