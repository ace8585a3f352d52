package normalize

import (
	"regexp"
	"testing"

	"pgregory.net/rapid"
)

func TestName(t *testing.T) {
	for in, want := range map[string]string{
		"":                       "",
		"Dover":                  "dover",
		"L'Île-des-Sœurs":        "lile des soeurs",
		"  Tim   Hortons™ ":      "tim hortonstm",
		"Smith & Sons":           "smith and sons",
		"7-Eleven":               "7 eleven",
		"McDonald’s":             "mcdonalds",
		"St. Louis":              "st louis",
		"Montréal (Ville-Marie)": "montreal ville marie",
		"***":                    "",
		"Øresund ß Łódź":         "oresund ss lodz",
	} {
		if got := Name(in); got != want {
			t.Errorf("Name(%q) = %q, want %q", in, got, want)
		}
	}
}

// FuzzName holds that a name in the form in which names are compared stays as it is.
func FuzzName(f *testing.F) {
	for _, name := range []string{"L'Île", "\xf4Î", "ǅ", "İ", "™&+", "ŉ"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		folded := Name(name)
		if again := Name(folded); again != folded {
			t.Errorf("%q is %q, and that is %q", name, folded, again)
		}
	})
}

func TestID(t *testing.T) {
	for in, want := range map[string]string{
		"Tim Hortons": "tim_hortons", "H&M": "h_and_m", "Café Dépôt": "cafe_depot", "东方": "", "A 东 B": "a_b", "7-Eleven": "7_eleven",
	} {
		if got := ID(in); got != want {
			t.Errorf("ID(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestNormalizingIsIdempotent(t *testing.T) {
	id := regexp.MustCompile(`^([a-z0-9](_?[a-z0-9])*)?$`)
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		if once := Name(s); Name(once) != once {
			t.Errorf("Name(%q) = %q, then %q", s, once, Name(once))
		}
		if got := ID(s); !id.MatchString(got) {
			t.Errorf("ID(%q) = %q", s, got)
		}
	})
}
