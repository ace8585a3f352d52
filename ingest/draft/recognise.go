package draft

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// recognise returns what a file may be: none with the reason, or one or two sources.
func recognise(ctx context.Context, path string) (guesses []*guess, s *sample, why string) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err.Error()
	}
	if info.IsDir() {
		return one(ctx, path, &guess{kind: "gtfs", options: newOptions()})
	}
	if info.Size() == 0 {
		return nil, nil, "it is empty"
	}
	name := strings.ToLower(filepath.Base(path))
	start := beginning(path)
	switch extension := filepath.Ext(name); {
	case strings.HasSuffix(name, ".pbf") || strings.Contains(name, ".osm"):
		return one(ctx, path, &guess{kind: "osm", options: newOptions()})
	case extension == ".tif" || extension == ".tiff" || strings.Contains(name, ".hgt"):
		return one(ctx, path, byRaster(path))
	case extension == ".json" && isJSONOf(start, `"path":"brands/`, `"path": "brands/`):
		return one(ctx, path, &guess{kind: "brands", options: newOptions()})
	case isJSONOf(start, `"elements"`) && isJSONOf(start, `"osm3s"`, `"generator"`, `"version"`):
		return one(ctx, path, &guess{kind: "overpass", options: newOptions()})
	case extension == ".zip":
		if g := (&guess{kind: "gtfs", options: newOptions()}); check(ctx, path, g) == nil {
			return []*guess{g}, nil, ""
		}
	}
	return bySample(ctx, path)
}

// one is a file of a kind that its format shows.
func one(ctx context.Context, path string, g *guess) ([]*guess, *sample, string) {
	if err := check(ctx, path, g); err != nil {
		return nil, nil, "it looks like kind " + g.kind + ", but " + err.Error()
	}
	return []*guess{g}, nil, ""
}

// bySample recognises a file by its columns, values and geometries.
func bySample(ctx context.Context, path string) ([]*guess, *sample, string) {
	if !slices.Contains([]string{".shp", ".zip", ".geojson", ".json", ".geojsonl", ".geojsonseq", ".gpkg", ".parquet", ".csv", ".txt", ".tsv",
		".dat"}, strings.ToLower(filepath.Ext(path))) {
		return nil, nil, "its extension is none of a file that quartier reads"
	}
	if bytes.Contains(beginning(path), []byte("SALE PRICE")) {
		return nil, nil, "it has sales, which quartier market --listings takes in"
	}
	s := sampleOf(ctx, path)
	if g := bySelf(ctx, s); g != nil {
		return []*guess{g}, s, ""
	}
	if s.fault != nil && len(s.columns) == 0 {
		return nil, nil, s.fault.Error()
	}
	if price := s.column("ClosePrice", "ListPrice"); price != "" {
		return nil, nil, "it has listings (column " + price + "), which quartier market --listings takes in"
	}
	if g := bySurvey(s); g != nil {
		return g, s, ""
	}
	for _, r := range []rule{byOverture, byCensus, byMap, byLines, byRatings, byAreas, byPoints} {
		if g := r(s); g != nil {
			if err := check(ctx, path, g); err != nil {
				g.doubts = append(g.doubts, "the kind refuses it ("+err.Error()+"): what is missing")
			}
			return []*guess{g}, s, ""
		}
	}
	if g := withoutCategory(s); g != nil {
		return []*guess{g}, s, ""
	}
	return nil, nil, s.unknown()
}

// withoutCategory maps a list of places of which nothing says what they are; nil where it has no names or positions.
func withoutCategory(s *sample) *guess {
	lng, _ := s.coordinates()
	if s.name() == "" || s.shape != "point" && lng == "" {
		return nil
	}
	g := placesOf(s, "CATEGORY")
	g.off = "of which category are its places (option category, of the list in DATA.md)"
	if c := s.columnWith("type", "category", "class"); c != "" {
		g.off += ", or does column " + c + " say it (category_of, categories)"
	}
	return g
}

// unknown says what was seen of a file that is not recognised.
func (s *sample) unknown() string {
	what := "a table without coordinates"
	if s.shape != "" {
		what = "a file of " + s.shape + "s"
	} else if lng, _ := s.coordinates(); lng != "" {
		what = "a table of places without names"
	}
	columns := s.columns[:min(len(s.columns), 8)]
	return fmt.Sprintf("%s is not recognised, by its columns %s", what, strings.Join(columns, ", "))
}

var surveyYear = regexp.MustCompile(`(19|20)\d\d`)

// bySurvey recognises figures of tidycensus with outlines, of which the file has no vintage: outlines and tables are two
// sources.
func bySurvey(s *sample) []*guess {
	if s.shape != "area" || !s.all("GEOID", "variable", "estimate") {
		return nil
	}
	zones := byCensus(s)
	if zones == nil {
		return nil
	}
	tables := &guess{kind: "acs", options: newOptions()}
	if year := surveyYear.FindString(filepath.Base(s.path)); year != "" {
		var last int
		fmt.Sscan(year, &last)
		tables.options.text("vintage", fmt.Sprintf("%d-%d", last-4, last))
		tables.doubts = []string{"vintage by the year in the name of the file: is it"}
	} else {
		tables.doubts = []string{"the file has no vintage: which five years is it of (option vintage)"}
	}
	return []*guess{zones, tables}
}

// byOverture recognises places and outlines of Overture.
func byOverture(s *sample) *guess {
	switch {
	case s.all("confidence", "names") && (s.all("categories") || s.all("taxonomy")), s.all("names.primary", "confidence"):
		return &guess{kind: "overture", options: newOptions()}
	case s.all("division_id", "subtype"):
		return &guess{kind: "boundaries", options: newOptions().text("layout", "overture")}
	}
	return nil
}

// byMap recognises features of OpenStreetMap as GeoJSON.
func byMap(s *sample) *guess {
	if slices.Contains(s.columns, "@id") || s.shape != "" && s.all("osm_id") && (s.all("tags") || s.all("other_tags")) {
		return &guess{kind: "overpass", options: newOptions()}
	}
	if c := s.column("id"); c != "" && s.shape != "" && s.filled(c) > 0.9 && mapID.MatchString(s.values[c][0]) {
		return &guess{kind: "overpass", options: newOptions()}
	}
	return nil
}

var mapID = regexp.MustCompile(`^(node|way|relation)/\d+$`)

// byRatings recognises results of schools.
func byRatings(s *sample) *guess {
	mark := s.columnWith("avgscore", "rating", "score")
	name := s.columnWith("schoolname")
	if s.shape != "" || mark == "" || name == "" {
		return nil
	}
	o := newOptions().text("school_name", name).column("board", s.columnWith("boardname", "district")).text("mark", mark)
	switch {
	case s.within(mark, 0, 1):
		o.text("scale", "share")
	case s.within(mark, 0, 100):
		o.text("scale", "percent")
	default:
		o.text("scale", "letter")
	}
	return &guess{kind: "school-ratings", options: o,
		doubts: []string{"marks are those of column " + mark + ": are they pupils at the standard"}}
}
