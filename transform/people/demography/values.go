package demography

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"quartier/internal/duck"
	"quartier/internal/margin"
	"quartier/internal/sqlrow"
	"quartier/schemas/demographics"
	"quartier/schemas/derived"
)

// groupOf is the group of areas that a small area is processed with: the tract of a block group, a dissemination area or
// tract itself. The tract of census:bg:240050001001 is census:tract:24005000100.
func groupOf(key string) string {
	if digits, ok := strings.CutPrefix(key, "census:bg:"); ok {
		return "census:tract:" + digits[:11]
	}
	return key
}

// writeAreaValues writes the figures of small areas, tract by tract.
func (d *deriver) writeAreaValues(ctx context.Context) error {
	d.mismatches = make([]populations, len(d.surveys))
	groups := map[string][]*smallArea{}
	for _, a := range d.areas {
		groups[groupOf(a.key)] = append(groups[groupOf(a.key)], a)
	}
	return duck.Fill(ctx, d.derived, "small_area_value", func(write func(derived.SmallAreaValue) error) error {
		err := d.eachGroup(ctx, query("area_values.sql", true), func(group string, published []areaSheets) error {
			areas := groups[group]
			delete(groups, group)
			return d.writeGroup(write, areas, published)
		})
		if err != nil {
			return err
		}
		for _, group := range slices.Sorted(maps.Keys(groups)) {
			if err := d.writeGroup(write, groups[group], nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// writeGroup writes the figures of the small areas of a tract, or of one dissemination area. Both lists are sorted by key.
func (d *deriver) writeGroup(write func(derived.SmallAreaValue) error, areas []*smallArea, published []areaSheets) error {
	d.demoteChanged(areas, published)
	members, tract := d.members(areas, published)
	d.compareCounts(members)
	if tract != nil {
		d.allocateResidual(tract, members)
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
				m.area.tables[survey].complete |= 1 << t
			}
		}
		d.addBlockCounts(m)
		m.area.people, m.area.households = m.people(d.c.Ground.HouseholdSize), m.households()
		if err := m.each(func(c *demographics.Cell, estimate float64, moe *float64) error {
			return write(derived.SmallAreaValue{Area: m.area.number, Cell: c.ID, Estimate: estimate, MOE: moe, Vintage: d.vintageOf(m, c.Table)})
		}); err != nil {
			return err
		}
	}
	return nil
}

// members returns the small areas of a tract with their figures, those without an outline last, and the figures of the
// tract; nil if it has none.
func (d *deriver) members(areas []*smallArea, published []areaSheets) (members []member, tract *figures) {
	sheets := map[string]*areaSheets{}
	for i := range published {
		if p := &published[i]; isSmall(p.key) || len(areas) == 1 && areas[0].key == p.key {
			sheets[p.key] = p
		} else {
			tract = d.chooseSurveys(*p, countryOf(p.key))
		}
	}
	for _, a := range areas {
		m := member{key: a.key, area: a, figures: newFigures()}
		a.tables = make([]surveyTables, len(d.surveys))
		if p := sheets[a.key]; p != nil {
			m.figures = d.chooseSurveys(*p, a.country)
			for _, s := range p.sheets {
				a.surveys = append(a.surveys, s.survey)
				a.tables[s.survey] = tablesOf(s, a.country)
			}
			delete(sheets, a.key)
		}
		members = append(members, m)
	}
	for _, key := range slices.Sorted(maps.Keys(sheets)) {
		members = append(members, member{key: key, figures: d.chooseSurveys(*sheets[key], countryOf(key))})
	}
	return members, tract
}

// demoteChanged puts a survey that has a block group of the tract without an outline behind those that have none: the tract
// was divided in another way for it, so that its figures for the other keys may be of other ground. Sheets are in the order
// in which they are used.
func (d *deriver) demoteChanged(areas []*smallArea, published []areaSheets) {
	outlined := map[string]bool{}
	for _, a := range areas {
		outlined[a.key] = true
	}
	changed := map[int]bool{}
	for _, p := range published {
		for _, s := range p.sheets {
			changed[s.survey] = changed[s.survey] || isSmall(p.key) && !outlined[p.key]
		}
	}
	for _, p := range published {
		slices.SortStableFunc(p.sheets, func(a, b *sheet) int {
			switch {
			case changed[a.survey] == changed[b.survey]:
				return 0
			case changed[a.survey]:
				return 1
			}
			return -1
		})
	}
}

// vintageOf is the vintage of a table of a small area: of its survey, or of the census that its blocks are of.
func (d *deriver) vintageOf(m member, table int) string {
	if survey := m.survey[table]; survey >= 0 {
		return d.surveys[survey].vintage
	}
	return strings.Join(d.blockYears[m.area.country], ", ")
}

// addBlockCounts adds people and households of the blocks where no table has them.
func (d *deriver) addBlockCounts(m member) {
	for _, count := range []struct {
		cell int
		n    float64
	}{{populationTotal, m.area.counts[people]}, {householdsTotal, m.area.counts[households]}} {
		if m.has[count.cell] || math.IsNaN(count.n) {
			continue
		}
		m.cells[count.cell], m.has[count.cell] = margin.Figure{Estimate: count.n, MOE: math.NaN()}, true
		if count.cell == populationTotal {
			d.fromBlocks[m.area.country]++
		}
	}
}

// writeGeographyValues writes the figures that are published for geographies.
func (d *deriver) writeGeographyValues(ctx context.Context) error {
	countries, err := d.countriesOfGeographies(ctx)
	if err != nil {
		return err
	}
	return duck.Fill(ctx, d.derived, "geography_value", func(write func(derived.GeographyValue) error) error {
		return d.eachGroup(ctx, query("geography_values.sql", false), func(key string, published []areaSheets) error {
			country, known := countries[key]
			if !known {
				d.issues.Add(skippedBoundary, key)
				return nil
			}
			f := d.chooseSurveys(published[0], country)
			if f.any() {
				d.result.Published++
			}
			return f.each(func(c *demographics.Cell, estimate float64, moe *float64) error {
				return write(derived.GeographyValue{SourceKey: key, Cell: c.ID, Estimate: estimate, MOE: moe,
					Vintage: d.surveys[f.survey[c.Table]].vintage})
			})
		})
	})
}

// countriesOfGeographies returns the countries of all geographies by key.
func (d *deriver) countriesOfGeographies(ctx context.Context) (map[string]string, error) {
	type row struct {
		Key     string `col:"source_key"`
		Country string `col:"country_code"`
	}
	countries := map[string]string{}
	for row, err := range sqlrow.Select[row](ctx, d.derived, "SELECT source_key, country_code FROM geography") {
		if err != nil {
			return nil, fmt.Errorf("read geographies: %w", err)
		}
		countries[row.Key] = row.Country
	}
	return countries, nil
}

// writeHomeValues writes the home values of geographies.
func (d *deriver) writeHomeValues(ctx context.Context) error {
	countries, err := d.countriesOfGeographies(ctx)
	if err != nil {
		return err
	}
	return duck.Fill(ctx, d.derived, "home_value", func(write func(derived.HomeValue) error) error {
		for row, err := range sqlrow.Select[derived.HomeValue](ctx, d.staged, query("home_values.sql", false)) {
			if err != nil {
				return fmt.Errorf("read home values: %w", err)
			}
			if _, known := countries[row.SourceKey]; !known {
				d.issues.Add(noGeography, row.SourceKey)
				continue
			}
			if err := write(*row); err != nil {
				return err
			}
		}
		return nil
	})
}
