package poi

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"quartier/schemas/place"
)

func TestAttributes(t *testing.T) {
	long := strings.Repeat("é", place.MaxLength)
	type record = place.Attributes
	for _, c := range []struct{ published, want record }{
		{record{}, record{}},
		{record{OpeningHours: " Mo-Fr\t08:00-18:00;\r\nSa off\x00 "}, record{OpeningHours: "Mo-Fr 08:00-18:00; Sa off"}},
		{record{OpeningHours: " \x7f "}, record{}},
		{record{OpeningHours: long}, record{OpeningHours: long}},
		{record{OpeningHours: long + "x"}, record{}},
		{record{Wheelchair: " yes"}, record{Wheelchair: "yes"}},
		{record{Wheelchair: "designated"}, record{Wheelchair: "yes"}},
		{record{Wheelchair: "limited"}, record{Wheelchair: "limited"}},
		{record{Wheelchair: "no"}, record{Wheelchair: "no"}},
		{record{Wheelchair: "only"}, record{}},
		{record{Wheelchair: "yes;limited"}, record{}},
		{record{Wheelchair: "unknown"}, record{}},
	} {
		if got := attributes(c.published); got != c.want {
			t.Errorf("%q: %q, want %q", c.published, got, c.want)
		}
	}
}

// Every attribute is passed on.
func TestNoAttributeIsForgotten(t *testing.T) {
	var published place.Attributes
	value := reflect.ValueOf(&published).Elem()
	for i := range value.NumField() {
		text := "some text"
		if enum := value.Type().Field(i).Tag.Get("enum"); enum != "" {
			text = place.Vocabularies[enum].Words[0]
		}
		value.Field(i).SetString(text)
	}
	if got := attributes(published); got != published {
		t.Errorf("of %q %q is left", published, got)
	}
	for _, word := range wheelchair {
		if !slices.Contains(place.Vocabularies["Wheelchair"].Words, word) {
			t.Errorf("wheelchair is %q", word)
		}
	}
}
