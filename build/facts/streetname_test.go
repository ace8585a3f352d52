package facts

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestStreetsOfAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"2203 Alta Vista Drive":          "Alta Vista Drive/altavista",
		"275 Laurier Avenue East":        "Laurier Avenue East/laurier",
		"7950 Lawrence St":               "Lawrence Street/lawrence",
		"307 St. Patrick Street, Ottawa": "St. Patrick Street/stpatrick",
		"211 Rue Montcalm":               "Rue Montcalm/montcalm",
		"12A, boul. St-Joseph E":         "Boulevard St-Joseph East/stjoseph",
		"1205 Rue de Neuville":           "Rue de Neuville/deneuville",
		"10-14 N. Market St":             "North Market Street/market",
		"16 Trippany Road Extension":     "Trippany Road Extension/trippany",
		"7096 Highway 15":                "Highway 15/highway15 numbered untyped",
		"2045 Regional Road 174":         "Regional Road 174/regionalroad174 numbered untyped",
		"3228 Route 148":                 "Route 148/148 numbered",
		"1 I-95":                         "I-95/i95 numbered untyped",
		"45 Broadway":                    "Broadway/broadway untyped",
		"9 West Street":                  "West Street/west",
		"9 West":                         "West/west untyped",
		"2016 Tenth Line Road":           "Tenth Line Road/tenthline",
		"1500 NW 23rd Ave":               "NW 23rd Avenue/23rd",
		"11 Place d'Orléans Drive":       "Place d'Orléans Drive/placedorleans",
		"Rideau Centre":                  "/ untyped",
		"12 rideau st":                   "/ untyped",
		"77":                             "/ untyped",
		"":                               "/ untyped",
	} {
		n := streetOfAddress(address)
		got := n.full + "/" + n.base
		if n.numbered {
			got += " numbered"
		}
		if !n.typed {
			got += " untyped"
		}
		if got != want {
			t.Errorf("%q: %s, want %s", address, got, want)
		}
	}
}

func FuzzStreetOfAddress(f *testing.F) {
	f.Add("2203 Alta Vista Drive")
	f.Add("12A, boul. St-Joseph E #4")
	f.Fuzz(func(t *testing.T, address string) {
		n := streetOfAddress(address)
		if utf8.ValidString(address) && !utf8.ValidString(n.full) {
			t.Errorf("%q is not text", n.full)
		}
		if again := parseStreet(n.full); again.full != n.full || again.typed != n.typed {
			t.Errorf("%q became %q", n.full, again.full)
		}
		if n.typed && strings.TrimSpace(n.full) == "" {
			t.Error(fmt.Sprint("a type without a name of ", address))
		}
	})
}
