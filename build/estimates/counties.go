package estimates

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/paulmach/orb"

	"quartier/build/assembly"
	"quartier/internal/geo"
	"quartier/internal/margin"
	"quartier/schemas"
	"quartier/schemas/demographics"
)

// county is a county or census division with published figures.
type county struct {
	place   int
	figures []assembly.PublishedFigure
}

// countyParallels are those along which shares of counties are measured, to about a thousandth.
const countyParallels = 512

// readCounties reads the published figures of all counties, where there are regions or metro areas to compose of them.
func (c *computation) readCounties(ctx context.Context) error {
	level := func(least schemas.Level) int {
		return sort.Search(len(c.order), func(place int) bool { return c.at(place).Level >= least })
	}
	if level(schemas.Region) == len(c.order) {
		return nil
	}
	for first, end := level(schemas.County), level(schemas.County+1); first < end; first += batchSize {
		published, err := c.Assembly.ReadPublished(ctx, first, min(first+batchSize, end))
		if err != nil {
			return fmt.Errorf("read figures of counties: %w", err)
		}
		for i, p := range published {
			if len(p.Figures) > 0 {
				c.counties = append(c.counties, county{first + i, p.Figures})
			}
		}
	}
	return nil
}

// compose adds the tables to what is published for a region or metro area that are published for its counties instead,
// where counties with the table cover enough of it: the sums of counts.
func (c *computation) compose(place int, outline orb.MultiPolygon) error {
	g := c.at(place)
	if g.Level != schemas.Region && g.Level != schemas.Metro {
		return nil
	}
	members, outlines, err := c.membersOf(g, outline)
	if err != nil || len(members) == 0 {
		return err
	}
	own := c.publishedAt(place)
	has, published := tablesOf(own.Figures), len(own.Figures)
	whole, enough := geo.Prepare(outline), map[string]bool{} // by the members that have a table
	for t := range demographics.Tables {
		var with []county
		var covering []*geo.Prepared
		var key strings.Builder
		for i, m := range members {
			if tablesOf(m.figures)[t] {
				with, covering = append(with, m), append(covering, outlines[i])
				fmt.Fprint(&key, i, " ")
			}
		}
		if has[t] || len(with) == 0 {
			continue
		}
		if _, known := enough[key.String()]; !known {
			share, _ := geo.OverlapAny(whole, covering, countyParallels)
			enough[key.String()] = share >= c.constants.MinComposed
		}
		if enough[key.String()] {
			own.Figures = append(own.Figures, sumOf(t, with)...)
		}
	}
	c.composed[place] = len(own.Figures) > published
	slices.SortStableFunc(own.Figures, func(a, b assembly.PublishedFigure) int {
		return strings.Compare(demographics.Cells[a.Cell].ID, demographics.Cells[b.Cell].ID)
	})
	return nil
}

// membersOf are the counties with figures that are in a geography, with their outlines.
func (c *computation) membersOf(g *assembly.Geography, outline orb.MultiPolygon) (members []county, outlines []*geo.Prepared, err error) {
	whole := geo.Prepare(outline)
	for _, m := range c.counties {
		at := c.at(m.place)
		if at.Country != g.Country || !at.Bound.Intersects(g.Bound) {
			continue
		}
		outline, err := c.Assembly.Outlines.Get(c.order[m.place])
		if err != nil {
			return nil, nil, fmt.Errorf("county %s: %w", at.Key, err)
		}
		if prepared := geo.Prepare(outline); geo.Overlap(prepared, whole, countyParallels) >= c.constants.MinMember {
			members, outlines = append(members, m), append(outlines, prepared)
		}
	}
	return members, outlines, nil
}

// tablesOf is the set of tables of which there are figures, without medians and means.
func tablesOf(figures []assembly.PublishedFigure) map[int]bool {
	set := map[int]bool{}
	for _, f := range figures {
		if cell := &demographics.Cells[f.Cell]; cell.Role != demographics.Scalar {
			set[cell.Table] = true
		}
	}
	return set
}

// sumOf adds up a table of counties: the cells that all of them have. Its vintages are those of the counties.
func sumOf(table int, counties []county) (figures []assembly.PublishedFigure) {
	var vintages []string
	sums, counted := map[int]*margin.Sum{}, map[int]int{}
	for _, m := range counties {
		for _, f := range m.figures {
			if demographics.Cells[f.Cell].Table != table {
				continue
			}
			if sums[f.Cell] == nil {
				sums[f.Cell] = new(margin.Sum)
			}
			sums[f.Cell].Add(f.Figure, 1)
			counted[f.Cell]++
			if !slices.Contains(vintages, f.Vintage) {
				vintages = append(vintages, f.Vintage)
			}
		}
	}
	for _, cell := range demographics.Tables[table].Cells {
		if counted[cell] == len(counties) {
			figures = append(figures, assembly.PublishedFigure{Cell: cell, Figure: sums[cell].Figure(), Vintage: joinVintages(vintages)})
		}
	}
	return figures
}
