package transitlines

import (
	"slices"
	"strings"

	"quartier/ingest/formats/table"
	"quartier/ingest/source"
	"quartier/schemas"
)

// unmapped are the values of the option mode_of without a mode, in the order of the file.
type unmapped []*unmappedValue

type unmappedValue struct {
	value string
	rows  int
	first string // row
}

func (u *unmapped) add(value, where string) {
	const most = 1000 // a column of free text is not one of modes
	if i := slices.IndexFunc(*u, func(v *unmappedValue) bool { return v.value == value }); i >= 0 {
		(*u)[i].rows++
	} else if len(*u) < most {
		*u = append(*u, &unmappedValue{value, 1, where})
	}
}

// err returns the fault of each value.
func (u unmapped) err(modeOf string) error {
	const most = 20
	var f source.Faults
	for i, v := range u {
		if i == most {
			f.Option(true, "modes", "and %d more values have no mode", len(u)-most)
			break
		}
		f.Option(true, "modes", "%s %s has no mode, in %d rows, first in %s; give it one of %s, or %s, or set the option mode",
			modeOf, table.Shorten(v.value), v.rows, v.first, strings.Join(schemas.TransitModes, ", "), skip)
	}
	return f.Err()
}
