package transitstop

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"

	"quartier/internal/duck"
	"quartier/internal/sqlrow"
	"quartier/transform/places/near"
)

// Modes are the modes of lines that publishers call railways and that run on other tracks.
type Modes map[[2]string]string // by source and line

// Of is the mode of a line; published is that of its source.
func (m Modes) Of(source, line, published string) string {
	if mode := m[[2]string{source, line}]; mode != "" {
		return mode
	}
	return published
}

// trackModes are the modes by the tracks beside the stops, in their order where as many stops are beside either.
var trackModes = []struct {
	mode   string
	tracks []string // classes of features of kind rail
}{{"rail", []string{"main", "branch"}}, {"subway", []string{"subway"}}, {"light_rail", []string{"light_rail"}}}

// ReadModes reads the modes of lines by their tracks. A stop without tracks within tracksM metres, as in a tunnel, makes no
// difference.
//
// Example: St. Louis publishes its light rail with route_type 2. Of 38 stations 30 have tracks of light rail nearest, two
// those of the railway beside them, and six are in tunnels: the line is light rail.
func ReadModes(ctx context.Context, staged *duck.DB, tracksM float64) (Modes, error) {
	tracks, err := readTracks(ctx, staged)
	if err != nil {
		return nil, err
	}
	stops := map[[2]string][]int{} // of each line, by index in trackModes
	var line [2]string
	var p orb.Point
	err = sqlrow.Scan(ctx, staged, `
		SELECT DISTINCT r.source_id, r.source_key, s.lng, s.lat
		FROM route AS r
		JOIN stop_service AS v ON v.source_id = r.source_id AND v.route_key = r.source_key
		JOIN stop AS s ON s.source_id = v.source_id AND s.source_key = v.stop_key
		WHERE r.mode = 'rail'`,
		[]any{&line[0], &line[1], &p[0], &p[1]}, func() error {
			nearest, class := math.Inf(1), -1
			tracks.Within(p, tracksM, func(owner int, metres float64) {
				if metres < nearest || metres == nearest && owner < class {
					nearest, class = metres, owner
				}
			})
			if class >= 0 {
				if stops[line] == nil {
					stops[line] = make([]int, len(trackModes))
				}
				stops[line][class]++
			}
			return nil
		})
	if err != nil {
		return nil, fmt.Errorf("read stops of railways: %w", err)
	}
	modes := Modes{}
	for line, counts := range stops {
		most := 0
		for i, n := range counts {
			if n > counts[most] {
				most = i
			}
		}
		if most > 0 {
			modes[line] = trackModes[most].mode
		}
	}
	return modes, nil
}

// readTracks reads the tracks of trackModes, by index.
func readTracks(ctx context.Context, staged *duck.DB) (*near.Segments, error) {
	tracks := &near.Segments{}
	var class string
	var geom []byte
	err := sqlrow.Scan(ctx, staged, "SELECT class, geom FROM feature WHERE kind = 'rail'", []any{&class, &geom}, func() error {
		g, err := wkb.Unmarshal(geom)
		course, _ := g.(orb.LineString)
		for i, m := range trackModes {
			if slices.Contains(m.tracks, class) {
				tracks.Add(course, i)
			}
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read tracks: %w", err)
	}
	tracks.Build()
	return tracks, nil
}
