package homevalues

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"quartier/ingest/source"
)

// monthColumn is a column with the values of a month.
type monthColumn struct{ column, year, month int }

// Older tables have no day: 2021-01 for 2021-01-31.
var monthName = regexp.MustCompile(`^(\d{4})-(0[1-9]|1[0-2])(?:-\d{2})?$`)

// months returns the columns of months in chronological order.
func months(columns []string) ([]monthColumn, error) {
	var list []monthColumn
	for i, name := range columns {
		if parts := monthName.FindStringSubmatch(name); parts != nil {
			year, _ := strconv.Atoi(parts[1]) // digits, as the pattern says
			in, _ := strconv.Atoi(parts[2])
			list = append(list, monthColumn{i, year, in})
		}
	}
	slices.SortStableFunc(list, func(a, b monthColumn) int { return cmp.Or(cmp.Compare(a.year, b.year), cmp.Compare(a.month, b.month)) })
	for i := 1; i < len(list); i++ {
		if list[i].year == list[i-1].year && list[i].month == list[i-1].month {
			return nil, fmt.Errorf("the month of column %s occurs twice", columns[list[i].column])
		}
	}
	return list, nil
}

// years returns the values of a row with months by year, without key: the means of the months with a value.
func (s *stage) years() []source.HomeValue {
	var years []source.HomeValue
	for _, m := range s.months {
		if m.year < s.options.Since || len(s.table.At(m.column)) == 0 {
			continue
		}
		value, ok := s.table.Number(m.column)
		if !ok || value <= 0 {
			s.out.Issue(homeValueRemoved, s.at(m.column))
			continue
		}
		if n := len(years); n == 0 || years[n-1].Year != int32(m.year) {
			years = append(years, source.HomeValue{Year: int32(m.year)})
		}
		year := &years[len(years)-1]
		year.Dollars += value
		year.Months++
	}
	if len(years) == 0 {
		s.out.Issue(noValue, s.here())
	}
	for i := range years {
		years[i].Dollars /= float64(years[i].Months)
	}
	return years
}

// single returns the value of a row without months, without key; none where it is missing or invalid.
func (s *stage) single() []source.HomeValue {
	const wholeYear = 12 // months
	column, year := s.table.Column(s.options.Value), s.options.Year
	if name := s.options.yearColumn(); name != "" {
		year = s.table.Text(s.table.Column(name))
	}
	value, ok := s.table.Number(column)
	number, err := strconv.Atoi(year)
	switch {
	case len(s.table.At(column)) == 0 || err == nil && number < s.options.Since:
		s.out.Issue(noValue, s.here())
		return nil
	case !fourDigits.MatchString(year):
		s.out.Issue(invalidYear, s.here())
		return nil
	case !ok || value <= 0:
		s.out.Issue(invalidHomeValue, s.at(column))
		return nil
	}
	return []source.HomeValue{{Year: int32(number), Dollars: value, Months: wholeYear}}
}

// at describes a value of the row in messages.
func (s *stage) at(column int) string { return s.table.Value(column) + " of " + s.here() }
