package corrections

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
)

func write(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fixes.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// good has a row of each kind; bad rows follow in the order of faults.
const good = "action,key,name,lat,lng,within_m,new_name,new_lat,new_lng,category,note\n" +
	"drop,osm:node:1,,,,,,,,,closed\n" +
	"Move,,Joe's Café,45.4,-75.7,120,,45.5,-75.8,,\n" +
	"rename,overture:2,,,,,Joe & Sons,,,,\n" +
	"recategorize,osm:way:3,,,,,,,,cafes; restaurants,\n"

func TestConformance(t *testing.T) {
	const rows = "SELECT line, action, place_key, name, lat, lng, within_m, new_name, new_lat, new_lng, categories FROM correction ORDER BY " +
		"line"
	sourcetest.Run(t, Kind,
		sourcetest.Case{
			Name: "all actions", Path: write(t, good), Read: 4, AnyLength: "rows of text",
			Rows: map[string]string{rows: "2|drop|osm:node:1|∅|∅|∅|∅|∅|∅|∅|∅\n3|move|∅|Joe's Café|45.4|-75.7|120|∅|45.5|-75.8|∅\n" +
				"4|rename|overture:2|∅|∅|∅|∅|Joe & Sons|∅|∅|∅\n5|recategorise|osm:way:3|∅|∅|∅|∅|∅|∅|∅|cafes,restaurants"},
		},
		sourcetest.Case{
			Name: "semicolons, decimal commas", Path: write(t, "Corrections of May;;;\naction;name;lat;lng\ndrop;Moulin;45,4;-75,7\n"),
			Options: "within_m: 10", AnyLength: "rows of text",
			Rows:   map[string]string{"SELECT name, lat, lng, within_m FROM correction": "Moulin|45.4|-75.7|10"},
			Issues: map[string]int64{"delimiter_found": 1, "title_lines_skipped": 1, "decimal_comma_found": 2},
		},
	)
}

// TestBadRows reads each fault, with the value.
func TestBadRows(t *testing.T) {
	for row, want := range map[string]string{
		"reopen,osm:node:1,,,,,,,,,":       `unknown_correction @ fixes.csv line 6: reopen,osm:node:1,,,,,,,,,: action "reopen"`,
		"drop,,,,,,,,,,":                   "correction_without_target @ fixes.csv line 6: drop,,,,,,,,,,",
		"drop,,Joe,45,,,,,,,":              "correction_without_target @ fixes.csv line 6: drop,,Joe,45,,,,,,,",
		"drop,,,45,-75,,,,,,":              "correction_without_target @ fixes.csv line 6: drop,,,45,-75,,,,,,",
		"drop,,Joe,45°25'30\"N,-75,,,,,,":  `coordinate_in_minutes @ fixes.csv line 6: drop,,Joe,45°25'30"N,-75,,,,,,: lat "45°25'30"N"`,
		"\"drop\",,Joe,x,-75,,,,,,":        `invalid_coordinate @ fixes.csv line 6: "drop",,Joe,x,-75,,,,,,: lat "x"`,
		"drop,,Joe,45,-75,far,,,,,":        `invalid_correction_distance @ fixes.csv line 6: drop,,Joe,45,-75,far,,,,,: within_m "far"`,
		"drop,,Joe,45,-75,5000,,,,,":       `invalid_correction_distance @ fixes.csv line 6: drop,,Joe,45,-75,5000,,,,,: within_m "5000"`,
		"rename,osm:node:1,,,,,,,,,":       "correction_without_value @ fixes.csv line 6: rename,osm:node:1,,,,,,,,,",
		"move,osm:node:1,,,,,,45,,,":       "correction_without_value @ fixes.csv line 6: move,osm:node:1,,,,,,45,,,",
		"recategorise,osm:node:1,,,,,,,,,": "correction_without_value @ fixes.csv line 6: recategorise,osm:node:1,,,,,,,,,",
		"recategorise,osm:node:1,,,,,,,,coffee,": `unknown_correction_category @ fixes.csv line 6: recategorise,osm:node:1,,,,,,,,coffee,: ` +
			`category "coffee"`,
		"drop,osm:node:1": "wrong_field_count @ fixes.csv line 6: drop,osm:node:1",
	} {
		out := &sourcetest.Record{}
		err := Kind.Stage(t.Context(), source.Input{Source: "s", Path: write(t, good+row+"\n")}, out)
		if got := strings.Join(out.Issues, "; "); err != nil || got != want || len(out.Corrected) != 4 {
			t.Errorf("%s: %s, %v\nwant %s", row, got, err, want)
		}
	}
}

func TestBadFilesAndOptions(t *testing.T) {
	for name, c := range map[string]struct {
		text, options, want string
		err                 error
	}{
		"no action":      {"key,name\na,b\n", "", "no column action; there are: key, name", source.ErrBadFile},
		"another column": {"action,key,latitude\ndrop,a,1\n", "", "column latitude is none of action, key, name, lat", source.ErrBadFile},
		"no rows":        {"action,key\n", "", "it has no rows", source.ErrBadFile},
		"too wide":       {good, "within_m: 5000", "within_m: 5000 is out of range: metres, 0 to 1000", source.ErrBadOptions},
		"a mark":         {good, "decimal: x", "decimal", source.ErrBadOptions},
	} {
		in := source.Input{Source: "s", Path: write(t, c.text), Options: sourcetest.Options(t, c.options)}
		if err := Kind.Stage(t.Context(), in, &sourcetest.Record{}); !errors.Is(err, c.err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzRows: every row is staged or counted.
func FuzzRows(f *testing.F) {
	f.Add(good)
	f.Add("action;key\ndrop;\"a\n")
	f.Fuzz(func(t *testing.T, text string) {
		out := &sourcetest.Record{}
		err := Kind.Stage(t.Context(), source.Input{Source: "s", Path: write(t, text)}, out)
		if err != nil {
			if !errors.Is(err, source.ErrBadFile) {
				t.Error(err)
			}
			return
		}
		if got := len(out.Corrected) + len(out.Issues) - out.Repaired; got != out.Count {
			t.Errorf("%d read, %d staged or counted: %v", out.Count, got, out.Issues)
		}
	})
}
