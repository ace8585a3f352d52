package access

import (
	"testing"

	"quartier/internal/pack"
	"quartier/internal/pack/packtest"
	"quartier/schemas"
)

func TestDamageNeverPanics(t *testing.T) {
	f, _ := openQuays(t)
	packtest.Damage(t, f, 300, func(f *pack.File) bool {
		table, err := Open(f)
		if err != nil {
			return false
		}
		lookUp(table)
		return true
	})
}

// lookUp calls all look-ups of a table and panics if a result is out of the range that callers index by.
func lookUp(table *Table) {
	var values [schemas.ChannelCount]uint16
	sane := func(list []uint16) {
		for _, v := range list {
			if v > maxValue && v != schemas.AbsentValue {
				panic("a value beyond the scale")
			}
		}
	}
	for lat := -0.002; lat < 0.002; lat += 0.0003 {
		s, _ := table.Locate(0.0004, lat)
		table.Values(s, &values)
		sane(values[:])
	}
	for n := range uint32(table.Edges()) {
		e := table.Edge(n)
		table.NodeValues(e.A, &values)
		table.Values(Spot{Edge: n, Share: 0.3}, &values)
		sane(values[:])
	}
	for _, id := range []string{"g10_aaaaaaaaaa", "g30_bbbbbbbbbb"} {
		scores, _ := table.Geography(id)
		sane(scores[:])
	}
	if cell, ok := table.Typology("s000000"); ok {
		_ = schemas.Typologies[cell.Class]
	}
}

// FuzzTable overwrites a few bytes of a valid file where the container does not detect it.
func FuzzTable(f *testing.F) {
	good := packtest.Open(f, func(out *pack.Writer) error { return quays(f, out) })
	packtest.Fuzz(f, good, func(file *pack.File) {
		if table, err := Open(file); err == nil {
			lookUp(table)
		}
	})
}
