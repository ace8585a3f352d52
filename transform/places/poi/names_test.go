package poi

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"quartier/schemas/derived"
	"quartier/schemas/staged"
	"quartier/transform/places/normalize"

	"pgregory.net/rapid"
)

func TestSimilarity(t *testing.T) {
	for _, c := range []struct {
		a, b     string
		min, max float64
	}{
		{"Joe's Café", "JOES CAFE", 1, 1},
		{"The Home Depot", "Home Depot", 1, 1},
		{"Wal-Mart", "Walmart", 1, 1},
		{"Starbucks", "Starbucks Coffee", 0.85, 0.95},
		{"Christiana Mall", "Apple Store, Christiana Mall", 0.3, 0.74},
		{"Safeway", "Subway", 0, 0.6},
		{"PS 12", "PS 13", 0, 0.4},
		{"Pizza Pizza", "Pizza Nova", 0.4, 0.74},
		{"", "Starbucks", 0, 0},
		{"Le", "La", 0, 0.5},
		{"A", "B", 0, 0},
		{"Bibliothèque Saint-Henri", "Bibliotheque St-Henri", 0.75, 0.99},
	} {
		got := similarity(newNameKey(c.a), newNameKey(c.b))
		if got < c.min || got > c.max {
			t.Errorf("similarity of %q and %q is %.3f, want %.2f to %.2f", c.a, c.b, got, c.min, c.max)
		}
	}
}

func TestSimilarityIsSymmetric(t *testing.T) {
	word := rapid.StringMatching(`[A-Za-zé0-9 '&-]{0,20}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := newNameKey(word.Draw(t, "a")), newNameKey(word.Draw(t, "b"))
		there, back := similarity(a, b), similarity(b, a)
		if math.Abs(there-back) > 1e-12 || there < 0 || there > 1 {
			t.Errorf("%v and %v: %f and %f", a, b, there, back)
		}
		if a != "" && similarity(a, a) != 1 {
			t.Errorf("%v is not equal to itself", a)
		}
	})
}

func TestContact(t *testing.T) {
	for _, c := range []struct{ what, in, want string }{
		{"phone", "(302) 655-0100", "+1 302-655-0100"},
		{"phone", "+1-302-655-0100; +1 302 655 0199", "+1 302-655-0100"},
		{"phone", "1.302.655.0100 ext. 12", "+1 302-655-0100"},
		{"phone", "+32 2 551 20 20", "+3225512020"},
		{"phone", "+1 302 655 01001", ""},
		{"phone", "655-0100", ""},
		{"phone", "call us", ""},
		{"url", "WWW.Example.com/Menu", "http://www.example.com/Menu"},
		{"url", "https://example.com/?q=a b", "https://example.com/?q=a"},
		{"url", "https://user:pw@example.com", ""},
		{"url", "javascript:alert(1)", ""},
		{"url", "mailto:a@example.com", ""},
		{"url", "http://localhost/", ""},
		{"url", "ftp://example.com", ""},
		{"url", "http://exa<mple.com", ""},
		{"url", "", ""},
		{"US", "19901", "19901"},
		{"US", "19901-1234", "19901-1234"},
		{"US", "199011234", "19901-1234"},
		{"US", "K1A 0B1", ""},
		{"CA", "k1a0b1", "K1A 0B1"},
		{"CA", "K1A-0B1", "K1A 0B1"},
		{"CA", "D1A 0B1", ""},
		{"CA", "19901", ""},
	} {
		got := ""
		switch c.what {
		case "phone":
			got = normalize.Phone(c.in)
		case "url":
			got = normalize.WebAddress(c.in)
		default:
			got = normalize.PostalCode(c.in, c.what)
		}
		if got != c.want {
			t.Errorf("%s %q = %q, want %q", c.what, c.in, got, c.want)
		}
	}
}

func TestAddress(t *testing.T) {
	for _, c := range []struct{ number, street, line, want string }{
		{"12", "Main  Street ", "x", "12 Main Street"},
		{"", "Main Street", "", "Main Street"},
		{"12", "", "12 Main\nStreet", "12 Main Street"},
		{"12", "", "", ""},
	} {
		if got := normalize.Address(c.number, c.street, c.line); got != c.want {
			t.Errorf("address(%q, %q, %q) = %q", c.number, c.street, c.line, got)
		}
	}
}

func FuzzContact(f *testing.F) {
	f.Add("(302) 655-0100;x", "example.com")
	f.Add("+", "http://[::1]/")
	f.Fuzz(func(t *testing.T, number, web string) {
		if once := normalize.Phone(number); once != "" && normalize.Phone(once) != once {
			t.Errorf("telephone %q, then %q", once, normalize.Phone(once))
		}
		once := normalize.WebAddress(web)
		if once != "" && !strings.HasPrefix(once, "http://") && !strings.HasPrefix(once, "https://") {
			t.Errorf("web address %q", once)
		}
		for _, country := range []string{"CA", "US"} {
			if code := normalize.PostalCode(number, country); code != normalize.PostalCode(code, country) {
				t.Errorf("postal code %q", code)
			}
		}
		if clean := normalize.Space(number); normalize.Space(clean) != clean {
			t.Errorf("tidy %q", clean)
		}
	})
}

func TestNames(t *testing.T) {
	cv := converter{mapping: newMapping(t)}
	for _, c := range []struct {
		r    Record
		want string
	}{
		{Record{Details: staged.Details{Name: " Joe's\tCafe "}, Tags: map[string]string{"amenity": "cafe"}}, "Joe's Cafe"},
		{Record{Details: staged.Details{NameFR: "Chez Joe"}, Tags: map[string]string{"amenity": "cafe"}}, "Chez Joe"},
		{Record{Details: staged.Details{Brand: "Tim Hortons"}, Tags: map[string]string{"amenity": "cafe"}}, "Tim Hortons"},
		{Record{Details: staged.Details{Operator: "Canada Post"}, Tags: map[string]string{"amenity": "post_office"}}, "Canada Post"},
		{Record{Tags: map[string]string{"amenity": "post_office", "ref": "Lewes Post Office"}}, "Lewes Post Office"},
		{Record{Tags: map[string]string{"amenity": "cafe", "ref": "12"}}, ""},
		{Record{Details: staged.Details{Operator: "DART"}, Tags: map[string]string{"highway": "bus_stop", "ref": "1234"}}, "Bus stop 1234"},
		{Record{Tags: map[string]string{"highway": "bus_stop"}}, "Bus stop"},
		{Record{Details: staged.Details{Operator: "City"}, Tags: map[string]string{"leisure": "park"}}, "Park"},
		{Record{Tags: map[string]string{"leisure": "pitch", "sport": "tennis"}}, "Tennis court"},
		{Record{Tags: map[string]string{"shop": "supermarket"}}, ""},
	} {
		c.r.Scheme = "osm"
		got, _ := cv.nameOf(&c.r, cv.mapping.Classify("osm", c.r.Tags, nil))
		if got != c.want {
			t.Errorf("name of %v is %q, want %q", c.r.Tags, got, c.want)
		}
	}
}

func TestBrands(t *testing.T) {
	m := newMapping(t)
	b := newBrands([]BrandRule{
		{Source: "nsi", ID: "mcdonalds", Name: "McDonald's", Wikidata: "Q38076", Key: "amenity", Value: "fast_food", Names: []string{"mcd"},
			Tags: map[string]string{"cuisine": "burger"}},
		{Source: "nsi", ID: "metro_ca", Name: "Metro", Key: "shop", Value: "supermarket", Countries: []string{"ca"}},
		{Source: "nsi", ID: "metro_bc", Name: "Metro", Key: "shop", Value: "convenience", Countries: []string{"ca-bc"}},
		{Source: "nsi", ID: "safeway", Name: "Safeway", Wikidata: "Q1508234", Key: "shop", Value: "supermarket", Countries: []string{"us"}},
	}, m)
	for _, c := range []struct {
		name           string
		r              Record
		country, state string
		brand, tags    string
	}{
		{"by name", Record{Details: staged.Details{Name: "Mc Donalds"}, Tags: map[string]string{"amenity": "fast_food"}}, "US", "DE", "mcdonalds",
			"burger,chain,fast_food,unhealthy"},
		{"by another name", Record{Details: staged.Details{Name: "MCD"}, Tags: map[string]string{"amenity": "restaurant"}}, "US", "DE",
			"mcdonalds", "burger,chain,unhealthy"},
		{"by item", Record{Details: staged.Details{Name: "Chez Ronald", BrandWikidata: "Q1;Q38076"},
			Tags: map[string]string{"amenity": "fast_food", "cuisine": "pizza"}}, "CA", "QC", "mcdonalds", "chain,fast_food,pizza,unhealthy"},
		{"another kind of place", Record{Details: staged.Details{Name: "McDonald's"}, Tags: map[string]string{"shop": "hardware"}}, "US",
			"DE", "", ""},
		{"in another country", Record{Details: staged.Details{Name: "Metro"}, Tags: map[string]string{"shop": "supermarket"}}, "US", "DE", "",
			"independent"},
		{"in its country", Record{Details: staged.Details{Name: "Metro"}, Tags: map[string]string{"shop": "supermarket"}}, "CA", "QC",
			"metro_ca", "chain"},
		{"in the state only", Record{Details: staged.Details{Name: "Metro"}, Tags: map[string]string{"shop": "convenience"}}, "CA", "BC",
			"metro_bc", "chain"},
		{"number of a branch", Record{Details: staged.Details{Name: "Safeway #1763"}, Tags: map[string]string{"shop": "supermarket"}}, "US", "DE",
			"safeway", "chain"},
		{"as published", Record{Details: staged.Details{Brand: "Café Dépôt", Name: "x"}, Tags: map[string]string{"amenity": "cafe"}}, "CA", "QC",
			"cafe_depot", "chain"},
		{"no rule knows the kind", Record{Details: staged.Details{Name: "Best Books"}, Tags: map[string]string{"shop": "books"}}, "US", "DE", "",
			"bookstore"},
	} {
		c.r.Scheme = "osm"
		class := m.Classify("osm", c.r.Tags, nil)
		p := POI{Details: derived.Details{CountryCode: c.country, StateCode: c.state}, categories: class.categories, Tags: class.tags}
		b.brand(&p, &c.r, class, m)
		p.finish()
		if p.brandIDs() != c.brand || strings.Join(p.Tags, ",") != c.tags {
			t.Errorf("%s: brand %q, tags %v", c.name, p.brandIDs(), p.Tags)
		}
	}
}

func TestBrandNamesComeFromRules(t *testing.T) {
	pois := []*POI{
		{brands: []Brand{{"acme", "ACME", false}}}, {brands: []Brand{{"acme", "ACME", false}}}, {brands: []Brand{{"acme", "Acme", true}}},
		{brands: []Brand{{"zed", "Zed", false}}}, {brands: []Brand{{"zed", "ZED", false}}}, {brands: []Brand{{"zed", "Zed", false}}},
	}
	for i, p := range pois {
		p.Key = fmt.Sprint(i)
	}
	places := placesOf(t, pois)
	defer places.Close()
	got := places.brandsOf()
	if len(got) != 2 || got[0].Name != "Acme" || got[1].Name != "Zed" {
		t.Errorf("brands %v", got)
	}
}
