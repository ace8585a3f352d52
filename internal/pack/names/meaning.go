package names

import (
	"slices"
	"strings"

	"quartier/schemas"
)

// Limits of a query.
const (
	maxParts  = 5  // separated by commas; a query of more is one name
	maxWords  = 12 // of a name that is searched by its words
	maxAreas  = 16 // places that the text after a comma may mean
	maxSuffix = 3  // words of a place at the end of a query without commas
	minPlace  = 3  // letters of a geography there, which a region's code need not have

	maxMeanings = maxParts + maxSuffix
)

// meaning is one way to understand a query: a name, and areas in all of which its place is.
type meaning struct {
	reading
	areas []area
	slack int   // the largest number of typing errors in the whole name
	whole bool  // names must be alike, but for typing errors: neither beginnings nor single words are enough
	least uint8 // no match has a better rank
}

// area is what the text after a comma means: any of some regions and geographies.
type area struct {
	codes   [2][]bool // by index in Index.codes, of the index and of the one beside
	entries []uint32  // of the index
	indexes []int     // Match.Index of all geographies; only with a Beside
}

// areaLevels are the levels of places that restrict others.
var areaLevels = schemas.NewLevelSet(schemas.Borough, schemas.Municipality, schemas.CountySubdivision, schemas.County,
	schemas.Region, schemas.Metro, schemas.State, schemas.Country)

// interpret sets the meanings of a query: "Glebe, Ottawa, Ontario" is the whole as a name, "Glebe, Ottawa" in Ontario, and
// "Glebe" in Ottawa in Ontario. Where a part after a comma means no place, only the whole is left, in which that part
// must not be all errors.
func (r *Result) interpret(x *Index, name string) {
	r.meanings = append(r.meanings[:0], meaning{reading: newReading(appendWords(nil, name)), slack: maxErrors})
	if r.isArea || !strings.Contains(name, ",") {
		return
	}
	var parts [][]word
	for _, part := range strings.Split(name, ",") {
		if Fold(part) != "" {
			parts = append(parts, appendWords(nil, part))
		}
	}
	if len(parts) < 2 || len(parts) > maxParts {
		return
	}
	var areas []area
	for n := len(parts) - 1; n > 0; n-- {
		restriction, ok := r.areaOf(x, parts[n])
		if !ok {
			break
		}
		areas = append(areas, restriction)
		r.meanings = append(r.meanings, meaning{reading: newReading(slices.Concat(parts[:n]...)), areas: slices.Clone(areas),
			slack: maxErrors})
	}
	r.meanings[0].slack = 0
	if areas == nil {
		last := newReading(parts[len(parts)-1])
		r.meanings[0].slack = len(last.plain) - 1
	}
}

// interpretSuffix adds the meanings of a query without commas that ends with a region or the name of a place, "Portland OR",
// "Glebe Ottawa Ontario", if no name equals it so far.
func (r *Result) interpretSuffix(x *Index, name string) bool {
	if r.isArea || strings.Contains(name, ",") || len(r.best) > 0 && groupOf(r.best[0]) == alike {
		return false
	}
	r.splitEnd(x, appendWords(nil, name), nil, 0)
	return len(r.meanings) > 1
}

// splitEnd adds the meanings of words that end with a region, or with the name of a place if the rest is all of a name.
func (r *Result) splitEnd(x *Index, words []word, areas []area, least uint8) {
	for n := max(len(words)-maxSuffix, 1); n < len(words) && len(r.meanings) < maxMeanings; n++ {
		var end area
		suffix := newReading(words[n:])
		codes := regionsAlike(&suffix)
		if len(codes) > 0 {
			end = area{codes: r.regionSets(x, codes)}
		} else if !r.isName(x, &suffix) {
			continue
		} else if end, _ = r.placesAlike(x, words[n:], noRank, alike, nil); len(end.entries)+len(end.indexes) == 0 {
			continue
		}
		name := newReading(words[:n:n])
		if name.plain == "" {
			continue
		}
		all := append(slices.Clip(areas), end)
		r.meanings = append(r.meanings, meaning{reading: name, areas: all, slack: maxErrors, whole: len(codes) == 0 || least > 0, least: least})
		if len(all) < maxParts-1 {
			r.splitEnd(x, words[:n:n], all, least)
		}
	}
}

// isName reports whether a text may be the name of a place that others are in.
func (r *Result) isName(x *Index, text *reading) bool {
	if len(text.plain) < minPlace {
		return false
	}
	return r.beside != nil || x.form(text.bare) >= 0 || text.bare != text.plain && x.form(text.plain) >= 0
}

// interpretRest sets the meanings of a query without commas of which nothing was found: all but its last or its first word.
func (r *Result) interpretRest(x *Index, name string) bool {
	words := appendWords(nil, name)
	if r.isArea || len(r.best) > 0 || len(words) < 2 || len(words) > maxWords || strings.Contains(name, ",") {
		return false
	}
	r.meanings = r.meanings[:0]
	least := rankByWord(maxErrors)
	for _, rest := range [][]word{words[: len(words)-1 : len(words)-1], words[1:]} {
		if text := newReading(rest); len(text.plain) > minPlace {
			r.meanings = append(r.meanings, meaning{reading: text, whole: true, least: least})
			r.splitEnd(x, rest, nil, least)
		}
	}
	return len(r.meanings) > 0
}

// excludeErrors keeps typing errors out of the whole of a query whose end is a region in which something was found, and of what
// leaves in the name what may be a place too.
func (r *Result) excludeErrors() {
	if len(r.best) == 0 || groupOf(r.best[0]) != alike {
		return
	}
	most := 0
	for i := range r.meanings {
		most = max(most, len(r.meanings[i].areas))
	}
	for i := range r.meanings {
		if len(r.meanings[i].areas) < most {
			r.meanings[i].slack = 0
		}
	}
}

// areaOf finds what a part after a comma means: the regions and geographies that match it best.
func (r *Result) areaOf(x *Index, words []word) (area, bool) {
	part := newReading(words)
	regionRank, codes := r.regionsNamed(&part)
	spelt := regionRank
	if classOf(regionRank) == Fuzzy {
		spelt = noRank
	}
	return r.placesAlike(x, words, regionRank, spelt, codes)
}

// placesAlike are the geographies that match words best, and the regions of some codes if they match at least as well. Typing
// errors are looked for only if spelt is noRank. Without codes and with another spelt only names that are alike count.
func (r *Result) placesAlike(x *Index, words []word, regionRank, spelt uint8, codes []string) (area, bool) {
	if r.sub == nil {
		r.sub = &Result{isArea: true}
	}
	var text strings.Builder
	for _, w := range words {
		text.WriteString(w.raw + " ")
	}
	r.sub.spelt = spelt
	x.Search(&Query{Name: text.String(), Levels: areaLevels, Limit: maxAreas, Beside: r.beside, Within: r.within, Stop: r.meter.Stop}, r.sub)
	best := regionRank
	if codes == nil && spelt != noRank {
		best = spelt
	}
	for _, key := range r.sub.best {
		best = min(best, groupOf(key))
	}
	var a area
	if regionRank == best {
		a.codes = r.regionSets(x, codes)
	}
	for i, key := range r.sub.best {
		if groupOf(key) != best {
			continue
		}
		if key&inIndex == inIndex {
			a.entries = append(a.entries, uint32(key&placeMask>>besideBits))
		}
		if r.beside != nil {
			a.indexes = append(a.indexes, r.sub.Matches[i].Index)
		}
	}
	return a, best != noRank
}

// alike is the rank of names that are equal but for some liberties.
const alike = uint8(Alike) << classShift

// groupOf is the rank of a key, the same for all names that are equal or alike.
func groupOf(key uint64) uint8 {
	rank := uint8(key >> rankShift)
	if classOf(rank) <= Alike {
		return alike
	}
	return rank
}

// spelling is a name or the code of a region, folded.
type spelling struct{ form, code string }

// spellings are those of all countries, states and provinces.
var spellings = func() []spelling {
	var all []spelling
	add := func(code string, names ...string) {
		for _, name := range names {
			name := newReading(appendWords(nil, name))
			for _, form := range name.forms() {
				all = append(all, spelling{form, code})
			}
		}
	}
	for _, country := range schemas.Countries {
		name := schemas.CountryName(country)
		add(country, country, name.EN, name.FR)
	}
	for _, s := range schemas.States {
		add(s.Country+"_"+s.Code, s.Code, s.Name.EN, s.Name.FR)
	}
	for _, row := range readVocabulary("region.tsv", "code", "spelling") {
		add(row[0], row[1])
	}
	return all
}()

// spelt are the codes of the regions of each form of spellings.
var spelt = func() map[string][]string {
	codes := map[string][]string{}
	for _, s := range spellings {
		codes[s.form] = append(codes[s.form], s.code)
	}
	return codes
}()

// regionsAlike returns the codes of the regions whose name equals a text but for some liberties.
func regionsAlike(text *reading) []string {
	if text.plain == text.core {
		return spelt[text.plain]
	}
	return slices.Concat(spelt[text.plain], spelt[text.core])
}

// regionsNamed returns the codes of the regions whose name is most like a text, and its rank; noRank for none. Codes of
// two letters must be equal.
func (r *Result) regionsNamed(text *reading) (rank uint8, codes []string) {
	rank = noRank
	r.pattern.set([]byte(text.core))
	tolerance := Tolerance(len(r.pattern.runes))
	for _, s := range spellings {
		mine := noRank
		if s.form == text.plain || s.form == text.core {
			mine = alike
		} else if len(s.form) > 2 && strings.HasPrefix(s.form, text.core) {
			mine = rankOf(Prefix, 0)
		} else if errors := r.pattern.distance([]byte(s.form)); len(s.form) > 2 && errors <= tolerance {
			mine = rankOf(Fuzzy, errors)
		}
		if mine < rank {
			rank, codes = mine, codes[:0]
		}
		if mine == rank && mine != noRank {
			codes = append(codes, s.code)
		}
	}
	return rank, codes
}

// regionSets are the regionSet of the index and of the one beside.
func (r *Result) regionSets(x *Index, allowed []string) (sets [2][]bool) {
	sets[0] = x.regionSet(allowed)
	if r.beside != nil {
		sets[1] = r.beside.index.regionSet(allowed)
	}
	return sets
}

// regionSet marks the region codes that one of the allowed codes covers.
func (x *Index) regionSet(allowed []string) []bool {
	set := make([]bool, len(x.codes))
	for i, code := range x.codes {
		set[i] = slices.ContainsFunc(allowed, func(a string) bool { return schemas.RegionMatches(code, a) })
	}
	return set
}

// admits reports whether an entry of the index, list 0, is in the area; of one beside, list 1, whether it is in its regions.
func (a *area) admits(x *Index, entry uint32, list int) bool {
	codes := a.codes[list]
	for _, n := range x.regions.At(int(entry)) {
		if uint64(n) < uint64(len(codes)) && codes[n] {
			return true
		}
	}
	if list > 0 {
		return false
	}
	for _, n := range x.within.At(int(entry)) {
		if slices.Contains(a.entries, n) {
			return true
		}
	}
	return false
}
