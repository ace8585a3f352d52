package reso

import (
	"maps"
	"slices"
	"strings"

	"quartier/ingest/formats/table"
	"quartier/ingest/source"
	"quartier/schemas/market"
)

// Options adapt the reader to files with names or values of their own, such as the recorded sales of a city:
//
//	columns: {CloseDate: SALE DATE, ClosePrice: SALE PRICE, PostalCode: ZIP CODE, ParcelNumber: "{BLOCK}/{LOT}"}
//	constants: {StateOrProvince: NY}
//	class: BUILDING CLASS
//	types: {single_family: [01 *], condo_townhome: [12 *, 13 *], skip: [49 *]}
type Options struct {
	System    string                 `yaml:"system" doc:"OriginatingSystemName of records without one; default: the id of the source"`
	Columns   map[string]string      `yaml:"columns" doc:"field of RESO -> column of the file, or a text with columns in braces; fields that the file names as RESO does need none"`
	Constants map[string]string      `yaml:"constants" doc:"field of RESO -> text for records without a value, e.g. StateOrProvince: NY"`
	Statuses  map[string]string      `yaml:"statuses" doc:"status of the file -> StandardStatus, for statuses that are none"`
	Class     string                 `yaml:"class" doc:"column of the class of building, or a text with columns in braces, for types"`
	Types     map[string]source.List `yaml:"types" doc:"type of property of the API, or skip -> classes, case and repeated spaces apart, * for any text; of several that fit the longest counts"`
	Type      string                 `yaml:"type" values:"single_family condo_townhome multi_family_under_5_units multi_family_5_plus_units vacant_land commercial other_and_unclassified" doc:"type of records for which neither class nor PropertyType and PropertySubType give one; default: other_and_unclassified"`
	Only      map[string]source.List `yaml:"only" doc:"column -> values: skip records with other values"`
	DateOrder string                 `yaml:"date_order" values:"mdy dmy" doc:"order of day and month in dates such as 5/6/2016; default: by all values of the column, which fail where they do not decide it"`
	Encoding  string                 `yaml:"encoding" doc:"of a CSV: utf-8, utf-16, latin-1 or cp1252; default: UTF-16 where its mark or zero bytes show it, else utf-8"`
	Delimiter string                 `yaml:"delimiter" doc:"of a CSV, one ASCII character; default: comma, semicolon, tab or pipe, as found"`
	Skip      int                    `yaml:"skip" unit:"lines" range:"0," doc:"of a CSV: number of lines before the header; default: those before the first line with most of the columns of the options"`
}

// skipType is used in types for classes to skip.
const skipType = "skip"

// mapping is the options in the form in which records are read.
type mapping struct {
	Options
	template  [fieldCount]string // of fields that options map
	constant  [fieldCount]string
	statuses  map[string]market.Status // by folded text; those of RESO too
	rules     []classRule              // the longest pattern first
	otherwise market.PropertyType
	slots     slots
}

// classRule gives the type of classes that fit a pattern.
type classRule struct {
	pattern string // folded by foldClass
	skip    bool
	kind    market.PropertyType
}

// compile checks the options and completes the mapping.
func compile(in source.Input) (*mapping, error) {
	m := &mapping{}
	err := in.Configure(&m.Options, func() error {
		var f source.Faults
		m.mapFields(&f)
		m.mapStatuses(&f)
		m.mapClasses(&f)
		f.Option(!table.IsComma(m.Delimiter), "delimiter", "%q is not one ASCII character", m.Delimiter)
		f.Option(m.Encoding != "" && !slices.Contains(table.Encodings, m.Encoding), "encoding", "%q is none of %s", m.Encoding,
			strings.Join(table.Encodings, ", "))
		return f.Err()
	})
	if err != nil {
		return nil, err
	}
	m.slots = newSlots(m)
	return m, nil
}

func (m *mapping) mapFields(f *source.Faults) {
	byName := map[string]field{}
	for i, names := range fieldNames {
		for _, name := range names {
			byName[fold(name)] = field(i)
		}
	}
	for option, mapped := range map[string]map[string]string{"columns": m.Columns, "constants": m.Constants} {
		for _, name := range slices.Sorted(maps.Keys(mapped)) {
			at, known := byName[fold(name)]
			f.Value(!known, option, name, "%q is no field of RESO that is read", name)
			f.Value(mapped[name] == "", option, name, "%s has no value", name)
			switch {
			case !known:
			case option == "columns":
				f.Value(m.template[at] != "", option, name, "the field %s occurs twice", name)
				m.template[at] = mapped[name]
			default:
				m.constant[at] = mapped[name]
			}
		}
	}
	m.template[class] = m.Class
}

func (m *mapping) mapStatuses(f *source.Faults) {
	m.statuses = maps.Clone(statuses)
	for _, text := range slices.Sorted(maps.Keys(m.Statuses)) {
		status, known := statuses[fold(m.Statuses[text])]
		f.Value(!known, "statuses", text, "%q is none of StandardStatus", m.Statuses[text])
		m.statuses[fold(text)] = status
	}
}

func (m *mapping) mapClasses(f *source.Faults) {
	f.Option(len(m.Types) > 0 && m.Class == "", "types", "the option class, whose values it is about, is missing")
	f.Option(len(m.Types) == 0 && m.Class != "", "class", "the option types, which says what its values mean, is missing")
	seen := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(m.Types)) {
		kind, known := market.TypeNamed(name)
		known = known && kind >= market.SingleFamily
		f.Value(!known && name != skipType, "types", name, "%q is no type of property that a record can have, nor skip", name)
		for _, pattern := range m.Types[name] {
			p := foldClass(pattern)
			f.Value(seen[p] != "" && seen[p] != name, "types", pattern, "%q is both %s and %s", pattern, seen[p], name)
			seen[p] = name
			m.rules = append(m.rules, classRule{p, name == skipType, kind})
		}
	}
	slices.SortStableFunc(m.rules, func(a, b classRule) int { return len(b.pattern) - len(a.pattern) })
	m.otherwise = market.Other
	if kind, known := market.TypeNamed(m.Type); known {
		m.otherwise = kind
	}
}

// foldClass makes the text of a class comparable: one space between words, lower case.
func foldClass(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

// rule returns the rule of a class; nil if there is none.
func (m *mapping) rule(class string) *classRule {
	for i := range m.rules {
		if fits(m.rules[i].pattern, class) {
			return &m.rules[i]
		}
	}
	return nil
}

// fits reports whether a text is as a pattern, in which * is any text.
func fits(pattern, text string) bool {
	head, rest, wild := strings.Cut(pattern, "*")
	if !wild {
		return pattern == text
	}
	if !strings.HasPrefix(text, head) {
		return false
	}
	text = text[len(head):]
	for {
		part, after, more := strings.Cut(rest, "*")
		if !more {
			return strings.HasSuffix(text, rest)
		}
		i := strings.Index(text, part)
		if i < 0 {
			return false
		}
		text, rest = text[i+len(part):], after
	}
}
