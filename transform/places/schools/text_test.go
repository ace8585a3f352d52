package schools

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/paulmach/orb"

	"quartier/internal/geo"
	"quartier/schemas/calibration"
	"quartier/schemas/derived"
	"quartier/schemas/staged"
	"quartier/transform/issue"
)

// TestText runs the cases of testdata/*.txt: staged records, and the schools that are made of them.
//
//	merge [country=US]
//	odef:1 "St. Luke School" 0 0 levels=elementary geocoded
//	city:7 "École St. Luke" 30 0 id=on:123 grades=JK-6 fr="…" code="K1A 0B1" board="…"
//	----
//
// A record is its source and key, its name, and metres east and north of a point, or "- -" without coordinates. Sources are in
// the order of their first records. Of a school the output has the fields that are known, its records with the reasons, and
// last what was counted.
func TestText(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			country := "US"
			if d.HasArg("country") {
				d.ScanArgs(t, "country", &country)
			}
			return showSchools(deriveText(t, d, country))
		})
	})
}

// origin is where the records of the cases are.
var origin = orb.Point{-75.7, 45.4}

// place is a state around origin, and nothing farther off.
type place struct{ country, state string }

func (p place) StateAt(at orb.Point) (country, state string, ok bool) {
	return p.country, p.state, geo.Distance(origin, at) < 200_000
}

func (p place) CityAt(orb.Point) string { return "" }

func placeOf(country string) place {
	return map[string]place{"CA": {"CA", "ON"}, "US": {"US", "WA"}}[country]
}

func deriveText(t *testing.T, d *datadriven.TestData, country string) *Result {
	var records []*record
	sources := map[string]int32{}
	for line := range strings.Lines(d.Input) {
		row, err := parseRecord(strings.TrimSpace(line), country)
		if err != nil {
			d.Fatalf(t, "%q: %v", line, err)
		}
		if _, known := sources[row.SourceID]; !known {
			sources[row.SourceID] = int32(len(sources))
		}
		records = append(records, newRecord(row, sources[row.SourceID]))
	}
	return deriveRecords(records, placeOf(country))
}

// deriveRecords merges records in any order.
func deriveRecords(records []*record, at Places) *Result {
	dv := newDeriver(at, &calibration.Standard().Schools)
	dv.schools(sorted(records))
	dv.finish()
	return dv.result
}

func parseRecord(line, country string) (row staged.School, err error) {
	words := splitQuoted(line)
	row.SourceID, _, _ = strings.Cut(words[0], ":")
	row.SourceKey, row.CountryCode = words[0], country
	if row.Name, err = strconv.Unquote(words[1]); err != nil {
		return row, err
	}
	if words[2] != "-" {
		var x, y float64
		if _, err := fmt.Sscan(words[2]+" "+words[3], &x, &y); err != nil {
			return row, err
		}
		p := geo.NewPlane(origin).Point(x, y)
		row.Lng, row.Lat = &p[0], &p[1]
	}
	fields := map[string]*string{"id": &row.AuthorityID, "fr": &row.NameFR, "levels": &row.Levels, "grades": &row.Grades, "types": &row.Types,
		"languages": &row.Languages, "programs": &row.Programs, "address": &row.Address, "code": &row.PostalCode, "phone": &row.Phone,
		"url":   &row.URL,
		"board": &row.BoardName}
	for _, word := range words[4:] {
		key, value, _ := strings.Cut(word, "=")
		if strings.HasPrefix(value, `"`) {
			if value, err = strconv.Unquote(value); err != nil {
				return row, err
			}
		}
		switch field, known := fields[key]; {
		case known:
			*field = value
		case key == "geocoded":
			row.Geocoded = true
		case key == "students":
			n, err := strconv.ParseInt(value, 10, 64)
			if err != nil {
				return row, err
			}
			row.Students = &n
		default:
			return row, fmt.Errorf("unknown field %s", key)
		}
	}
	return row, nil
}

// splitQuoted splits a line at spaces outside of quotes.
func splitQuoted(line string) []string {
	quoted := false
	return strings.FieldsFunc(line, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return r == ' ' && !quoted
	})
}

func showSchools(r *Result) string {
	var out strings.Builder
	for i := range r.Schools {
		s := &r.Schools[i]
		x, y := geo.NewPlane(origin).XY(orb.Point{s.Lng, s.Lat})
		fmt.Fprintf(&out, "%s %q at %.0f %.0f levels=%s", s.Key, s.Name, x, y, s.Levels)
		for _, f := range []struct{ name, text string }{{"fr", s.NameFR}, {"id", s.AuthorityID}, {"grades", s.Grades}, {"types", s.Types},
			{"languages", s.Languages},
			{"programs", s.Programs}, {"address", s.Address}, {"code", s.PostalCode}, {"phone", s.Phone}, {"url", s.URL}, {"board", s.BoardName}} {
			if f.text != "" {
				fmt.Fprintf(&out, " %s=%s", f.name, f.text)
			}
		}
		if s.Students != nil {
			fmt.Fprintf(&out, " students=%d", *s.Students)
		}
		out.WriteString("\n")
		showSources(&out, r.Sources, s.Key)
	}
	showIssues(&out, r.Issues)
	return out.String()
}

func showSources(out *strings.Builder, sources []derived.SchoolSource, key string) {
	for _, s := range sources {
		if s.SchoolKey != key || s.Reason == "kept" {
			continue
		}
		fmt.Fprintf(out, "  %s %s", s.SourceKey, s.Reason)
		if s.DistanceM != nil {
			fmt.Fprintf(out, " %.0f m", *s.DistanceM)
		}
		if s.NameSimilarity != nil {
			fmt.Fprintf(out, " similarity %.2f", *s.NameSimilarity)
		}
		out.WriteString("\n")
	}
}

func showIssues(out *strings.Builder, issues []issue.Issue) {
	for _, i := range issues {
		fmt.Fprintf(out, "%s: %d, %s\n", i.Reason, i.Rows, i.Example)
	}
}
