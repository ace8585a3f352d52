package texts

import (
	"cmp"
	"slices"

	"quartier/schemas/profile"
)

// The texts of two places that touch have at most maxShared of their sentences in common, names and numbers masked. Where they
// would have more, the later one is written with other variants, of which maxVariants are tried.
const (
	maxShared   = 0.5
	maxVariants = 24
)

// apart keeps the texts of places apart from those of their neighbours.
type apart struct {
	neighbours map[string][]string   // symmetric
	masked     map[string][][]string // of the places so far that have neighbours to come, by id and language
	toCome     map[string]int        // neighbours without a text yet, of places of which some have one
}

// choose sets the variant of a place: the first one that differs enough from the neighbours so far, or else the one that
// differs the most.
func (a *apart) choose(p *Profile) {
	best, least := uint8(0), 2.0
	for variant := uint8(0); variant <= maxVariants && least > maxShared; variant++ {
		if variant > 0 {
			p.use(variant)
		}
		if shared := a.shared(p.Place.ID, Masked(p.Texts)); shared < least {
			best, least = variant, shared
		}
	}
	if p.Place.Variant != best {
		p.use(best)
	}
	a.keep(p)
}

// keep keeps the sentences of a place for the neighbours to come, and drops those of neighbours that have no more to come.
func (a *apart) keep(p *Profile) {
	a.masked[p.Place.ID] = Masked(p.Texts)
	if a.waits(p.Place.ID) == 0 {
		a.drop(p.Place.ID)
	}
	for _, other := range a.neighbours[p.Place.ID] {
		a.toCome[other] = a.waits(other) - 1
		if _, written := a.masked[other]; written && a.toCome[other] == 0 {
			a.drop(other)
		}
	}
}

// waits is the number of neighbours of a place that have no text yet.
func (a *apart) waits(id string) int {
	if n, known := a.toCome[id]; known {
		return n
	}
	return len(a.neighbours[id])
}

func (a *apart) drop(id string) {
	delete(a.masked, id)
	delete(a.toCome, id)
}

// use writes the texts with a variant.
func (p *Profile) use(variant uint8) {
	p.Place.Variant = variant
	p.Texts, p.Broken = Of(p.Place, p.Facts)
}

// shared is the largest share that texts have in common with those of a neighbour.
func (a *apart) shared(id string, masked [][]string) (most float64) {
	for _, other := range a.neighbours[id] {
		for l, theirs := range a.masked[other] {
			if l < len(masked) {
				most = max(most, Shared(masked[l], theirs))
			}
		}
	}
	return most
}

// Masked returns the sentences of texts with names and numbers masked, sorted, in English (nil without a text) and, if they
// are, in French.
func Masked(texts map[string]profile.Text) (languages [][]string) {
	for _, language := range []string{"en", "fr"} {
		text, ok := texts[language]
		if !ok && language == "en" {
			languages = append(languages, nil)
		}
		if !ok {
			continue
		}
		masked := []string{}
		for _, sentences := range text {
			for _, s := range sentences {
				masked = append(masked, s.Masked)
			}
		}
		slices.Sort(masked)
		languages = append(languages, masked)
	}
	return languages
}

// Shared is the share of the sentences of two texts, sorted, that the other one has too: 2 · common / (a + b). Example: of
// {x, y, z} and {x} it is 2 · 1 / 4.
func Shared(a, b []string) float64 {
	common := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch c := cmp.Compare(a[i], b[j]); {
		case c < 0:
			i++
		case c > 0:
			j++
		default:
			common, i, j = common+1, i+1, j+1
		}
	}
	return 2 * float64(common) / float64(max(len(a)+len(b), 1))
}
