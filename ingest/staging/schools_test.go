package staging

import (
	"testing"

	"github.com/paulmach/orb"
)

func TestEncodedOnce(t *testing.T) {
	for text, want := range map[string]string{
		"Ã‰cole intermÃ©diaire": "École intermédiaire", "École": "École", "Île Ã": "Île Ã", "Oak": "Oak", "SÃO JOÃO": "SÃO JOÃO",
		"Centre de l'ÃŽle": "Centre de l'Île",
	} {
		if got, twice := encodedOnce(text); got != want || twice != (got != text) {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestInState(t *testing.T) {
	for _, c := range []struct {
		at   orb.Point
		code string
		want bool
	}{
		// Portland, 4 km south of Vancouver
		{orb.Point{-122.3, 47.6}, "WA", true}, {orb.Point{47.6, -122.3}, "WA", false}, {orb.Point{-122.68, 45.60}, "WA", true},
		{orb.Point{-122.68, 45.40}, "WA", false}, {orb.Point{-75.7, 45.43}, "QC", true}, {orb.Point{-75.7, 45.2}, "QC", false},
		{orb.Point{144.8, 13.5}, "GU", true}, {orb.Point{0, 0}, "??", true},
	} {
		if got := inState(c.at, c.code); got != c.want {
			t.Errorf("%v in %s: %v", c.at, c.code, got)
		}
	}
}

func FuzzEncodedOnce(f *testing.F) {
	f.Add("Ã‰cole")
	f.Fuzz(func(t *testing.T, text string) {
		if once, twice := encodedOnce(text); twice && len(once) >= len(text) {
			t.Errorf("%q became %q", text, once)
		}
	})
}
