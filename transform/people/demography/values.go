package demography

import (
	"context"
	"database/sql/driver"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"quartier/internal/duck"
	"quartier/internal/margin"
	"quartier/schemas/demographics"
	"quartier/transform/issue"
)

// wholeOf is what an area is a part of: the tract of a block group, a dissemination area itself.
func wholeOf(key string) string {
	if digits, ok := strings.CutPrefix(key, "census:bg:"); ok {
		return "census:tract:" + digits[:11]
	}
	return key
}

// tellAreas writes the figures of small areas, tract by tract.
func (d *deriver) tellAreas(ctx context.Context) error {
	d.odds = make([]odds, len(d.surveys))
	wholes := map[string][]*smallArea{}
	for _, a := range d.areas {
		wholes[wholeOf(a.key)] = append(wholes[wholeOf(a.key)], a)
	}
	return fill(ctx, d.derived, "small_area_value", func(rows *duck.Appender) error {
		err := d.eachWhole(ctx, query("statistics.sql", true), func(whole string, told []areaSheets) error {
			known := wholes[whole]
			delete(wholes, whole)
			return d.settle(rows, known, told)
		})
		if err != nil {
			return err
		}
		for _, whole := range slices.Sorted(maps.Keys(wholes)) {
			if err := d.settle(rows, wholes[whole], nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// settle writes the figures of the small areas of a tract, or of one dissemination area. Both lists are by key.
func (d *deriver) settle(rows *duck.Appender, areas []*smallArea, told []areaSheets) error {
	members, tract := d.gather(areas, told)
	d.compareCounts(members)
	if tract != nil {
		d.handDown(tract, members)
	}
	for _, m := range members {
		if m.area == nil || m.area.number < 0 {
			continue
		}
		if m.any() {
			d.result.Described++
		}
		for t, survey := range m.survey {
			if survey >= 0 {
				d.use(m.area.country, survey)
				m.area.tellings[survey].whole |= 1 << t
			}
		}
		d.countBlocks(m)
		if err := m.each(func(c *demographics.Cell, estimate float64, moe driver.Value) error {
			return rows.Row(m.area.number, c.ID, estimate, moe)
		}); err != nil {
			return err
		}
	}
	return nil
}

// gather finds what is told of every small area of a tract, and of the tract itself, nil where nothing is.
func (d *deriver) gather(areas []*smallArea, told []areaSheets) (members []member, tract *figures) {
	sheets := map[string]*areaSheets{}
	for i := range told {
		if t := &told[i]; small(t.key) {
			sheets[t.key] = t
		} else {
			tract = d.take(*t, countryOf(t.key))
		}
	}
	for _, a := range areas {
		m := member{key: a.key, area: a, figures: newFigures()}
		a.tellings = make([]telling, len(d.surveys))
		if t := sheets[a.key]; t != nil {
			m.figures = d.take(*t, a.country)
			for _, s := range t.sheets {
				a.surveys = append(a.surveys, s.survey)
				a.tellings[s.survey] = tellingOf(s, a.country)
			}
			delete(sheets, a.key)
		}
		members = append(members, m)
	}
	for _, key := range slices.Sorted(maps.Keys(sheets)) {
		members = append(members, member{key: key, figures: d.take(*sheets[key], countryOf(key))})
	}
	return members, tract
}

// countBlocks counts people and households by blocks where no table does.
func (d *deriver) countBlocks(m member) {
	for _, count := range []struct {
		cell int
		n    float64
	}{{populationTotal, m.area.told[people]}, {householdsTotal, m.area.told[households]}} {
		if m.has[count.cell] || math.IsNaN(count.n) {
			continue
		}
		m.cells[count.cell], m.has[count.cell] = margin.Figure{Estimate: count.n, MOE: math.NaN()}, true
		if count.cell == populationTotal {
			d.byBlock[m.area.country]++
		}
	}
}

// tellGeographies writes the figures that are published for geographies.
func (d *deriver) tellGeographies(ctx context.Context) error {
	countries, err := d.countriesOfGeographies(ctx)
	if err != nil {
		return err
	}
	return fill(ctx, d.derived, "geography_value", func(rows *duck.Appender) error {
		return d.eachWhole(ctx, query("published.sql", false), func(key string, told []areaSheets) error {
			country, known := countries[key]
			if !known {
				d.issues.Add(issue.Uncoded("statistics of an outline that became no geography"), key)
				return nil
			}
			f := d.take(told[0], country)
			if f.any() {
				d.result.Published++
			}
			return f.each(func(c *demographics.Cell, estimate float64, moe driver.Value) error {
				return rows.Row(key, c.ID, estimate, moe, d.surveys[f.survey[c.Table]].vintage)
			})
		})
	})
}

// countriesOfGeographies are the countries of all geographies by key.
func (d *deriver) countriesOfGeographies(ctx context.Context) (map[string]string, error) {
	rows, err := d.derived.QueryContext(ctx, "SELECT source_key, country_code FROM geography")
	if err != nil {
		return nil, fmt.Errorf("read geographies: %w", err)
	}
	defer rows.Close()
	countries := map[string]string{}
	for rows.Next() {
		var key, country string
		if err := rows.Scan(&key, &country); err != nil {
			return nil, fmt.Errorf("read geographies: %w", err)
		}
		countries[key] = country
	}
	return countries, rows.Err()
}

// tellHomeValues writes what homes are worth in geographies.
func (d *deriver) tellHomeValues(ctx context.Context) error {
	countries, err := d.countriesOfGeographies(ctx)
	if err != nil {
		return err
	}
	values, err := d.staged.QueryContext(ctx, query("homevalues.sql", false))
	if err != nil {
		return fmt.Errorf("read home values: %w", err)
	}
	defer values.Close()
	return fill(ctx, d.derived, "home_value", func(rows *duck.Appender) error {
		for values.Next() {
			var key string
			var year int32
			var dollars float64
			if err := values.Scan(&key, &year, &dollars); err != nil {
				return fmt.Errorf("read home values: %w", err)
			}
			if _, known := countries[key]; !known {
				d.issues.Add(issue.Uncoded("home value of no geography"), key)
				continue
			}
			if err := rows.Row(key, year, dollars); err != nil {
				return err
			}
		}
		return values.Err()
	})
}
