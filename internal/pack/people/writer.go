package people

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"quartier/internal/pack"
	"quartier/schemas/demographics"
)

// Writer writes the table. Records are streamed to the pack.
type Writer struct {
	out      *pack.Writer
	ids      *pack.Section[uint64]
	records  *pack.Section[uint32]
	vintages pack.Dictionary
	lastID   string
	record   []uint32
}

// NewWriter opens the sections of the table in out.
func NewWriter(out *pack.Writer) *Writer {
	pack.PutVocabulary(out, sectionWords, words())
	return &Writer{
		out:     out,
		ids:     pack.NewSection[uint64](out, "people.id"),
		records: pack.NewSection[uint32](out, "people.record"),
		record:  make([]uint32, width),
	}
}

// Add adds the next geography; ids must ascend. It fails if a variable is present that the country does not publish, or if
// a number is negative, too large or outside of its interval.
func (w *Writer) Add(g Geography) error {
	if err := w.add(&g); err != nil {
		return fmt.Errorf("people of geography %q: %w", g.ID, err)
	}
	return w.out.Err()
}

func (w *Writer) add(g *Geography) error {
	number, ok := pack.GeogNumber(g.ID)
	switch {
	case !ok:
		return errors.New("not a geog_id")
	case g.ID <= w.lastID:
		return fmt.Errorf("not after %q, ids must ascend", w.lastID)
	case len(g.Values) != len(flat):
		return fmt.Errorf("%d variables, not %d", len(g.Values), len(flat))
	}
	var err error
	if w.record[0], err = w.head(g.Country, strings.TrimSuffix(g.Vintage+";"+g.Vintages, ";")); err != nil {
		return err
	}
	w.record[1] = Absent
	if g.Coverage != nil {
		if !(*g.Coverage >= 0 && *g.Coverage <= 1) {
			return fmt.Errorf("coverage %v", *g.Coverage)
		}
		w.record[1] = uint32(math.Round(*g.Coverage * 1e4))
	}
	for place := range g.Values {
		v := &g.Values[place]
		if v.Present && !has(place, g.Country) {
			return fmt.Errorf("%s: %s has no such variable", variable(place).ID, g.Country)
		}
		if err := scale(w.record[header+3*place:][:3], variable(place).Decimals(), v); err != nil {
			return fmt.Errorf("%s: %w", variable(place).ID, err)
		}
	}
	w.lastID = g.ID
	w.ids.Append(number)
	w.records.Append(w.record...)
	return nil
}

// head is the first number of a record.
func (w *Writer) head(country, vintage string) (uint32, error) {
	number := slices.Index(countries[:], country)
	if number < 0 {
		return 0, fmt.Errorf("no country %q", country)
	}
	return uint32(w.vintages.Number(vintage)*len(countries) + number), nil
}

// scale sets the three numbers of a variable: none, the value, the value and itself as the one limit, or all.
func scale(into []uint32, decimals int, v *Value) error {
	into[0], into[1], into[2] = Absent, Absent, Absent
	numbers := [...]float64{v.Value, v.Lower, v.Upper}
	known := 0
	switch {
	case v.Present && v.Interval:
		known = 3
	case v.Present:
		known = 1
	}
	power := math.Pow10(decimals)
	for i, number := range numbers[:known] {
		scaled := math.Round(number * power)
		if !(scaled >= 0 && scaled < Absent) {
			return fmt.Errorf("%v is out of range", number)
		}
		into[i] = uint32(scaled)
	}
	switch {
	case v.Open != demographics.Closed && known != 1:
		return fmt.Errorf("%v is a bound and has an interval", v.Value)
	case v.Open == demographics.OpenUpper:
		into[1] = into[0]
	case v.Open == demographics.OpenLower:
		into[2] = into[0]
	}
	if known == 3 && !(into[1] <= into[0] && into[0] <= into[2]) {
		return fmt.Errorf("%v is outside of its interval %v to %v", v.Value, v.Lower, v.Upper)
	}
	return nil
}

// Finish writes the vintages.
func (w *Writer) Finish() error {
	pack.PutTexts(w.out, "people.vintage", w.vintages.Texts)
	return w.out.Err()
}
