package acs

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
)

// published is what the survey has of some block groups of Alabama, whose GEOIDs begin with a zero.
type published struct {
	ids    []string
	tables []publishedTable
}

type publishedTable struct {
	name    string
	lines   int
	figures [][]publishedFigure // by area and line
}

// publishedFigure has an estimate and a margin of error, or annotations.
type publishedFigure struct{ estimate, margin int }

func drawPublished(t *rapid.T) published {
	var p published
	for i := range rapid.IntRange(1, 4).Draw(t, "areas") {
		p.ids = append(p.ids, fmt.Sprintf("0100102%02d00%d", i/2+1, i%2+1))
	}
	for _, table := range []publishedTable{{name: "B01003", lines: 1}, {name: "B19013", lines: 1}, {name: "B25003", lines: 3}} {
		for range p.ids {
			var list []publishedFigure
			for range table.lines {
				f := publishedFigure{rapid.IntRange(0, 3000).Draw(t, "estimate"), rapid.IntRange(0, 400).Draw(t, "margin")}
				switch rapid.IntRange(0, 7).Draw(t, "special") {
				case 0:
					f = publishedFigure{-666666666, -222222222}
				case 1:
					f.margin = -555555555
				case 2:
					if table.name == "B19013" {
						f = publishedFigure{250001, -333333333}
					}
				}
				if table.name == "B19013" && f.estimate >= 0 && f.estimate < 2500 {
					f.estimate += 2500
				}
				list = append(list, f)
			}
			table.figures = append(table.figures, list)
		}
		p.tables = append(p.tables, table)
	}
	return p
}

// shown formats figures as data.census.gov and American FactFinder do.
func (f publishedFigure) shown() (estimate, margin, noteE, noteM string) {
	estimate, margin, noteE, noteM = fmt.Sprint(f.estimate), fmt.Sprint(f.margin), "null", "null"
	switch f.estimate {
	case -666666666:
		estimate, noteE = "-", "-"
	case 250001:
		estimate, noteE = "250,000+", "250,000+"
	}
	if text, special := map[int]string{-222222222: "**", -333333333: "***", -555555555: "*****"}[f.margin]; special {
		margin, noteM = text, text
	}
	return estimate, margin, noteE, noteM
}

func (p published) name(i int) string {
	id := p.ids[i]
	return fmt.Sprintf("Block Group %s, Census Tract %s, Autauga County, Alabama", id[11:], strings.TrimLeft(id[5:9], "0"))
}

func csvText(rows [][]string) string {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.WriteAll(rows) // a bytes.Buffer never fails
	return b.String()
}

// wide returns the table with all columns; column names those of a line, cells those of a figure.
func (p published) wide(tables []publishedTable, area func(i int) []string, columns func(t publishedTable, line int) []string,
	cells func(publishedFigure) []string) (head []string, rows [][]string) {
	for _, t := range tables {
		for line := range t.lines {
			head = append(head, columns(t, line+1)...)
		}
	}
	for i := range p.ids {
		row := area(i)
		for _, t := range tables {
			for _, f := range t.figures[i] {
				row = append(row, cells(f)...)
			}
		}
		rows = append(rows, row)
	}
	return head, rows
}

func plain(f publishedFigure) []string { return []string{fmt.Sprint(f.estimate), fmt.Sprint(f.margin)} }

func numbered(t publishedTable, line int) []string {
	return []string{fmt.Sprintf("%s_%03dE", t.name, line), fmt.Sprintf("%s_%03dM", t.name, line)}
}

func (p published) summaryFiles() map[string]string {
	files := map[string]string{}
	for _, t := range p.tables {
		head, rows := p.wide([]publishedTable{t}, func(i int) []string { return []string{"1500000US" + p.ids[i]} },
			func(t publishedTable, line int) []string {
				return []string{fmt.Sprintf("%s_E%03d", t.name, line), fmt.Sprintf("%s_M%03d", t.name, line)}
			}, plain)
		text := "GEO_ID|" + strings.Join(head, "|") + "\n"
		for _, row := range rows {
			text += strings.Join(row, "|") + "\n"
		}
		files["acsdt5y2020-"+strings.ToLower(t.name)+".dat"] = text
	}
	return files
}

func (p published) dataCensusGov() map[string]string {
	files := map[string]string{}
	for _, t := range p.tables {
		head, rows := p.wide([]publishedTable{t}, func(i int) []string {
			return []string{"1500000US" + p.ids[i], strings.ReplaceAll(p.name(i), ",", ";")}
		}, func(t publishedTable, line int) []string {
			c := numbered(t, line)
			return append(c, c[1]+"A", c[0]+"A")
		}, func(f publishedFigure) []string {
			e, m, noteE, noteM := f.shown()
			return []string{e, m, noteM, noteE}
		})
		labels := []string{"Geography", "Geographic Area Name"}
		for _, c := range head {
			labels = append(labels, "Estimate!!Total:!!"+c)
		}
		text := "\ufeff" + csvText(append([][]string{append([]string{"GEO_ID", "NAME"}, head...), labels}, rows...))
		name := "ACSDT5Y2020." + t.name
		files[name+"-Data.csv"] = strings.ReplaceAll(text, "\n", ",\n")
		files[name+"-Column-Metadata.csv"] = "\"Column Name\",\"Label\"\n\"GEO_ID\",\"Geography\"\n"
		files[name+"-Table-Notes.txt"] = "TABLE INFO\n"
	}
	return files
}

func (p published) factFinder() map[string]string {
	files := map[string]string{}
	for _, t := range p.tables {
		head, rows := p.wide([]publishedTable{t}, func(i int) []string { return []string{"1500000US" + p.ids[i], p.ids[i], p.name(i)} },
			func(t publishedTable, line int) []string {
				return []string{fmt.Sprintf("HD01_VD%02d", line), fmt.Sprintf("HD02_VD%02d", line)}
			},
			func(f publishedFigure) []string { e, m, _, _ := f.shown(); return []string{e, m} })
		labels := []string{"Id", "Id2", "Geography"}
		for range head {
			labels = append(labels, "Estimate; Total:")
		}
		name := "ACS_20_5YR_" + t.name
		files[name+"_with_ann.csv"] = csvText(append([][]string{append([]string{"GEO.id", "GEO.id2", "GEO.display-label"}, head...), labels},
			rows...))
		files[name+"_metadata.csv"] = "GEO.id,Id\nHD01_VD01,Estimate; Total\n"
	}
	return files
}

// api is an answer of the Census API, with null in place of a margin of error that does not exist.
func (p published) api() map[string]string {
	head, rows := p.wide(p.tables, func(i int) []string { return []string{p.name(i)} }, numbered, plain)
	answer := [][]any{{"NAME"}}
	for _, c := range append(head, "state", "county", "tract", "block group") {
		answer[0] = append(answer[0], c)
	}
	for i, row := range rows {
		var list []any
		for _, v := range append(row, p.ids[i][:2], p.ids[i][2:5], p.ids[i][5:11], p.ids[i][11:]) {
			if v == "-222222222" {
				list = append(list, nil)
				continue
			}
			list = append(list, v)
		}
		answer = append(answer, list)
	}
	text, _ := json.Marshal(answer) // of texts
	return map[string]string{"answer.json": strings.ReplaceAll(string(text), "],", "],\n")}
}

// tidyWide has the row numbers of R and GEOIDs that were numbers.
func (p published) tidyWide() map[string]string {
	head, rows := p.wide(p.tables, func(i int) []string {
		return []string{fmt.Sprint(i + 1), strings.TrimLeft(p.ids[i], "0"), p.name(i)}
	}, numbered, plain)
	return map[string]string{"acs.csv": csvText(append([][]string{append([]string{"", "GEOID", "NAME"}, head...)}, rows...))}
}

// own has names of the user's own.
func (p published) own() map[string]string {
	files := p.tidyWide()
	files["acs.csv"] = strings.NewReplacer("B01003_001", "people", "B25003_001", "homes").Replace(files["acs.csv"])
	return files
}

func (p published) long() [][]string {
	rows := [][]string{{"GEOID", "NAME", "variable", "estimate", "moe"}}
	for i, id := range p.ids {
		for _, t := range p.tables {
			for line, f := range t.figures[i] {
				e, m := fmt.Sprint(f.estimate), fmt.Sprint(f.margin)
				if f.estimate < 0 {
					e, m = "NA", "NA"
				}
				rows = append(rows, []string{id, p.name(i), fmt.Sprintf("%s_%03d", t.name, line+1), e, m})
			}
		}
	}
	return rows
}

func (p published) tidyLong() map[string]string {
	return map[string]string{"acs.csv": csvText(p.long())}
}

// byVariable is a long table sorted by variable.
func (p published) byVariable() map[string]string {
	rows := p.long()
	slices.SortStableFunc(rows[1:], func(a, b []string) int { return strings.Compare(a[2], b[2]) })
	return map[string]string{"acs.csv": csvText(rows)}
}

func (p published) geoJSON() map[string]string {
	type feature struct {
		Type       string         `json:"type"`
		Properties map[string]any `json:"properties"`
		Geometry   any            `json:"geometry"`
	}
	var list []feature
	rows := p.long()
	for _, row := range rows[1:] {
		f := feature{Type: "Feature", Properties: map[string]any{}}
		for i, c := range rows[0] {
			f.Properties[c] = row[i]
			if i > 2 && row[i] == "NA" {
				f.Properties[c] = nil
			} else if i > 2 {
				f.Properties[c] = json.Number(row[i] + ".0")
			}
		}
		list = append(list, f)
	}
	text, _ := json.Marshal(map[string]any{"type": "FeatureCollection", "features": list}) // of texts and numbers
	return map[string]string{"acs.geojson": string(text)}
}

// withoutForm are the counts of issues, without that of the form.
func withoutForm(out *sourcetest.Record) map[string]int {
	counts := out.Reasons()
	maps.DeleteFunc(counts, func(reason string, _ int) bool { return strings.HasPrefix(reason, "census_form_found") })
	return counts
}

// Every layout gives the same statistics and the same issues, but for the form that is found.
func TestLayouts(t *testing.T) {
	folder, test := t.TempDir(), t
	rapid.Check(t, func(t *rapid.T) {
		p := drawPublished(t)
		var want []string
		var issues map[string]int
		for _, layout := range []struct {
			name, options string
			files         map[string]string
			zip           bool
		}{
			{"summary file", "", p.summaryFiles(), false},
			{"data.census.gov", "", p.dataCensusGov(), false},
			{"data.census.gov, as a zip", "", p.dataCensusGov(), true},
			{"American FactFinder", "", p.factFinder(), false},
			{"American FactFinder, as a zip", "", p.factFinder(), true},
			{"Census API", "vintage: 2016-2020", p.api(), false},
			{"tidycensus, wide", "vintage: 2016-2020", p.tidyWide(), false},
			{"tidycensus, own names", "{vintage: 2016-2020, variables: {people: B01003_001, homesE: B25003_001E, homesM: B25003_001M}}",
				p.own(), false},
			{"tidycensus, long", "vintage: 2016-2020", p.tidyLong(), false},
			{"tidycensus, long, by variable", "vintage: 2016-2020", p.byVariable(), false},
			{"tidycensus, with geometry", "vintage: 2016-2020", p.geoJSON(), false},
		} {
			dir := filepath.Join(folder, "x")
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
			path := place(t, dir, layout.files, layout.zip)
			out := &sourcetest.Record{}
			if err := Kind.Stage(t.Context(), source.Input{Source: "s", Path: path, Options: sourcetest.Options(test, layout.options)},
				out); err != nil {
				t.Fatalf("%s: %v", layout.name, err)
			}
			got := written(out)
			slices.Sort(got)
			if want == nil {
				want, issues = got, withoutForm(out)
				continue
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-summary file +got):\n%s", layout.name, diff)
			}
			if diff := cmp.Diff(issues, withoutForm(out)); diff != "" {
				t.Errorf("%s: issues (-summary file +got):\n%s", layout.name, diff)
			}
			if form, _, _ := strings.Cut(layout.name, ","); !slices.ContainsFunc(out.Issues,
				func(issue string) bool { return strings.HasPrefix(issue, "census_form_found: "+form) }) {
				t.Errorf("%s: no form of it in %q", layout.name, out.Issues)
			}
			if v := out.Surveys[0].Vintage; v != "2016-2020" {
				t.Errorf("%s: vintage %s", layout.name, v)
			}
		}
	})
}

// place writes files to a folder, or to a zip in it, and returns the path of the source.
func place(t rapid.TB, dir string, files map[string]string, zipped bool) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	err := os.MkdirAll(dir, 0o755)
	for name, text := range files {
		if zipped {
			w, failed := z.Create(name)
			if failed == nil {
				_, failed = w.Write([]byte(text))
			}
			err = errors.Join(err, failed)
			continue
		}
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	if zipped {
		err = errors.Join(err, z.Close(), os.WriteFile(filepath.Join(dir, "download.zip"), b.Bytes(), 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
