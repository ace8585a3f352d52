package prose_test

import (
	"fmt"
	"testing"

	"quartier/internal/prose"
	"quartier/schemas/profile"
)

func BenchmarkProfile(b *testing.B) {
	for _, lang := range []string{"en", "fr"} {
		b.Run(lang, func(b *testing.B) {
			facts := make([][]profile.Fact, 64)
			for i := range facts {
				facts[i] = bankFacts(i)
			}
			b.ResetTimer()
			for i := range b.N {
				place := profile.Place{ID: fmt.Sprint("g10_", i), Level: 10, Country: "CA", State: "ON", NameEN: "Overbrook - McArthur",
					CityEN: "Ottawa", CityFR: "Ottawa", AreaM2: 2e6}
				prose.Profile(place, facts[i%len(facts)], lang)
			}
		})
	}
}

func BenchmarkBroken(b *testing.B) {
	for _, lang := range []string{"en", "fr"} {
		b.Run(lang, func(b *testing.B) {
			texts := make([]profile.Text, 64)
			for i := range texts {
				place := profile.Place{ID: fmt.Sprint("g10_", i), Level: 10, Country: "CA", State: "ON", NameEN: "Overbrook - McArthur",
					CityEN: "Ottawa", CityFR: "Ottawa", AreaM2: 2e6}
				texts[i] = prose.Profile(place, bankFacts(i), lang)
			}
			b.ResetTimer()
			for i := range b.N {
				prose.Broken(&texts[i%len(texts)], lang)
			}
		})
	}
}
