package odef

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/address"
	"quartier/ingest/formats/vector"
	"quartier/ingest/grade"
	"quartier/ingest/source"
	"quartier/schemas"
	"quartier/schemas/reason"
)

// columns are those of a file by their names in version 2, in lower case.
type columns map[string]string

// older are the names of columns in other versions.
var older = map[string]string{
	"record_id": "id", "institution_name": "facility_name", "institution_type": "facility_type", "isced4_": "isced4plus",
	"municipality_name": "city",
	"data_provider":     "provider", "geocoding_source": "geo_source", "province": "prov_terr", "street_addr": "full_addr",
	"unique_id": "id", "province_code": "prov_terr", "geocode": "pruid", "full_address": "full_addr", "streetaddress": "street_name",
	"postalcode": "postal_code", "addresslocality": "city", "is_olms": "olms_status",
}

func columnsOf(names []string) columns {
	c := columns{}
	for _, name := range names {
		key := strings.ToLower(strings.TrimSpace(name))
		if newer, ok := older[key]; ok {
			key = newer
		}
		if _, taken := c[key]; !taken {
			c[key] = name
		}
	}
	if own, three := c["school_id"]; three { // source_id is the number of a data set there
		c["source_id"] = own
	}
	return c
}

// isced are the columns of levels, and their levels.
var isced = []struct{ column, level string }{{"isced010", "preschool"}, {"isced020", "preschool"}, {"isced1", "elementary"},
	{"isced2", "middle"}, {"isced3", "secondary"}}

// check returns an error of a file that is not of the database, or lacks what a school needs.
func (c columns) check(path string, names []string) error {
	var missing []string
	for _, name := range []string{"facility_name", "isced1", "isced2", "isced3", "prov_terr"} {
		if c[name] == "" {
			missing = append(missing, name)
		}
	}
	if missing != nil {
		return source.BadFile(path, "no column %s of any version of the database; there are: %s", strings.Join(missing, ", nor "),
			strings.Join(names, ", "))
	}
	return nil
}

// value returns a value of a row; "" where it is missing.
func (c columns) value(f vector.Feature, column string) string {
	if c[column] == "" {
		return ""
	}
	return f.Value(c[column])
}

func (c columns) name(f vector.Feature) string { return c.value(f, "facility_name") }

// school returns the school of a row and what was changed in it, or why there is none.
func (c columns) school(f vector.Feature) (v source.School, changed []reason.Reason, why reason.Reason) {
	v = source.School{
		Name: c.name(f), City: c.value(f, "city"), PostalCode: address.PostalCode(c.value(f, "postal_code")), CountryCode: "CA",
		BoardName: c.value(f, "authority_name"),
		StateCode: address.State(c.value(f, "prov_terr")), Types: grade.Type(c.value(f, "facility_type")), Address: c.address(f),
		Geocoded: c.geocoded(f),
	}
	if v.StateCode == "" {
		province, _ := schemas.StateByPRUID(whole(c.value(f, "pruid")))
		v.StateCode = province.Code
	}
	r := grade.Parse(c.grades(f))
	v.Grades = r.Grades
	var levels []string
	for _, i := range isced {
		if c.flag(f, i.column) {
			levels = append(levels, i.level)
		}
	}
	switch {
	case levels == nil && v.Grades == "" && c.flag(f, "isced4plus"):
		return v, nil, adults
	case v.Name == "":
		return v, nil, source.MissingName
	case v.Grades == "":
		v.Levels = grade.Join(levels)
	case r.Levels != nil:
		v.Levels = grade.Join(r.Levels)
	}
	if changed = r.Changed(); v.Types == "" && c.value(f, "facility_type") != "" {
		changed = append(changed, grade.NoType)
	}
	switch minority := c.flag(f, "olms_status"); {
	case minority && v.StateCode == "QC":
		v.Languages = "en"
	case minority, strings.EqualFold(c.value(f, "facility_type"), "francophone"):
		v.Languages = "fr"
	}
	if p, ok := f.Geometry.(orb.Point); ok {
		v.Lng, v.Lat = &p[0], &p[1]
	}
	c.key(&v, f)
	return v, changed, why
}

// grades is the range of grades: of one column, or of the first and the last one.
func (c columns) grades(f vector.Feature) string {
	first, last := c.value(f, "min_grade"), c.value(f, "max_grade")
	if first == "" || last == "" || first == last {
		return cmp.Or(c.value(f, "grade_range"), first, last)
	}
	return first + "-" + last
}

// flag reports whether a value is 1 or y.
func (c columns) flag(f vector.Feature, column string) bool {
	return slices.Contains([]string{"1", "y", "yes", "true"}, strings.ToLower(whole(c.value(f, column))))
}

// whole removes the fraction that a number got in a program: 1100001.0 is 1100001.
func whole(text string) string { return strings.TrimSuffix(text, ".0") }

// geocoded reports whether coordinates are not the provider's own, or whose they are is not known.
func (c columns) geocoded(f vector.Feature) bool {
	by := strings.ToLower(c.value(f, "geo_source"))
	return by != "provider" && by != "source"
}

// key sets the key and the identifier of the province.
func (c columns) key(v *source.School, f vector.Feature) {
	if id := c.value(f, "source_id"); id != "" && v.StateCode != "" {
		v.AuthorityID = strings.ToLower(v.StateCode) + ":" + id
	}
	switch id := whole(c.value(f, "id")); {
	case id != "":
		v.SourceKey = "odef:" + id
	case v.AuthorityID != "":
		v.SourceKey = v.AuthorityID
	case c.value(f, "source_id") != "":
		v.SourceKey = "odef:" + c.value(f, "source_id")
	default:
		sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %s %v", v.Name, c.value(f, "full_addr"), v.PostalCode, f.Geometry))
		v.SourceKey = fmt.Sprintf("odef:%x", sum[:8])
	}
}

var postalAtEnd = regexp.MustCompile(`(?i)[\s,]*[A-Z]\d[A-Z][ -]?\d[A-Z]\d\s*$`)

// address returns the street with its number: of its parts, else the full address without what follows the street.
func (c columns) address(f vector.Feature) string {
	street := strings.Join(strings.Fields(c.value(f, "street_no")+" "+c.value(f, "street_name")), " ")
	full := strings.Join(strings.Fields(c.value(f, "full_addr")), " ")
	if full == "" || c.value(f, "street_name") != "" {
		return street
	}
	province := append(address.Names(c.value(f, "prov_terr")), c.value(f, "prov_terr"))
	full = withoutEnd(full, province) // "100 York St Bridgewater NS B4V 1R3 NS"
	full = withoutEnd(postalAtEnd.ReplaceAllString(full, ""), province)
	return withoutEnd(full, []string{c.value(f, "city"), c.value(f, "csdname")})
}

// withoutEnd removes the first of the words that a text ends with, and commas before it; not all of the text.
func withoutEnd(text string, words []string) string {
	for _, w := range words {
		at := len(text) - len(w)
		if w != "" && at > 0 && strings.EqualFold(text[at:], w) && strings.ContainsRune(" ,", rune(text[at-1])) {
			return strings.TrimRight(text[:at], " ,")
		}
	}
	return text
}
