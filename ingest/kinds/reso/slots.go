package reso

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"quartier/ingest/source"
)

// slots are the columns, or names in JSON, that are read: those of the options by their exact name, those of the fields by
// any spelling. A record is read as the texts of its slots.
type slots struct {
	exact  map[string]int // columns of the options
	folded map[string]int // names of fields, folded
	names  []string       // by slot
	fields [fieldCount][]int
	only   []onlyValues
}

// onlyValues are the values of a slot of records that are not skipped.
type onlyValues struct {
	slot   int
	values []string
}

func newSlots(m *mapping) slots {
	s := slots{exact: map[string]int{}, folded: map[string]int{}}
	named := func(name string) int {
		if _, known := s.exact[name]; !known {
			s.exact[name] = len(s.names)
			s.names = append(s.names, name)
		}
		return s.exact[name]
	}
	for f, names := range fieldNames {
		if m.template[f] != "" {
			for _, name := range source.Columns(m.template[f]) {
				s.fields[f] = append(s.fields[f], named(name))
			}
			continue
		}
		for _, name := range names {
			s.folded[fold(name)] = len(s.names)
			s.fields[f] = append(s.fields[f], len(s.names))
			s.names = append(s.names, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Only)) {
		s.only = append(s.only, onlyValues{named(name), m.Only[name]})
	}
	return s
}

// of returns the slot of a column or name; −1 if it is not read.
func (s *slots) of(name string) int {
	if slot, known := s.exact[name]; known {
		return slot
	}
	if slot, known := s.folded[fold(name)]; known {
		return slot
	}
	return -1
}

// columnsOf returns the column of each slot of a table, −1 where it has none. The error names columns of the options that the
// table does not have, or that there is nothing in the table that is read.
func (s *slots) columnsOf(header []string) ([]int, error) {
	columns := slices.Repeat([]int{-1}, len(s.names))
	found := 0
	for i, name := range header {
		if slot := s.of(strings.TrimSpace(name)); slot >= 0 && columns[slot] < 0 {
			columns[slot] = i
			found++
		}
	}
	var missing []string
	for name, slot := range s.exact {
		if columns[slot] < 0 {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	const most = 30
	there := strings.Join(header[:min(most, len(header))], ", ")
	if missing != nil {
		return nil, &source.NoColumns{Names: missing, Text: fmt.Sprintf("no column %s; there are: %s", strings.Join(missing, ", nor "), there)}
	}
	has := func(fields ...field) bool {
		return slices.ContainsFunc(fields, func(f field) bool {
			return slices.ContainsFunc(s.fields[f], func(slot int) bool { return columns[slot] >= 0 })
		})
	}
	if !has(standardStatus, mlsStatus, mayView) && !(has(closeDate) && has(closePrice)) && !(has(recordKey) && has(fieldName)) {
		return nil,
			fmt.Errorf(
				"it has neither a status (StandardStatus) nor closing date and price (CloseDate, ClosePrice) nor changes (ResourceRecordKey, "+
					"FieldName); "+
					"the option columns maps columns of other names; there are: %s", there)
	}
	return columns, nil
}

// wanted are the columns by which the header of a table is found.
func (s *slots) wanted() []string {
	list := slices.Sorted(maps.Keys(s.exact))
	if len(list) > 0 {
		return list
	}
	return s.names
}

// values returns the texts of the fields of a record by those of its slots.
func (m *mapping) values(cells []string, v *values) {
	for f := range v {
		v[f] = ""
		if t := m.template[f]; strings.ContainsAny(t, "{}") {
			v[f] = source.Compose(t, func(name string) string { return cells[m.slots.exact[name]] })
		} else {
			for _, slot := range m.slots.fields[f] {
				if cells[slot] != "" {
					v[f] = cells[slot]
					break
				}
			}
		}
		if v[f] == "" {
			v[f] = m.constant[f]
		}
	}
}

// excluded reports whether the option only skips a record.
func (m *mapping) excluded(cells []string) bool {
	for _, only := range m.slots.only {
		if !slices.Contains(only.values, cells[only.slot]) {
			return true
		}
	}
	return false
}
