package people

import (
	"slices"
	"strings"

	"quartier/internal/pack"
)

// sectionWords is the digest of the names of the variables.
const sectionWords = "people.variable"

// Table answers look-ups from a mapped file. It is safe for concurrent use until the file is closed.
type Table struct {
	ids      []uint64 `pack:"people.id"`
	records  []uint32 `pack:"people.record width ids"`
	vintages []string `pack:"people.vintage"`
}

// Open opens the table in f. It fails if the file has other variables than this version of the program. All of it but the
// vintages stays in the mapped file.
func Open(f *pack.File) (*Table, error) {
	l := pack.NewLoader(f)
	l.CheckVocabulary(sectionWords, words())
	t := &Table{}
	l.Fill(t, "", map[string]int{"ids": len(pack.Load[uint64](l, "people.id", pack.Any)), "width": width})
	return t, l.Err()
}

// Len is the number of geographies.
func (t *Table) Len() int { return len(t.ids) }

// Find finds the record of a geography; false if there is none.
func (t *Table) Find(id string) (Record, bool) {
	number, ok := pack.GeogNumber(id)
	if !ok {
		return Record{}, false
	}
	i, ok := slices.BinarySearch(t.ids, number)
	if !ok {
		return Record{}, false
	}
	numbers := t.records[i*width:][:width]
	vintage := numbers[0] / uint32(len(countries))
	if uint64(vintage) >= uint64(len(t.vintages)) { // damaged
		return Record{}, false
	}
	return Record{numbers, t.vintages[vintage]}, true
}

// Record is the variables of a geography.
type Record struct {
	numbers []uint32
	vintage string
}

// Country is 'CA' or 'US'.
func (r Record) Country() string { return countries[r.numbers[0]%uint32(len(countries))] }

// Vintage is the vintage of the figures: '2019-2023', '2021'.
func (r Record) Vintage() string {
	all, _, _ := strings.Cut(r.vintage, ";")
	return all
}

// EachVintage visits the categories with their vintages, where these differ.
func (r Record) EachVintage(visit func(category, vintage string)) {
	_, rest, _ := strings.Cut(r.vintage, ";")
	for rest != "" {
		var entry string
		entry, rest, _ = strings.Cut(rest, ";")
		category, vintage, _ := strings.Cut(entry, "=")
		visit(category, vintage)
	}
}

// Coverage is the share of the ground that small areas cover, in ten-thousandths; Absent where it is complete or no figure
// is a sum over them.
func (r Record) Coverage() uint32 { return r.numbers[1] }

// Value is the variable at an index of demographics.Flat(demographics.ByGeography) and the limits of its 90 % confidence
// interval, all times 10 to the power of the variable's decimals; Absent if not known. With one limit, lower, the value is a bound, and the
// median is that or more; with upper alone it is less.
func (r Record) Value(place int) (value, lower, upper uint32) {
	triple := r.numbers[header+3*place:][:3]
	return triple[0], triple[1], triple[2]
}
