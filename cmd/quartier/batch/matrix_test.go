package batch

import (
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"quartier/internal/coord"
	"quartier/internal/travel"
	"quartier/internal/travel/timetable"
)

// TestNotesOfMatrix: what is known of four points, of which the first has all, the next some of the lines, the next streets alone.
func TestNotesOfMatrix(t *testing.T) {
	strip := func(from, to float64) coord.Area {
		area, err := coord.NewArea(orb.MultiPolygon{{{{from, 0}, {to, 0}, {to, 1}, {from, 1}, {from, 0}}}})
		require.NoError(t, err)
		return area
	}
	var lines timetable.Timetable
	lines.Feeds = []timetable.Feed{{First: 1, Last: 9}, {First: 1, Last: 9}}
	w := travel.New(travel.Parts{Extents: []coord.Area{strip(0, 3)}, Timetable: &lines,
		Feeds: []travel.Feed{{Ground: strip(0, 1)}, {Ground: strip(1, 2), Partial: true}}})
	of := &pointFile{name: "p.csv", ids: []string{"all", "some", "streets", "nothing"}}
	for i := range of.ids {
		at, _ := coord.NewPoint(float64(i)+0.5, 0.5)
		of.at = append(of.at, at)
	}
	for mode, want := range map[travel.Mode][]string{
		travel.Transit: {
			"p.csv: 1 row of 4 beyond the streets of the release; the first is row 4, nothing",
			"p.csv: 1 row of 4 beyond the ground of its timetables; the first is row 3, streets",
			"p.csv: 1 row of 4 where its timetables have some of the lines only, so that one may be faster; the first is row 2, some",
		},
		travel.Car: {"p.csv: 1 row of 4 beyond the streets of the release; the first is row 4, nothing"},
	} {
		var screen strings.Builder
		m := &matrix{Options: Options{Screen: &screen}, world: w, how: travel.Defaults(mode), from: of, to: of}
		require.NoError(t, m.conclude(&Summary{}))
		lines := strings.Split(strings.TrimSpace(screen.String()), "\n")[1:] // after the table
		require.Equal(t, append(want, "p.csv: 4 rows of 4 farther than 1000 m from a street of the mode; the first is row 1, all"), lines)
	}
}
