package profile

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/testenv"
	"quartier/schemas/demographics"
)

// profileLines are lines of the census profile: CHARACTERISTIC_ID, names as they are written, and a figure.
const profileLines = `1|Population, 2021|Population, 2021|1003
4|Total private dwellings|Total des logements privés|420
5|Private dwellings occupied by usual residents|Logements privés occupés par des résidents habituels|401
41|Total - Occupied private dwellings by structural type of dwelling - 100% data|Total - Logements privés occupés par type de construction résidentielle - Données intégrales (100 %)|400
42|  Single-detached house|  Maison individuelle non attenante|200
43|  Semi-detached house|  Maison jumelée|40
44|  Row house|  Maison en rangée|30
45|  Apartment or flat in a duplex (2)|  Appartement ou plain-pied dans un duplex|20
46|  Apartment in a building that has fewer than five storeys|  Appartement dans un immeuble de moins de cinq étages|60
47|  Apartment in a building that has five or more storeys|  Appartement dans un immeuble de cinq étages ou plus|45
48|  Other single-attached house|  Autre maison individuelle attenante|0
49|  Movable dwelling|  Logement mobile|5
77|Average number of children in census families with children|Nombre moyen d'enfants dans les familles de recensement avec enfants|1.8
78|Total number of census families in private households - 100% data|Total - Familles de recensement dans les ménages privés - Données intégrales (100 %)|280
79|  Total couple families|  Total des familles comptant un couple|230
80|    Married couples|    Couples mariés|190
81|      With children|      Avec enfants|100
82|      Without children|      Sans enfants|90
83|    Common-law couples|    Couples en union libre|40
84|      With children|      Avec enfants|15
85|      Without children|      Sans enfants|25
86|  Total one-parent families|  Total des familles monoparentales|50
111|Total - Income statistics in 2020 for the population aged 15 years and over in private households - 100% data|Total - Statistiques du revenu en 2020 pour la population âgée de 15 ans et plus dans les ménages privés - Données intégrales (100 %)|820
112|  Number of total income recipients aged 15 years and over in private households in 2020 - 100% data|  Nombre de bénéficiaires d'un revenu total âgés de 15 ans et plus dans les ménages privés en 2020 - Données intégrales (100 %)|800
113|    Median total income in 2020 among recipients ($)|    Revenu total médian en 2020 parmi les bénéficiaires ($)|41600
128|Total - Income statistics in 2020 for the population aged 15 years and over in private households - 25% sample data|Total - Statistiques du revenu en 2020 pour la population âgée de 15 ans et plus dans les ménages privés - Données-échantillon (25 %)|830
129|  Number of total income recipients aged 15 years and over in private households in 2020 - 25% sample data|  Nombre de bénéficiaires d'un revenu total âgés de 15 ans et plus dans les ménages privés en 2020 - Données-échantillon (25 %)|810
130|    Average total income in 2020 among recipients ($)|    Revenu total moyen en 2020 parmi les bénéficiaires ($)|50000
393|Total - Mother tongue for the total population excluding institutional residents - 100% data|Total - Langue maternelle pour la population totale à l'exclusion des résidents d'un établissement institutionnel - Données intégrales (100 %)|1000
394|  Single responses|  Réponses uniques|960
395|    Official languages|    Langues officielles|860
396|      English|      Anglais|560
397|      French|      Français|300
398|    Non-official languages|    Langues non officielles|100
399|      Indigenous languages|      Langues autochtones|5
719|  Multiple responses|  Réponses multiples|40
720|    English and French|    Français et anglais|40
1414|Total - Private households by tenure - 25% sample data|Total - Ménages privés selon le mode d'occupation - Données-échantillon (25 %)|400
1415|  Owner|  Propriétaire|300
1416|  Renter|  Locataire|95
1417|  Dwelling provided by the local government, First Nation or Indian band|  Logement fourni par le gouvernement local, la Première Nation ou la bande indienne|5
2611|Total - Commuting duration for the employed labour force aged 15 years and over with a usual place of work or no fixed workplace address - 25% sample data|Total - Durée du navettage pour la population active occupée âgée de 15 ans et plus ayant un lieu habituel de travail ou sans adresse de travail fixe - Données-échantillon (25 %)|400
2612|  Less than 15 minutes|  Moins de 15 minutes|100
2613|  15 to 29 minutes|  15 à 29 minutes|150
2614|  30 to 44 minutes|  30 à 44 minutes|100
2615|  45 to 59 minutes|  45 à 59 minutes|30
2616|  60 minutes and over|  60 minutes et plus|20`

// profileArea is an area of an invented file. figures are "figure|symbol|low|high", or "figure|symbol", of single lines.
type profileArea struct {
	dguid, code, name string
	figures           map[int]string
}

const (
	englishHead = "CENSUS_YEAR,DGUID,ALT_GEO_CODE,GEO_LEVEL,GEO_NAME,TNR_SF,TNR_LF,DATA_QUALITY_FLAG,CHARACTERISTIC_ID,CHARACTERISTIC_NAME," +
		"CHARACTERISTIC_NOTE,C1_COUNT_TOTAL,SYMBOL,C2_COUNT_MEN+,SYMBOL,C4_COUNT_LOW_CI_TOTAL,SYMBOL,C7_COUNT_HI_CI_TOTAL,SYMBOL," +
		"C10_RATE_TOTAL,SYMBOL"
	frenchHead = "ANNÉE_RECENSEMENT,IDUGD,CODE_GÉO_ALT,NIVEAU_GÉO,NOM_GÉO,TGN_CF,TGN_CL,INDICATEUR_QUALITÉ_DONNÉES,ID_CARACTÉRISTIQUE," +
		"NOM_CARACTÉRISTIQUE,NOTE_CARACTÉRISTIQUE,C1_CHIFFRE_TOTAL,SYMBOLE,C2_CHIFFRE_HOMMES+,SYMBOLE,C4_CHIFFRE_IC_INF_TOTAL,SYMBOLE," +
		"C7_CHIFFRE_IC_SUP_TOTAL,SYMBOLE,C10_TAUX_TOTAL,SYMBOLE"
)

// profileText is a file of areas.
func profileText(french bool, areas ...profileArea) string {
	b := englishHead + "\r\n"
	if french {
		b = frenchHead + "\r\n"
	}
	for _, a := range areas {
		for _, l := range strings.Split(profileLines, "\n") {
			f := strings.Split(l, "|")
			name := f[1]
			if french {
				name = f[2]
			}
			var id int
			fmt.Sscan(f[0], &id)
			figures := strings.Split(f[3]+"||||", "|")
			if own, ok := a.figures[id]; ok {
				figures = strings.Split(own+"||||", "|")
			}
			limits := `,"...",,"..."`
			if figures[2] != "" {
				limits = figures[2] + ",," + figures[3] + ","
			}
			b += fmt.Sprintf(`2021,"%s","%s","Area","%s",3.1,4.2,"00000",%d,"%s",,"%s","%s",1,,%s,,"..."`+"\r\n",
				a.dguid, a.code, a.name, id, name, figures[0], figures[1], limits)
		}
	}
	return b
}

// profileFile writes text as windows-1252.
func profileFile(t testing.TB, text string) string {
	t.Helper()
	data, err := charmap.Windows1252.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "98-401-X2021006_English_CSV_data.csv")
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

var (
	quebec  = profileArea{dguid: "2021A000224", code: "24", name: "Québec"}
	estrie  = profileArea{dguid: "2021S05002430", code: "2430", name: "Estrie"} // an economic region
	block24 = profileArea{dguid: "2021S051224010018", code: "24010018", name: "24010018"}
)

// with is the area with other figures.
func (a profileArea) with(figures map[int]string) profileArea {
	a.figures = figures
	return a
}

func TestConformance(t *testing.T) {
	path := profileFile(t, profileText(false, quebec.with(map[int]string{1415: "300||280|330", 130: "50000|E|49000|51000", 1: "1,003"}),
		estrie,
		block24.with(map[int]string{1416: "|x", 397: "..", 45: "|F", 2612: "|..."})))
	sourcetest.Run(t, Kind,
		sourcetest.Case{
			Name: "census profile in windows-1252", Path: path, Country: "CA", Options: "layout: statcan-profile", Read: 3 * 47,
			Rows: map[string]string{
				"SELECT vintage, title FROM survey": "2021|Census of Population, Census Profile",
				"SELECT area_key, count(DISTINCT split_part(cell, '.', 1)), count(*) FROM statistic GROUP BY 1 ORDER BY " +
					"1": "statcan:da:24010018|7|9\nstatcan:pr:24|11|29",
				"SELECT estimate, moe FROM statistic WHERE cell = " +
					"'population.total'": "1003|∅\n1003|∅",
				"SELECT estimate, round(moe, 2) FROM statistic WHERE cell IN ('tenure.owner', 'tenure.renter') ORDER BY " +
					"cell": "300|20.98\n95|∅",
				"SELECT estimate, round(moe, 2) FROM statistic WHERE cell = 'housing_type.attached'": "70|" +
					"5.7",
				"SELECT estimate, round(moe) FROM statistic WHERE cell = 'individual_income_sum.dollars' AND area_key = " +
					"'statcan:pr:24'": "4e+07|691286",
				"SELECT estimate, round(moe, 2) FROM statistic WHERE cell LIKE 'children.%' AND area_key = 'statcan:pr:24' ORDER BY " +
					"cell": "297|∅\n165|5.7",
				"SELECT estimate, moe FROM statistic WHERE cell IN ('median_individual_income.value', 'households.total') ORDER BY " +
					"estimate": "401|∅\n401|∅\n41600|∅\n41600|∅",
				"SELECT estimate, round(moe, 2) FROM statistic WHERE cell LIKE 'mother_tongue.%' AND cell != 'mother_tongue.total' ORDER BY " +
					"1": "40|3.29\n100|3.29\n300|3.29\n560|3.29",
			},
			Issues: map[string]int64{
				"unread_summary_level":      1,
				"estimate_use_with_caution": 1,
				"estimate_suppressed":       1,
				"estimate_not_available":    1,
				"estimate_unreliable":       1,
				"estimate_not_applicable":   1,
			},
		},
		sourcetest.Case{
			Name: "cancensus, dissemination areas of Montréal", Path: testenv.Data("formats/cancensus-montreal.csv"), Country: "CA", Options: "{}",
			Read: 6574, AnyLength: "lines of text",
			Issues: map[string]int64{"missing_estimate: median_household_income": 102, "vector_not_read": 1},
			Rows: map[string]string{
				"SELECT vintage FROM survey": "2021",
				"SELECT cell, estimate, moe FROM statistic WHERE area_key = 'statcan:da:24520101' ORDER BY cell": "households.total|353|∅\n" +
					"median_household_income.value|94000|∅\npopulation.total|876|∅",
			},
		},
		sourcetest.Case{
			Name: "long form by ward, English", Path: filepath.Join(wards, "census2021_longform_wards_en.csv"), Country: "CA",
			Options: "layout: ottawa-wards\nwhole: statcan:csd:3506008", Read: 2602,
			Rows: map[string]string{
				"SELECT count(*), count(DISTINCT area_key), count(moe) FROM statistic":                                 "3575|25|0",
				"SELECT estimate FROM statistic WHERE cell = 'household_children.kids' AND area_key = 'ottawa:ward:1'": "8435",
			},
		},
	)
}

// The French edition says the same as the English one.
func TestFrenchProfile(t *testing.T) {
	areas := []profileArea{quebec.with(map[int]string{1415: "300||280|330"}), block24}
	var got [2][]string
	for i, french := range []bool{false, true} {
		out, err := stage(t, profileFile(t, profileText(french, areas...)), "layout: statcan-profile")
		if err != nil {
			t.Fatal(err)
		}
		got[i] = texts(out.Statistics)
	}
	if diff := cmp.Diff(got[0], got[1]); diff != "" || len(got[0]) != 58 {
		t.Errorf("%d rows, English and French differ:\n%s", len(got[0]), diff)
	}
}

func TestProfileAreas(t *testing.T) {
	var areas []profileArea
	for _, dguid := range []string{"2021A000011124", "2021A000224", "2021A00032430", "2021A00052430010", "2021S0503462", "2021S050424447",
		"2021S05074620001.00", "2021S051224010018", "2021A0011J1A"} {
		areas = append(areas, profileArea{dguid: dguid,
			code: strings.TrimPrefix(dguid[9:], map[bool]string{true: "24"}[strings.HasPrefix(dguid, "2021S0504")])})
	}
	path := profileFile(t, profileText(false, areas...))
	for options, want := range map[string]string{
		"": "statcan:country:CA statcan:pr:24 statcan:cd:2430 statcan:csd:2430010 statcan:cma:462 " +
			"statcan:cma:447 statcan:ct:4620001.00 statcan:da:24010018 statcan:fsa:J1A",
		"\nareas: [da:2401, ct, csd:24301]": "statcan:ct:4620001.00 statcan:da:24010018",
	} {
		out, err := stage(t, path, "layout: statcan-profile"+options)
		if err != nil {
			t.Fatal(err)
		}
		var keys []string
		for _, s := range out.Statistics {
			if s.Cell == "population.total" {
				keys = append(keys, s.AreaKey)
			}
		}
		if got := strings.Join(keys, " "); got != want {
			t.Errorf("%q: %s, want %s", options, got, want)
		}
	}
}

func TestBadLines(t *testing.T) {
	for name, c := range map[string]struct {
		figures map[int]string
		without string // table that is not staged
		issue   string
	}{
		"negative":           {map[int]string{1415: "-5"}, "tenure", "negative_count"},
		"no number":          {map[int]string{1415: "many"}, "tenure", "invalid_number"},
		"empty":              {map[int]string{1415: ""}, "tenure", "missing_estimate"},
		"part over total":    {map[int]string{1415: "420"}, "tenure", "part_exceeds_total"},
		"parts over total":   {map[int]string{1416: "140"}, "tenure", "parts_exceed_total"},
		"within rounding":    {map[int]string{1416: "115"}, "", ""},
		"limits change":      {map[int]string{1415: "300||330|280"}, "tenure", "reversed_confidence_limits"},
		"total suppressed":   {map[int]string{1414: "|x"}, "tenure", "estimate_suppressed"},
		"average suppressed": {map[int]string{77: "|x"}, "children average_children", "estimate_suppressed"},
		"line not needed":    {map[int]string{394: "|x", 4: "|x"}, "", ""},
	} {
		out, err := stage(t, profileFile(t, profileText(false, quebec.with(c.figures))), "layout: statcan-profile")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		staged := map[string]bool{}
		for _, s := range out.Statistics {
			table, _, _ := strings.Cut(s.Cell, ".")
			staged[table] = true
		}
		for _, table := range []string{"population", "households", "housing_type", "children", "average_children", "individual_income_sum",
			"mother_tongue", "tenure", "commute_time"} {
			if want := !strings.Contains(" "+c.without+" ", " "+table+" "); staged[table] != want {
				t.Errorf("%s: table %s staged: %t", name, table, staged[table])
			}
		}
		want := map[string]int(nil)
		if c.issue != "" {
			want = map[string]int{}
			for _, table := range strings.Fields(c.without) {
				want[c.issue+": "+table] = 1
			}
		}
		if diff := cmp.Diff(want, out.Reasons()); diff != "" {
			t.Errorf("%s: issues (-want +got):\n%s", name, diff)
		}
	}
}

func TestAreaTwice(t *testing.T) {
	for name, areas := range map[string][]profileArea{"apart": {quebec, block24, quebec}, "one behind the other": {block24, quebec, quebec}} {
		out, err := stage(t, profileFile(t, profileText(false, areas...)), "layout: statcan-profile")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]int{"duplicate_key": 1}, out.Reasons()); diff != "" || len(out.Statistics) != 58 {
			t.Errorf("%s: %d rows, issues (-want +got):\n%s", name, len(out.Statistics), diff)
		}
	}
	twice := strings.Split(profileText(false, quebec), "\r\n")
	twice = append(twice[:3], twice[2:]...)
	out, err := stage(t, profileFile(t, strings.Join(twice, "\r\n")), "layout: statcan-profile")
	if err != nil || out.Reasons()["duplicate_key: CHARACTERISTIC_ID"] != 1 || len(out.Statistics) != 29 {
		t.Errorf("a line twice: %v, %v", err, out.Reasons())
	}
}

func TestBadProfiles(t *testing.T) {
	text := profileText(false, quebec, block24)
	change := func(old, new string) string {
		if !strings.Contains(text, old) {
			t.Fatalf("no %q in the file", old)
		}
		return strings.ReplaceAll(text, old, new)
	}
	whole := strings.LastIndex(text, "2021,") // the last line
	for name, c := range map[string]struct{ text, says string }{
		"another census by its lines": {change("Single-detached house", "Single-attached house"),
			`characteristic 42 is "Total - Occupied private dwellings by structural type of dwelling - 100% data > Single-attached house", not ` +
				`"Total - Occupied private dwellings by structural type of dwelling > Single-detached house"`},
		"another heading": {change("households by tenure", "households by condominium status"),
			`characteristic 1414 is "Total - Private households by condominium status - 25% sample data", not "Total - Private households by ` +
				`tenure"`},
		"line by line":                {lineByLine(text), "line 4: the rows of 2021A000224 are not together"},
		"another census by its year":  {change("2021,\"", "2016,\""), `the census of "2016"`},
		"another census by its areas": {change("\"2021A", "\"2016A"), "areas of 2016"},
		"a line of another name below": {text[:whole] + strings.Replace(text[whole:], "60 minutes", "61 minutes", 1),
			`characteristic 2616 is "61 minutes and over" here`},
		"no column of figures":    {change("C1_COUNT_TOTAL", "C1"), "no column C1_COUNT_TOTAL"},
		"no column of symbols":    {change("C1_COUNT_TOTAL,SYMBOL", "C1_COUNT_TOTAL,NOTE"), "no column SYMBOL after C1_COUNT_TOTAL"},
		"cut short between lines": {text[:whole], "it ends with line 2615 of area 2021S051224010018, of 2616"},
		"no indents":              {change("\"  ", "\""), `characteristic 42`},
		"no area that is read":    {change("2021A0002", "2021A0004"), ""},
		"no lines":                {englishHead + "\r\n", "none of its areas"},
	} {
		if name == "no area that is read" {
			c.text, c.says = profileText(false, estrie), "none of its areas"
		}
		_, err := stage(t, profileFile(t, c.text), "layout: statcan-profile")
		if !errors.Is(err, source.ErrBadFile) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// lineByLine are the rows of a profile by their lines first and then by area.
func lineByLine(text string) string {
	rows := strings.SplitAfter(text, "\r\n")
	half := len(rows) / 2 // the header, two areas, and nothing behind the last end of a line
	sorted := rows[:1:1]
	for i := 1; i <= half-1; i++ {
		sorted = append(sorted, rows[i], rows[i+half-1])
	}
	return strings.Join(sorted, "")
}

func TestOptions(t *testing.T) {
	for _, options := range []string{"layout: census", "layout: ottawa-wards\nareas: [da]", "layout: statcan-profile\nwhole: a:b",
		"layout: statcan-profile\nscheme: a", "layout: statcan-profile\nareas: [bg:1]"} {
		if _, err := stage(t, "nowhere.csv", options); !errors.Is(err, source.ErrBadOptions) {
			t.Errorf("%q: %v", options, err)
		}
	}
}

func TestNumber(t *testing.T) {
	for text, want := range map[string]float64{
		"1234": 1234, "1,234": 1234, "1,234,567.5": 1234567.5, "1 234": 1234, "1\u00a0234,5": 1234.5, "1\u202f234": 1234,
		"3.10%": 3.1, "3,1 %": 3.1, "3,1\u00a0%": 3.1, "-5": -5, "0": 0,
	} {
		if got, ok := number(text); !ok || math.Abs(got-want) > 1e-9 {
			t.Errorf("%q: %v, %t", text, got, ok)
		}
	}
	for _, text := range []string{"", "x", "..", "NaN", "Inf", "1e999", "1,2,3", "1-2"} {
		if got, ok := number(text); ok {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// Every cell that Canada has comes from somewhere.
func TestMappingIsWhole(t *testing.T) {
	made := map[string]bool{"household_income_sum.dollars": true, "individual_income_sum.dollars": true}
	for c := range demographics.Cells {
		cell := &demographics.Cells[c]
		mapped := len(linesOf[c]) > 0 || made[cell.ID]
		if wanted := cell.Has("CA"); mapped != wanted {
			t.Errorf("%s: mapped %t, published in Canada %t", cell.ID, mapped, wanted)
		}
	}
}

// checkStaged wants of any file, however bad, that what is staged of it can be.
func checkStaged(t *testing.T, out *sourcetest.Record, err error) {
	if err != nil && !errors.Is(err, source.ErrBadFile) {
		t.Fatalf("error %v does not wrap source.ErrBadFile", err)
	}
	seen := map[string]bool{}
	for _, s := range out.Statistics {
		cell, known := demographics.CellOf(s.Cell)
		if key := s.AreaKey + s.Cell; !known || !demographics.Cells[cell].Has("CA") || seen[key] || !(s.Estimate >= 0) ||
			s.MOE != nil && !(*s.MOE >= 0) {
			t.Fatalf("staged %+v", s)
		}
		seen[s.AreaKey+s.Cell] = true
	}
}

func FuzzProfile(f *testing.F) {
	f.Add(profileText(false, quebec.with(map[int]string{1415: "300||280|330", 1416: "|x"}), block24))
	f.Add(profileText(true, block24, quebec))
	f.Add(englishHead + "\n2021,2021S05121,1,,,,,,1,\"Population, 2021\",,5,,,,,,,,,\n")
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "fuzz.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := stage(t, path, "layout: statcan-profile")
		checkStaged(t, out, err)
	})
}
