package profile

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/testenv"
)

var wards = testenv.Data("ca-ottawa/census-wards")

// stage runs the kind without a database.
func stage(t testing.TB, path, options string) (*sourcetest.Record, error) {
	t.Helper()
	out := &sourcetest.Record{}
	err := Kind.Stage(t.Context(), source.Input{Source: "s", Path: path, Country: "CA", Options: sourcetest.Options(t, options)}, out)
	return out, err
}

// english and french are the real files.
func english(t testing.TB) string { return realFile(t, "census2021_longform_wards_en.csv") }
func french(t testing.TB) string  { return realFile(t, "census2021_longform_wards_fr.csv") }

func realFile(t testing.TB, name string) string {
	t.Helper()
	return testenv.NeedData(t, "ca-ottawa/census-wards/"+name)
}

// texts are statistics as "key cell estimate".
func texts(rows []source.Statistic) (list []string) {
	for _, r := range rows {
		text := fmt.Sprintf("%s %s %v", r.AreaKey, r.Cell, r.Estimate)
		if r.MOE != nil {
			text += fmt.Sprintf(" ±%.2f", *r.MOE)
		}
		list = append(list, text)
	}
	return list
}

// wardCells are the cells of a ward by the lines of the English file, read by eye.
var wardCells = map[string][]int{
	"age.total": {3}, "age.00_04": {5}, "age.05_09": {6}, "age.10_14": {7}, "age.15_19": {9}, "age.20_24": {10}, "age.25_29": {11},
	"age.30_34": {12}, "age.35_39": {13}, "age.40_44": {14}, "age.45_49": {15}, "age.50_54": {16}, "age.55_59": {17}, "age.60_64": {18},
	"age.65_69": {20}, "age.70_74": {21}, "age.75_79": {22}, "age.80_84": {23}, "age.85_plus": {24},
	"marital_status.total": {48}, "marital_status.married": {49}, "marital_status.never_married": {57}, "marital_status.separated": {58},
	"marital_status.divorced": {59}, "marital_status.widowed": {60},
	"individual_income_sum.recipients": {62}, "median_individual_income.value": {63}, "average_individual_income.value": {64},
	"individual_income.total": {90}, "individual_income.without": {91}, "individual_income.000000_009999": {93},
	"individual_income.010000_019999": {94},
	"individual_income.020000_029999": {95}, "individual_income.030000_039999": {96}, "individual_income.040000_049999": {97},
	"individual_income.050000_059999": {98},
	"individual_income.060000_069999": {99}, "individual_income.070000_079999": {100}, "individual_income.080000_089999": {101},
	"individual_income.090000_099999": {102},
	"individual_income.100000_149999": {104}, "individual_income.150000_plus": {105},
	"housing_type.total": {216}, "housing_type.detached": {217, 224}, "housing_type.attached": {218, 219, 223}, "housing_type.plex": {220},
	"housing_type.small_building": {221}, "housing_type.large_building": {222},
	"household_size.total": {225}, "household_size.1": {226}, "household_size.2": {227}, "household_size.3": {228}, "household_size.4": {229},
	"household_size.5":         {230},
	"households.total":         {225},
	"household_children.total": {232}, "household_children.kids": {235, 237, 238, 239}, "household_children.no_kids": {236, 241, 242},
	"household_income_sum.households": {243}, "median_household_income.value": {244}, "average_household_income.value": {245},
	"household_income.total": {258}, "household_income.000000_004999": {259}, "household_income.005000_009999": {260},
	"household_income.010000_014999": {261},
	"household_income.015000_019999": {262}, "household_income.020000_024999": {263}, "household_income.025000_029999": {264},
	"household_income.030000_034999": {265},
	"household_income.035000_039999": {266}, "household_income.040000_044999": {267}, "household_income.045000_049999": {268},
	"household_income.050000_059999": {269},
	"household_income.060000_069999": {270}, "household_income.070000_079999": {271}, "household_income.080000_089999": {272},
	"household_income.090000_099999": {273},
	"household_income.100000_124999": {275}, "household_income.125000_149999": {276}, "household_income.150000_199999": {277},
	"household_income.200000_plus": {278},
	"tenure.total":                 {299}, "tenure.owner": {300}, "tenure.renter": {301},
	"median_home_value.value": {373}, "average_home_value.value": {374}, "bedrooms.total": {306}, "bedrooms.0": {307}, "bedrooms.1": {308},
	"bedrooms.2": {309}, "bedrooms.3": {310}, "bedrooms.4_plus": {311},
	"construction_year.total": {325}, "construction_year.before_1961": {326}, "construction_year.1961_to_1980": {327},
	"construction_year.1981_to_1990": {328},
	"construction_year.1991_to_2000": {329}, "construction_year.2001_to_2005": {330}, "construction_year.2006_to_2010": {331},
	"construction_year.2011_to_2015": {332}, "construction_year.2016_to_2021": {333},
	"children.families": {394, 397, 399}, "children.children": {40}, "average_children.value": {402},
	"official_languages.total": {427}, "official_languages.english": {428}, "official_languages.french": {429},
	"official_languages.both": {430}, "official_languages.neither": {431},
	"mother_tongue.total": {437}, "mother_tongue.english": {440}, "mother_tongue.french": {441}, "mother_tongue.other": {442},
	"mother_tongue.multiple": {762},
	"immigration.total":      {1485}, "immigration.non_immigrants": {1486}, "immigration.immigrants": {1487},
	"immigration.non_permanent_residents": {1495},
	"education.total":                     {1981}, "education.none": {1982}, "education.high_school": {1983}, "education.trade": {1986},
	"education.college":                {1989},
	"education.university_certificate": {1990}, "education.bachelor": {1992, 1993}, "education.medical": {1994}, "education.masters": {1995},
	"education.doctorate": {1996},
	"commute_mode.home":   {2566}, "commute_mode.total": {2575}, "commute_mode.drive": {2576}, "commute_mode.transit": {2579},
	"commute_mode.foot":  {2580},
	"commute_mode.cycle": {2581}, "commute_mode.other": {2582},
	"commute_time.total": {2583}, "commute_time.00_14": {2584}, "commute_time.15_29": {2585}, "commute_time.30_44": {2586},
	"commute_time.45_59": {2587}, "commute_time.60_plus": {2588},
}

// records reads a file with the standard library.
func records(t testing.TB, path string) [][]string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff")))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Every figure of every ward is the one that stands in the file's line.
func TestWards(t *testing.T) {
	all := records(t, english(t))
	out, err := stage(t, english(t), "layout: ottawa-wards\nwhole: statcan:csd:3506008")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{}
	at := func(line, column int) float64 {
		n, err := strconv.ParseFloat(all[line-1][column], 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for column := 1; column <= 25; column++ {
		key := "statcan:csd:3506008"
		if column > 1 {
			key = fmt.Sprintf("ottawa:ward:%d", column-1)
		}
		for cell, from := range wardCells {
			for _, line := range from {
				want[key+" "+cell] += at(line, column)
			}
		}
		want[key+" household_income_sum.dollars"] = at(243, column) * at(245, column)
		want[key+" individual_income_sum.dollars"] = at(62, column) * at(64, column)
	}
	got := map[string]float64{}
	for _, r := range out.Statistics {
		got[r.AreaKey+" "+r.Cell] = r.Estimate
		if r.MOE != nil {
			t.Errorf("%s %s has an error", r.AreaKey, r.Cell)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(out.Issues) > 0 {
		t.Errorf("issues: %q", out.Issues)
	}
}

func TestWardsOfEitherLanguage(t *testing.T) {
	en, err := stage(t, english(t), "layout: ottawa-wards")
	if err != nil {
		t.Fatal(err)
	}
	fr, err := stage(t, french(t), "layout: ottawa-wards")
	if err != nil {
		t.Fatal(err)
	}
	both, err := stage(t, wards, "layout: ottawa-wards")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(texts(en.Statistics), texts(fr.Statistics)); diff != "" {
		t.Errorf("English and French differ:\n%s", diff)
	}
	if diff := cmp.Diff(texts(en.Statistics), texts(both.Statistics)); diff != "" {
		t.Errorf("English and both differ:\n%s", diff)
	}
	numberless := "ward_number_inferred"
	whole := "city_total_without_key"
	if diff := cmp.Diff(map[string]int{numberless: 1, whole: 1}, both.Reasons()); diff != "" {
		t.Errorf("issues (-want +got):\n%s", diff)
	}
}

// Two small sheets that say the same, and nothing in most sections.
var (
	smallEnglish = "\ufeffCharacteristics,City of Ottawa ,East - Ward 1,West -Ward 2\n" +
		"Global Non-Response,3.10%,1.70%,2.10%\n" +
		"Total - Private households by tenure - 25% sample data,1000,400,600\n  Owner,700,300,400\n  Renter,300,100,200\n" +
		"Average number of children in census families with children,1.8,1.7,1.9\n" + others(0)
	smallFrench = "Caractéristiques,Ville d'Ottawa,Est - Quartier 1,Ouest - Quartier 2\n" +
		"taux de non-réponse global,\"3,1 %\",\"1,7%\",\"2,1\u00a0%\"\n" +
		"Total\u00a0- Ménages privés selon le mode d'occupation - Données-échantillon (25 %),1000,400,600\n  Propriétaire,700,300,400\n" +
		"\u00a0\u00a0Locataire,300,100,200\n" +
		"Nombre moyen d'enfants dans les familles de recensement avec enfants,1.8,1.7,1.9\n" + others(1)
)

// others are the sections of the long form that are not in the small sheets, each with its first line.
func others(language int) string {
	var text strings.Builder
	for _, row := range strings.Split(mappingText, "\n")[1:] {
		f := strings.Split(row, "\t")
		if f[0] == "" || slices.Contains(notInLongForm, f[0]) || strings.Contains(f[0], "by tenure") ||
			strings.HasPrefix(f[0], "Average number of children") {
			continue
		}
		for i, name := range strings.Split(join(firstForm(f[language]), firstForm(f[2+language])), under) {
			fmt.Fprintf(&text, "\"%s%s\",..,..,..\n", strings.Repeat(" ", i), name)
		}
	}
	return text.String()
}

// inFolder holds files a.csv, b.csv and so on.
func inFolder(t testing.TB, texts ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, string(rune('a'+i))+".csv"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestSheets(t *testing.T) {
	const rows = "ottawa:ward:1 tenure.total 400|ottawa:ward:1 tenure.owner 300|ottawa:ward:1 tenure.renter 100|ottawa:ward:1 " +
		"average_children.value 1.7|" +
		"ottawa:ward:2 tenure.total 600|ottawa:ward:2 tenure.owner 400|ottawa:ward:2 tenure.renter 200|ottawa:ward:2 average_children.value 1.9"
	without := func(table, ward string) string {
		return strings.Join(slices.DeleteFunc(strings.Split(rows, "|"), func(r string) bool { return strings.HasPrefix(r, ward+" "+table) }), "|")
	}
	const difference = "language_mismatch"
	for name, c := range map[string]struct {
		texts  []string
		rows   string
		issues map[string]int
		says   string // of an error
	}{
		"English": {[]string{smallEnglish}, rows, nil, ""},
		"French":  {[]string{smallFrench}, rows, nil, ""},
		"both":    {[]string{smallFrench, smallEnglish}, rows, nil, ""},
		"one figure": {[]string{smallEnglish, strings.Replace(smallFrench, "300,400", "300,405", 1)}, without("tenure", "ottawa:ward:2"),
			map[string]int{difference: 1, "language_mismatch: tenure": 1}, ""},
		"a figure not read": {[]string{smallEnglish, strings.Replace(smallFrench, "1,7%", "1,8%", 1)}, rows, map[string]int{difference: 1}, ""},
		"suppressed": {[]string{strings.Replace(smallEnglish, "300,400", "x,400", 1)}, without("tenure", "ottawa:ward:1"),
			map[string]int{"estimate_suppressed: tenure": 1}, ""},
		"same language": {[]string{smallEnglish, smallEnglish}, "", nil, "in the same language"},
		"other wards":   {[]string{smallEnglish, strings.Replace(smallFrench, "Quartier 2", "Quartier 3", 1)}, "", nil, "of other wards"},
		"a row less": {[]string{smallEnglish, strings.Replace(smallFrench, "\u00a0\u00a0Locataire,300,100,200\n", "", 1)}, "", nil,
			"rows, and"},
		"another row": {[]string{smallEnglish, strings.Replace(smallFrench, "Propriétaire", "Locataire", 1)}, "", nil,
			`line 4 is "Owner", and line 4 of`},
		"cut short": {[]string{smallEnglish[:strings.Index(smallEnglish, `"Total - Immigrant status`)]}, "", nil,
			`it has no section "Total - Immigrant status and period of immigration for the population in private households": is it truncated?`},
		"three files": {[]string{smallEnglish, smallFrench, smallFrench}, "", nil, "3 files"},
		"a short row": {[]string{strings.Replace(smallEnglish, "300,100,200", "300,100", 1)}, "", nil,
			"line 5 does not have one value for each"},
		"no ward": {[]string{strings.Replace(smallEnglish, "Ward 1", "Station 1", 1)}, "", nil,
			`column "East - Station 1" has no ward number`},
		"a ward twice": {[]string{strings.Replace(smallEnglish, "Ward 1", "Ward 2", 1)}, "", nil, "are of the same ward"},
		"no line":      {[]string{strings.SplitAfter(smallEnglish, "2.10%\n")[0]}, "", nil, "no line that is read"},
		"no city":      {[]string{strings.ReplaceAll(smallEnglish, "City of Ottawa ", "North - Ward 3")}, "", nil, "no columns of a city"},
	} {
		out, err := stage(t, inFolder(t, c.texts...), "layout: ottawa-wards")
		if c.says != "" {
			if !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if c.issues == nil {
			c.issues = map[string]int{}
		}
		c.issues["city_total_without_key"] = 1
		if got := strings.Join(texts(out.Statistics), "|"); err != nil || got != c.rows {
			t.Errorf("%s: %s, %v", name, got, err)
		}
		reasons := out.Reasons()
		maps.DeleteFunc(reasons, func(reason string, _ int) bool { return strings.HasPrefix(reason, "estimate_not_available: ") })
		if diff := cmp.Diff(c.issues, reasons); diff != "" {
			t.Errorf("%s: issues (-want +got):\n%s", name, diff)
		}
	}
}

func FuzzWards(f *testing.F) {
	f.Add(smallEnglish, smallFrench)
	f.Add(smallFrench, smallEnglish)
	f.Add("a,b,c - Ward 1,d,e - Ward 3\nTotal - Private households by tenure,1,2,3,4\n", "")
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, texts := range [][]string{{a}, {a, b}} {
			out, err := stage(t, inFolder(t, texts...), "layout: ottawa-wards\nwhole: statcan:csd:3506008")
			checkStaged(t, out, err)
		}
	})
}
