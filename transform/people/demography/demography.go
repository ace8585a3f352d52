// Package demography says who lives where: the smallest areas that tables are published for, the blocks that they are
// made of, and the figures of both them and the geographies. In go the staged blocks, zones, surveys, statistics and home
// values, derived.geography and the coverage; out come derived.small_area, small_area_part, small_area_value,
// geography_value, home_value and vintage.
//
// A small area is a census block group or a dissemination area. A table that no survey tells of a block group is handed
// down from its census tract, whose number its own begins with. In Canada nothing is handed down: no larger area is near
// enough in size and known from the key alone.
//
// Parts and figures stream through; what stays in memory is some hundred bytes a small area and 24 a block.
package demography

import (
	"context"
	"embed"
	"fmt"
	"strings"

	"quartier/internal/duck"
	"quartier/schemas/calibration"
	"quartier/schemas/demographics"
	"quartier/transform/issue"
	"quartier/transform/places/geography"
)

const step = "demography"

//go:embed *.sql
var queries embed.FS

// query is the text of a file; with areas it begins with the small areas of areas.sql.
func query(name string, areas bool) string {
	text := ""
	if areas {
		text = read("areas.sql")
	}
	return text + read(name)
}

func read(name string) string {
	text, err := queries.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// Result is what was written.
type Result struct {
	Areas, Parts int
	Described    int               // small areas that a survey tells of
	Published    int               // geographies that a survey tells of
	Notes        map[string]string // rows of derived.note, text by topic
}

// Derive writes the small areas of a region and the figures of its areas and geographies; derived.geography is filled
// already. It fails with ErrMismatch where too many people live in small areas that a survey should tell of and does not, or
// counts otherwise than their blocks.
func Derive(ctx context.Context, staged, derived *duck.DB, coverage *geography.Coverage, c calibration.Demographics) (*Result, []issue.Issue, error) {
	d := &deriver{staged: staged, derived: derived, coverage: coverage, c: c, issues: issue.NewCounter(step),
		handed: make([]int, len(demographics.Tables)), used: map[string][]bool{}, byBlock: map[string]int{}, result: &Result{Notes: map[string]string{}}}
	for _, work := range []func(context.Context) error{
		d.readSurveys, d.findAreas, d.writeAreas, d.tellAreas, d.tellGeographies, d.tellHomeValues, d.checkJoined, d.checkCounts, d.notePartialOutlines, d.writeVintages, d.countIssues,
	} {
		if err := work(ctx); err != nil {
			return nil, nil, err
		}
	}
	d.remark()
	return d.result, append(d.counted, d.issues.Issues()...), nil
}

// deriver holds what the steps hand on to each other.
type deriver struct {
	staged, derived *duck.DB
	coverage        *geography.Coverage
	c               calibration.Demographics
	issues          *issue.Counter
	counted         []issue.Issue // that came as sums

	surveys []survey // the newest first
	areas   []*smallArea
	used    map[string][]bool // by country: whether a small area has a table of the survey
	byBlock map[string]int    // by country: small areas whose people are those of their blocks
	odds    []odds            // by survey
	handed  []int             // by table: block groups that it was handed down to
	result  *Result
}

// countIssues counts the staged rows that nothing was made of.
func (d *deriver) countIssues(ctx context.Context) error {
	rows, err := d.staged.QueryContext(ctx, query("issues.sql", true))
	if err != nil {
		return fmt.Errorf("count what was left out: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		i := issue.Issue{Step: step, Reason: issue.Uncoded("")}
		if err := rows.Scan(&i.Detail, &i.Rows, &i.Example); err != nil {
			return fmt.Errorf("count what was left out: %w", err)
		}
		d.counted = append(d.counted, i)
	}
	return rows.Err()
}

// remark notes what figures stand on where a reader would not guess it.
func (d *deriver) remark() {
	var tables []string
	for t, areas := range d.handed {
		if areas > 0 {
			tables = append(tables, fmt.Sprintf("%s to %d", demographics.Tables[t].ID, areas))
		}
	}
	if len(tables) > 0 {
		d.result.Notes["demographics of tracts"] = "tables that block groups lack are shares of their tract's by blocks: " + strings.Join(tables, ", ")
	}
	for _, country := range []string{"CA", "US"} {
		if n := d.byBlock[country]; n > 0 {
			d.result.Notes["demographics by blocks "+country] = fmt.Sprintf("people of %d of %d small areas are those of their blocks, without a margin of error", n, d.areasOf(country))
		}
	}
}

// areasOf is the number of small areas of a country that are written.
func (d *deriver) areasOf(country string) (n int) {
	for _, a := range d.areas {
		if a.country == country && a.number >= 0 {
			n++
		}
	}
	return n
}

// use notes that a small area of a country has a table of a survey.
func (d *deriver) use(country string, survey int) {
	if d.used[country] == nil {
		d.used[country] = make([]bool, len(d.surveys))
	}
	d.used[country][survey] = true
}

// countryOf is the country of a small area, by the scheme of its key.
func countryOf(key string) string {
	if strings.HasPrefix(key, "statcan:") {
		return "CA"
	}
	return "US"
}

// small reports whether an area is a block group or dissemination area.
func small(key string) bool {
	return strings.HasPrefix(key, "census:bg:") || strings.HasPrefix(key, "statcan:da:")
}
