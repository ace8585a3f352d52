package market

import (
	"encoding/binary"
	"testing"

	"pgregory.net/rapid"

	"quartier/internal/pack"
	"quartier/internal/pack/packtest"
	"quartier/schemas/market"
)

// asLayout15 writes the cells of a table in one file, as programs of layout 15 did.
func asLayout15(t testing.TB, table *Table) *pack.File {
	return packtest.Open(t, func(out *pack.Writer) error {
		pack.PutVocabulary(out, "market.metric", words())
		pack.Put(out, "market.day", table.day)
		pack.PutTexts(out, "market.zone", table.zones)
		pack.Put(out, "market.zone.of", table.zoneOf)
		for name, intervals := range map[string][2]int{"market.closed": {firstClosed(), IntervalCount}, "market.moving": {0, firstClosed()}} {
			lists := pack.NewLists[uint8](out, name)
			for g := range table.Len() {
				lists.Append(listOfLayout15(table, g, intervals[0], intervals[1]))
			}
		}
		pack.PutTexts(out, "market.state", table.states)
		return nil
	})
}

// listOfLayout15 is the list of the cells of a geography from one interval to before another.
func listOfLayout15(table *Table, geography, first, end int) []byte {
	var types uint16
	var blocks []byte
	for of := range market.TypeCount {
		var row Row
		table.Find(geography, of, &row)
		has, ends, cells := make([]byte, (end-first+7)/8), []byte(nil), []byte(nil)
		for i := first; i < end; i++ {
			if cell := row.at(i); cell != nil {
				has[(i-first)/8] |= 1 << ((i - first) % 8)
				cells = append(cells, cell...)
				ends = binary.LittleEndian.AppendUint16(ends, uint16(len(cells)))
			}
		}
		if len(ends) > 0 {
			types |= 1 << of
			blocks = append(append(append(blocks, has...), ends...), cells...)
		}
	}
	if types == 0 {
		return nil
	}
	return append(append(binary.LittleEndian.AppendUint16(nil, types), blocks...), make([]byte, numberBytes)...)
}

// TestLayout15 compares the answers from the file of an earlier layout with what was written.
func TestLayout15(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		list := towns(rapid.Uint64().Draw(rt, "seed"), rapid.Float64Range(0, 1).Draw(rt, "share"))
		table, err := Open(asLayout15(t, openTable(t, list)))
		must(t, err)
		if years := table.Years(); len(years) > 0 || table.Day() != day || !table.HasState("US_AZ") {
			rt.Fatalf("day %s, years %v, states %v", table.Day(), years, table.States())
		}
		for i, zone := range zones {
			if zone != "" {
				compareAnswers(rt, table, list, i, zone)
			}
		}
	})
	packtest.Damage(t, asLayout15(t, openTable(t, towns(1, 0.5))), 150, func(f *pack.File) bool {
		table, err := Open(f)
		if err == nil {
			lookUp(table)
		}
		return err == nil
	})
}
