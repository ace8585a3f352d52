package addresses

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"quartier/internal/address"
	"quartier/internal/coord"
	"quartier/internal/geo"
)

const (
	nearM = 400 // metres from the truth within which a record of the same number and street is the address that is meant
	farM  = 500 // beyond which an answer is at another place
)

// outcome is what becomes of lines whose places are known.
type outcome struct {
	typed, inData, neither int // neither: none or two
	missed                 int // in the data, and not answered exactly
	metres                 map[answered][]float64
	apart                  int // answered with what is written, at another place: the sources disagree
	wrong                  []string
}

// answered is the level and the source of an answer.
type answered struct {
	level  Level
	source string
}

// TestTruth has the addresses of offices, whose coordinates are known, looked up in the addresses that another source has of
// the same place. docs/validation.md has the table.
func TestTruth(t *testing.T) {
	for _, c := range []corpus{pikesville(t), washington(t), district(t), seattle(t), ottawa(t), parks(t, "en", "fr"), parks(t, "fr", "en"),
		directory(t, "QC", "fr"), directory(t, "ON", "en, fr")} {
		o := lookUp(table(t, c.records, nil), &c)
		all := 0
		for _, a := range slices.SortedFunc(keys(o.metres), func(a, b answered) int {
			return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.source, b.source))
		}) {
			list := slices.Sorted(slices.Values(o.metres[a]))
			all += len(list)
			t.Logf("%-45s %-6s %-8s %-6s %5d answered, p50 %5.0f m, p95 %5.0f m", c.name, c.language, cmp.Or(a.source, "–"),
				LevelNames[a.level], len(list), list[len(list)/2], list[len(list)*95/100])
		}
		t.Logf("%-45s %-6s %d typed, %d in the data, %d of them not exact, %d of all neither, %d answered, %d apart, %d wrong", c.name,
			c.language, o.typed, o.inData, o.missed, o.neither, all, o.apart, len(o.wrong))
		if float64(o.missed) > c.missed*float64(o.inData) || float64(len(o.wrong)) > .003*float64(all)+1 {
			t.Errorf("%s: %d of %d in the data are not found, %d of %d are wrong:\n%s", c.name, o.missed, o.inData, len(o.wrong), all,
				strings.Join(o.wrong, "\n"))
		}
	}
}

func keys[K comparable, V any](m map[K]V) func(func(K) bool) {
	return func(yield func(K) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// lookUp looks the lines of a corpus up in the table of its records.
func lookUp(table *Table, c *corpus) outcome {
	numbers := map[uint32][]*Record{}
	for i := range c.records {
		n := address.ReadNumber(c.records[i].Number).Value
		numbers[n] = append(numbers[n], &c.records[i])
	}
	o := outcome{metres: map[answered][]float64{}}
	var f Found
	for _, l := range c.typed {
		o.typed++
		a := address.Read(l.line)
		inData := slices.ContainsFunc(numbers[a.Number.Value], func(r *Record) bool {
			return geo.Distance(r.Point.Orb(), l.at.Orb()) < nearM && sameStreet(&a, r.Street)
		})
		table.Find(&Query{Address: a, Level: Street}, &f)
		if inData {
			o.inData++
			if len(f.Matches) != 1 || f.Matches[0].Level != Exact {
				o.missed++
			}
		}
		if len(f.Matches) != 1 {
			o.neither++
			continue
		}
		m := f.Matches[0]
		p, _ := coord.NewPoint(m.Lng, m.Lat)
		d := geo.Distance(p.Orb(), l.at.Orb())
		o.metres[answered{m.Level, m.Source}] = append(o.metres[answered{m.Level, m.Source}], d)
		// What is written, but for a type or words that are missing, is right; how far a street is from the number is its uncertainty.
		agree := m.Score
		if m.Level == Street && m.Changed&ChangedNumber != 0 {
			agree /= agreeNoNumber - 1e-9
		}
		written := agree >= agreeAbsent || m.Changed&^(ChangedNumber|ChangedUnit|ChangedPostal) == 0
		switch {
		case d <= farM || m.Level == Street && (d <= 1.5*m.UncertaintyM || written):
		case written:
			o.apart++
		default:
			o.wrong = append(o.wrong, fmt.Sprintf("%s: %.0f m from %s", l.line, d, show(f.Matches)))
		}
	}
	return o
}

// sameStreet reports whether a street's name is among the words of an address.
func sameStreet(a *address.Address, street string) bool {
	name := address.ReadStreet(street).Name
	for r := range a.Streets {
		if strings.HasPrefix(r.Street.Name, name) {
			return true
		}
	}
	return false
}
