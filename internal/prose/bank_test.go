package prose_test

import (
	"bufio"
	"cmp"
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quartier/internal/prose"
	"quartier/internal/prose/french"
	"quartier/internal/prose/phrase"
	"quartier/schemas"
	"quartier/schemas/profile"
)

// bankName is a name of testdata/names.txt with the level it is tried at: a level and a name in English, and in French after a |.
type bankName struct {
	level  uint8
	en, fr string
}

func bankNames(t testing.TB) (names []bankName) {
	t.Helper()
	file, err := os.Open("testdata/names.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var n bankName
		line := lines.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		level, name, _ := strings.Cut(line, " ")
		if _, err := fmt.Sscan(level, &n.level); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		n.en, n.fr, _ = strings.Cut(name, "|")
		names = append(names, n)
	}
	return names
}

// counts are the numbers that the bank has of everything.
var bankCounts = []float64{0, 1, 2, 8, 11, 80, 1000, 1e6}

var bankCategories = []string{
	"restaurants", "cafes", "nightlife", "groceries", "supermarkets", "groceries_specialized", "convenience_stores", "pharmacies", "banks",
	"health_care", "hospitals",
	"clothing", "department_stores", "home_improvement", "libraries", "art_culture_science", "entertainment", "fitness", "sport_facilities",
	"primary_schools", "high_schools", "daycares",
}

var bankModes = []string{"subway", "train", "tram", "rapid_transit", "bus", "ferry"}

var bankStreets = [][2]string{
	{"Elgin Street", "Rue Elgin"}, {"Avenue Road", ""}, {"Boulevard Saint-Laurent", "Boulevard Saint-Laurent"},
	{"Avenue du Mont-Royal", "Avenue du Mont-Royal"}, {"Hunt Club Road", ""}, {"Église Street", "Rue de l'Église"},
}

// bankFacts are facts of every code, which i chooses: bands, counts, shares, modes and names.
func bankFacts(i int) []profile.Fact {
	at := func(list []float64, k int) float64 { return list[(i+k)%len(list)] }
	nan := math.NaN()
	var facts []profile.Fact
	add := func(f profile.Fact) {
		if f.Typical == 0 {
			f.Typical = nan
		}
		facts = append(facts, f)
	}
	sections := map[string]profile.Section{"transportation": profile.Transport, "amenities": profile.Services, "education": profile.Services,
		"character": profile.Character, "nature": profile.Character, "wellness": profile.Services}
	for k, s := range schemas.Scores {
		if (i+k)%3 == 0 {
			add(profile.Fact{Section: sections[s.Category], Code: profile.ScoreFact, Subject: s.ID, Value: float64((i/3 + k) % 6),
				Low: float64((i / 5) % 3), High: nan, Rank: float64((i+k)%10) / 10})
			if i%4 == 0 {
				facts[len(facts)-1].Low, facts[len(facts)-1].High = 0, 5
			}
		}
	}
	for k, c := range bankCategories {
		if (i+k)%4 == 0 {
			add(profile.Fact{Section: profile.Services, Code: profile.CountFact, Subject: c, Value: at(bankCounts, k), Further: at(bankCounts, k+1),
				Typical: float64(i % 4), Rank: float64((i+2*k)%10) / 10})
		}
		if (i+k)%7 == 0 {
			add(profile.Fact{Section: profile.Services, Code: profile.WalkTimeFact, Subject: c, Value: []float64{0.4, 1, 2, 8, 11, 18, 45}[(i+k)%7],
				Rank: 0.3})
		}
	}
	mode, second := bankModes[i%6], bankModes[(i/2+1)%6]
	add(profile.Fact{Section: profile.Transport, Code: profile.StationFact, Subject: mode,
		Name:  []string{"Hurdman", "Union Station", "L'Anse", "Station Berri-UQAM", "Gare d'Ottawa", "RUSSELL / SHELLEY"}[i%6],
		Value: []float64{20, 90, 640, 880, 1440, 3900}[(i/2)%6], Further: at(bankCounts, 2), Rank: 0.9})
	add(profile.Fact{Section: profile.Transport, Code: profile.LinesFact, Subject: second, Value: at(bankCounts, 3),
		Further: at(bankCounts, 5), Rank: 0.8})
	for k := range i % 4 {
		add(profile.Fact{Section: profile.Transport, Code: profile.LineFact, Subject: second, Name: []string{"7", "11", "Orange", "8"}[(i+k)%4],
			Value: float64(100 * k)})
	}
	for k := range i % 4 {
		s := bankStreets[(i+k)%len(bankStreets)]
		add(profile.Fact{Section: profile.Services, Code: profile.StreetFact, Name: s[0], NameFR: s[1], Value: at(bankCounts, k+2)})
	}
	add(profile.Fact{Section: profile.Character, Code: profile.ParksFact, Value: at(bankCounts, 1),
		Further: []float64{0.04, 0.5, 1, 1.9, 12, 1000}[i%6], Rank: 0.7})
	park := [][2]string{{"Hampton Park", ""}, {"Parc de l'Étang", "Parc de l'Étang"}, {"Étang Lafleur", "Étang Lafleur"},
		{"Dr. John Hopps Park", "Parc du Dr-John-Hopps"}}[i%4]
	add(profile.Fact{Section: profile.Character, Code: profile.ParkFact, Name: park[0], NameFR: park[1],
		Value: []float64{0.3, 1, 1.9, 80}[i%4]})
	add(profile.Fact{Section: profile.Character, Code: profile.HeritageFact, Value: at(bankCounts, 2),
		Name: []string{"", "Hôpital Civique", "Old Town"}[i%3], Rank: 0.6})
	add(profile.Fact{Section: profile.Character, Code: profile.TerrainFact, Value: []float64{0, 1, 2.5, 4}[i%4], Rank: 0.5})
	add(profile.Fact{Section: profile.Character, Code: profile.TypologyFact, Subject: schemas.Typologies[i%len(schemas.Typologies)],
		Value: []float64{0.3, 0.52, 0.66, 0.95, 1}[i%5], Low: nan, High: nan})
	add(profile.Fact{Section: profile.Intro, Code: profile.WaterFact, Name: []string{"Ottawa River", "Lac Dow"}[i%2],
		NameFR: []string{"Rivière des Outaouais", "Lac Dow"}[i%2], Subject: "river"})
	add(profile.Fact{Section: profile.Intro, Code: profile.ContainsFact, Value: at(bankCounts, 2), Name: "Overbrook - McArthur"})
	add(profile.Fact{Section: profile.Transport, Code: profile.BikewayFact, Value: []float64{0, 0.4, 1, 1.9, 30}[i%5],
		Further: []float64{0, 1, 8}[i%3], Rank: 0.7})
	add(profile.Fact{Section: profile.Transport, Code: profile.HighwayFact, Name: []string{"Highway 417", "Autoroute 40"}[i%2],
		NameFR: "Autoroute 40", Value: []float64{90, 940, 1840, 8000}[i%4], Rank: 0.6})
	add(profile.Fact{Section: profile.Transport, Code: profile.AirportFact, Name: "Ottawa International Airport",
		NameFR: "Aéroport international d'Ottawa", Value: 11000, Rank: 0.5})
	shares := [][3]float64{{0.3, 0.28, 0.33}, {0.5, 0.46, 0.54}, {0.95, 0.92, 0.98}, {0.25, 0, 1}, {0.62, 0.55, 0.69}, {0.4, nan, nan},
		{0.7, 0.61, 0.79}, {0.4, 0.36, 0.44}}
	for k, subject := range []string{"apt_dttachd", "apt_attachd", "apt_plex", "apt_bldg_sm", "apt_bldg_lg"} {
		s := shares[(i+k)%len(shares)]
		add(profile.Fact{Section: profile.Housing, Code: profile.DwellingFact, Subject: subject, Value: s[0], Low: s[1], High: s[2]})
	}
	s := shares[(i+3)%len(shares)]
	add(profile.Fact{Section: profile.Housing, Code: profile.TenureFact, Subject: []string{"prop_owner", "prop_renter"}[i%2], Value: s[0],
		Low: s[1], High: s[2]})
	for k, subject := range []string{"before_1961", "1961_to_1980", "2010_or_later", "1939_or_earlier"} {
		s := shares[(i+k+5)%len(shares)]
		add(profile.Fact{Section: profile.Housing, Code: profile.PeriodFact, Subject: subject, Value: s[0], Low: s[1], High: s[2]})
	}
	for k, subject := range []string{"housing_0_bedroom", "housing_1_bedroom", "housing_4_plus_bedrooms"} {
		s := shares[(i+k+2)%len(shares)]
		add(profile.Fact{Section: profile.Housing, Code: profile.BedroomsFact, Subject: subject, Value: s[0], Low: s[1], High: s[2]})
	}
	return facts
}

// The bank: 300 names in every context, held by the rules.
func TestBank(t *testing.T) {
	names := bankNames(t)
	if len(names) < 300 {
		t.Fatalf("%d names in the bank, want 300", len(names))
	}
	kinds, n, seen := map[string]bool{}, 0, checked{}
	for i, name := range names {
		for k := range 6 {
			place := profile.Place{
				ID: fmt.Sprintf("g%d_%d.%d", name.level, i, k), Level: name.level, Country: "CA", State: []string{"QC", "ON"}[i%2], NameEN: name.en,
				NameFR: name.fr,
				CityEN: names[(i+7*k)%len(names)].en, AreaM2: []float64{4e5, 1e6, 1.9e6, 2e6, 1.2e9}[k%5],
			}
			facts := bankFacts(i + 37*k)
			for _, lang := range []string{"en", "fr"} {
				text := prose.Profile(place, facts, lang)
				seen.text(t, lang, facts, text)
				for _, sentences := range text {
					for _, s := range sentences {
						n++
						for _, id := range strings.Split(s.Pattern, "+") {
							kinds[lang+" "+id[:strings.LastIndexByte(id, '/')]] = true
						}
					}
				}
			}
		}
		if t.Failed() {
			break
		}
	}
	t.Logf("%d sentences of %d kinds", n, len(kinds))
	if n < 80000 || len(kinds) < 240 {
		t.Errorf("the bank has only %d sentences of %d kinds", n, len(kinds))
	}
}

// Facts of any values never give a sentence that breaks a rule.
func TestAnyFacts(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		facts := bankFacts(rapid.IntRange(0, 5000).Draw(r, "facts"))
		for i := range facts {
			switch rapid.IntRange(0, 9).Draw(r, "change") {
			case 0:
				facts[i].Value = rapid.Float64().Draw(r, "value")
			case 1:
				facts[i].Low, facts[i].High = rapid.Float64Range(-1, 2).Draw(r, "low"), rapid.Float64Range(-1, 2).Draw(r, "high")
			case 2:
				facts[i].Subject = rapid.SampledFrom([]string{"", "restaurants", "bus", "unknown", "apt_plex", "quiet"}).Draw(r, "subject")
			case 3:
				facts[i].Further, facts[i].Rank = rapid.Float64().Draw(r, "further"), rapid.Float64().Draw(r, "rank")
			case 4:
				facts[i].Section = profile.Section(rapid.IntRange(0, int(profile.SectionCount)-1).Draw(r, "section"))
			}
		}
		level := rapid.SampledFrom([]uint8{10, 20, 30, 32, 35, 37, 38}).Draw(r, "level")
		state := rapid.SampledFrom([]string{"CA ON", "CA QC", "CA NT", "US OR", "US DC", "US XX", "CA "}).Draw(r, "state")
		place := profile.Place{ID: rapid.String().Draw(r, "id"), Level: level, Country: state[:2], State: state[3:], NameEN: "Oka",
			CityEN: "Le Bic", CityFR: "Le Bic", AreaM2: 1e6}
		for _, lang := range []string{"en", "fr"} {
			text := prose.Profile(place, facts, lang)
			if place.Country == "CA" || lang == "en" {
				checked{}.text(t, lang, facts, text)
			}
		}
		if r.Failed() {
			r.FailNow()
		}
	})
}

// Any name gives sentences without control characters, and HTML that is one paragraph.
func FuzzNames(f *testing.F) {
	for _, name := range []string{`The "Fairground" <South>`, "\x00\x01", "12345", strings.Repeat("a", 256), "\u202eabc\u202c",
		"<script>alert(1)</script>", "שכונה", "L'Anse", "é\xff", " ", "&amp;"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		facts := bankFacts(3)
		for i := range facts {
			if facts[i].Name != "" {
				facts[i].Name, facts[i].NameFR = name, ""
			}
		}
		place := profile.Place{ID: "g10_x", Level: 10, Country: "CA", State: "QC", NameEN: name, NameFR: name, CityEN: name, AreaM2: 2e6}
		for _, lang := range []string{"en", "fr"} {
			for _, sentences := range prose.Profile(place, facts, lang) {
				checkHTML(t, prose.HTML(sentences))
			}
		}
	})
}

func checkHTML(t *testing.T, html string) {
	t.Helper()
	if html == "" {
		return
	}
	inside, ok := strings.CutPrefix(html, "<p>")
	inside, closed := strings.CutSuffix(inside, "</p>")
	if !ok || !closed || strings.ContainsAny(inside, "<>") {
		t.Errorf("not a paragraph: %q", html)
	}
	for _, r := range inside {
		if r < ' ' || r == 0x7f || r >= 0x202a && r <= 0x202e || r == 0x200e || r == 0x200f {
			t.Errorf("character %U in %q", r, html)
		}
	}
}

// The forms of every name of the bank in French: as a subject, where, of it, and as a municipality that another place is in.
func TestNamesInFrench(t *testing.T) {
	var b strings.Builder
	f := french.New()
	for _, name := range bankNames(t) {
		place := profile.Place{Level: name.level, Country: "CA", State: "QC", NameEN: name.en, NameFR: name.fr, CityEN: name.en, CityFR: name.fr}
		var forms []string
		for _, c := range []struct {
			slot phrase.Slot
			form string
			lead string
		}{
			{phrase.Slot{Kind: phrase.PlaceName}, "", ""}, {phrase.Slot{Kind: phrase.PlaceName}, "in", ""},
			{phrase.Slot{Kind: phrase.PlaceName}, "of", ""},
		} {
			about := phrase.SubjectOf(place)
			text, _ := f.Write(append(phrase.Words("…"), f.Fill(c.slot, c.form, &about)...))
			forms = append(forms, strings.TrimPrefix(text, "… "))
		}
		fmt.Fprintf(&b, "%d %s: %s\n", name.level, cmp.Or(name.fr, name.en), strings.Join(forms, " | "))
	}
	golden(t, "testdata/names_fr.txt", b.String())
}

// French nouns take their articles before French names alone, and what stands before a vowel elides.
func TestNamedThingsInFrench(t *testing.T) {
	f := french.New()
	about := phrase.SubjectOf(profile.Place{Level: 10, Country: "CA", State: "QC", NameEN: "Belmont"})
	for _, c := range []struct{ en, fr, que, de string }{
		{"Port Hollis Municipal Airport", "", "que Port Hollis Municipal Airport", "de Port Hollis Municipal Airport"},
		{"Innes Road", "", "qu’Innes Road", "d’Innes Road"},
		{"Elgin Street", "Rue Elgin", "que la rue Elgin", "de la rue Elgin"},
		{"Avenue des Érables", "", "que l’avenue des Érables", "de l’avenue des Érables"},
		{"Boulevard Saint-Laurent", "", "que le boulevard Saint-Laurent", "du boulevard Saint-Laurent"},
		{"Hunt Club Road", "", "que Hunt Club Road", "de Hunt Club Road"},
		{"Reitsma Parkette", "Mini-parc Reitsma", "que le mini-parc Reitsma", "du mini-parc Reitsma"},
		{"Graham Creek Greenspace", "Espace vert ruisseau Graham", "que l’espace vert ruisseau Graham", "de l’espace vert ruisseau Graham"},
		{"Blanchfield School", "École Blanchfield", "que l’école Blanchfield", "de l’école Blanchfield"},
		{"Poole Creek Corridor", "Couloir du ruisseau Poole", "que le couloir du ruisseau Poole", "du couloir du ruisseau Poole"},
		{"Caprihani Trail Head", "Début du sentier Caprihani", "que le début du sentier Caprihani", "du début du sentier Caprihani"},
		{"8e Avenue", "", "que 8e Avenue", "de 8e Avenue"},
	} {
		for lead, want := range map[string]string{"que": c.que, "de": c.de} {
			name := f.Fill(phrase.Slot{Kind: phrase.Named, Name: phrase.Name{EN: c.en, FR: c.fr}}, "", &about)
			if text, _ := f.Write(append(phrase.Words("…", lead), name...)); text != "… "+want {
				t.Errorf("%q, want %q", text, want)
			}
		}
	}
}

var update = flag.Bool("update", false, "write the golden files")

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs; read the difference, then write it with -update: %s", path, diff)
	}
}
